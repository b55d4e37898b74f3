import type { FrequencyType } from '#libs/rules';
import { durationWords, listed, ordinal, ruleWords, sentences } from './words.js';

const THURSDAY_THE_15TH = '2026-01-15T09:05:30Z';
const THE_31ST = '2026-01-31T23:00:00Z';

it.each<[FrequencyType, number, string, string]>([
  ['Days', 1, THE_31ST, 'Every day at 23:00 UTC'],
  ['Days', 9, THE_31ST, 'Every 9 days at 23:00 UTC'],
  ['Weeks', 1, THURSDAY_THE_15TH, 'Every week on Thursday at 09:05 UTC'],
  ['Weeks', 6, THURSDAY_THE_15TH, 'Every 6 weeks on Thursday at 09:05 UTC'],
  ['Months', 1, THURSDAY_THE_15TH, 'Every month on the 15th at 09:05 UTC'],
  ['Months', 3, THE_31ST, 'Every 3 months on the 31st at 23:00 UTC; in a shorter month on its last day'],
  ['DayOfTheWeek', 1, THE_31ST, 'Every Sunday at 23:00 UTC'],
  ['DayOfTheWeek', 7, THE_31ST, 'Every Saturday at 23:00 UTC'],
  ['DayOfTheMonth', 1, THE_31ST, 'Every month on the 1st at 23:00 UTC'],
  ['DayOfTheMonth', 28, THE_31ST, 'Every month on the 28th at 23:00 UTC'],
  ['DayOfTheMonth', 29, THE_31ST, 'Every month on the 29th at 23:00 UTC; in a shorter month on its last day'],
])('%s %i from %s: %s', (frequencyType, frequency, anchor, expected) => {
  expect(ruleWords({ frequencyType, frequency }, new Date(anchor))).toBe(expected);
});

it('numbers days', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 20, 21, 22, 23, 30, 31].map(ordinal).join(' ')).toBe(
    '1st 2nd 3rd 4th 11th 12th 13th 20th 21st 22nd 23rd 30th 31st',
  );
});

it.each([
  [60_000, '1 minute'],
  [86_400_000, '1 day'],
  [129_600_000, '36 hours'],
  [90_000, '90 seconds'],
  [1_500, '1.5 seconds'],
  [1_000, '1 second'],
])('%i ms are %s', (ms, expected) => {
  expect(durationWords(ms)).toBe(expected);
});

it('lists words, and leaves sentences out that there are not', () => {
  expect([listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c']), listed([])]).toEqual([
    'a',
    'a and b',
    'a, b and c',
    '',
  ]);
  expect(sentences('One.', false, null, '', 'Two.')).toBe('One. Two.');
});
