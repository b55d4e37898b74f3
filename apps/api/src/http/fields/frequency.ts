import { FREQUENCY_RANGES, FREQUENCY_TYPES, frequencyFault, type FrequencyType } from '#libs/rules';
import { field, type FieldOptions } from './field.js';
import { shown } from './shown.js';

const MOST = Number.MAX_SAFE_INTEGER;

const isFrequencyType = (type: unknown): type is FrequencyType => FREQUENCY_TYPES.includes(type as FrequencyType);

/**
 * The Frequency, in units of FrequencyType. A number that no type allows is refused here, with the bounds of the type
 * in the same request. The bounds of the merged record are checked later (`assertFrequency`).
 */
export const Frequency = (options: FieldOptions = {}) =>
  field({
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: MOST },
    check: (value, { FrequencyType: type }) => {
      if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST) return null;
      if (typeof value === 'number' && isFrequencyType(type)) return frequencyFault(type, value);
      return `${shown(value)} must be an integer that the FrequencyType allows: ${FREQUENCY_RANGES}.`;
    },
    ...options,
  });
