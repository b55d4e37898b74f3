import type { Completion, FailedAttempt, Recorded } from './cycle/recorded.js';

/**
 * Milliseconds until the first of these orders is due again; Infinity when none is. The round that claimed them may
 * have ended before this time was known.
 */
export function dueAgainInMs({ completed, failed, confirmed, lost }: Recorded, now: Date): number {
  // What another worker, or a COMMIT without an answer, has written is not known here.
  let first = confirmed.length + lost.length > 0 ? 0 : Infinity;
  for (const completion of completed) first = Math.min(first, afterCompletion(completion));
  for (const failedAttempt of failed) first = Math.min(first, afterFailedAttempt(failedAttempt));
  return Math.max(0, first - now.getTime());
}

/** A request may have rescheduled the order to a time that has passed in the meantime. */
const afterCompletion = ({ rescheduledMeanwhile, nextUtc }: Completion): number =>
  rescheduledMeanwhile ? 0 : (nextUtc?.getTime() ?? Infinity);

function afterFailedAttempt({ nextAttemptUtc, nextOccurrenceUtc }: FailedAttempt): number {
  if (nextAttemptUtc !== null) return nextAttemptUtc.getTime();
  return nextOccurrenceUtc === undefined ? 0 : (nextOccurrenceUtc?.getTime() ?? Infinity);
}
