/** The words of interface.md (States; Frequency by FrequencyType), in its order. */
export const STATUSES = ['Active', 'Pending', 'Paused'] as const;
export type Status = (typeof STATUSES)[number];

export const FREQUENCY_TYPES = ['Days', 'Weeks', 'Months', 'DayOfTheWeek', 'DayOfTheMonth'] as const;
export type FrequencyType = (typeof FREQUENCY_TYPES)[number];

/** How often an order falls due; what `frequency` counts depends on `frequencyType` (interface.md). */
export interface FrequencyRule {
  readonly frequencyType: FrequencyType;
  readonly frequency: number;
}
