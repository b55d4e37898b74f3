import type { OutwardEvent } from '../outbox/index.js';

/**
 * The body of an event: `{ type, timestamp, data }`. `snapshot` is the scheduled order as its log entry has it, as JSON
 * text, which is passed on as it was written; null for the `Thin` payload, and where there is none.
 */
export function bodyOf(
  { Type, TimestampUtc, Data }: Omit<OutwardEvent, 'Sequence' | 'Id'>,
  snapshot: string | null,
): string {
  const thin = JSON.stringify({ type: Type, timestamp: TimestampUtc, data: Data });
  return snapshot === null ? thin : `${thin.slice(0, -2)},"ScheduledOrder":${snapshot}}}`;
}
