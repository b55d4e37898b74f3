import { setTimeout as pause } from 'node:timers/promises';

/** Something that goes on until the signal ends it. */
export type Actor = (signal: AbortSignal) => Promise<void>;

/** Waits, but not beyond the signal. */
export async function waitUnlessOver(ms: number, signal: AbortSignal): Promise<void> {
  await pause(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
}

/** Waits, but not beyond `end`, nor the signal. */
export async function waitUnless(end: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const cancel = (): void => ended.abort();
  signal.addEventListener('abort', cancel, { once: true });
  await Promise.race([waitUnlessOver(ms, ended.signal), end]);
  signal.removeEventListener('abort', cancel);
  cancel();
}

/** Does `step` again and again, `everyMs()` apart. */
export async function repeatedly(signal: AbortSignal, everyMs: () => number, step: () => Promise<void> | void) {
  for (;;) {
    await waitUnlessOver(everyMs(), signal);
    if (signal.aborted) return;
    await step();
  }
}
