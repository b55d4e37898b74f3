import { type Check, field, type FieldOptions, readOnlyField } from './field.js';
import { shown } from './shown.js';

/** Prices and amounts stay below this, so that a JSON number is exact in every client (decisions.md §1). */
const DECIMAL_BOUND = 100_000_000_000;

/** The decimal places of a number are those of its shortest text, which is what the client meant. */
const PLAIN_DECIMAL = /^\d+(?:\.(\d+))?$/;

/** A JSON number keeps this many significant digits exactly. Only percentages can have more within their bounds. */
const EXACT_DIGITS = 15;
const significantDigits = (text: string) => text.replace('.', '').replace(/^0+/, '').length;

/** JSON numbers with an exponent (1e-7) have too many places, or are beyond every bound. */
function decimalCheck(maxPlaces: number, bound: number): Check {
  return (value) => {
    if (typeof value !== 'number') return `${shown(value)} must be a number.`;
    if (value < 0) return `${value} must not be negative.`;
    if (value >= bound) return `${value} must be below ${bound.toLocaleString('en')}.`;
    const match = PLAIN_DECIMAL.exec(String(value));
    if (match === null || (match[1]?.length ?? 0) > maxPlaces) {
      return `${value} must have at most ${maxPlaces} decimal places.`;
    }
    if (significantDigits(match[0]) > EXACT_DIGITS) return `${value} must have at most ${EXACT_DIGITS} digits.`;
    return null;
  };
}

const decimal = (maxPlaces: number, bound: number, options: FieldOptions) =>
  field({
    schema: { type: 'number', minimum: 0, exclusiveMaximum: bound } as object,
    check: decimalCheck(maxPlaces, bound),
    parse: (value: number) => String(value),
    ...options,
  });

/** A price or an amount; in code a decimal text. */
export const Price = (options: FieldOptions = {}) => decimal(4, DECIMAL_BOUND, { example: 12.5, ...options });

/** A percentage; in code a decimal text. */
export const Percentage = (options: FieldOptions = {}) => decimal(6, DECIMAL_BOUND, { example: 8.25, ...options });

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export const Int64 = ({ min = 0, max = Number.MAX_SAFE_INTEGER, ...options }: Bounds & FieldOptions = {}) =>
  field({
    schema: { type: 'integer', format: 'int64', minimum: min, maximum: max },
    check: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? null
        : `${shown(value)} must be an integer from ${min} to ${max}.`,
    ...options,
  });

/** The id of another record, or of the element itself. */
export const Reference = (options: FieldOptions = {}) => Int64({ min: 1, example: 1, ...options });

/** The ids of other records, at least one: `what` names one in messages (`site`). */
export const References = (what: string, most: number, options: FieldOptions = {}) =>
  field({
    schema: {
      type: 'array',
      items: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      minItems: 1,
      maxItems: most,
    },
    isList: true,
    check: (value) => {
      const form = `an array of 1 to ${most.toLocaleString('en')} ids, each of a ${what}`;
      if (!Array.isArray(value)) return `${shown(value)} must be ${form}.`;
      if (value.length < 1 || value.length > most) return `must be ${form}; it has ${value.length}.`;
      const at = value.findIndex((id) => !Number.isSafeInteger(id) || id < 1);
      return at === -1 ? null : `must be ${form}; its element ${at} is ${shown(value[at])}.`;
    },
    ...options,
  });

export const Flag = (options: FieldOptions = {}) =>
  field({
    schema: { type: 'boolean' },
    check: (value) => (typeof value === 'boolean' ? null : `${shown(value)} must be true or false.`),
    ...options,
  });

export const ReadOnlyId = (options: FieldOptions = {}) =>
  readOnlyField({ type: 'integer', format: 'int64', example: 1, ...options });
