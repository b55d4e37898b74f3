/**
 * How long something takes, and when garbage is collected, says something on a machine without other load only. `npm
 * run test:exhaustion`, `test:fuzz` and `test:scale` run there, alone (EXACT_TIMES), and hold the processes to these
 * figures; `npm test` tests the same without them.
 */
const IS_EXACT = process.env.EXACT_TIMES === 'true';

/** A bound of time or memory, where it is measured. */
export const measured = (most: number): number => (IS_EXACT ? most : Infinity);

/** What no client may bring an API process to, whatever it sends: SECURITY.md promises it. */
export const BOUNDS = {
  /** The most resident memory that the process has ever had. */
  memoryMb: measured(512),
  /** The slowest answer of /health/live. */
  healthMs: measured(1_000),
  /** The slowest answer of any other route. */
  answerMs: measured(2_000),
  /**
   * What counts as prompt for a client that shares the process with an attacker, and the share of its answers that must
   * be.
   */
  promptMs: measured(1_000),
  promptShare: 0.9,
};

/**
 * The heap of a process that must not need much memory, in `npm test`, too: with more it ends, however late garbage is
 * collected. What it was before it was asked anything takes some 60 MB of it.
 */
export const heapOf = (megabytes: number) => ({ NODE_OPTIONS: `--max-old-space-size=${megabytes}` });
