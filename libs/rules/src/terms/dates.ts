import { BEFORE_ALL, type OnHold, type Placed, placed, type TakenUp } from '../schedule/schedule.js';
import { placedAt } from '../schedule/series.js';
import { type Ending, isAfterEnd, type OrderTerms } from './order-terms.js';
import type { PlannedSkip } from './planned-skips.js';

/** An occurrence that the dates go on over, because its skip was planned: it becomes a cycle that is Skipped. */
export interface SkippedAhead {
  readonly number: number;
  readonly dueUtc: Date;
}

/** An order's dates after an occurrence was taken up, or after a pause. */
export interface NextDates {
  /** Null where the order ends, and where the calendar does. */
  readonly nextUtc: Date | null;
  /** The regular occurrence that `nextUtc` replaces; null when it is regular itself. */
  readonly replaced: Date | null;
  /** The number of `nextUtc`, counted from the anchor; null where it stays what it was, and where there is none. */
  readonly number: number | null;
  readonly missedOccurrences: number;
  /** How many more come to the day of `nextUtc`, because a calendar moves them there: they are passed over with it. */
  readonly mergedOccurrences: number;
  /** In their order. */
  readonly skipped: readonly SkippedAhead[];
  /** What stays planned. Those that were passed over are used up. */
  readonly plannedSkips: readonly PlannedSkip[];
  /** `EndsUtc` where the next occurrence would be due after it; else null. */
  readonly ending: Extract<Ending, 'EndsUtc'> | null;
}

/**
 * `advance` for an order with terms: it goes on over occurrences whose skip was planned, and up to `endsUtc`.
 * @throws Rejected when the frequency is out of its type's range.
 */
export function goOn(taken: TakenUp, terms: OrderTerms): NextDates {
  const first = placed(taken);
  return { ...stepOver(first, taken, terms), missedOccurrences: first.missedOccurrences };
}

/**
 * `rollForward` for an order with terms. Nothing of the gap is charged, and what was planned for it is used up.
 * @throws Rejected when the frequency is out of its type's range.
 */
export function becomeActive({ last, next, replaced, ...schedule }: OnHold, terms: OrderTerms): NextDates {
  if (next !== null && next > schedule.now)
    return isAfterEnd(terms, next) ? { ...OVER, ending: 'EndsUtc' } : { ...stays(terms), nextUtc: next, replaced };
  const taken = { ...schedule, ...(last ?? BEFORE_ALL) };
  return stepOver(placed(taken), taken, terms);
}

/**
 * The dates of an order that a pause until an instant has held: it goes on with the first occurrence at or after that
 * instant, whenever this is calculated. If that has passed by then, it is due.
 * @param held what it is becoming Active; its `now` does not count.
 * @throws Rejected when the frequency is out of its type's range.
 */
export const resume = (held: Omit<OnHold, 'now'>, pausedUntilUtc: Date, terms: OrderTerms): NextDates =>
  becomeActive({ ...held, now: new Date(pausedUntilUtc.getTime() - 1) }, terms);

const OVER: NextDates = {
  nextUtc: null,
  replaced: null,
  number: null,
  missedOccurrences: 0,
  mergedOccurrences: 0,
  skipped: [],
  plannedSkips: [],
  ending: null,
};

const stays = ({ plannedSkips }: OrderTerms): NextDates => ({ ...OVER, plannedSkips });

function stepOver(first: Placed, taken: TakenUp, terms: OrderTerms): NextDates {
  const planned = new Set(terms.plannedSkips.map(({ occurrence }) => occurrence));
  const skipped: SkippedAhead[] = [];
  let next = first;
  while (next.nextUtc !== null && !isAfterEnd(terms, next.nextUtc) && planned.has(next.index)) {
    skipped.push({ number: next.index, dueUtc: next.nextUtc });
    next = placed({ ...taken, occurrence: next.nextUtc, replaced: null });
  }
  const { nextUtc, index } = next;
  if (nextUtc === null) return { ...OVER, skipped };
  if (isAfterEnd(terms, nextUtc)) return { ...OVER, skipped, ending: 'EndsUtc' };
  const plannedSkips = terms.plannedSkips.filter(({ occurrence }) => occurrence > index);
  return { ...OVER, nextUtc, number: index, mergedOccurrences: mergedWith(next), skipped, plannedSkips };
}

/** As the calendar stands; which of them a later one would move there is not known yet. */
function mergedWith({ series, index, nextUtc, notBefore }: Placed): number {
  if (series.every !== 'civil' || !series.calendar.hasBlackouts) return 0;
  let merged = 0;
  while (placedAt(series, index + merged + 1, notBefore) === nextUtc!.getTime()) merged++;
  return merged;
}
