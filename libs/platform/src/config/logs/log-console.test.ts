/* eslint-disable no-console -- it is what this is about */
import { Writable } from 'node:stream';
import { logConsole } from './log-console.js';
import { createLogger } from './logging.js';

describe('What packages write to the console', () => {
  const original = { ...console };
  afterEach(() => Object.assign(console, original));

  it('becomes lines of the log, in its format and by its level', () => {
    const lines: unknown[] = [];
    const to = new Writable({ write: (line, _, done) => done(void lines.push(JSON.parse(String(line)))) });
    logConsole(createLogger('worker', { logLevel: 'debug', logFormat: 'json' }, to));
    console.warn('%d ms late', 17);
    console.error('Oh:', Object.assign(new Error('Broken.'), { detail: 'a whole row' }));
    expect(lines).toEqual([
      expect.objectContaining({ level: 'debug', process: 'worker', msg: '17 ms late' }),
      expect.objectContaining({ level: 'error', msg: 'Oh: Broken.', err: expect.objectContaining({ type: 'Error' }) }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('a whole row');
  });
});
