import { Rejected } from '../rejected.js';
import type { FrequencyRule, FrequencyType } from '../vocabulary.js';
import { frequencyFault, isFrequency } from './frequency.js';
import { endOfDay, occurrenceAt, occurrencesUpTo, type Series, seriesOf } from './series.js';

/** The last second with a year of four digits in ISO 8601. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59);

const DAY = 86_400_000;

/**
 * First occurrence of `rule` strictly after `after`, counted from `anchor` and never before it; all UTC, whole seconds
 * (a fraction of the anchor's second is cut off, `after` is compared to the millisecond). Constant cost. A day that the
 * month lacks is clamped to the month's last day, always calculated from the anchor.
 * @throws Rejected when the frequency is out of its type's range, or there is no further occurrence before the year
 * 10000. Source: contract.md, Frequency by FrequencyType; decisions.md §6.
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
  /**
   * The number of regular occurrences that fell due while nothing could be processed. They are not charged separately.
   */
  readonly missedOccurrences: number;
}

/**
 * The order's dates after `occurrence` was processed or skipped: the first regular occurrence strictly after the latest
 * of that occurrence, the regular one that it replaced, and now. Occurrences in between are coalesced and counted. The
 * end of the calendar is not an error here, because a paid cycle must be recorded.
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

/**
 * The target of `advance`: the number of the regular occurrence, and the instant up to which all occurrences are done.
 */
function following(series: Series, { rule, occurrence, replaced, now }: TakenUp): { index: number; settled: number } {
  const settled = Math.max(occurrence.getTime(), replaced === null ? -Infinity : settledBy(rule, replaced));
  return { index: occurrencesUpTo(series, Math.max(settled, now.getTime())), settled };
}

/**
 * The instant up to which a replaced occurrence is done. Rescheduling may set a new time of day, but the weekday or
 * calendar day of the rule stays the same, so it must not be due again some hours later.
 */
function settledBy({ frequencyType }: FrequencyRule, replaced: Date): number {
  return namesADay(frequencyType) ? endOfDay(replaced) : replaced.getTime();
}

const namesADay = (type: FrequencyType) => type === 'DayOfTheWeek' || type === 'DayOfTheMonth';

/** The dates of an order that becomes Active. */
export interface OnHold {
  readonly rule: FrequencyRule;
  readonly anchor: Date;
  /** The stored NextOccurrenceUtc; null when the order never had one. */
  readonly next: Date | null;
  readonly replaced: Date | null;
  readonly now: Date;
  /** What was taken up last; null: nothing yet. */
  readonly last: Pick<TakenUp, 'occurrence' | 'replaced'> | null;
}

/**
 * The dates of an order when it becomes Active. A future occurrence does not change, rescheduled or not. A past or
 * missing one is replaced by the first regular occurrence after now and after all that was taken up. Nothing is charged
 * for the time in between.
 * @throws Rejected like `nextOccurrence`. Source: decisions.md §7.
 */
export function rollForward(held: OnHold): { nextUtc: Date; replaced: Date | null } {
  const { rule, anchor, next, replaced, now, last } = held;
  if (next !== null && next.getTime() > now.getTime()) return { nextUtc: next, replaced };
  const series = validSeries(rule, anchor);
  return {
    nextUtc: instantOf(series, following(series, { rule, anchor, now, ...(last ?? BEFORE_ALL) }).index),
    replaced: null,
  };
}

const BEFORE_ALL = { occurrence: new Date(-8.64e15), replaced: null };

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
 * The next `count` occurrences that processing would take up, `first` included, each calculated as in `advance`; fewer
 * where the calendar ends.
 * @throws Rejected when the frequency is out of its type's range. Source: decisions.md §12, Upcoming.
 */
export function upcoming({ count, ...ahead }: LookAhead): Date[] {
  if (count === 0) return [];
  const later = occurrencesAhead(ahead);
  const occurrences = [ahead.first];
  while (occurrences.length < count) {
    const next = later.at(occurrences.length - 1);
    if (next > LAST_INSTANT) break;
    occurrences.push(new Date(next));
  }
  return occurrences;
}

/**
 * The day of the month that a regular occurrence is meant for, where its month is too short for it: 31 for one on 28
 * February. Null for every other instant.
 * @throws Rejected when the frequency is out of its type's range. Source: decisions.md §6.
 */
export function missingDay(rule: FrequencyRule, anchor: Date, instant: Date): number | null {
  const series = validSeries(rule, anchor);
  if (series.every !== 'month' || series.day <= instant.getUTCDate()) return null;
  const index = occurrencesUpTo(series, instant.getTime()) - 1;
  return index >= 0 && occurrenceAt(series, index) === instant.getTime() ? series.day : null;
}

/**
 * The occurrences after an order's next one, numbered from 0: each is calculated without those before it. Instants are
 * milliseconds since 1970, UTC.
 */
export interface OccurrencesAhead {
  readonly at: (index: number) => number;
  /** How many are before an instant, up to the end of the calendar. */
  readonly before: (instant: number) => number;
}

/**
 * What processing would take up after `first`, as `advance` calculates it: after a regular occurrence that is later
 * than now, each next one is the following one of the series.
 * @throws Rejected when the frequency is out of its type's range. Source: decisions.md §12, Upcoming.
 */
export function occurrencesAhead(ahead: Omit<LookAhead, 'count'>): OccurrencesAhead {
  const { rule, anchor, first, replaced, now } = ahead;
  const series = validSeries(rule, anchor);
  const begin = following(series, { rule, anchor, occurrence: first, replaced, now }).index;
  return {
    at: (index) => occurrenceAt(series, begin + index),
    before: (instant) => Math.max(0, occurrencesUpTo(series, Math.min(instant - 1, LAST_INSTANT)) - begin),
  };
}

/**
 * At least as many occurrences as a rule has in so many milliseconds, wherever these begin. The shortest month counts.
 */
export const mostOccurrences = ({ frequencyType, frequency }: FrequencyRule, ms: number): number =>
  Math.floor(ms / (DAYS_BETWEEN[frequencyType] * (namesADay(frequencyType) ? 1 : frequency) * DAY)) + 1;

const DAYS_BETWEEN: Readonly<Record<FrequencyType, number>> = {
  Days: 1,
  Weeks: 7,
  Months: 28,
  DayOfTheWeek: 7,
  DayOfTheMonth: 28,
};

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
