import { PassThrough } from 'node:stream';
import { createLogger, loadSettings } from '#libs/platform';
import { WorkerEvents } from './worker-events.js';

const settings = loadSettings({ DATABASE_URL: 'postgres://127.0.0.1/x', ENCRYPTION_KEY: 'c0ffee'.padEnd(64, '0') });

it('A listener that throws stops neither the others nor the one that emits, and its error is logged', () => {
  const log = new PassThrough();
  const events = new WorkerEvents(createLogger('worker', settings, log));
  const heard: string[] = [];
  events.on('due', (atMs) => heard.push(`first ${atMs}`));
  events.on('due', () => {
    throw new Error('The second part is broken.');
  });
  events.on('due', (atMs) => heard.push(`third ${atMs}`));
  events.emit('due', 5);
  expect(heard).toEqual(['first 5', 'third 5']);
  const line = String(log.read());
  expect(line).toContain('A part of the worker failed at an event.');
  expect(line).toContain('The second part is broken.');
});
