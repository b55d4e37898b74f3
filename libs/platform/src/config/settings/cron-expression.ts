const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly words?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: 'second', min: 0, max: 59 },
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: MONTHS },
  { name: 'day of the week', min: 0, max: 7, words: WEEKDAYS },
];

function valueOf(field: Field, text: string): number {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1;
  if (word >= 0) return word + field.min;
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}

function holds(field: Field, part: string): boolean {
  const [range = '', step, ...more] = part.split('/');
  if (more.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return false;
  if (range === '*') return true;
  const ends = range.split('-').map((end) => valueOf(field, end));
  if (ends.length > 2 || ends.some((end) => !(end >= field.min && end <= field.max))) return false;
  return ends.length === 1 || ends[0]! <= ends[1]!;
}

/**
 * Checks a cron expression of five fields, or of six with seconds in front, before the scheduler gets it.
 * @throws RangeError that names the wrong field.
 */
export function checkCron(expression: string): string {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6) {
    throw new RangeError('is no cron expression of five fields, or of six with seconds in front');
  }
  const fields = FIELDS.slice(FIELDS.length - parts.length);
  for (const [index, field] of fields.entries()) {
    if (!parts[index]!.split(',').every((part) => holds(field, part))) {
      throw new RangeError(`has a ${field.name} of "${parts[index]}", which cron does not know`);
    }
  }
  return parts.join(' ');
}
