import type { ExceptionInfo, LoggedEventType } from '#libs/events';
import type { Failure } from '#libs/rules';
import { isReal, type LeasedCycle } from './cycle.js';
import type { FoundAt } from './outcome.js';

/** What is written for a cycle that was paid, or had nothing to pay. */
export interface Completion {
  readonly cycle: LeasedCycle;
  readonly version: string;
  readonly rescheduledMeanwhile: boolean;
  /** Null: the order does not stay Active. */
  readonly nextUtc: Date | null;
  readonly missedOccurrences: number;
  /** New totals of the scheduled order; null: they stay as they are. */
  readonly totals: { readonly shippingTotal: number; readonly taxTotal: number; readonly total: number } | null;
  readonly transactionId: string | null;
  /** A decimal: the charged amount, where it is not the frozen one. */
  readonly charged: string | null;
  /** The same in minor units. */
  readonly chargedAmount: number | null;
  /** Null: it was charged as it was frozen. */
  readonly foundAt: FoundAt | null;
  /** The processor had made the order Pending only because the outcome was unknown. */
  readonly reactivates: boolean;
  readonly description: string;
}

/** What is written for an attempt that did not complete its cycle. */
export interface FailedAttempt {
  readonly cycle: LeasedCycle;
  readonly state: 'Retrying' | 'Waiting' | 'Unknown' | 'Failed';
  /** The attempt's number that is stored: one less when nothing was sent. */
  readonly attempt: number;
  readonly unsent: boolean;
  /** The gateway was asked for its outcome: look-ups are counted. */
  readonly isLookUp: boolean;
  /** The gateway called it a duplicate, so it has the charge. */
  readonly isKnownToGateway: boolean;
  /** The gateway repeated a stored answer. */
  readonly isReplayed: boolean;
  /** Its transaction has paid another occurrence: from now on a person decides, and nothing else happens to it. */
  readonly beginsReview: boolean;
  /** The order becomes Pending only because the outcome is unknown. */
  readonly madePending: boolean;
  /** For a cycle that waits for its integration: the end of the wait. */
  readonly nextAttemptUtc: Date | null;
  /** The latest time of the integration's next probe; null: the cycle does not wait for it. */
  readonly nextProbeUtc: Date | null;
  readonly paymentFailures: number;
  readonly technicalFailures: number;
  readonly retriesExhausted: boolean;
  readonly waitingSinceUtc: Date | null;
  /** The failure code of what holds it; null: nothing does. */
  readonly heldFor: number | null;
  readonly missedOccurrences: number;
  /** Null: a request ended the cycle, and nothing failed. */
  readonly failure: Failure | null;
  readonly transactionId: string | null;
  /** Null: the order keeps its status. */
  readonly status: 'Active' | 'Pending' | null;
  /** The order's next occurrence; undefined: it stays. */
  readonly nextOccurrenceUtc: Date | null | undefined;
  readonly event: { readonly type: LoggedEventType; readonly description: string } | null;
  readonly error: ExceptionInfo | null;
  /** The credentials seem to be another account's: found with this cycle, or known before. */
  readonly wrongAccount?: 'found' | 'known';
}

/** The recorded outcomes of a batch. */
export interface Recorded {
  readonly completed: readonly Completion[];
  /** Completed before: by a COMMIT whose answer was lost, or by another worker. */
  readonly confirmed: readonly LeasedCycle[];
  readonly failed: readonly FailedAttempt[];
  /** Owned by another worker now, which records their outcome. */
  readonly lost: readonly LeasedCycle[];
  /** Orders of completed ones are to arrive in a shop. */
  readonly hasPushes: boolean;
}

export const NOTHING: Recorded = { completed: [], confirmed: [], failed: [], lost: [], hasPushes: false };

const isOfReal = ({ cycle }: { readonly cycle: LeasedCycle }): boolean => isReal(cycle);

/** What was recorded of real sites, whose next dates are of the real clock. */
export function onlyReal(
  recorded: Recorded,
  cycles: readonly LeasedCycle[],
): { readonly recorded: Recorded; readonly cycles: readonly LeasedCycle[] } {
  if (cycles.every(isReal)) return { recorded, cycles };
  return {
    recorded: {
      hasPushes: recorded.hasPushes,
      completed: recorded.completed.filter(isOfReal),
      confirmed: recorded.confirmed.filter(isReal),
      failed: recorded.failed.filter(isOfReal),
      lost: recorded.lost.filter(isReal),
    },
    cycles: cycles.filter(isReal),
  };
}
