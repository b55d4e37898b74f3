import { type Fault, Rejected } from '../rejected.js';
import { isTimeZone, UTC, type Zone, zoneOf } from './zone.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

export const BLACKOUT_SHIFTS = ['Earlier', 'Later'] as const;
export type BlackoutShift = (typeof BLACKOUT_SHIFTS)[number];

export const MOST_BLACKOUT_DATES = 366;
/** So many days in a row may be left out. */
export const MOST_DAYS_IN_A_ROW = 60;
/** Half of the shortest month, which is as much as the window of a monthly order may have. */
export const MOST_LOCK_HOURS = 336;

/** What a site says of its days. */
export interface CalendarSettings {
  /** IANA's name; null: UTC. */
  readonly timeZone: string | null;
  /** The time of day of regular occurrences, `HH:mm`; null: that of their anchor. */
  readonly processAt: string | null;
  /** 1 is Sunday, as in Frequency by FrequencyType. */
  readonly blackoutWeekdays: readonly number[];
  /** `2026-12-25`. */
  readonly blackoutDates: readonly string[];
  /** Null: `Later`, which charges nobody sooner than expected. */
  readonly blackoutShift: BlackoutShift | null;
  /** From so long before an occurrence on, it cannot be changed by customers; null: there is no such window. */
  readonly lockHours: number | null;
}

/**
 * The days of a site that has said anything of them: its occurrences are counted in civil days. Days are numbers since
 * 1970-01-01; times of day are milliseconds.
 */
export interface SiteCalendar {
  readonly zone: Zone;
  readonly timeOfDay: number | null;
  readonly shift: BlackoutShift;
  readonly lockHours: number | null;
  /** Whether any day is left out. */
  readonly hasBlackouts: boolean;
  readonly isFree: (day: number) => boolean;
}

/** @throws Rejected with the faults of `calendarFaults`. */
export function siteCalendar(settings: CalendarSettings): SiteCalendar {
  const faults = calendarFaults(settings);
  if (faults.length > 0) throw new Rejected(faults);
  const { timeZone, processAt, blackoutWeekdays, blackoutDates, blackoutShift, lockHours } = settings;
  return {
    zone: timeZone === null ? UTC : zoneOf(timeZone),
    timeOfDay: processAt === null ? null : timeOfDayOf(processAt)!,
    shift: blackoutShift ?? 'Later',
    lockHours,
    hasBlackouts: blackoutWeekdays.length + blackoutDates.length > 0,
    isFree: freeDays(settings),
  };
}

/** What is wrong with a site's days, each fault with its field's value and bound. */
export function calendarFaults(settings: CalendarSettings): Fault[] {
  const { timeZone, processAt, blackoutWeekdays, blackoutDates, lockHours } = settings;
  const faults: Fault[] = [];
  const refuse = (field: string, message: string) => faults.push({ field, message });
  if (timeZone !== null && !isTimeZone(timeZone))
    refuse('TimeZone', `"${timeZone}" must be a time zone of the IANA database, such as Europe/Berlin.`);
  if (processAt !== null && timeOfDayOf(processAt) === null)
    refuse('ProcessAt', `"${processAt}" must be a time of day from 00:00 to 23:59.`);
  if (lockHours !== null && !isWithin(lockHours, 0, MOST_LOCK_HOURS))
    refuse('LockHours', `${lockHours} must be an integer from 0 to ${MOST_LOCK_HOURS}.`);
  const noWeekday = blackoutWeekdays.find((day) => !isWithin(day, 1, 7));
  if (noWeekday !== undefined)
    refuse('BlackoutWeekdays', `${noWeekday} must be an integer from 1 (Sunday) to 7 (Saturday).`);
  const noDate = blackoutDates.find((date) => dayOfDate(date) === null);
  if (noDate !== undefined) refuse('BlackoutDates', `"${noDate}" must be a day, such as 2026-12-25.`);
  if (blackoutDates.length > MOST_BLACKOUT_DATES)
    refuse('BlackoutDates', `has ${blackoutDates.length} days: at most ${MOST_BLACKOUT_DATES}.`);
  const isReadable = noWeekday === undefined && noDate === undefined;
  if (isReadable) faults.push(...rowFaults(settings));
  return faults;
}

/** Some day must be left to move an occurrence to. */
function rowFaults({ blackoutWeekdays, blackoutDates }: CalendarSettings): Fault[] {
  if (new Set(blackoutWeekdays).size === 7)
    return [{ field: 'BlackoutWeekdays', message: 'has all seven days: leave one out.' }];
  const isFree = freeDays({ blackoutWeekdays, blackoutDates });
  for (const date of new Set(blackoutDates)) {
    const first = freeDay({ isFree }, dayOfDate(date)!, 'Earlier') + 1;
    if (freeDay({ isFree }, first, 'Later') - first <= MOST_DAYS_IN_A_ROW) continue;
    const message = `leaves more than ${MOST_DAYS_IN_A_ROW} days in a row out, from ${dateOfDay(first)} on.`;
    return [{ field: 'BlackoutDates', message }];
  }
  return [];
}

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

function freeDays({
  blackoutWeekdays,
  blackoutDates,
}: Pick<CalendarSettings, 'blackoutWeekdays' | 'blackoutDates'>): SiteCalendar['isFree'] {
  const weekdays = new Set(blackoutWeekdays);
  const days = new Set(blackoutDates.map(dayOfDate));
  return (day) => !days.has(day) && !weekdays.has(weekdayOf(day));
}

/** 1970-01-01 was a Thursday, 5. */
const weekdayOf = (day: number): number => ((((day + 4) % 7) + 7) % 7) + 1;

/** `2026-12-25` as a number; null where there is no such day. */
function dayOfDate(date: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return null;
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(ms) || dateOfDay(ms / DAY) !== date ? null : ms / DAY;
}

const dateOfDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

function timeOfDayOf(text: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? null : (Number(hours) * 60 + Number(minutes)) * MINUTE;
}

/** The day of an instant in milliseconds, as `2026-12-25`: the site's civil day, in UTC where it has no calendar. */
export const civilDate = (calendar: SiteCalendar | null, instant: number): string =>
  dateOfDay(civilDayOf(calendar ?? { zone: UTC }, instant));

const civilDayOf = ({ zone }: Pick<SiteCalendar, 'zone'>, instant: number): number =>
  Math.floor(zone.civilAt(instant) / DAY);

/** The last millisecond of the civil day of an instant. */
export const endOfCivilDay = (calendar: SiteCalendar, instant: number): number =>
  calendar.zone.instantAt((civilDayOf(calendar, instant) + 1) * DAY) - 1;

/** The day itself where it is free, else the nearest free one in that direction. */
export function freeDay({ isFree }: Pick<SiteCalendar, 'isFree'>, day: number, direction: BlackoutShift): number {
  let free = day;
  while (!isFree(free)) free += direction === 'Later' ? 1 : -1;
  return free;
}
