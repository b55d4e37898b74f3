import { availableParallelism, loadavg } from 'node:os';

/**
 * In `npm test` others share the processors (another test file, at least), and a time measures them too: it may be three times as long, or
 * as many times as there are processes for each processor when the file begins. `npm run test:fuzz` and `npm run test:exhaustion` run
 * alone (EXACT_TIMES) and hold the API to the times that SECURITY.md promises.
 */
export const TIMES = process.env.EXACT_TIMES === 'true' ? 1 : Math.max(3, loadavg()[0]! / availableParallelism());

/** What no client may bring an API process to, whatever it sends. */
export const BOUNDS = {
  /** The most resident memory that the process has ever had. */
  memoryMb: 512,
  /** The slowest answer of /health/live. */
  healthMs: 1_000 * TIMES,
  /** The slowest answer of any other route. */
  answerMs: 2_000 * TIMES,
  /** What counts as prompt for a client that shares the process with an attacker, and the share of its answers that must be. Beside other tests, what any answer may take. */
  promptMs: TIMES === 1 ? 1_000 : 2_000 * TIMES,
  promptShare: 0.9,
} as const;
