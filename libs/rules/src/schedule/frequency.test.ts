import { frequencyFault, frequencyRule } from '../index.js';

describe('frequencyFault', () => {
  test.each([
    ['Days', 1],
    ['Days', 3650],
    ['Weeks', 1],
    ['Weeks', 520],
    ['Months', 1],
    ['Months', 120],
    ['DayOfTheWeek', 1],
    ['DayOfTheWeek', 7],
    ['DayOfTheMonth', 1],
    ['DayOfTheMonth', 31],
    [null, null],
  ])('finds nothing wrong with %s %s', (type, frequency) => {
    expect(frequencyFault(type, frequency)).toBeNull();
  });

  test.each([
    ['Days', 0, '0 must be an integer from 1 to 3650 for FrequencyType Days.'],
    ['Days', 3651, '3651 must be an integer from 1 to 3650 for FrequencyType Days.'],
    ['Weeks', 521, '521 must be an integer from 1 to 520 for FrequencyType Weeks.'],
    ['Months', 121, '121 must be an integer from 1 to 120 for FrequencyType Months.'],
    ['Months', 1.5, '1.5 must be an integer from 1 to 120 for FrequencyType Months.'],
    ['Months', Infinity, 'Infinity must be an integer from 1 to 120 for FrequencyType Months.'],
    ['DayOfTheWeek', 0, '0 must be an integer from 1 (Sunday) to 7 (Saturday) for FrequencyType DayOfTheWeek.'],
    ['DayOfTheWeek', -1, '-1 must be an integer from 1 (Sunday) to 7 (Saturday) for FrequencyType DayOfTheWeek.'],
    ['DayOfTheWeek', 8, '8 must be an integer from 1 (Sunday) to 7 (Saturday) for FrequencyType DayOfTheWeek.'],
    ['DayOfTheMonth', 32, '32 must be an integer from 1 to 31 for FrequencyType DayOfTheMonth.'],
    ['DayOfTheMonth', NaN, 'NaN must be an integer from 1 to 31 for FrequencyType DayOfTheMonth.'],
    ['Days', null, 'is required with FrequencyType Days: an integer from 1 to 3650.'],
    ['DayOfTheWeek', null, 'is required with FrequencyType DayOfTheWeek: an integer from 1 (Sunday) to 7 (Saturday).'],
    [null, 3, '3 needs a FrequencyType: one of Days, Weeks, Months, DayOfTheWeek, DayOfTheMonth.'],
    ['days', 3, 'FrequencyType "days" must be one of Days, Weeks, Months, DayOfTheWeek, DayOfTheMonth.'],
    ['toString', null, 'FrequencyType "toString" must be one of Days, Weeks, Months, DayOfTheWeek, DayOfTheMonth.'],
  ])('says what is wrong with %s %s', (type, frequency, sentence) => {
    expect(frequencyFault(type, frequency)).toBe(sentence);
  });
});

test.each([
  ['Weeks', 2, { frequencyType: 'Weeks', frequency: 2 }],
  [null, null, null],
  ['Weeks', null, null],
  [null, 2, null],
] as const)('the rule of %s %s is %o', (frequencyType, frequency, rule) => {
  expect(frequencyRule({ frequencyType, frequency })).toEqual(rule);
});
