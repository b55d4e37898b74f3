import { logAction, snapshot } from '#libs/events';
import { becomeActive } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { updateRow } from '#libs/records';
import type { LockedMove } from './locked-move.js';

/** How soon a date that has passed is charged: a worker must not find it due before the transaction commits. */
const SOON_MS = 1_000;

/**
 * Makes a moved subscription Active, as a request does. Its next date stays. One that has passed, and that a person has
 * called unpaid, is due at once, and the schedule goes on from it. @returns the next date.
 */
export async function activate(tx: Transaction, { order }: LockedMove): Promise<Date> {
  const { id, nextOccurrenceUtc: next } = order;
  const { json: previous, now } = await snapshot(tx, id);
  const isPast = next !== null && next.getTime() <= now.getTime();
  const soon = new Date(now.getTime() + SOON_MS);
  const dated = isPast
    ? { ...order, nextOccurrenceUtc: soon, replacedOccurrenceUtc: order.replacedOccurrenceUtc ?? next }
    : order;
  const change = await becomeActive(tx, dated, now);
  await updateRow(tx, 'scheduled_orders', id, change, 'x.id');
  const description = 'ActivateScheduledOrder by migration:go-live.';
  await logAction(tx, {
    actionType: 'ActivateScheduledOrder',
    scheduledOrderId: id,
    caller: null,
    previous,
    description,
  });
  return change.nextOccurrenceUtc!;
}
