const DEFAULT_MS = 1_000;
const LONGEST_MS = 60 * 60 * 1_000;

/**
 * `Retry-After` in milliseconds: seconds, or the distance between an HTTP date and the answer's own time where it is
 * one. Missing or invalid: a second.
 */
export function retryAfterMs(header: string | undefined, answeredUtc: Date = new Date()): number {
  if (header === undefined) return DEFAULT_MS;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - answeredUtc.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_MS) : DEFAULT_MS;
}
