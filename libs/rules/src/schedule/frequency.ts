import { FREQUENCY_TYPES, type FrequencyRule, type FrequencyType } from '../vocabulary.js';

/** The largest `Frequency` of each type; the smallest is 1 (decisions.md §6, contract.md, Limits). */
const LARGEST: Readonly<Record<FrequencyType, number>> = {
  Days: 3650,
  Weeks: 520,
  Months: 120,
  DayOfTheWeek: 7,
  DayOfTheMonth: 31,
};

/** The allowed values of a type, for messages. */
const RANGES: Readonly<Partial<Record<FrequencyType, string>>> = { DayOfTheWeek: '1 (Sunday) to 7 (Saturday)' };
const rangeOf = (type: FrequencyType) => RANGES[type] ?? `1 to ${LARGEST[type]}`;

/** The allowed values of all types, for a message about a Frequency of unknown type: `Days 1 to 3650, …`. */
export const FREQUENCY_RANGES = FREQUENCY_TYPES.map((type) => `${type} ${rangeOf(type)}`).join(', ');

/** A cheaper form of `frequencyFault` for frequent calls. */
export const isFrequency = (type: FrequencyType, frequency: number): boolean =>
  Number.isInteger(frequency) && frequency >= 1 && frequency <= LARGEST[type];

/**
 * What is wrong with a Frequency: a sentence that continues after the field's name, with value and bound; null when
 * nothing is wrong. It validates the merged record: both may be null, but not only one of them. Source: contract.md,
 * Frequency by FrequencyType; decisions.md §6.
 */
export function frequencyFault(type: string | null, frequency: number | null): string | null {
  if (type === null && frequency === null) return null;
  if (type === null) return `${frequency} needs a FrequencyType: one of ${FREQUENCY_TYPES.join(', ')}.`;
  if (!isFrequencyType(type)) return `FrequencyType "${type}" must be one of ${FREQUENCY_TYPES.join(', ')}.`;
  if (frequency === null) return `is required with FrequencyType ${type}: an integer from ${rangeOf(type)}.`;
  if (isFrequency(type, frequency)) return null;
  return `${frequency} must be an integer from ${rangeOf(type)} for FrequencyType ${type}.`;
}

/** The rule of an order; null while it has none. */
export const frequencyRule = ({
  frequencyType,
  frequency,
}: { [Key in keyof FrequencyRule]: FrequencyRule[Key] | null }) =>
  frequencyType === null || frequency === null ? null : { frequencyType, frequency };

const isFrequencyType = (type: string): type is FrequencyType => (FREQUENCY_TYPES as readonly string[]).includes(type);
