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

/** The newest cycle of an order, as far as a skip that it may be is taken back. */
export interface NewestCycle {
  readonly state: string;
  readonly dueUtc: Date;
  /** How often it was tried. */
  readonly attempt: number;
}

/** An order that an occurrence is to come back to. */
export interface SkippedOrder {
  readonly plannedSkips: readonly PlannedSkip[];
  /** What comes after its next occurrence, as for `skipAhead`. */
  readonly shown: Iterable<Shown>;
  /** The stored NextOccurrenceUtc. */
  readonly next: Date | null;
  readonly newest: NewestCycle | null;
  /** What would come next after the newest cycle, by the order as it is now. */
  readonly following: Date | null;
}

/** What remains planned; or the occurrence that is due again; or why neither. */
export type SkipBack =
  { readonly plannedSkips: readonly PlannedSkip[] } | { readonly dueUtc: Date } | { readonly because: string };

/**
 * Takes a skip back: a planned one, or the latest one, while it has ended no try, its occurrence is still ahead, and
 * the order is as it left it.
 */
export function skipBack(order: SkippedOrder, instant: Date, now: Date): SkipBack {
  const { plannedSkips, newest, next, following } = order;
  const planned = plannedAt(order.shown, instant);
  if (planned !== null) return { plannedSkips: plannedSkips.filter(({ occurrence }) => occurrence !== planned) };
  const occurrence = `The occurrence of ${shownInstant(instant)}`;
  if (newest?.state !== 'Skipped' || newest.dueUtc.getTime() !== instant.getTime())
    return { because: `${occurrence} is neither planned to be skipped, nor the one that was skipped last.` };
  if (newest.attempt > 0) return { because: `${occurrence} had been tried before it was skipped.` };
  if (instant <= now) return { because: `${occurrence} has passed.` };
  if (next?.getTime() !== following?.getTime())
    return {
      because: `The order has been changed since ${shownInstant(instant)} was skipped: move its next occurrence.`,
    };
  return { dueUtc: newest.dueUtc };
}

function plannedAt(shown: Iterable<Shown>, instant: Date): number | null {
  for (const { instant: at, number, skipped } of shown) {
    if (at > instant.getTime()) break;
    if (at === instant.getTime() && skipped === 'Planned') return number;
  }
  return null;
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
