import { type FrequencyRule, shownDay, weekdayName } from '#libs/rules';

/** `one`, `one and two`, `one, two and three`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;

/** An occurrence in the middle of a sentence. */
export const occurrenceOf = (dueUtc: Date): string => `the occurrence of ${shownDay(dueUtc)}`;

/** The sentences that there are, as one text. */
export const sentences = (...parts: readonly (string | false | null)[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(' ');

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** `1 minute`, `36 hours`, `1.5 seconds`: in the largest unit that fits without a rest. */
export function durationWords(ms: number): string {
  const fitting = UNITS.find(([, unitMs]) => ms % unitMs === 0);
  return fitting === undefined ? counted(ms / 1000, 'second') : counted(ms / fitting[1], fitting[0]);
}

/** `1st`, `2nd`, `3rd`, `11th`, `31st`. */
export function ordinal(day: number): string {
  const isTeen = day >= 11 && day <= 13;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

/** The shortest month has so many days: a later day may be missing. */
const SHORTEST_MONTH = 28;

/** A schedule, without a full stop: `Every month on the 31st at 10:00 UTC; in a shorter month on its last day`. */
export function ruleWords({ frequencyType, frequency }: FrequencyRule, anchor: Date): string {
  const every = (unit: string) => `Every ${frequency === 1 ? unit : counted(frequency, unit)}`;
  const at = ` at ${anchor.toISOString().slice(11, 16)} UTC`;
  const onDay = (day: number) =>
    ` on the ${ordinal(day)}${at}${day > SHORTEST_MONTH ? '; in a shorter month on its last day' : ''}`;
  switch (frequencyType) {
    case 'Days':
      return every('day') + at;
    case 'Weeks':
      return `${every('week')} on ${weekdayName(anchor.getUTCDay() + 1)}${at}`;
    case 'Months':
      return every('month') + onDay(anchor.getUTCDate());
    case 'DayOfTheWeek':
      return `Every ${weekdayName(frequency)}${at}`;
    case 'DayOfTheMonth':
      return `Every month${onDay(frequency)}`;
  }
}
