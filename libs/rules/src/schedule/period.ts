import { Rejected } from '../rejected.js';

const PERIOD =
  /^P(?!$)(?:(?<years>\d{1,4})Y)?(?:(?<months>\d{1,5})M)?(?:(?<weeks>\d{1,6})W)?(?:(?<days>\d{1,7})D)?(?:T(?!$)(?:(?<hours>\d{1,8})H)?(?:(?<minutes>\d{1,9})M)?(?:(?<seconds>\d{1,9})S)?)?$/;

const LAST_YEAR = 9999;

/** Whether it is an ISO 8601 duration of years to seconds, such as P3M or P1DT12H. */
export const isPeriod = (text: string): boolean => PERIOD.test(text);

/**
 * The instant so much later, in UTC: months first, a day that the month lacks being its last day; then the rest, a day
 * being 24 hours.
 * @param field named when the text is none, or the instant is beyond the year 9999.
 */
export function addPeriod(from: Date, text: string, field: string): Date {
  const groups = PERIOD.exec(text)?.groups;
  if (groups === undefined) {
    throw new Rejected([{ field, message: `"${text}" must be an ISO 8601 duration such as P3M, P10D or PT1H.` }]);
  }
  const part = (name: string) => Number(groups[name] ?? 0);
  const months = from.getUTCMonth() + 12 * part('years') + part('months');
  const year = from.getUTCFullYear() + Math.floor(months / 12);
  const later = new Date(from);
  if (year <= LAST_YEAR) {
    const day = Math.min(from.getUTCDate(), daysOf(year, months % 12));
    later.setUTCFullYear(year, months % 12, day);
    const seconds =
      (7 * part('weeks') + part('days')) * 86_400 + part('hours') * 3_600 + part('minutes') * 60 + part('seconds');
    later.setTime(later.getTime() + seconds * 1_000);
    if (later.getUTCFullYear() <= LAST_YEAR) return later;
  }
  throw new Rejected([{ field, message: `${text} after ${from.toISOString()} is beyond the year ${LAST_YEAR}.` }]);
}

/** How many days the month has; `month` from 0. */
function daysOf(year: number, month: number): number {
  const last = new Date(0);
  last.setUTCFullYear(year, month + 1, 0);
  return last.getUTCDate();
}
