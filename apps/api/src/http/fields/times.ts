import { field, type FieldOptions, readOnlyField } from './field.js';
import { shown } from './shown.js';

const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

const EARLIEST = Date.UTC(1000, 0, 1);
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The offset from UTC in milliseconds; NaN when it is not possible. Without an offset a time is UTC (decisions.md §1).
 */
function offsetMs(text: string | undefined): number {
  if (text === undefined || /^z$/i.test(text)) return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  if (hours > 14 || minutes > 59) return Number.NaN;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** The instant of an ISO 8601 text; undefined when the text is invalid or its year is out of range. */
export function instantOf(text: string): Date | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const local = new Date(0);
  local.setUTCFullYear(year!, month! - 1, day);
  if (local.getUTCMonth() !== month! - 1 || local.getUTCDate() !== day) return undefined;
  if (hour! > 23 || minute! > 59 || second! > 59) return undefined;
  local.setUTCHours(hour!, minute, second, Number((match[7] ?? '0').slice(0, 3).padEnd(3, '0')));
  const instant = local.getTime() - offsetMs(match[8]);
  return instant >= EARLIEST && instant <= LATEST ? new Date(instant) : undefined;
}

const EXAMPLE = '2026-01-31T09:00:00.000Z';

/** An instant; in code a Date. */
export const Utc = (options: FieldOptions = {}) =>
  field({
    schema: { type: 'string', format: 'date-time' },
    check: (value) =>
      typeof value === 'string' && instantOf(value) !== undefined
        ? null
        : `${shown(value)} must be an ISO 8601 time such as ${EXAMPLE}.`,
    parse: (value: string) => instantOf(value),
    example: EXAMPLE,
    ...options,
  });

export const ReadOnlyUtc = (options: FieldOptions = {}) =>
  readOnlyField({ type: 'string', format: 'date-time', example: EXAMPLE, ...options });
