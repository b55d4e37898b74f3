/* eslint-disable no-console -- this file is about the console */
import { format } from 'node:util';
import type { Logger } from './logging.js';

/**
 * Writes to the log what packages write to the console. For example, `cron` reports there that a tick came some
 * milliseconds late or was skipped. Only errors stay errors; everything else is logged at `debug`.
 */
export function logConsole(log: Logger): void {
  for (const method of ['log', 'info', 'warn', 'debug'] as const)
    console[method] = (...parts: unknown[]) => log.debug(format(...parts));
  // An error is logged like any other, without its extra properties (logging.ts).
  console.error = (...parts: unknown[]) => {
    const err = parts.find((one) => one instanceof Error);
    log.error({ err }, format(...parts.map((one) => (one instanceof Error ? one.message : one))));
  };
}
