import type { ExceptionInfo, LoggedEventType } from '#libs/events';
import { advance, type Failure, frequencyRule, type FrequencyType, type Status } from '#libs/rules';
import type { LeasedCycle } from '../cycle.js';

/** An order as it is, locked, when the outcome of an attempt is recorded. */
export interface LockedOrder {
  readonly version: string;
  readonly status: Status;
  readonly deleted: boolean;
  readonly frequencyType: FrequencyType | null;
  readonly frequency: number | null;
  readonly scheduleAnchorUtc: Date;
  readonly nextOccurrenceUtc: Date | null;
  /** A request set the next occurrence while the cycle was in progress. */
  readonly rescheduledMeanwhile: boolean;
  /** A request wrote a stop into the cycle's row. */
  readonly stopped: boolean;
  /** The processor made the order Pending while the outcome was unknown. */
  readonly madePending: boolean;
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
  /** Its transaction has paid another occurrence: a person decides, and nothing else happens to it. */
  readonly isHeld: boolean;
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

/**
 * The dates after the end of a cycle, by the present schedule. `nextUtc` is null without a frequency and at the end of
 * the calendar.
 */
export function afterCycle(
  cycle: Pick<LeasedCycle, 'dueUtc' | 'replacedUtc'>,
  order: Pick<LockedOrder, 'frequencyType' | 'frequency' | 'scheduleAnchorUtc'>,
  now: Date,
): { nextUtc: Date | null; missedOccurrences: number } {
  const rule = frequencyRule(order);
  if (rule === null) return { nextUtc: null, missedOccurrences: 0 };
  return advance({
    rule,
    anchor: order.scheduleAnchorUtc,
    occurrence: cycle.dueUtc,
    replaced: cycle.replacedUtc,
    now,
  });
}
