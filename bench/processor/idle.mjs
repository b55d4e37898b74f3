import { setTimeout as pause } from 'node:timers/promises';
import { withCountedWorker } from './buffers.mjs';

/** Seconds of idle ticks, one a second. */
const IDLE_SECONDS = 10;

/** Buffers that a worker with nothing to do reads per tick. */
export const idleBuffers = (url) =>
  withCountedWorker(url, { PROCESSOR_CRON: '* * * * * *' }, async (_, counted) => {
    await pause(5_000);
    return (await counted(() => pause(IDLE_SECONDS * 1_000))) / IDLE_SECONDS;
  });
