import { setTimeout as pause } from 'node:timers/promises';
import { withCountedWorker } from './buffers.mjs';

/**
 * Until a worker has started, has found nothing for so long that its ticks only look for what has fallen due since, and
 * each of the two connections that it keeps knows its statements: a connection reads the catalog for a statement once.
 * Some statements come once a minute, on either connection.
 */
const SETTLED_MS = 250_000;
/** Seconds of idle ticks, one a second. A minute has one look from the beginning. */
const IDLE_SECONDS = 60;

/**
 * Buffers that a worker with nothing to do reads per tick: the least that is found in so many `times`. No more are
 * looked at once one has at most `enough`.
 */
export const idleBuffers = (url, { seconds = IDLE_SECONDS, settledMs = SETTLED_MS, times = 1, enough = 0 } = {}) =>
  withCountedWorker(url, { PROCESSOR_CRON: '* * * * * *' }, async (_, counted) => {
    await pause(settledMs);
    let least = Infinity;
    for (let time = 0; time < times && least > enough; time += 1)
      least = Math.min(least, (await counted(() => pause(seconds * 1_000))) / seconds);
    return least;
  });
