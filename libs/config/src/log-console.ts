/* eslint-disable no-console -- it is what this is about */
import { format } from 'node:util';
import type { Logger } from './logging.js';

/**
 * Makes lines of the log of what packages write to the console: `cron` says there that a tick came some milliseconds late, or was left out for
 * that. What is no error is for those who look for it: nobody needs to be woken.
 */
export function logConsole(log: Logger): void {
  for (const method of ['log', 'info', 'warn', 'debug'] as const)
    console[method] = (...said: unknown[]) => log.debug(format(...said));
  // An error is logged as any other: with nothing of what it carries (logging.ts).
  console.error = (...said: unknown[]) => {
    const err = said.find((one) => one instanceof Error);
    log.error({ err }, format(...said.map((one) => (one instanceof Error ? one.message : one))));
  };
}
