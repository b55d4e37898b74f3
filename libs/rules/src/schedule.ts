import { frequencyFault, isFrequency } from './frequency.js';
import { Rejected } from './rejected.js';
import { endOfDay, occurrenceAt, occurrencesUpTo, type Series, seriesOf } from './series.js';
import type { FrequencyRule } from './vocabulary.js';

/** The last second with a year of four digits in ISO 8601. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * First occurrence of `rule` strictly after `after`, counted from `anchor` and never before it; all UTC, whole seconds (a fraction of the anchor's
 * second is cut off, `after` is compared to the millisecond). Constant cost.
 * A day that the month lacks is clamped to the month's last day, always calculated from the anchor.
 * @throws Rejected when the frequency is out of its type's range, or there is no further occurrence before the year 10000. Source: contract.md,
 * Frequency by FrequencyType; decisions.md §6.
 */
export function nextOccurrence(rule: FrequencyRule, anchor: Date, after: Date): Date {
  const series = validSeries(rule, anchor);
  return instantOf(series, occurrencesUpTo(series, after.getTime()));
}

/** An occurrence that was just taken up, and the schedule it belongs to. */
export interface TakenUp {
  readonly rule: FrequencyRule;
  readonly anchor: Date;
  /** The due time, regular or not. For a retried cycle its first due time, not the time of the last try. */
  readonly occurrence: Date;
  /** The regular occurrence that `occurrence` replaced, when it was rescheduled or processed at once; else null. */
  readonly replaced: Date | null;
  readonly now: Date;
}

export interface Advanced {
  /** Null where the calendar ends. */
  readonly nextUtc: Date | null;
  /** The number of regular occurrences that fell due while nothing could be processed. They are not charged separately. */
  readonly missedOccurrences: number;
}

/**
 * The order's dates after `occurrence` was processed or skipped: the first regular occurrence strictly after the latest of that occurrence, the
 * regular one that it replaced, and now. Occurrences in between are coalesced and counted. The end of the calendar is not an error here, because a
 * paid cycle must be recorded.
 * @throws Rejected when the frequency is out of its type's range. Source: decisions.md §6.
 */
export function advance(taken: TakenUp): Advanced {
  const series = validSeries(taken.rule, taken.anchor);
  const { index, settled } = following(series, taken);
  const next = occurrenceAt(series, index);
  return {
    nextUtc: next <= LAST_INSTANT ? new Date(next) : null,
    missedOccurrences: index - occurrencesUpTo(series, settled),
  };
}

/** The target of `advance`: the number of the regular occurrence, and the instant up to which all occurrences are done. */
function following(series: Series, { rule, occurrence, replaced, now }: TakenUp): { index: number; settled: number } {
  const settled = Math.max(occurrence.getTime(), replaced === null ? -Infinity : settledBy(rule, replaced));
  return { index: occurrencesUpTo(series, Math.max(settled, now.getTime())), settled };
}

/**
 * The instant up to which a replaced occurrence is done. Rescheduling may set a new time of day, but the weekday or calendar day of the rule stays
 * the same, so it must not be due again some hours later.
 */
function settledBy({ frequencyType }: FrequencyRule, replaced: Date): number {
  const namesADay = frequencyType === 'DayOfTheWeek' || frequencyType === 'DayOfTheMonth';
  return namesADay ? endOfDay(replaced) : replaced.getTime();
}

/** The dates of an order that becomes Active. */
export interface OnHold {
  readonly rule: FrequencyRule;
  readonly anchor: Date;
  /** The stored NextOccurrenceUtc; null when the order never had one. */
  readonly next: Date | null;
  readonly replaced: Date | null;
  readonly now: Date;
}

/**
 * The dates of an order when it becomes Active. A future occurrence does not change, rescheduled or not. A past or missing one is replaced by the
 * first regular occurrence after now. Nothing is charged for the time in between.
 * @throws Rejected like `nextOccurrence`. Source: decisions.md §7.
 */
export function rollForward({ rule, anchor, next, replaced, now }: OnHold): { nextUtc: Date; replaced: Date | null } {
  if (next !== null && next.getTime() > now.getTime()) return { nextUtc: next, replaced };
  return { nextUtc: nextOccurrence(rule, anchor, now), replaced: null };
}

/** The stored dates of an order, from which the look ahead begins. */
export interface LookAhead {
  readonly rule: FrequencyRule;
  readonly anchor: Date;
  /** The stored NextOccurrenceUtc. */
  readonly first: Date;
  readonly replaced: Date | null;
  /** An overdue `first` is processed now, and the occurrences that it missed are coalesced. */
  readonly now: Date;
  readonly count: number;
}

/**
 * The next `count` occurrences that processing would take up, `first` included, each calculated as in `advance`; fewer where the calendar ends.
 * @throws Rejected when the frequency is out of its type's range. Source: decisions.md §12, Upcoming.
 */
export function upcoming({ rule, anchor, first, replaced, now, count }: LookAhead): Date[] {
  const series = validSeries(rule, anchor);
  const occurrences: Date[] = [];
  let occurrence = first;
  let stoodFor = replaced;
  while (occurrences.length < count) {
    occurrences.push(occurrence);
    const next = occurrenceAt(series, following(series, { rule, anchor, occurrence, replaced: stoodFor, now }).index);
    if (next > LAST_INSTANT) break;
    occurrence = new Date(next);
    stoodFor = null;
  }
  return occurrences;
}

function validSeries(rule: FrequencyRule, anchor: Date): Series {
  if (!isFrequency(rule.frequencyType, rule.frequency)) {
    throw new Rejected([{ field: 'Frequency', message: frequencyFault(rule.frequencyType, rule.frequency)! }]);
  }
  return seriesOf(rule, anchor);
}

function instantOf(series: Series, index: number): Date {
  const instant = occurrenceAt(series, index);
  if (instant <= LAST_INSTANT) return new Date(instant);
  throw new Rejected([
    { field: 'NextOccurrenceUtc', message: 'The schedule has no further occurrence before 10000-01-01.' },
  ]);
}
