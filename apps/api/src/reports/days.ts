import type { QueryReader } from '../http/query/index.js';

/** From the first instant to before the other one; in UTC. */
export interface DateRange {
  readonly from: Date;
  readonly to: Date;
}

export const DAY_MS = 86_400_000;

/** The first moment of the instant's day in UTC. */
export const startOfDay = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);

/** The day of an instant in UTC: `2026-01-31`. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

const FORM = 'a day or an instant, in UTC unless it has an offset.';

/** The parameters of a report, for the documentation. */
export const rangeParameters = (mostDays: number) => [
  {
    name: 'From',
    description: `From this on: ${FORM}`,
    schema: { type: 'string', example: '2026-01-01' },
    required: true,
  },
  {
    name: 'To',
    description: `Before this, at most ${mostDays} days later: ${FORM}`,
    schema: { type: 'string', example: '2026-02-01' },
    required: true,
  },
];

/** `From` and `To`, both required; null when a fault was found, which `reader` then has. */
export function readRange(reader: QueryReader, mostDays: number): DateRange | null {
  const [from, to] = [required(reader, 'From'), required(reader, 'To')];
  if (from === null || to === null) return null;
  const [begin, end] = [from.toISOString(), to.toISOString()];
  if (from >= to) return reader.refuse('To', `${end} must be later than From, ${begin}.`);
  const latest = new Date(from.getTime() + mostDays * DAY_MS);
  if (to <= latest) return { from, to };
  const bound = `at most ${mostDays} days after From, ${begin}: not after ${latest.toISOString()}.`;
  return reader.refuse('To', `${end} must be ${bound}`);
}

function required(reader: QueryReader, name: string): Date | null {
  if (reader.has(name)) return reader.instant(name);
  return reader.refuse(name, 'is required: a day or an ISO 8601 time, such as 2026-01-31.');
}
