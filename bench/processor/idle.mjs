import { setTimeout as pause } from 'node:timers/promises';
import { withCountedWorker } from './buffers.mjs';

/** Until a worker has started, and has found nothing for so long that its ticks only look for what has fallen due since. */
const SETTLED_MS = 10_000;
/** Seconds of idle ticks, one a second. A minute has one look from the beginning. */
const IDLE_SECONDS = 60;

/** Buffers that a worker with nothing to do reads per tick. */
export const idleBuffers = (url, seconds = IDLE_SECONDS) =>
  withCountedWorker(url, { PROCESSOR_CRON: '* * * * * *' }, async (_, counted) => {
    await pause(SETTLED_MS);
    return (await counted(() => pause(seconds * 1_000))) / seconds;
  });
