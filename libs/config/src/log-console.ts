/* eslint-disable no-console -- it is what this is about */
import { format } from 'node:util';
import type { Logger } from './logging.js';

/**
 * Makes lines of the log of what packages write to the console: `cron` says there that a tick came some milliseconds late. What is no error is
 * for those who look for it: nobody needs to be woken.
 */
export function logConsole(log: Logger): void {
  for (const method of ['log', 'info', 'warn', 'debug'] as const)
    console[method] = (...said: unknown[]) => log.debug(format(...said));
  console.error = (...said: unknown[]) => log.error(format(...said));
}
