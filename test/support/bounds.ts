import { availableParallelism, loadavg } from 'node:os';

let most = 3;

/**
 * In `npm test` others share the processors (another test file, at least), and a time measures them too: it may be three times as long, or
 * as many times as there were processes for each processor at most, whenever it was asked. `npm run test:fuzz` and `npm run test:exhaustion` run
 * alone (EXACT_TIMES) and hold the API to the times that SECURITY.md promises.
 */
export function times(): number {
  if (process.env.EXACT_TIMES === 'true') return 1;
  most = Math.max(most, loadavg()[0]! / availableParallelism());
  return most;
}

/** What no client may bring an API process to, whatever it sends. */
export const BOUNDS = {
  /** The most resident memory that the process has ever had. */
  memoryMb: 512,
  /** The slowest answer of /health/live. */
  get healthMs() {
    return 1_000 * times();
  },
  /** The slowest answer of any other route. */
  get answerMs() {
    return 2_000 * times();
  },
  /** What counts as prompt for a client that shares the process with an attacker, and the share of its answers that must be. Beside other tests, what any answer may take. */
  get promptMs() {
    return times() === 1 ? 1_000 : this.answerMs;
  },
  promptShare: 0.9,
};
