/**
 * An instant in sentences for people: `2026-05-16 10:00 UTC`. It identifies occurrences for shops and customers
 * (decisions.md §10).
 */
export const shownInstant = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** The name of a day: 1 is Sunday, as in Frequency by FrequencyType. */
export const weekdayName = (day: number): string => WEEKDAYS[day - 1]!;

/** The same with the day of the week: `Saturday 2026-05-16 10:00 UTC`. */
export const shownDay = (instant: Date): string => `${weekdayName(instant.getUTCDay() + 1)} ${shownInstant(instant)}`;
