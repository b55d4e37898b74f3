import { calendarFaults, type CalendarSettings, civilDate, Rejected, siteCalendar } from '../index.js';
import { settings } from '../testing/calendars.js';

const ms = (text: string) => Date.parse(`${text}Z`);
/** Days in a row, from this one on. */
const row = (from: string, count: number) =>
  Array.from({ length: count }, (_, day) => new Date(Date.parse(from) + day * 86_400_000).toISOString().slice(0, 10));

describe('the days of a site', () => {
  test.each<[string, Partial<CalendarSettings>]>([
    ['nothing', {}],
    ['all of it', { timeZone: 'Asia/Tokyo', processAt: '23:59', lockHours: 336, blackoutShift: 'Earlier' }],
    ['the smallest', { processAt: '00:00', lockHours: 0 }],
    ['six weekdays', { blackoutWeekdays: [1, 2, 3, 4, 5, 6] }],
    ['a weekday twice', { blackoutWeekdays: [1, 1, 1, 1, 1, 1, 1, 1] }],
    ['sixty days in a row', { blackoutDates: row('2026-07-01', 60) }],
    [
      'many days, with a weekday before and after them',
      { blackoutDates: row('2026-07-06', 55), blackoutWeekdays: [1] },
    ],
    [
      'as many days as there may be',
      { blackoutDates: [...row('2026-01-01', 366).filter((_, day) => day % 40 > 0), ...row('2030-01-01', 10)] },
    ],
    ['a day of a leap year', { blackoutDates: ['2028-02-29'] }],
  ])('may be: %s', (_, chosen) => {
    expect(calendarFaults(settings(chosen))).toEqual([]);
  });

  test.each<[Partial<CalendarSettings>, string, string]>([
    [{ timeZone: 'Berlin' }, 'TimeZone', '"Berlin" must be a time zone of the IANA database, such as Europe/Berlin.'],
    [{ processAt: '24:00' }, 'ProcessAt', '"24:00" must be a time of day from 00:00 to 23:59.'],
    [{ processAt: '9:30' }, 'ProcessAt', '"9:30" must be a time of day from 00:00 to 23:59.'],
    [{ processAt: '09:30:00' }, 'ProcessAt', '"09:30:00" must be a time of day from 00:00 to 23:59.'],
    [{ processAt: '09:60' }, 'ProcessAt', '"09:60" must be a time of day from 00:00 to 23:59.'],
    [{ lockHours: 337 }, 'LockHours', '337 must be an integer from 0 to 336.'],
    [{ lockHours: -1 }, 'LockHours', '-1 must be an integer from 0 to 336.'],
    [{ lockHours: 1.5 }, 'LockHours', '1.5 must be an integer from 0 to 336.'],
    [{ blackoutWeekdays: [2, 0] }, 'BlackoutWeekdays', '0 must be an integer from 1 (Sunday) to 7 (Saturday).'],
    [{ blackoutWeekdays: [8] }, 'BlackoutWeekdays', '8 must be an integer from 1 (Sunday) to 7 (Saturday).'],
    [{ blackoutWeekdays: [7, 6, 5, 4, 3, 2, 1] }, 'BlackoutWeekdays', 'has all seven days: leave one out.'],
    [{ blackoutDates: ['2026-02-29'] }, 'BlackoutDates', '"2026-02-29" must be a day, such as 2026-12-25.'],
    [{ blackoutDates: ['2026-12-25T00:00'] }, 'BlackoutDates', '"2026-12-25T00:00" must be a day, such as 2026-12-25.'],
    [{ blackoutDates: ['2026-13-01'] }, 'BlackoutDates', '"2026-13-01" must be a day, such as 2026-12-25.'],
    [
      { blackoutDates: row('2026-01-01', 400).filter((_, day) => day % 40 > 0) },
      'BlackoutDates',
      'has 390 days: at most 366.',
    ],
    [
      { blackoutDates: row('2026-07-01', 61) },
      'BlackoutDates',
      'leaves more than 60 days in a row out, from 2026-07-01 on.',
    ],
    [
      // A Sunday before, and one after: 59 days and these two.
      { blackoutDates: row('2026-07-06', 59), blackoutWeekdays: [1, 5] },
      'BlackoutDates',
      'leaves more than 60 days in a row out, from 2026-07-05 on.',
    ],
  ])('cannot be %j', (chosen, field, message) => {
    expect(calendarFaults(settings(chosen))).toEqual([{ field, message }]);
    expect(() => siteCalendar(settings(chosen))).toThrow(new Rejected([{ field, message }]));
  });

  it('have every fault named', () => {
    const faults = calendarFaults(
      settings({ timeZone: 'x', processAt: 'y', lockHours: 999, blackoutWeekdays: [9], blackoutDates: ['z'] }),
    );
    expect(faults.map(({ field }) => field)).toEqual([
      'TimeZone',
      'ProcessAt',
      'LockHours',
      'BlackoutWeekdays',
      'BlackoutDates',
    ]);
  });

  it('are moved later where nothing is said', () => {
    expect(siteCalendar(settings({})).shift).toBe('Later');
    expect(siteCalendar(settings({ blackoutShift: 'Earlier' })).shift).toBe('Earlier');
  });

  test.each([
    [null, '2026-12-25T23:59:59.999', '2026-12-25'],
    [{}, '2026-12-26T00:00', '2026-12-26'],
    [{ timeZone: 'Asia/Tokyo' }, '2026-12-25T15:00', '2026-12-26'],
    [{ timeZone: 'America/New_York' }, '2026-12-25T04:59:59.999', '2026-12-24'],
  ])('by %j: at %s it is %s', (chosen, instant, expected) => {
    expect(civilDate(chosen && siteCalendar(settings(chosen)), ms(instant))).toBe(expected);
  });
});
