import { Writable } from 'node:stream';
import { createLogger } from './logging.js';
import { NestLog } from './nest-log.js';

function log(logFormat: 'json' | 'text', logLevel: 'trace' | 'info' = 'info') {
  let written = '';
  const to = new Writable({ write: (chunk, _encoding, done) => ((written += String(chunk)), done()) });
  const logger = createLogger('worker', { logFormat, logLevel }, to);
  return { logger, nest: new NestLog(logger), lines: () => written.split('\n').slice(0, -1) };
}

const json = (line: string) => {
  const { time, ...rest } = JSON.parse(line) as Record<string, unknown>;
  expect(time).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  return rest;
};

describe('as JSON', () => {
  it('is one object a line', () => {
    const { logger, lines } = log('json');
    logger.info({ orders: 3 }, 'processed');
    expect(lines().map(json)).toEqual([{ level: 'info', process: 'worker', orders: 3, msg: 'processed' }]);
  });

  it('never has a credential', () => {
    const { logger, lines } = log('json');
    logger.info(
      {
        authorization: 'Basic abc',
        cookie: 'abc',
        headers: { 'set-cookie': ['abc'], cookie: 'abc' },
        body: { Password: 'abc', site: { ApiKey1: 'abc' } },
        TokenAuth: 'abc',
      },
      'x',
    );
    expect(lines().join()).not.toContain('abc');
  });

  it('has of an error what it is, and nothing of what it carries', () => {
    const { logger, lines } = log('json');
    const cause = Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(secret) already exists.' });
    const details = {
      code: '23505',
      constraint: 'uq_users_email',
      query: 'secret',
      parameters: ['secret'],
      driverError: cause,
    };
    const err = Object.assign(new TypeError('not saved', { cause }), details);
    logger.child({ worker: 1 }).error({ err }, 'failed');
    const { type, message, code, constraint } = json(lines()[0]!).err as Record<string, unknown>;
    expect([type, message, code, constraint]).toEqual([
      'TypeError',
      'not saved: duplicate key',
      '23505',
      'uq_users_email',
    ]);
    expect(lines()[0]).not.toContain('secret');
  });

  it.each([
    ['a text', 'string', 'a text'],
    [null, 'object', 'null'],
    [{ parameters: ['secret'] }, 'object', '[object Object]'],
  ])('has of %j, thrown as it is, a message', (err, type, message) => {
    const { logger, lines } = log('json');
    logger.error({ err }, 'failed');
    expect(json(lines()[0]!).err).toEqual({ type, message });
  });

  it('leaves out what is below its level', () => {
    const { logger, lines } = log('json');
    logger.debug('x');
    expect(lines()).toEqual([]);
  });
});

describe('as text', () => {
  it('is one readable line', () => {
    const { logger, lines } = log('text');
    logger.info({ orders: 3, site: 'Demo Shop' }, 'processed');
    expect(lines()).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d worker processed orders=3 site="Demo Shop"$/)]);
  });

  it('names the level of a warning, and what caused it, without a stack', () => {
    const { logger, lines } = log('text');
    logger.warn({ err: new Error('socket closed') }, 'trying again');
    expect(lines()).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d worker WARN: trying again \(socket closed\)$/)]);
  });

  it('shows where an error came from', () => {
    const { logger, lines } = log('text');
    logger.error(new Error('broken'));
    expect(lines()[0]).toMatch(/worker ERROR: broken$/);
    expect(lines()[1]).toMatch(/^\s+at .*logging\.test/);
  });
});

describe("Nest's own log", () => {
  it('keeps what Nest tells at every start for those who look for it', () => {
    const { nest, lines } = log('json');
    nest.log('AppModule dependencies initialized', 'InstanceLoader');
    nest.log('Mapped {/, GET} route', 'RouterExplorer');
    expect(lines()).toEqual([]);
  });

  it('leaves it to the process to say that a port is in use', () => {
    const { nest, lines } = log('json');
    nest.error('Error: listen EADDRINUSE: address already in use 127.0.0.1:3000', 'NestApplication');
    expect(lines()).toEqual([]);
    nest.error('Error: something else', 'NestApplication');
    expect(lines()).toHaveLength(1);
  });

  it.each([
    ['log', 'info'],
    ['error', 'error'],
    ['warn', 'warn'],
    ['debug', 'debug'],
    ['verbose', 'trace'],
    ['fatal', 'fatal'],
  ] as const)('%s is %s', (method, level) => {
    const { nest, lines } = log('json', 'trace');
    nest[method]('heard', 'Processor');
    expect(lines().map(json)).toEqual([{ level, process: 'worker', context: 'Processor', msg: 'heard' }]);
  });

  it('carries an error with its stack', () => {
    const { nest, lines } = log('json');
    const error = new Error('broken');
    nest.error(error.message, error.stack, 'Scheduler');
    nest.error(error);
    nest.error('Failed', error, 'Scheduler');
    const err = { type: 'Error', message: 'broken', stack: error.stack };
    const line = { level: 'error', process: 'worker' };
    expect(lines().map(json)).toEqual([
      { ...line, context: 'Scheduler', err, msg: 'broken' },
      { ...line, err, msg: 'broken' },
      { ...line, context: 'Scheduler', err, msg: 'Failed' },
    ]);
  });

  it('writes what is no text as JSON', () => {
    const { nest, lines } = log('json');
    nest.log({ tick: 1 });
    expect(lines().map(json)).toEqual([{ level: 'info', process: 'worker', msg: '{"tick":1}' }]);
  });
});
