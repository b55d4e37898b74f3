/**
 * The contract's words, in its order (contract.md, States and transitions; contract.md, Frequency by FrequencyType).
 */
export const STATUSES = ['Active', 'Pending', 'Paused'] as const;
export type Status = (typeof STATUSES)[number];

export const FREQUENCY_TYPES = ['Days', 'Weeks', 'Months', 'DayOfTheWeek', 'DayOfTheMonth'] as const;
export type FrequencyType = (typeof FREQUENCY_TYPES)[number];

/**
 * How often an order falls due. The unit of `frequency` depends on `frequencyType` (contract.md, Frequency by
 * FrequencyType).
 */
export interface FrequencyRule {
  readonly frequencyType: FrequencyType;
  readonly frequency: number;
}
