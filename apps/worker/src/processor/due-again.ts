import type { Completion } from './record/completion.js';
import type { Recorded } from './record/recorder.js';
import type { FailedAttempt } from './record/failed-attempt.js';

/**
 * In how many milliseconds the first of these orders is to be looked at again; Infinity when none is. The round that claimed them may have
 * ended before that was known.
 */
export function dueAgainInMs({ completed, failed, confirmed, lost }: Recorded, now: Date): number {
  // Of what was written by a COMMIT whose answer was lost, or by others, nothing more is known here.
  let first = confirmed.length + lost.length > 0 ? 0 : Infinity;
  for (const completion of completed) first = Math.min(first, afterCompletion(completion));
  for (const failedAttempt of failed) first = Math.min(first, afterSetback(failedAttempt));
  return Math.max(0, first - now.getTime());
}

/** A request that moved the order meanwhile may have moved it to a time that has passed. */
const afterCompletion = ({ moved, nextUtc }: Completion): number => (moved ? 0 : (nextUtc?.getTime() ?? Infinity));

function afterSetback({ nextAttemptUtc, nextOccurrenceUtc }: FailedAttempt): number {
  if (nextAttemptUtc !== null) return nextAttemptUtc.getTime();
  return nextOccurrenceUtc === undefined ? 0 : (nextOccurrenceUtc?.getTime() ?? Infinity);
}
