import {
  advance,
  type CalendarSettings,
  firstOccurrence,
  type FrequencyType,
  missingDay,
  nextOccurrence,
  Rejected,
  rollForward,
  type TakenUp,
} from '../index.js';
import { calendar } from '../testing/calendars.js';

const utc = (text: string): Date => new Date(`${text.includes('T') ? text : `${text}T09:00`}Z`);
const shown = (date: Date | null) => date?.toISOString().replace(/(:00)?\.000Z/, '');
const rule = (frequencyType: FrequencyType, frequency: number) => ({ frequencyType, frequency });

const BERLIN = { timeZone: 'Europe/Berlin' };
const AT_SIX = { processAt: '06:00' };
/** Christmas, on a Friday in 2026. */
const HOLIDAYS = { blackoutDates: ['2026-12-25'] };
const SUNDAYS = { blackoutWeekdays: [1] };
const EARLIER = { blackoutShift: 'Earlier' } as const;

/** The first occurrences after the anchor, each taken up on time. */
function series(
  chosen: Partial<CalendarSettings>,
  type: FrequencyType,
  frequency: number,
  anchor: Date,
  count: number,
) {
  const schedule = { rule: rule(type, frequency), anchor, calendar: calendar(chosen) };
  const dates = [nextOccurrence(schedule.rule, anchor, anchor, schedule.calendar)];
  while (dates.length < count) {
    const occurrence = dates.at(-1)!;
    dates.push(advance({ ...schedule, occurrence, replaced: null, now: occurrence }).nextUtc!);
  }
  return dates.map(shown);
}

