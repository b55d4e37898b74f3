/**
 * `Retry-After` in milliseconds from now, never negative: seconds, or an HTTP date compared with the reply's own `Date`
 * where it has one. Null when it is missing or neither of them.
 */
export function retryAfterMs(header: string | undefined, date: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1_000;
  const until = Date.parse(text);
  if (/^[-\d]/.test(text) || Number.isNaN(until)) return null;
  const answered = date === undefined ? Number.NaN : Date.parse(date);
  return Math.max(0, until - (Number.isNaN(answered) ? nowMs : answered));
}
