import { retryAfterMs } from '#libs/platform';

const DEFAULT_MS = 1_000;
const LONGEST_MS = 60 * 60 * 1_000;

/** How long a busy gateway is left alone, in milliseconds: as its `Retry-After` says; without a valid one, a second. */
export const restMs = (header: string | undefined, nowMs = Date.now()): number =>
  Math.min(retryAfterMs(header, undefined, nowMs) ?? DEFAULT_MS, LONGEST_MS);
