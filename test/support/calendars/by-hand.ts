import { Temporal } from 'temporal-polyfill';
import type { CalendarSettings, FrequencyRule } from '#libs/rules';

/** The calendar of a site read by Temporal, day after day, as a person would: what the rules are compared with. */
export interface ByHand {
  readonly number: number;
  readonly instant: number;
  readonly missed: number;
}

/**
 * What was taken up; null: nothing yet, and the order was made on the anchor's day. `lockMs`: how long before an
 * occurrence nothing is moved any more.
 */
export interface TakenByHand {
  readonly occurrence: number | null;
  readonly replaced: number | null;
  readonly now: number;
  readonly lockMs: number;
}

const zoneOf = ({ timeZone }: CalendarSettings) => timeZone ?? 'UTC';
const zoned = (chosen: CalendarSettings, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zoneOf(chosen));
export const dayByHand = (chosen: CalendarSettings, instant: number) => zoned(chosen, instant).toPlainDate();

function instantByHand(chosen: CalendarSettings, day: Temporal.PlainDate, time: Temporal.PlainTime): number {
  const wanted = day.toPlainDateTime(time);
  const found = wanted.toZonedDateTime(zoneOf(chosen), { disambiguation: 'earlier' });
  if (found.toPlainDateTime().equals(wanted)) return found.epochMilliseconds;
  return found.getTimeZoneTransition('next')!.epochMilliseconds;
}

function ruleDay({ frequencyType, frequency }: FrequencyRule, anchor: Temporal.PlainDate, n: number) {
  switch (frequencyType) {
    case 'Days':
      return anchor.add({ days: n * frequency });
    case 'Weeks':
      return anchor.add({ weeks: n * frequency });
    case 'Months':
      return anchor.add({ months: n * frequency });
    case 'DayOfTheWeek': {
      let first = anchor;
      while ((first.dayOfWeek % 7) + 1 !== frequency) first = first.add({ days: 1 });
      return first.add({ weeks: n });
    }
    case 'DayOfTheMonth': {
      const inMonth = (months: number) => anchor.with({ day: 1 }).add({ months }).with({ day: frequency });
      return inMonth(Temporal.PlainDate.compare(inMonth(0), anchor) < 0 ? n + 1 : n);
    }
  }
}

const isLeftOut = ({ blackoutWeekdays, blackoutDates }: CalendarSettings, day: Temporal.PlainDate) =>
  blackoutWeekdays.includes((day.dayOfWeek % 7) + 1) || blackoutDates.includes(day.toString());

function nearest(chosen: CalendarSettings, from: Temporal.PlainDate, step: 1 | -1) {
  let day = from;
  while (isLeftOut(chosen, day)) day = day.add({ days: step });
  return day;
}

/** The regular occurrence that comes next, one number after another. */
export function nextByHand(rule: FrequencyRule, anchor: number, chosen: CalendarSettings, taken: TakenByHand): ByHand {
  const anchored = zoned(chosen, Math.floor(anchor / 1_000) * 1_000);
  const time = chosen.processAt === null ? anchored.toPlainTime() : Temporal.PlainTime.from(chosen.processAt);
  const done = [taken.occurrence, taken.replaced].flatMap((instant) =>
    instant === null ? [] : dayByHand(chosen, instant),
  );
  let missed = 0;
  for (let number = 0; ; number++) {
    const day = ruleDay(rule, anchored.toPlainDate(), number);
    const later = instantByHand(chosen, nearest(chosen, day, 1), time);
    const earlier = instantByHand(chosen, nearest(chosen, day, -1), time);
    const wanted = chosen.blackoutShift === 'Earlier' ? earlier : later;
    const sooner = chosen.blackoutShift === 'Earlier' ? dayByHand(chosen, earlier) : day;
    if (done.some((one) => Temporal.PlainDate.compare(sooner, one) <= 0)) continue;
    if (taken.occurrence === null && day.equals(anchored.toPlainDate())) continue;
    const instant = wanted > taken.now + taken.lockMs ? wanted : later;
    if (instant > taken.now) return { number, instant, missed };
    missed++;
  }
}
