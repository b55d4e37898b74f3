import type { LeasedCycle } from '../cycle.js';
import type { Completion } from './completion.js';
import type { FailedAttempt } from './failed-attempt.js';

/** The recorded outcomes of a batch. */
export interface Recorded {
  readonly completed: readonly Completion[];
  /** Completed before: by a COMMIT whose answer was lost, or by another worker. */
  readonly confirmed: readonly LeasedCycle[];
  readonly failed: readonly FailedAttempt[];
  /** Owned by another worker now, which records their outcome. */
  readonly lost: readonly LeasedCycle[];
}

export const NOTHING: Recorded = { completed: [], confirmed: [], failed: [], lost: [] };