describe('the occurrences by the calendar of a site', () => {
  test.each<[string, Partial<CalendarSettings>, FrequencyType, number, string, string[]]>([
    [
      'at the anchor’s time, but the first instant after one that is left out',
      BERLIN,
      'Days',
      1,
      '2026-03-27T01:30',
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'at the first of a time that comes twice',
      BERLIN,
      'Days',
      1,
      '2026-10-23T00:30',
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'at the site’s time of day',
      { timeZone: 'America/New_York', ...AT_SIX },
      'Weeks',
      1,
      '2026-02-22T15:00',
      ['2026-03-01T11:00', '2026-03-08T10:00', '2026-03-15T10:00'],
    ],
    [
      'from the anchor’s civil day: the 31st',
      { ...BERLIN, ...AT_SIX },
      'Months',
      1,
      '2026-01-31T22:30',
      ['2026-02-28T05:00', '2026-03-31T04:00', '2026-04-30T04:00'],
    ],
    [
      'from the anchor’s civil day: an hour later the 1st',
      { ...BERLIN, ...AT_SIX },
      'Months',
      1,
      '2026-01-31T23:30',
      ['2026-03-01T05:00', '2026-04-01T04:00'],
    ],
    [
      'not on the civil day of creation, though its time is still to come',
      { timeZone: 'Asia/Tokyo', processAt: '08:00' },
      'DayOfTheWeek',
      2,
      '2026-01-04T16:00',
      ['2026-01-11T23:00', '2026-01-18T23:00'],
    ],
    [
      'on a civil day that has begun later than the day in UTC',
      { timeZone: 'America/New_York', processAt: '22:00' },
      'DayOfTheMonth',
      15,
      '2026-01-15T03:00',
      ['2026-01-16T03:00', '2026-02-16T03:00'],
    ],
    ['in UTC, at the site’s time', AT_SIX, 'DayOfTheMonth', 15, '2026-01-14', ['2026-01-15T06:00', '2026-02-15T06:00']],
    ['not on the day of creation', AT_SIX, 'DayOfTheMonth', 15, '2026-01-15T05:00', ['2026-02-15T06:00']],
    ['on the next day', AT_SIX, 'Days', 1, '2026-01-15T05:00', ['2026-01-16T06:00', '2026-01-17T06:00']],
    [
      'after a day that is left out',
      SUNDAYS,
      'DayOfTheWeek',
      1,
      '2026-01-05',
      ['2026-01-12T09:00', '2026-01-19T09:00'],
    ],
    [
      'before a day that is left out, and the anchor does not move',
      { ...HOLIDAYS, ...EARLIER },
      'DayOfTheMonth',
      25,
      '2026-11-24',
      ['2026-11-25T09:00', '2026-12-24T09:00', '2027-01-25T09:00'],
    ],
    [
      'two that come to one day are one: the later',
      SUNDAYS,
      'Days',
      1,
      '2026-01-01',
      ['2026-01-02T09:00', '2026-01-03T09:00', '2026-01-05T09:00', '2026-01-06T09:00'],
    ],
    [
      'two that come to one day are one: the earlier',
      { ...SUNDAYS, ...EARLIER },
      'Days',
      1,
      '2026-01-01',
      ['2026-01-02T09:00', '2026-01-03T09:00', '2026-01-05T09:00', '2026-01-06T09:00'],
    ],
    [
      'a day earlier that is the day of creation does not do',
      { ...SUNDAYS, ...EARLIER },
      'DayOfTheWeek',
      1,
      '2026-01-03',
      ['2026-01-05T09:00', '2026-01-10T09:00'],
    ],
    [
      'not soon after creation on a day that is left out',
      SUNDAYS,
      'Weeks',
      1,
      '2026-01-04',
      ['2026-01-12T09:00', '2026-01-19T09:00'],
    ],
    [
      'not soon after creation on such a day of the rule',
      SUNDAYS,
      'DayOfTheWeek',
      1,
      '2026-01-04',
      ['2026-01-12T09:00', '2026-01-19T09:00'],
    ],
    [
      'weekdays are those of the civil day',
      { ...SUNDAYS, timeZone: 'Asia/Tokyo' },
      'Days',
      1,
      '2026-01-01T20:00',
      ['2026-01-02T20:00', '2026-01-04T20:00', '2026-01-05T20:00'],
    ],
  ])('are %s', (_, chosen, type, frequency, anchor, expected) => {
    expect(series(chosen, type, frequency, utc(anchor), expected.length)).toEqual(expected);
  });

  it('have one less where clocks carry one into the next day', () => {
    const nuuk = { timeZone: 'America/Nuuk', processAt: '23:30' };
    expect(series(nuuk, 'Days', 1, utc('2026-03-26T12:00'), 4)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00', // the 28th has no half past eleven
      '2026-03-31T00:30',
      '2026-04-01T00:30',
    ]);
  });

  it('end with the year 9999', () => {
    const late = { rule: rule('Days', 1), anchor: utc('9999-12-30'), calendar: calendar({ ...AT_SIX, ...SUNDAYS }) };
    const last = utc('9999-12-31T06:00');
    expect(nextOccurrence(late.rule, late.anchor, late.anchor, late.calendar)).toEqual(last);
    expect(advance({ ...late, occurrence: last, replaced: null, now: last })).toEqual({
      nextUtc: null,
      missedOccurrences: 0,
    });
    expect(() => nextOccurrence(late.rule, late.anchor, last, late.calendar)).toThrow(Rejected);
  });
});

