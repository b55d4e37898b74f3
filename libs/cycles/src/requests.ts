import type { Transaction } from '#libs/database';
import { Conflict } from '#libs/records';
import { Rejected } from '#libs/rules';
import { isInProgress, isWaiting, type LatestCycle, lockLatestCycle, refuseWhileInProgress } from './latest-cycle.js';
import { notifyDue } from './notify-due.js';
import { advanceFrom, type LockedOrder, type OrderChange, requiredRule } from './order-change.js';
import { refuseSecondCall } from './second-call.js';
import { endCycle, insertSkipped, leaveFailed, markRescheduled, moveNextAttempt, takeUpAgain } from './steps.js';

/**
 * What a request may do to an order's dates and to the cycle that a worker may be processing. Call every function inside the request's transaction,
 * after it has locked the order's row. Each returns what the request must write into that row. `now` is the database's clock. Source: decisions.md §9
 * and §12.
 */

/**
 * Makes the order due now, in place of its next occurrence. Ends a wait, and takes up a given-up cycle again. `isExpected`: the caller has named the
 * next occurrence that it saw, so this is not a repeated call.
 * @throws Conflict while a cycle is in progress or unknown, for a Paused order, and for a second call. Rejected without a frequency.
 */
export async function processNow(
  tx: Transaction,
  order: LockedOrder,
  now: Date,
  isExpected = false,
): Promise<OrderChange> {
  requiredRule(order);
  if (order.status === 'Paused') {
    throw new Conflict('The order is Paused. Set its Status to Active before you process it.');
  }
  const cycle = await lockLatestCycle(tx, order.id);
  refuseWhileInProgress(cycle, 'processed');
  const change = { status: 'Active', processRequestedUtc: now } as const;
  if (isWaiting(cycle) || cycle?.retriesExhausted === true) {
    await notifyDue(tx, now, now);
    await takeUpAgain(tx, order.id, cycle.cycle, now);
    return { ...change, nextOccurrenceUtc: now, replacedOccurrenceUtc: cycle.replacedUtc };
  }
  const next = order.nextOccurrenceUtc;
  const isPast = next !== null && next.getTime() <= now.getTime();
  if (!isExpected && !(isPast && order.status === 'Active')) await refuseSecondCall(tx, order.id, cycle);
  await notifyDue(tx, now, now);
  if (isPast) return change;
  return { ...change, nextOccurrenceUtc: now, replacedOccurrenceUtc: order.replacedOccurrenceUtc ?? next };
}

/**
 * Skips the next occurrence without charging. A cycle that waits for another try is skipped with it.
 * @throws Conflict while a cycle is in progress or unknown. Rejected for an order without a next occurrence.
 */
export async function skip(tx: Transaction, order: LockedOrder, now: Date): Promise<OrderChange> {
  const rule = requiredRule(order);
  const latest = await lockLatestCycle(tx, order.id);
  refuseWhileInProgress(latest, 'skipped');
  if (isWaiting(latest)) {
    const { nextUtc, missedOccurrences } = advanceFrom(skippedWait(latest, order), order, rule, now);
    await endCycle(tx, order.id, latest.cycle, 'Skipped', missedOccurrences);
    return { nextOccurrenceUtc: nextUtc, replacedOccurrenceUtc: null };
  }
  if (order.nextOccurrenceUtc === null) {
    throw new Rejected([{ field: 'NextOccurrenceUtc', message: 'This order has no next occurrence to pass over.' }]);
  }
  const skipped = { dueUtc: order.nextOccurrenceUtc, replacedUtc: order.replacedOccurrenceUtc };
  const { nextUtc, missedOccurrences } = advanceFrom(skipped, order, rule, now);
  if (latest?.retriesExhausted === true) await leaveFailed(tx, order.id, latest.cycle);
  const cycle = Math.max(latest?.cycle ?? 0, order.archivedCycle ?? 0) + 1;
  await insertSkipped(tx, { siteId: order.siteId, scheduledOrderId: order.id, cycle, ...skipped, missedOccurrences });
  return { nextOccurrenceUtc: nextUtc, replacedOccurrenceUtc: null };
}

/** A rescheduled wait also replaces the anchor. Otherwise the anchor would be the next occurrence again. */
function skippedWait(
  { dueUtc, replacedUtc }: LatestCycle,
  { nextOccurrenceUtc: next, scheduleAnchorUtc: anchor }: LockedOrder,
): Pick<LatestCycle, 'dueUtc' | 'replacedUtc'> {
  const isRescheduled = next !== null && next.getTime() === anchor.getTime() && next > dueUtc;
  return { dueUtc: isRescheduled ? next : dueUtc, replacedUtc };
}

/**
 * Moves the next occurrence to exactly `instant`, which becomes the anchor. A waiting cycle is tried again at that time. When a cycle is in progress,
 * the occurrence after it moves.
 * @throws Rejected without a frequency.
 */
export async function reschedule(tx: Transaction, order: LockedOrder, instant: Date, now: Date): Promise<OrderChange> {
  const rule = requiredRule(order);
  const cycle = await lockLatestCycle(tx, order.id);
  await notifyDue(tx, instant, now);
  const moved = { nextOccurrenceUtc: instant, scheduleAnchorUtc: instant };
  if (isWaiting(cycle)) {
    await moveNextAttempt(tx, order.id, cycle.cycle, instant);
    return moved;
  }
  if (isInProgress(cycle) && !cycle.rescheduledMeanwhile) {
    await markRescheduled(tx, order.id, cycle.cycle);
    return { ...moved, replacedOccurrenceUtc: advanceFrom(cycle, order, rule, now).nextUtc };
  }
  return { ...moved, replacedOccurrenceUtc: order.replacedOccurrenceUtc ?? order.nextOccurrenceUtc };
}
