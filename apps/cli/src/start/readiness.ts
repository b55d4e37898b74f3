import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../refusal.js';

const LIMIT_MS = 60_000;
const POLL_MS = 50;

/** Waits until the process at `url` says that it is ready, or `end` says that nobody waits any more. */
export async function untilReady(url: string, name: string, end: AbortSignal): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const signal = AbortSignal.any([end, AbortSignal.timeout(5_000)]);
    const answer = await fetch(`${url}/health/ready`, { signal }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true || end.aborted) return;
    await pause(POLL_MS);
  }
  throw new Refusal(`${name} did not become ready within ${LIMIT_MS / 1_000} seconds.`);
}
