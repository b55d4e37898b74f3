import { Rejected } from '../rejected.js';
import type { FrequencyRule, FrequencyType } from '../vocabulary.js';
import { frequencyFault, isFrequency } from './frequency.js';
import {
  endOfDay,
  movedUpTo,
  occurrenceAt,
  occurrencesUpTo,
  placedAt,
  type Series,
  seriesOf,
  unmovedUpTo,
} from './series.js';
import type { SiteCalendar } from './site-calendar.js';

/** The last second with a year of four digits in ISO 8601. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * First occurrence of `rule` strictly after `after`, counted from `anchor` and never before it; all UTC, whole seconds
 * (a fraction of the anchor's second is cut off, `after` is compared to the millisecond). Constant cost. A day that the
 * month lacks is clamped to the month's last day, always calculated from the anchor. By a site's calendar it is on a
 * later civil day than `after`.
 * @throws Rejected when the frequency is out of its type's range, or there is no further occurrence before the year
 * 10000. Source: contract.md, Frequency by FrequencyType; decisions.md §6.
 */
export function nextOccurrence(
  rule: FrequencyRule,
  anchor: Date,
  after: Date,
  calendar: SiteCalendar | null = null,
): Date {
  const series = validSeries(rule, anchor, calendar);
  if (series.every !== 'civil') return placedIn(series, { begin: 0, now: after.getTime(), lock: 0 }).instant();
  const now = endOfDay(after, calendar);
  return placedIn(series, { begin: unmovedUpTo(series, now), now, lock: lockMs(rule, calendar) }).instant();
}

/**
 * First occurrence of an order that is to begin at `start`: that instant, or by a rule that names a day the first one
 * of it at or after that. `start` is the anchor then.
 * @throws like `nextOccurrence`.
 */
export function firstOccurrence(rule: FrequencyRule, start: Date, calendar: SiteCalendar | null = null): Date {
  const anchor = new Date(Math.floor(start.getTime() / 1_000) * 1_000);
  const first = placed({ rule, anchor, now: new Date(anchor.getTime() - 1), calendar, ...BEFORE_ALL });
  return namesADay(rule.frequencyType) ? first.instant() : anchor;
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
  /** Of its site; left out, or null, where that has none. */
  readonly calendar?: SiteCalendar | null;
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
  const { nextUtc, missedOccurrences } = placed(taken);
  return { nextUtc, missedOccurrences };
}

/** The regular occurrence after one that was taken up. */
export interface Placed extends Advanced {
  readonly series: Series;
  /** Its number. */
  readonly index: number;
  /** No day that is left out is moved to a time up to this, in milliseconds. */
  readonly notBefore: number;
  /** @throws Rejected where the calendar ends. */
  readonly instant: () => Date;
}

/** The target of `advance`. @throws Rejected when the frequency is out of its type's range. */
export function placed(taken: TakenUp): Placed {
  const { rule, anchor, now, calendar = null } = taken;
  const series = validSeries(rule, anchor, calendar);
  const begin = doneUpTo(series, settledUntil(taken));
  return placedIn(series, { begin, now: now.getTime(), lock: lockMs(rule, calendar) });
}

/**
 * How many occurrences are done. One that a calendar moves is done with the sooner of its days: of the two, one may
 * have been charged before the calendar was what it is now.
 */
const doneUpTo = (series: Series, settled: number): number =>
  series.every === 'civil' && series.calendar.shift === 'Later'
    ? unmovedUpTo(series, settled)
    : occurrencesUpTo(series, settled);

interface From {
  /** The number of the first one that is not done. */
  readonly begin: number;
  readonly now: number;
  readonly lock: number;
}

function placedIn(series: Series, { begin, now, lock }: From): Placed {
  const passed = series.every === 'civil' ? movedUpTo(series, now, 'Later') : occurrencesUpTo(series, now);
  const [index, notBefore] = [Math.max(begin, passed), now + lock];
  const next = placedAt(series, index, notBefore);
  const nextUtc = next <= LAST_INSTANT ? new Date(next) : null;
  return {
    series,
    index,
    notBefore,
    nextUtc,
    missedOccurrences: index - begin,
    instant: () => nextUtc ?? endOfCalendar(),
  };
}

