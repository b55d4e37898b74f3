import type { Resource } from './api/client.ts';

type FrequencyType = Resource<'ScheduledOrder'>['FrequencyType'];

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const ENDINGS: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd', 21: 'st', 22: 'nd', 23: 'rd', 31: 'st' };

const every = (count: number, unit: string) => (count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`);

/** `Every 2 weeks`: the frequency of an order in a few words. When exactly, Explain says. */
export function frequencyText(type: FrequencyType, frequency: number | null): string {
  if (type === null || frequency === null) return 'No frequency';
  switch (type) {
    case 'Days':
      return every(frequency, 'day');
    case 'Weeks':
      return every(frequency, 'week');
    case 'Months':
      return every(frequency, 'month');
    case 'DayOfTheWeek':
      return `Every ${DAYS[frequency - 1] ?? `day ${frequency} of the week`}`;
    case 'DayOfTheMonth':
      return `Monthly on the ${frequency}${ENDINGS[frequency] ?? 'th'}`;
  }
}

export const WEEKDAY_NAMES: readonly string[] = DAYS;
