import type { PaymentMethod, ScheduledOrder } from '#libs/entities';
import { logAction, snapshot } from '#libs/events';
import type { Transaction } from '#libs/platform';
import { type Caller, callerName, type Fault, Rejected, updateRow, type Values } from '#libs/records';

/** A customer's card, by its ids in the gateway. */
export type Card = Pick<PaymentMethod, 'customerId' | 'type' | 'gatewayCustomerId' | 'gatewayPaymentId'>;

export const isSameCard = (one: Card, other: Card): boolean =>
  one.type === other.type &&
  one.gatewayCustomerId === other.gatewayCustomerId &&
  one.gatewayPaymentId === other.gatewayPaymentId;

/** `ix_scheduled_orders_customer`. */
const ORDERS_OF_CARD = `SELECT id FROM scheduled_orders
  WHERE customer_id = $1 AND payment_method_type = $2 AND payment_method_customer_id = $3 AND payment_method_id = $4
    AND deleted_utc IS NULL
  ORDER BY id`;

async function select(tx: Transaction, sql: string, card: Card): Promise<number[]> {
  const values = [card.customerId, card.type, card.gatewayCustomerId, card.gatewayPaymentId];
  return (await tx.execute<{ id: number }>(sql, values)).map(({ id }) => id);
}

/** The scheduled orders (not deleted) that are paid with a card, locked. */
export const lockOrdersOf = (tx: Transaction, card: Card): Promise<number[]> =>
  select(tx, `${ORDERS_OF_CARD} FOR NO KEY UPDATE`, card);

const MOST_NAMED = 20;

/**
 * @param fields the fields that cannot change while the card is in use.
 * @throws Rejected naming the scheduled orders that use the card.
 */
export async function assertUnused(tx: Transaction, card: Card, fields: readonly string[]): Promise<void> {
  const orders = fields.length === 0 ? [] : await select(tx, ORDERS_OF_CARD, card);
  if (orders.length === 0) return;
  const more = orders.length > MOST_NAMED ? ` and ${orders.length - MOST_NAMED} more` : '';
  const named = `${orders.slice(0, MOST_NAMED).join(', ')}${more}`;
  const message = `is used by scheduled orders ${named}: give them another payment method first.`;
  throw new Rejected(fields.map((field): Fault => ({ field, message })));
}

/** Copies the changed payment method to the scheduled orders that used the card (decisions.md §12). */
export async function followCard(
  tx: Transaction,
  caller: Caller,
  before: PaymentMethod,
  now: PaymentMethod,
): Promise<void> {
  const values: Values<ScheduledOrder> = {
    paymentMethodType: now.type,
    paymentMethodCustomerId: now.gatewayCustomerId,
    paymentMethodId: now.gatewayPaymentId,
    // A changed description is copied to the orders. An unchanged one does not replace the orders' own descriptions.
    ...(now.description === before.description ? {} : { paymentMethodDescription: now.description }),
  };
  const description = `Follows payment method ${now.id} by ${callerName(caller)}.`;
  for (const scheduledOrderId of await lockOrdersOf(tx, before)) {
    const { json: previous } = await snapshot(tx, scheduledOrderId);
    await updateRow(tx, 'scheduled_orders', scheduledOrderId, values, 'x.id');
    const actionType = 'UpdateScheduledOrder';
    await logAction(tx, { actionType, scheduledOrderId, caller, previous, description });
  }
}