/**
 * The instant up to which all occurrences are done. By a calendar, none falls on the civil day of one that was taken
 * up, or of the one that it replaced.
 */
function settledUntil({ rule, occurrence, replaced, calendar = null }: TakenUp): number {
  const replacedUntil = replaced === null ? -Infinity : settledBy(rule, replaced);
  if (calendar === null) return Math.max(occurrence.getTime(), replacedUntil);
  return endOfDay(replaced !== null && replaced > occurrence ? replaced : occurrence, calendar);
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
  /** As in `TakenUp`. */
  readonly calendar?: SiteCalendar | null;
}

/**
 * The dates of an order when it becomes Active. A future occurrence does not change, rescheduled or not. A past or
 * missing one is replaced by the first regular occurrence after now and after all that was taken up. Nothing is charged
 * for the time in between.
 * @throws Rejected like `nextOccurrence`. Source: decisions.md §7.
 */
export function rollForward(held: OnHold): { nextUtc: Date; replaced: Date | null } {
  const { next, replaced, now, last, ...schedule } = held;
  if (next !== null && next.getTime() > now.getTime()) return { nextUtc: next, replaced };
  return { nextUtc: placed({ now, ...schedule, ...(last ?? BEFORE_ALL) }).instant(), replaced: null };
}

/** Before any anchor. */
export const BEFORE_ALL = { occurrence: new Date(Date.UTC(-9_999, 0)), replaced: null };

/** The stored dates of an order, from which the look ahead begins; its site has no calendar. */
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
export function missingDay(
  rule: FrequencyRule,
  anchor: Date,
  instant: Date,
  calendar: SiteCalendar | null = null,
): number | null {
  const series = validSeries(rule, anchor, calendar);
  const dates = series.every === 'civil' ? series.civil : series;
  if (dates.every !== 'month') return null;
  const index = occurrencesUpTo(series, instant.getTime()) - 1;
  if (index < 0 || occurrenceAt(series, index) !== instant.getTime()) return null;
  return dates.day > new Date(occurrenceAt(dates, index)).getUTCDate() ? dates.day : null;
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
  const { first, ...schedule } = ahead;
  const { series, index: begin } = placed({ occurrence: first, ...schedule });
  return {
    at: (index) => occurrenceAt(series, begin + index),
    before: (instant) => Math.max(0, occurrencesUpTo(series, Math.min(instant - 1, LAST_INSTANT)) - begin),
  };
}

/**
 * At least as many occurrences as a rule has in so many milliseconds, wherever these begin. The shortest month counts.
 */
export const mostOccurrences = ({ frequencyType, frequency }: FrequencyRule, ms: number): number =>
  Math.floor(ms / shortestInterval({ frequencyType, frequency })) + 1;

/** The time between two regular occurrences, in milliseconds, where it is shortest. */
export const shortestInterval = ({ frequencyType, frequency }: FrequencyRule): number =>
  DAYS_BETWEEN[frequencyType] * (namesADay(frequencyType) ? 1 : frequency) * DAY;

/** How long before an occurrence its window begins: at most half of the order's interval, in milliseconds. */
export const lockMs = (rule: FrequencyRule, calendar: Pick<SiteCalendar, 'lockHours'> | null): number =>
  Math.min((calendar?.lockHours ?? 0) * HOUR, shortestInterval(rule) / 2);

const DAYS_BETWEEN: Readonly<Record<FrequencyType, number>> = {
  Days: 1,
  Weeks: 7,
  Months: 28,
  DayOfTheWeek: 7,
  DayOfTheMonth: 28,
};

function validSeries(rule: FrequencyRule, anchor: Date, calendar: SiteCalendar | null): Series {
  if (!isFrequency(rule.frequencyType, rule.frequency)) {
    throw new Rejected([{ field: 'Frequency', message: frequencyFault(rule.frequencyType, rule.frequency)! }]);
  }
  return seriesOf(rule, anchor, calendar);
}

function endOfCalendar(): never {
  throw new Rejected([
    { field: 'NextOccurrenceUtc', message: 'The schedule has no further occurrence before 10000-01-01.' },
  ]);
}
