import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logging.js';

/** Nest's messages at every start about each module and route. They help only in debugging. */
const CHATTY = new Set(['InstanceLoader', 'NestFactory', 'NestApplication', 'RouterExplorer', 'RoutesResolver']);

/**
 * Nest's own message when it cannot listen on a port. It is dropped, because the caller of `listen` gets the error too
 * and explains it.
 */
const LISTEN_FAILED = /^Error: listen /;

const STACK = /\n\s+at /;

/** Sends Nest's own logging, and that of `new Logger('Context')`, to the process's logger. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes the context as the last argument and, with errors, a stack before it. */
  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const texts = rest.filter((part): part is string => typeof part === 'string');
    const stack = texts.find((text) => STACK.test(text));
    const context = texts.findLast((text) => text !== stack);
    const err =
      [message, ...rest].find((part) => part instanceof Error) ??
      (stack === undefined ? undefined : Object.assign(new Error(textOf(message)), { stack }));
    const fields = { ...(context === undefined ? {} : { context }), ...(err === undefined ? {} : { err }) };
    const isAside = CHATTY.has(context ?? '') && (level === 'info' || LISTEN_FAILED.test(textOf(message)));
    this.logger[isAside ? 'debug' : level](fields, textOf(message));
  }
}

function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  return message instanceof Error ? message.message : JSON.stringify(message);
}
