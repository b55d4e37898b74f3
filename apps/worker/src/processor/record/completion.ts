import { decimalOf, shownAmount, shownInstant } from '#libs/rules';
import type { LeasedCycle } from '../cycle.js';
import type { FoundAt, Outcome } from '../outcome.js';
import { afterCycle, type LockedOrder } from './failed-attempt.js';
import { ACTIVE_AGAIN } from './failure-descriptions.js';

export type CompletedOutcome = Extract<Outcome, { kind: 'completed' }>;

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

const SCHEDULE_IS_OVER = ' Its schedule has no further occurrence before the year 10000: the order is Pending.';

/** What the event's description says about the cycle. */
interface Paid {
  readonly amount: number;
  readonly currencyIso: string;
  readonly leftOut: readonly string[];
}

/** Calculated from the order as it was priced. Valid as long as the row still has that version. */
export function completionOf(cycle: LeasedCycle, outcome: CompletedOutcome, now: Date): Completion | null {
  const { basis } = outcome;
  if (basis === null || outcome.chargedAmount !== null) return null;
  const { order, quote, leftOut } = basis;
  const asPriced = { ...order, nextOccurrenceUtc: null, rescheduledMeanwhile: false, madePending: false };
  const paid = { amount: quote.total, currencyIso: quote.currencyIso, leftOut };
  return { ...completion(cycle, outcome, asPriced, paid, now), totals: quote };
}

/** Calculated from the locked order. A request changed it in the meantime, and the totals of that request stay. */
export function completion(
  cycle: LeasedCycle,
  outcome: CompletedOutcome,
  order: Omit<LockedOrder, 'stopped'>,
  paid: Paid,
  now: Date,
): Completion {
  // Occurrences missed before the charge were skipped by the worker that charged. Later ones may have been charged as
  // well: each becomes a cycle.
  const after = afterCycle(cycle, order, settledAt(order.scheduleAnchorUtc, outcome.foundUtc ?? now));
  const { missedOccurrences } = after;
  const nextUtc = outcome.wasReviewed === true ? later(after.nextUtc, order.nextOccurrenceUtc) : after.nextUtc;
  const amount = outcome.chargedAmount ?? paid.amount;
  const isOver = nextUtc === null && order.frequency !== null && !order.rescheduledMeanwhile;
  const reactivates = order.madePending && order.status === 'Pending' && !order.deleted && nextUtc !== null;
  return {
    cycle,
    version: order.version,
    rescheduledMeanwhile: order.rescheduledMeanwhile,
    nextUtc,
    missedOccurrences,
    totals: null,
    transactionId: outcome.transactionId,
    charged: outcome.chargedAmount === null ? null : decimalOf(outcome.chargedAmount, paid.currencyIso),
    chargedAmount: outcome.chargedAmount,
    foundAt: outcome.foundAt ?? null,
    reactivates,
    description:
      describe(cycle, { ...paid, amount }, missedOccurrences) +
      (isOver ? SCHEDULE_IS_OVER : reactivates ? ACTIVE_AGAIN : ''),
  };
}

/**
 * After a change of frequency that is later than the charge, the schedule counts from its anchor. The anchor itself is
 * no occurrence.
 */
const settledAt = (anchor: Date, charged: Date): Date => (anchor > charged ? anchor : charged);

/** Occurrences that were skipped or paid since the charge stay so. */
const later = (next: Date | null, present: Date | null): Date | null =>
  next !== null && present !== null && present > next ? present : next;

/** Customers read it too. They know dates, not numbers of cycles (decisions.md §10). */
function describe({ dueUtc }: LeasedCycle, { amount, currencyIso, leftOut }: Paid, missedOccurrences: number): string {
  const paid = amount === 0 ? 'nothing was to be paid' : `${shownAmount(amount, currencyIso)} paid`;
  const missed =
    missedOccurrences === 1
      ? ' One missed occurrence was passed over.'
      : ` ${missedOccurrences} missed occurrences were passed over.`;
  const without = leftOut.length === 0 ? '' : ` Left out because unavailable: ${leftOut.join(', ')}.`;
  const occurrence = `The occurrence of ${shownInstant(dueUtc)} was processed`;
  return `${occurrence}: ${paid}.${missedOccurrences === 0 ? '' : missed}${without}`;
}
