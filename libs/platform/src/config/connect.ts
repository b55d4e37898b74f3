import { setTimeout as pause } from 'node:timers/promises';
import { databaseSentence, isHopeless } from '../database/index.js';
import type { Logger } from './logs/logging.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

export interface ConnectOptions {
  readonly databaseUrl: string;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Stops the waiting, e.g. on SIGTERM: the promise then rejects. */
  readonly signal?: AbortSignal;
}

/**
 * Calls `connect` until it succeeds, with growing pauses up to ten seconds. Logs in one sentence why it waits.
 * @throws what `connect` threw, at once, when waiting does not help.
 */
export async function connectWithRetry<T>(connect: () => Promise<T>, options: ConnectOptions): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      const connection = await connect();
      if (attempt > 0) options.log.info('The database can be reached again.');
      return connection;
    } catch (error) {
      if (isHopeless(error) || options.signal?.aborted === true) throw error;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
      options.log.warn(`${databaseSentence(error, options.databaseUrl)} Trying again in ${pauseMs / 1_000} s.`);
      await pause(pauseMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  }
}
