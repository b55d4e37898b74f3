/**
 * In `npm test` two test files share the processors, and a time measures the other one too. `npm run test:fuzz` and
 * `npm run test:exhaustion` run alone (EXACT_TIMES) and hold the API to the times that SECURITY.md promises.
 */
const TIMES = process.env.EXACT_TIMES === 'true' ? 1 : 3;

/** What no client may bring an API process to, whatever it sends. */
export const BOUNDS = {
  /** The most resident memory that the process has ever had. */
  memoryMb: 512,
  /** The slowest answer of /health/live. */
  healthMs: 1_000 * TIMES,
  /** The slowest answer of any other route. */
  answerMs: 2_000 * TIMES,
  /** What counts as prompt for a client that shares the process with an attacker, and the share of its answers that must be. */
  promptMs: 1_000 * TIMES,
  promptShare: 0.9,
} as const;
