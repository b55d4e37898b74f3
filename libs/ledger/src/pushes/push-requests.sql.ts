import { OrderPush, type PushState } from '#libs/entities';
import type { Transaction } from '#libs/platform';
import { Conflict, NotFound, view } from '#libs/records';
import { giveExternalId, LOCK_ORDER_OF_PUSH, publish, TAKE_EXTERNAL_ID } from './push-record.sql.js';

/** pk_order_pushes. $1 order, $2 cycle. */
export const LOCK_REQUESTED_PUSH = `SELECT p.site_id, p.scheduled_order_id, p.cycle, p.order_id, p.state, p.shop_order_id, coalesce(p.ended_in_shop IN ('Trashed', 'Deleted'), false) AS is_gone, coalesce(p.lease_until_utc > now(), false) AS is_leased
FROM order_pushes p WHERE p.scheduled_order_id = $1 AND p.cycle = $2 FOR NO KEY UPDATE`;

/**
 * From the beginning, with all tries before it: the shop is looked through first. pk_order_pushes. $1 order, $2 cycle.
 */
export const RETRY_PUSH = `UPDATE order_pushes p SET state = 'Waiting', attempts = 0, found_nothing = 0, sends = 0, looks_up_first = true, is_linked = false, shop_order_id = NULL,
  ended_in_shop = NULL, shop_order_number = NULL, shop_total = NULL, lines_that_differ = NULL, message = NULL, next_attempt_utc = now(), lease_until_utc = NULL,
  claim = p.claim + 1, updated_utc = now()
WHERE p.scheduled_order_id = $1 AND p.cycle = $2`;

/** What waits longer after each request waits as after the first. pk_order_pushes. $1 order, $2 cycle. */
export const HURRY_PUSH = `UPDATE order_pushes p SET sends = least(p.sends, 1), next_attempt_utc = now(), updated_utc = now() WHERE p.scheduled_order_id = $1 AND p.cycle = $2`;

/**
 * A person has decided. What the shop may have besides an order that no push made is looked for at once.
 * pk_order_pushes. $1 order, $2 cycle, $3 what, $4 the shop's id.
 */
export const SETTLE_PUSH = `UPDATE order_pushes p SET state = 'Pushed', message = $3, lease_until_utc = NULL,
  is_linked = p.is_linked OR p.shop_order_id IS DISTINCT FROM $4, next_attempt_utc = CASE WHEN p.shop_order_id IS DISTINCT FROM $4 THEN now() END,
  shop_order_number = CASE WHEN p.shop_order_id = $4 THEN p.shop_order_number END, shop_total = CASE WHEN p.shop_order_id = $4 THEN p.shop_total END,
  lines_that_differ = CASE WHEN p.shop_order_id = $4 THEN p.lines_that_differ END, ended_in_shop = CASE WHEN p.shop_order_id = $4 THEN p.ended_in_shop END,
  shop_order_id = $4, claim = p.claim + 1, updated_utc = now()
WHERE p.scheduled_order_id = $1 AND p.cycle = $2`;

/** A push is named by its cycle. */
export interface PushKey {
  readonly scheduledOrderId: number;
  readonly cycle: number;
}

interface LockedPush extends PushKey {
  readonly siteId: number;
  readonly orderId: number;
  readonly state: PushState;
  readonly shopOrderId: string | null;
  /** The shop had it. */
  readonly isGone: boolean;
  readonly isLeased: boolean;
}

/** A push as the API shows it (decisions.md §12). */
export const pushView = view(OrderPush, 'order_pushes', [
  'siteId',
  'scheduledOrderId',
  'cycle',
  'orderId',
  'state',
  'shopOrderId',
  'shopOrderNumber',
  'shopTotal',
  { name: 'ChargedTotal', sql: (alias) => `(SELECT trim_scale(o.total) FROM orders o WHERE o.id = ${alias}.order_id)` },
  { name: 'LinesThatDiffer', sql: (alias) => `coalesce(${alias}.lines_that_differ, '[]')` },
  'endedInShop',
  'attempts',
  'message',
  'nextAttemptUtc',
  'createdUtc',
  'updatedUtc',
]);

/** @throws NotFound where nothing is pushed. Conflict while a worker has it. */
async function lockPush(tx: Transaction, { scheduledOrderId, cycle }: PushKey): Promise<LockedPush> {
  await tx.execute(LOCK_ORDER_OF_PUSH, [scheduledOrderId]);
  const [push] = await tx.execute<LockedPush>(LOCK_REQUESTED_PUSH, [scheduledOrderId, cycle]);
  if (push === undefined)
    throw new NotFound(`Nothing is pushed of cycle ${cycle} of ScheduledOrder ${scheduledOrderId}.`);
  if (push.isLeased) throw new Conflict('It is being pushed at this moment: read it again.');
  return push;
}

/** Whether what was sent last may still be under way, or may have arrived. */
const isOpen = ({ state }: LockedPush): boolean => state === 'Sending' || state === 'Unknown';

/**
 * Tries it at once; one that had ended, from the beginning, and so what has arrived and was thrown away or deleted
 * there. Of one whose outcome is not known the look-up comes at once, and another request as soon as PUSH_UNKNOWN_WAIT
 * is over. @throws Conflict when the shop has it. NotFound.
 */
export async function retryPush(tx: Transaction, key: PushKey): Promise<void> {
  const push = await lockPush(tx, key);
  const { scheduledOrderId, cycle, state, orderId, shopOrderId } = push;
  if (state === 'Pushed' && !push.isGone) throw new Conflict('The shop has it: there is nothing to retry.');
  if (state === 'Waiting' || isOpen(push)) return void (await tx.execute(HURRY_PUSH, [scheduledOrderId, cycle]));
  if (shopOrderId !== null) await tx.execute(TAKE_EXTERNAL_ID, [orderId, shopOrderId]);
  await tx.execute(RETRY_PUSH, [scheduledOrderId, cycle]);
}

/** A person takes what the shop has as it is. @throws Conflict where it has nothing, or nothing differs. NotFound. */
export async function acceptPush(tx: Transaction, key: PushKey): Promise<void> {
  const push = await lockPush(tx, key);
  if (push.state !== 'Differs') throw new Conflict(`It is ${push.state}: only a push that Differs can be accepted.`);
  if (push.shopOrderId === null)
    throw new Conflict('The shop has no order of it: Retry makes one, or Link names the one that a person has made.');
  await settle(tx, push, push.shopOrderId, 'Accepted as the shop has it.');
}

/**
 * A person has made the order in the shop, or has found it there.
 * @throws Conflict when the shop has it already, when something may be under way, or when another Order has that
 * ExternalId. NotFound.
 */
export async function linkPush(tx: Transaction, key: PushKey, shopOrderId: string): Promise<void> {
  const push = await lockPush(tx, key);
  const isOther = push.isGone && push.shopOrderId !== shopOrderId;
  if (push.state === 'Pushed' && !isOther) throw new Conflict(`The shop has it as ${push.shopOrderId}.`);
  if (isOpen(push)) throw new Conflict('What was sent may still arrive: wait until its State is another.');
  const refusal = await giveExternalId(tx, push, { externalId: shopOrderId, orderNumber: null });
  if (refusal !== null) throw new Conflict(refusal);
  await settle(tx, push, shopOrderId, 'Linked by a person.');
}

async function settle(tx: Transaction, push: LockedPush, shopOrderId: string, message: string): Promise<void> {
  await tx.execute(SETTLE_PUSH, [push.scheduledOrderId, push.cycle, message, shopOrderId]);
  await publish(tx, push, 'order.pushed', { ShopOrderId: shopOrderId });
}
