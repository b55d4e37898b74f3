import type { EventType, ExceptionInfo } from '#libs/audit-log';
import { advance, type Failure, type FrequencyType, type Status } from '#libs/rules';
import type { LeasedCycle } from '../cycle.js';

/** An order as it stands when the outcome of a try is recorded, behind its lock. */
export interface LockedOrder {
  readonly version: string;
  readonly status: Status;
  readonly deleted: boolean;
  readonly frequencyType: FrequencyType | null;
  readonly frequency: number | null;
  readonly scheduleAnchorUtc: Date;
  readonly nextOccurrenceUtc: Date | null;
  /** A request set the next occurrence while the cycle was in progress. */
  readonly moved: boolean;
  /** A request wrote a stop into the cycle's row. */
  readonly stopped: boolean;
  /** The processor made the order Pending while the outcome was unknown. */
  readonly madePending: boolean;
}

/** What is written of a try that did not complete its cycle. */
export interface FailedAttempt {
  readonly cycle: LeasedCycle;
  readonly state: 'Retrying' | 'Waiting' | 'Unknown' | 'Failed';
  /** The number of the attempt that the ledger keeps: one less when nothing was sent. */
  readonly attempt: number;
  readonly unsent: boolean;
  /** The gateway was asked what became of it: counted in the ledger. */
  readonly isLookUp: boolean;
  /** The gateway called it a duplicate: it has it. */
  readonly isKnownToGateway: boolean;
  /** The order becomes Pending only because the outcome is unknown. */
  readonly madePending: boolean;
  /** Of a cycle that waits for its integration: the end of its wait. */
  readonly nextAttemptUtc: Date | null;
  /** When its integration is to be probed at the latest; null: it does not wait for it. */
  readonly nextProbeUtc: Date | null;
  readonly paymentFailures: number;
  readonly technicalFailures: number;
  readonly retriesExhausted: boolean;
  readonly waitingSinceUtc: Date | null;
  readonly missedOccurrences: number;
  /** Null: a request ended it, and nothing failed. */
  readonly failure: Failure | null;
  readonly transactionId: string | null;
  /** Null: the order keeps its status. */
  readonly status: 'Pending' | null;
  /** The order's next occurrence; undefined: it stays. */
  readonly nextOccurrenceUtc: Date | null | undefined;
  readonly event: { readonly type: EventType; readonly description: string } | null;
  readonly error: ExceptionInfo | null;
  /** The integration is taken to be another account's: found out with this cycle, or known before. */
  readonly wrongAccount?: 'found' | 'known';
}

/** The dates after a cycle has ended, by the schedule as it is now; null without a frequency, and where the calendar ends. */
export function afterCycle(
  cycle: Pick<LeasedCycle, 'dueUtc' | 'replacedUtc'>,
  order: Pick<LockedOrder, 'frequencyType' | 'frequency' | 'scheduleAnchorUtc'>,
  now: Date,
): { nextUtc: Date | null; missedOccurrences: number } {
  const { frequencyType, frequency, scheduleAnchorUtc } = order;
  if (frequencyType === null || frequency === null) return { nextUtc: null, missedOccurrences: 0 };
  return advance({
    rule: { frequencyType, frequency },
    anchor: scheduleAnchorUtc,
    occurrence: cycle.dueUtc,
    replaced: cycle.replacedUtc,
    now,
  });
}
