import { businessNowSql, occurredSql } from '#libs/entities';
import type { Transaction } from '#libs/platform';
import { frequencyRule, nextOccurrence } from '#libs/rules';
import { notifyDue } from '../notify.js';
import { freeSecond } from './free-second.js';
import { isInProgress, isWaiting, type LatestCycle, lockLatestCycle } from './latest-cycle.js';
import { advanceFrom, type OrderChange, type OrderToChange } from './order-change.js';
import { planActivation } from './plans.js';
import { endCycle, leaveFailed, markRescheduled, stopCycles } from './steps.js';

/**
 * The effects of status changes, new frequencies and deletion on the order's dates and on its open cycle. Call them
 * like the functions in requests.ts. Source: decisions.md §7 and §9.
 */

/**
 * Pending or Paused → Active: an occurrence that has passed is replaced by the next one, and a cycle whose retries are
 * exhausted stays failed.
 * @throws like planActivation.
 */
export async function becomeActive(tx: Transaction, order: OrderToChange, now: Date): Promise<OrderChange> {
  const cycle = await lockLatestCycle(tx, order.id);
  const { change, nextUtc, leaves, reschedules } = planActivation(order, cycle, now);
  if (leaves !== null) await leaveFailed(tx, order.id, leaves.cycle);
  if (reschedules !== null) await markRescheduled(tx, order.id, reschedules.cycle);
  await notifyDue(tx, order, nextUtc, now);
  return change;
}

/**
 * Active → Paused or Pending, or between these two: ends a wait for another try, and a try whose charge was not sent
 * yet. The next occurrence is then the regular one.
 */
export async function becomeInactive(
  tx: Transaction,
  order: OrderToChange,
  status: 'Paused' | 'Pending',
  now: Date,
): Promise<OrderChange> {
  const cycle = await lockLatestCycle(tx, order.id);
  return { status, ...(await endWait(tx, order, cycle, now)) };
}

/**
 * Ends the order as Pause does its open cycle, and for good: it has no next occurrence any more. Only `reactivate`
 * takes it back.
 */
export async function cancel(
  tx: Transaction,
  order: OrderToChange,
  reason: string | null,
  now: Date,
): Promise<OrderChange> {
  const cycle = await lockLatestCycle(tx, order.id);
  const { status } = await becomeInactive(tx, order, 'Paused', now);
  // What is recorded of a charge under way gives the order no date.
  if (cycle?.state === 'Charging' || cycle?.state === 'Unknown') await markRescheduled(tx, order.id, cycle.cycle);
  const dates = { nextOccurrenceUtc: null, replacedOccurrenceUtc: null };
  return { status: status!, ...dates, cancelledUtc: now, cancelReason: reason };
}

/** Takes a cancellation back. The order stays Paused, until it becomes Active. */
export const reactivate = (): OrderChange => ({ cancelledUtc: null, cancelReason: null });

/**
 * A claimed cycle ends too: its worker notices when it tries to freeze it. A cycle that may have been sent is stopped:
 * nothing more is sent for it.
 */
async function endWait(
  tx: Transaction,
  order: OrderToChange,
  cycle: LatestCycle | null,
  now: Date,
): Promise<OrderChange> {
  if (cycle?.state === 'Charging' || cycle?.state === 'Unknown') await stopCycles(tx, [order.id]);
  if (!isWaiting(cycle) && cycle?.state !== 'Claimed') return {};
  const { nextUtc, missedOccurrences } = advanceFrom(cycle, order, now);
  await endCycle(tx, order.id, cycle.cycle, 'Failed', missedOccurrences);
  if (cycle.rescheduledMeanwhile) return {};
  return { nextOccurrenceUtc: nextUtc, replacedOccurrenceUtc: null };
}

/**
 * After a change of FrequencyType or Frequency, which `order` already has: the anchor is now (free-second.ts). An open
 * cycle keeps its dates, and the next occurrence is calculated from the new schedule when it ends; at once, where the
 * cycle is not the order's next occurrence. Without a frequency the order is Pending and has no next occurrence.
 */
export async function changeFrequency(tx: Transaction, order: OrderToChange, now: Date): Promise<OrderChange> {
  const cycle = await lockLatestCycle(tx, order.id);
  const rule = frequencyRule(order);
  if (rule === null) {
    await endWait(tx, order, cycle, now);
    return { status: 'Pending', nextOccurrenceUtc: null, replacedOccurrenceUtc: null };
  }
  const instant = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const anchor = await freeSecond(tx, order.id, { instant, isDue: false, anchorAfterUtc: instant });
  const isNext = isInProgress(cycle) && !cycle.rescheduledMeanwhile && !cycle.madeForFound;
  if (isWaiting(cycle) || isNext) return { scheduleAnchorUtc: anchor };
  return {
    scheduleAnchorUtc: anchor,
    nextOccurrenceUtc: nextOccurrence(rule, anchor, now),
    replacedOccurrenceUtc: null,
  };
}

/**
 * Call it before orders are deleted, with their rows locked. It ends cycles that wait or were not sent yet. Charges
 * that were sent are still recorded.
 */
export async function deleteOrders(tx: Transaction, scheduledOrderIds: readonly number[]): Promise<void> {
  await tx.execute(
    // uq_processing_cycles_open
    `UPDATE processing_cycles c SET state = 'Failed', open = false, next_attempt_utc = NULL, held_for = NULL, worker = NULL, lease_until_utc = NULL,
       ended_utc = ${businessNowSql('c')}, occurred_utc = ${occurredSql('c')}, updated_utc = now()
     WHERE scheduled_order_id = ANY($1::bigint[]) AND open AND state IN ('Claimed', 'Retrying', 'Waiting')`,
    [scheduledOrderIds],
  );
  await stopCycles(tx, scheduledOrderIds);
}
