import fc from 'fast-check';
import { type CalendarSettings, FREQUENCY_TYPES, type FrequencyRule } from '#libs/rules';

export const DAY = 86_400_000;

const MOST = { Days: 20, Weeks: 3, Months: 2, DayOfTheWeek: 7, DayOfTheMonth: 31 };

/** Such as orders have. */
export const orderRules: fc.Arbitrary<FrequencyRule> = fc.constantFrom(...FREQUENCY_TYPES).chain((frequencyType) =>
  fc.record({
    frequencyType: fc.constant(frequencyType),
    frequency: fc.integer({ min: 1, max: MOST[frequencyType] }),
  }),
);

/** In two years, in which clocks are changed. */
export const moments: fc.Arbitrary<Date> = fc
  .integer({ min: Date.UTC(2025, 0) / 60_000, max: Date.UTC(2027, 0) / 60_000 })
  .map((minutes) => new Date(minutes * 60_000));

/** Where clocks are changed by an hour, by half of one, by two; around midnight; never. */
const zones = fc.constantFrom(
  null,
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Africa/Cairo',
  'America/Nuuk',
  'Asia/Kathmandu',
);

/** Around the hours at which clocks are changed, too. */
const times = fc.constantFrom(null, '00:00', '01:30', '02:00', '02:15', '02:59', '06:00', '23:30', '23:59');

const dates = fc
  .tuple(moments, fc.integer({ min: 1, max: 12 }))
  .map(([from, count]) =>
    Array.from({ length: count }, (_, day) => new Date(from.getTime() + day * DAY).toISOString().slice(0, 10)),
  );

export const calendars: fc.Arbitrary<CalendarSettings> = fc.record({
  timeZone: zones,
  processAt: times,
  blackoutWeekdays: fc.oneof(fc.constant([]), fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 6 })),
  blackoutDates: fc.oneof(
    fc.constant([]),
    dates,
    fc.tuple(dates, dates, dates).map((some) => some.flat()),
  ),
  blackoutShift: fc.constantFrom(null, 'Earlier', 'Later'),
  lockHours: fc.constantFrom(null, 0, 24, 72, 336),
});
