/** Milliseconds each, from the previous attempt. */
export interface RetrySchedules {
  readonly payment: readonly number[];
  readonly technical: readonly number[];
}

/** A cycle waits for its payment integration at most so long (decisions.md §9, code 1003). */
export const LONGEST_WAIT_MS = 30 * 86_400_000;

/**
 * The last time that a try can have: dates are of years of four digits. No clock comes so far, so such a try is never
 * made.
 */
export const LAST_TRY_UTC = new Date('9999-12-31T23:59:59.999Z');

/** So much later, and never after the last time that there is. */
export const laterUtc = (from: Date, ms: number): Date =>
  new Date(Math.min(from.getTime() + ms, LAST_TRY_UTC.getTime()));

/** The next occurrence that a request may have set while the cycle was in progress. */
export interface SetMeanwhile {
  readonly rescheduledMeanwhile: boolean;
  readonly nextOccurrenceUtc: Date | null;
}

/**
 * How long after one more failure the next attempt is; null: the schedule is used up. `failures`: of this cycle before
 * it.
 */
export const retryDelayMs = (schedule: readonly number[], failures: number): number | null =>
  schedule[failures] ?? null;

/**
 * The time of the next attempt, after one that failed at `failedUtc`: no later than `LAST_TRY_UTC`. Where a request has
 * set the order's date meanwhile, that date.
 */
export function nextTryUtc(order: SetMeanwhile, delayMs: number, failedUtc: Date): Date {
  const { rescheduledMeanwhile, nextOccurrenceUtc } = order;
  if (rescheduledMeanwhile && nextOccurrenceUtc !== null) return nextOccurrenceUtc;
  return laterUtc(failedUtc, delayMs);
}

const NOT_SET: SetMeanwhile = { rescheduledMeanwhile: false, nextOccurrenceUtc: null };

/**
 * The attempts that would follow, if the one at `firstUtc` failed, and each of them did; none when the schedule is used
 * up, or the calendar ends.
 */
export function triesAfter(
  order: SetMeanwhile,
  schedule: readonly number[],
  failures: number,
  firstUtc: Date,
): readonly Date[] {
  const tries: Date[] = [];
  for (let failed = failures; ; failed++) {
    const delayMs = retryDelayMs(schedule, failed);
    if (delayMs === null) return tries;
    // The time that a request has set counts once.
    const nextUtc = nextTryUtc(failed === failures ? order : NOT_SET, delayMs, tries.at(-1) ?? firstUtc);
    if (nextUtc >= LAST_TRY_UTC) return tries;
    tries.push(nextUtc);
  }
}