describe('advance by the calendar of a site', () => {
  const daily = { rule: rule('Days', 1), anchor: utc('2026-01-01') };
  const christmas = { rule: rule('DayOfTheMonth', 25), anchor: utc('2026-01-24') };
  const everyOther = { rule: rule('Days', 2), anchor: utc('2025-12-31') };
  const on = (text: string) => ({ occurrence: utc(text), replaced: null, now: utc(text) });

  test.each<[string, Partial<CalendarSettings>, Omit<TakenUp, 'calendar'>, string, number]>([
    [
      'today in place of tomorrow: tomorrow does not come again',
      AT_SIX,
      { ...daily, ...on('2026-01-10T08:00'), replaced: utc('2026-01-11T06:00') },
      '2026-01-12T06:00',
      0,
    ],
    [
      'moved to the evening: the next day is regular',
      AT_SIX,
      { ...daily, anchor: utc('2026-01-10T20:00'), ...on('2026-01-10T20:00'), replaced: utc('2026-01-10T06:00') },
      '2026-01-11T06:00',
      0,
    ],
    [
      'moved to the morning: not in the evening too',
      { processAt: '20:00' },
      { ...daily, anchor: utc('2026-01-10T06:00'), ...on('2026-01-10T06:00'), replaced: utc('2026-01-10T20:00') },
      '2026-01-11T20:00',
      0,
    ],
    [
      'late, before the time of day',
      AT_SIX,
      { ...daily, ...on('2026-01-10T06:00'), now: utc('2026-01-12T05:00') },
      '2026-01-12T06:00',
      1,
    ],
    [
      'late, after the time of day',
      AT_SIX,
      { ...daily, ...on('2026-01-10T06:00'), now: utc('2026-01-12T06:00') },
      '2026-01-13T06:00',
      2,
    ],
    [
      'a zone that was set since: not an hour later on the same day',
      BERLIN,
      { rule: daily.rule, anchor: utc('2026-07-01T10:00'), ...on('2026-12-01T10:00') },
      '2026-12-02T11:00',
      0,
    ],
    [
      'the day before one that is left out',
      { ...HOLIDAYS, ...EARLIER },
      { ...christmas, ...on('2026-11-25') },
      '2026-12-24T09:00',
      0,
    ],
    [
      'one that was moved earlier',
      { ...HOLIDAYS, ...EARLIER },
      { ...christmas, ...on('2026-12-24') },
      '2027-01-25T09:00',
      0,
    ],
    [
      'one that was moved later',
      { ...HOLIDAYS, ...EARLIER },
      { ...christmas, ...on('2026-12-26') },
      '2027-01-25T09:00',
      0,
    ],
    [
      'so late that the day before has passed',
      { ...HOLIDAYS, ...EARLIER },
      { ...christmas, ...on('2026-11-25'), now: utc('2026-12-24') },
      '2026-12-26T09:00',
      0,
    ],
    [
      'so late that the day before is locked',
      { ...HOLIDAYS, ...EARLIER, lockHours: 48 },
      { ...christmas, ...on('2026-11-25'), now: utc('2026-12-22') },
      '2026-12-26T09:00',
      0,
    ],
    [
      'a moment before the day before is locked',
      { ...HOLIDAYS, ...EARLIER, lockHours: 48 },
      { ...christmas, ...on('2026-11-25'), now: utc('2026-12-22T08:59:59.999') },
      '2026-12-24T09:00',
      0,
    ],
    [
      'locked for half of an interval at most',
      { ...SUNDAYS, ...EARLIER, lockHours: 336 },
      { ...everyOther, ...on('2026-01-02') },
      '2026-01-05T09:00',
      0,
    ],
    [
      'not locked for half of an interval',
      { ...SUNDAYS, ...EARLIER, lockHours: 23 },
      { ...everyOther, ...on('2026-01-02') },
      '2026-01-03T09:00',
      0,
    ],
    [
      'so late that both days have passed',
      { ...HOLIDAYS, ...EARLIER },
      { ...christmas, ...on('2026-11-25'), now: utc('2026-12-26') },
      '2027-01-25T09:00',
      1,
    ],
    [
      'moved to a day that is left out: it does not come again the day after',
      SUNDAYS,
      { rule: rule('Weeks', 1), anchor: utc('2026-01-04'), ...on('2026-01-04'), replaced: utc('2026-01-01') },
      '2026-01-12T09:00',
      0,
    ],
    [
      'days that were merged are not missed',
      { ...SUNDAYS, ...EARLIER },
      { ...daily, ...on('2026-01-03') },
      '2026-01-05T09:00',
      0,
    ],
    [
      'fifty years late',
      { ...BERLIN, ...AT_SIX },
      { ...daily, anchor: utc('1976-01-10'), ...on('1976-01-10T05:00'), now: utc('2026-01-10T05:00') },
      '2026-01-11T05:00',
      18_263,
    ],
  ])('%s', (_, chosen, taken, next, missedOccurrences) => {
    const { nextUtc, ...rest } = advance({ ...taken, calendar: calendar(chosen) });
    expect([shown(nextUtc), rest]).toEqual([next, { missedOccurrences }]);
  });
});

