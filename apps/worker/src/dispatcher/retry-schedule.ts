const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** When a delivery is tried, each time counted from the try before. */
const SCHEDULE_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Part of each time: many deliveries that failed together are not tried together. */
const SPREAD = 0.1;

/** The longest `Retry-After` that is honoured. */
export const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

/**
 * The time from a failed try to the next one; null when it was the last.
 * @param tries that are used up, with the failed one. @param random from 0 to 1.
 */
export function nextTryInMs(tries: number, random: number): number | null {
  const ms = SCHEDULE_MS[tries];
  return ms === undefined ? null : Math.round(ms * (1 - SPREAD + 2 * SPREAD * random));
}
