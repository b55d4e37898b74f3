import type { Fault } from '../rejected.js';
import { addPeriod } from '../schedule/period.js';
import { shownInstant } from '../schedule/shown-instant.js';

/** An occurrence that will be passed over. */
export interface PlannedSkip {
  /** Counted from the anchor, the first being 0: it stays the same where zone, hour or blackout move the occurrence. */
  readonly occurrence: number;
  /** Its civil day when it was planned, `2026-12-25`: for people. */
  readonly day: string;
}

/** So far ahead can an occurrence be skipped. */
const FARTHEST = 'P1Y';

/** An occurrence that is looked at, as `boxes` has it; `number`: null where it is not a regular one. */
interface Shown {
  readonly instant: number;
  readonly number: number | null;
  readonly skipped: string | null;
}

/** The occurrence that is to be passed over, or why it cannot be. */
export type SkipAhead = { readonly number: number; readonly fault?: undefined } | { readonly fault: Fault };

/**
 * Finds the occurrence that a request means by its instant.
 * @param shown what comes after the order's next occurrence, the nearest first.
 */
export function skipAhead(shown: Iterable<Shown>, instant: Date, now: Date): SkipAhead {
  const refuse = (message: string) => ({ fault: { field: 'OccurrenceUtc', message } });
  const last = addPeriod(now, FARTHEST, 'OccurrenceUtc');
  if (instant > last) return refuse(`${instant.toISOString()} must not be after ${last.toISOString()}, a year ahead.`);
  for (const { instant: at, number, skipped } of shown) {
    if (at > instant.getTime()) break;
    if (at < instant.getTime()) continue;
    if (skipped === 'Planned') return refuse(`${instant.toISOString()} is passed over already.`);
    if (number !== null) return { number };
  }
  return refuse(`${instant.toISOString()} must be an OccurrenceUtc of Upcoming: the order has no such occurrence.`);
}

/** With one more of them, the lowest number first. */
export const withSkip = (skips: readonly PlannedSkip[], skip: PlannedSkip): PlannedSkip[] =>
  [...skips.filter(({ occurrence }) => occurrence !== skip.occurrence), skip].sort(
    (one, other) => one.occurrence - other.occurrence,
  );

/** A sentence for whoever would drop them: their numbers count from an anchor, or by a rule, that is no more. */
export const droppedWords = (skips: readonly PlannedSkip[]): string =>
  `The schedule would count anew, and the planned skips of ${skips.map(({ day }) => day).join(', ')} would be dropped: ` +
  'send DropSkips=true to drop them.';

/** A sentence of what was passed over: for events and the timeline. */
export const skippedWords = (due: Date): string => `The occurrence of ${shownInstant(due)} was skipped, as planned.`;
