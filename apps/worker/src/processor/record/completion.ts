import { advanceFrom, type LockedOrder } from '#libs/ledger';
import { decimalOf, shownAmount, shownInstant } from '#libs/rules';
import type { LeasedCycle } from '../cycle/cycle.js';
import type { Outcome } from '../cycle/outcome.js';
import type { Completion } from '../cycle/recorded.js';
import { ACTIVE_AGAIN } from './failure-descriptions.js';

export type CompletedOutcome = Extract<Outcome, { kind: 'completed' }>;

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
  const after = advanceFrom(cycle, order, settledAt(order.scheduleAnchorUtc, outcome.foundUtc ?? now));
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
