import type { Transaction } from '#libs/platform';
import { notifyDue } from '../notify.js';
import { freeSecond } from './free-second.js';
import { type LatestCycle, lockLatestCycle, settledUtc } from './latest-cycle.js';
import type { OrderChange, OrderToChange } from './order-change.js';
import { assertMeant, planProcess, planReschedule, planSkip, type ReschedulePlan } from './plans.js';
import { refuseSecondCall } from './second-call.js';
import { endCycle, insertSkipped, leaveFailed, markRescheduled, moveNextAttempt, takeUpAgain } from './steps.js';

/**
 * What a request may do to an order's dates and to the cycle that a worker may be processing. Call every function
 * inside the request's transaction, after it has locked the order's row. Each returns what the request must write into
 * that row. `now` is the database's clock. What they check, and the new dates, stand in plans.ts. Source: decisions.md
 * §9 and §12.
 */

/**
 * Makes the order due now, in place of its next occurrence. Ends a wait, and takes up a cycle again whose retries are
 * exhausted. `isExpected`: the caller has named the next occurrence that it saw, so this is not a repeated call.
 * @throws like planProcess; Conflict for a second call.
 */
export async function processNow(
  tx: Transaction,
  order: OrderToChange,
  now: Date,
  isExpected = false,
): Promise<OrderChange> {
  const cycle = await lockLatestCycle(tx, order.id);
  const { change, takesUp, mayBeRepeated } = planProcess(order, cycle, now);
  if (mayBeRepeated && !isExpected) await refuseSecondCall(tx, order.id);
  if (takesUp !== null) await takeUpAgain(tx, order.id, takesUp.cycle, now);
  const isNew = takesUp === null && change.nextOccurrenceUtc !== undefined;
  const due = isNew ? await freeSecond(tx, order.id, { instant: now, isDue: true, anchorAfterUtc: null }) : now;
  await notifyDue(tx, order, due, now);
  return isNew ? { ...change, nextOccurrenceUtc: due, processRequestedUtc: due } : change;
}

/**
 * Skips the next occurrence without charging. A cycle that waits for another try is skipped with it.
 * @throws like planSkip.
 */
export async function skip(tx: Transaction, order: OrderToChange, now: Date): Promise<OrderChange> {
  const latest = await lockLatestCycle(tx, order.id);
  const { change, skipped, missedOccurrences, ends } = planSkip(order, latest, now);
  if (ends !== null) {
    await endCycle(tx, order.id, ends.cycle, 'Skipped', missedOccurrences);
    return change;
  }
  if (latest?.retriesExhausted === true) await leaveFailed(tx, order.id, latest.cycle);
  const cycle = Math.max(latest?.cycle ?? 0, order.archivedCycle ?? 0) + 1;
  await insertSkipped(tx, { siteId: order.siteId, scheduledOrderId: order.id, cycle, ...skipped, missedOccurrences });
  return change;
}

/**
 * Moves the next occurrence to exactly `instant`, or to the next second that no cycle of the order has; it becomes the
 * anchor. A waiting cycle is tried again at that time. When a cycle is in progress, the occurrence after it moves.
 * `expected`: the occurrence that the caller means to move, if it has said so.
 * @throws like planReschedule and assertMeant.
 */
export async function reschedule(
  tx: Transaction,
  order: OrderToChange,
  instant: Date,
  now: Date,
  expected?: Date | null,
): Promise<OrderChange> {
  const cycle = await lockLatestCycle(tx, order.id);
  const plan = planReschedule(order, cycle, instant, now);
  assertMeant(plan, instant, expected);
  const { change, waits, inProgress } = plan;
  const anchorAfterUtc = datesAfter(plan, cycle);
  const free = await freeSecond(tx, order.id, { instant, isDue: waits === null, anchorAfterUtc });
  await notifyDue(tx, order, free, now);
  if (waits !== null) await moveNextAttempt(tx, order.id, waits.cycle, free);
  if (inProgress !== null) await markRescheduled(tx, order.id, inProgress.cycle);
  return { ...change, nextOccurrenceUtc: free, scheduleAnchorUtc: free };
}

/**
 * The instant after which the schedule's dates come once it has moved: after the occurrence that was replaced, or, if
 * the order is on hold meanwhile, after what its newest cycle settled.
 */
function datesAfter(
  { change: { replacedOccurrenceUtc: replaced } }: ReschedulePlan,
  cycle: LatestCycle | null,
): Date | null {
  const settled = cycle && settledUtc(cycle);
  return settled === null || replaced == null || replaced > settled ? settled : replaced;
}
