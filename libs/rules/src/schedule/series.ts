import type { FrequencyRule } from '../vocabulary.js';

const SECOND = 1000;
const DAY = 86_400_000;
const DAYS_IN_WEEK = 7;

/**
 * The regular occurrences of an order, numbered from 0 and all at or after the anchor. The n-th takes one calculation,
 * even with an old anchor. Instants are milliseconds since 1970, UTC.
 */
export type Series =
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

/** The series of `rule` from `anchor`, whose fraction of a second is cut off (decisions.md §6: whole seconds). */
export function seriesOf({ frequencyType, frequency }: FrequencyRule, anchor: Date): Series {
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

/** The instant of occurrence number `index`. */
export function occurrenceAt(series: Series, index: number): number {
  if (series.every === 'step') return series.first + index * series.step;
  const month = series.firstMonth + index * series.stepMonths;
  return startOfMonth(month) + (Math.min(series.day, daysIn(month)) - 1) * DAY + series.timeOfDay;
}

/** How many occurrences are at or before `instant`. This is also the number of the first one strictly after it. */
export function occurrencesUpTo(series: Series, instant: number): number {
  if (series.every === 'step') {
    return instant < series.first ? 0 : Math.floor((instant - series.first) / series.step) + 1;
  }
  const months = monthOf(new Date(instant)) - series.firstMonth;
  if (months < 0) return 0;
  const latest = Math.floor(months / series.stepMonths);
  return occurrenceAt(series, latest) <= instant ? latest + 1 : latest;
}

/** The last millisecond of the UTC day of `date`. */
export const endOfDay = (date: Date): number => date.getTime() - timeOfDayOf(date.getTime()) + DAY - 1;

const timeOfDayOf = (instant: number): number => ((instant % DAY) + DAY) % DAY;

/** Months since January 2000. It counts from there because Date.UTC reads the years 0 to 99 as 1900 to 1999. */
const monthOf = (date: Date): number => (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth();

const startOfMonth = (month: number): number => Date.UTC(2000, month);

const daysIn = (month: number): number => (startOfMonth(month + 1) - startOfMonth(month)) / DAY;