describe('rollForward by the calendar of a site', () => {
  const held = {
    rule: rule('Days', 7),
    anchor: utc('2026-01-01T20:00'),
    replaced: null,
    calendar: calendar({ ...BERLIN, ...AT_SIX, blackoutDates: ['2026-01-22'] }),
  };

  test.each([
    ['one still ahead stays', utc('2026-01-09'), utc('2026-01-08'), null, '2026-01-09T09:00'],
    ['one that has passed gives way', utc('2026-01-08T05:00'), utc('2026-01-08T05:00'), null, '2026-01-15T05:00'],
    ['none yet', null, utc('2026-01-15T06:00'), null, '2026-01-23T05:00'],
    [
      'what an early one stands for',
      utc('2026-01-09'),
      utc('2026-01-10'),
      { occurrence: utc('2026-01-09'), replaced: utc('2026-01-15T05:00') },
      '2026-01-23T05:00',
    ],
  ])('%s', (_, next, now, last, expected) => {
    const { nextUtc, replaced } = rollForward({ ...held, next, now, last });
    expect([shown(nextUtc), replaced]).toEqual([expected, null]);
  });
});

describe('firstOccurrence', () => {
  test.each<[FrequencyType, number, string, Partial<CalendarSettings> | null, string]>([
    ['Days', 3, '2026-01-10T10:30', null, '2026-01-10T10:30'],
    ['Weeks', 1, '2026-01-10T10:30:15.600', null, '2026-01-10T10:30:15'],
    ['Months', 1, '2026-01-31T10:30', { ...AT_SIX, blackoutDates: ['2026-01-31'] }, '2026-01-31T10:30'],
    ['DayOfTheWeek', 7, '2026-01-10T10:30', null, '2026-01-10T10:30'],
    ['DayOfTheWeek', 7, '2026-01-10T10:30:15.600', null, '2026-01-10T10:30:15'],
    ['DayOfTheWeek', 1, '2026-01-10T10:30', null, '2026-01-11T10:30'],
    ['DayOfTheMonth', 9, '2026-01-10T10:30', null, '2026-02-09T10:30'],
    ['DayOfTheWeek', 7, '2026-01-10T05:59', AT_SIX, '2026-01-10T06:00'],
    ['DayOfTheWeek', 7, '2026-01-10T06:00', AT_SIX, '2026-01-10T06:00'],
    ['DayOfTheWeek', 7, '2026-01-10T06:01', AT_SIX, '2026-01-17T06:00'],
    ['DayOfTheWeek', 1, '2026-01-10T23:30', { ...BERLIN, ...AT_SIX }, '2026-01-11T05:00'],
    ['DayOfTheWeek', 1, '2026-01-10T10:30', SUNDAYS, '2026-01-12T10:30'],
    ['DayOfTheWeek', 1, '2026-01-11T10:30', { ...SUNDAYS, ...EARLIER }, '2026-01-12T10:30'],
  ])('of %s %i from %s by %j is %s', (type, frequency, start, chosen, expected) => {
    const first = firstOccurrence(rule(type, frequency), utc(start), chosen && calendar(chosen));
    expect(shown(first)).toBe(expected);
  });

  it('rejects a frequency out of range', () => {
    expect(() => firstOccurrence(rule('Weeks', 521), utc('2026-01-10'))).toThrow(Rejected);
  });
});

describe('missingDay by the calendar of a site', () => {
  test.each<[FrequencyType, number, string, Partial<CalendarSettings>, string, number | null]>([
    ['DayOfTheMonth', 31, '2026-01-14', { ...BERLIN, ...AT_SIX }, '2026-02-28T05:00', 31],
    ['DayOfTheMonth', 31, '2026-01-14', { ...BERLIN, ...AT_SIX }, '2026-03-31T04:00', null],
    ['DayOfTheMonth', 31, '2026-01-14', { ...BERLIN, ...AT_SIX }, '2026-02-28T06:00', null],
    ['Months', 1, '2026-01-31T23:30', { ...BERLIN, ...AT_SIX }, '2026-03-01T05:00', null],
    ['Months', 1, '2026-01-30T23:30', { ...BERLIN, ...AT_SIX }, '2026-02-28T05:00', 31],
    ['DayOfTheMonth', 31, '2026-01-14', { blackoutDates: ['2026-02-28'], ...AT_SIX }, '2026-03-01T06:00', 31],
    ['DayOfTheWeek', 7, '2026-01-14', { ...BERLIN, ...AT_SIX }, '2026-02-28T05:00', null],
  ])('%s %i from %s by %j, at %s: %s', (type, frequency, anchor, chosen, instant, expected) => {
    expect(missingDay(rule(type, frequency), utc(anchor), utc(instant), calendar(chosen))).toBe(expected);
  });
});
