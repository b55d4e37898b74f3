import type { FrequencyRule } from '../vocabulary.js';
import { type BlackoutShift, endOfCivilDay, freeDay, type SiteCalendar } from './site-calendar.js';

const SECOND = 1000;
const DAY = 86_400_000;
const DAYS_IN_WEEK = 7;

/**
 * The regular occurrences of an order, numbered from 0 and all at or after the anchor; by a site's calendar, at or
 * after the anchor's day before any day is left out. The n-th takes one calculation, even with an old anchor. Instants
 * are milliseconds since 1970, UTC.
 */
export type Series = PlainSeries | CivilSeries;

type PlainSeries =
  | { readonly every: 'step'; readonly first: number; readonly step: number }
  | {
      readonly every: 'month';
      /** Months since January 2000 of occurrence 0. */
      readonly firstMonth: number;
      readonly stepMonths: number;
      /** Day of the month, clamped where the month is shorter. */
      readonly day: number;
      readonly timeOfDay: number;
    };

/** By a site's calendar: `civil` has the same numbers, in civil times, and no day is left out of it. */
export interface CivilSeries {
  readonly every: 'civil';
  readonly civil: PlainSeries;
  readonly calendar: SiteCalendar;
}

/** The series of `rule` from `anchor`, whose fraction of a second is cut off (decisions.md §6: whole seconds). */
export function seriesOf(rule: FrequencyRule, anchor: Date, calendar: SiteCalendar | null = null): Series {
  if (calendar === null) return plainSeries(rule, anchor);
  const civil = calendar.zone.civilAt(anchor.getTime());
  const start = calendar.timeOfDay === null ? civil : civil - timeOfDayOf(civil) + calendar.timeOfDay;
  return { every: 'civil', civil: plainSeries(rule, new Date(start)), calendar };
}

function plainSeries({ frequencyType, frequency }: FrequencyRule, anchor: Date): PlainSeries {
  const start = Math.floor(anchor.getTime() / SECOND) * SECOND;
  switch (frequencyType) {
    case 'Days':
      return { every: 'step', first: start, step: frequency * DAY };
    case 'Weeks':
      return { every: 'step', first: start, step: frequency * DAYS_IN_WEEK * DAY };
    case 'DayOfTheWeek': {
      const weekday = anchor.getUTCDay() + 1;
      const daysAhead = (frequency - weekday + DAYS_IN_WEEK) % DAYS_IN_WEEK;
      return { every: 'step', first: start + daysAhead * DAY, step: DAYS_IN_WEEK * DAY };
    }
    case 'Months': {
      const [month, day, timeOfDay] = [monthOf(anchor), anchor.getUTCDate(), timeOfDayOf(start)];
      return { every: 'month', firstMonth: month, stepMonths: frequency, day, timeOfDay };
    }
    case 'DayOfTheMonth': {
      const month = monthOf(anchor);
      const isOverThisMonth = Math.min(frequency, daysIn(month)) < anchor.getUTCDate();
      const firstMonth = isOverThisMonth ? month + 1 : month;
      return { every: 'month', firstMonth, stepMonths: 1, day: frequency, timeOfDay: timeOfDayOf(start) };
    }
  }
}

/** The instant of occurrence number `index`; by a calendar that leaves its day out, that of the nearest other one. */
export function occurrenceAt(series: Series, index: number): number {
  return series.every === 'civil' ? movedAt(series, index, series.calendar.shift) : plainAt(series, index);
}

/**
 * The same, but no sooner than after `notBefore`: where the nearest day before is too early, that of the nearest one
 * after it.
 */
export function placedAt(series: Series, index: number, notBefore: number): number {
  const instant = occurrenceAt(series, index);
  return series.every !== 'civil' || instant > notBefore ? instant : movedAt(series, index, 'Later');
}

/** The instant of an occurrence whose day, where that is left out, is moved in this direction. */
export function movedAt({ civil, calendar }: CivilSeries, index: number, direction: BlackoutShift): number {
  const time = plainAt(civil, index);
  const day = Math.floor(time / DAY);
  return calendar.zone.instantAt(time + (freeDay(calendar, day, direction) - day) * DAY);
}

function plainAt(series: PlainSeries, index: number): number {
  if (series.every === 'step') return series.first + index * series.step;
  const month = series.firstMonth + index * series.stepMonths;
  return startOfMonth(month) + (Math.min(series.day, daysIn(month)) - 1) * DAY + series.timeOfDay;
}

/** How many occurrences are at or before `instant`. This is also the number of the first one strictly after it. */
export function occurrencesUpTo(series: Series, instant: number): number {
  return series.every === 'civil' ? movedUpTo(series, instant, series.calendar.shift) : plainUpTo(series, instant);
}

/** The same by the days of the rule: none is left out. */
export const unmovedUpTo = ({ civil, calendar }: CivilSeries, instant: number): number =>
  plainUpTo(civil, calendar.zone.civilAt(instant));

/** The same, where days that are left out are moved in this direction. */
export function movedUpTo(series: CivilSeries, instant: number, direction: BlackoutShift): number {
  let count = unmovedUpTo(series, instant);
  while (movedAt(series, count, direction) <= instant) count++;
  while (count > 0 && movedAt(series, count - 1, direction) > instant) count--;
  return count;
}

function plainUpTo(series: PlainSeries, instant: number): number {
  if (series.every === 'step') {
    return instant < series.first ? 0 : Math.floor((instant - series.first) / series.step) + 1;
  }
  const months = monthOf(new Date(instant)) - series.firstMonth;
  if (months < 0) return 0;
  const latest = Math.floor(months / series.stepMonths);
  return plainAt(series, latest) <= instant ? latest + 1 : latest;
}

/** The last millisecond of the day of `date`: in UTC, or as the calendar has it. */
export const endOfDay = (date: Date, calendar: SiteCalendar | null = null): number =>
  calendar === null ? date.getTime() - timeOfDayOf(date.getTime()) + DAY - 1 : endOfCivilDay(calendar, date.getTime());

const timeOfDayOf = (instant: number): number => ((instant % DAY) + DAY) % DAY;

/** Months since January 2000. It counts from there because Date.UTC reads the years 0 to 99 as 1900 to 1999. */
const monthOf = (date: Date): number => (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth();

const startOfMonth = (month: number): number => Date.UTC(2000, month);

const daysIn = (month: number): number => (startOfMonth(month + 1) - startOfMonth(month)) / DAY;
