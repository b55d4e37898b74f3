import { columnOf } from '#libs/entities';
import { numbers, type SqlExecutor } from '#libs/platform';
import { BILLING_ADDRESS, SHIPPING_ADDRESS } from '#libs/records';
import { parsePushName, type PostalAddress, type Push, type PushLine } from '#libs/shops';
import type { ClaimedPush } from './push-claim.sql.js';

/** SQL: an address as `PostalAddress`, JSON. */
const addressSql = (prefix: 'shipping' | 'billing', properties: readonly string[]): string =>
  `json_build_object(${properties
    .map((name) => `'${lowerFirst(name.slice(prefix.length))}', o.${columnOf(name)}`)
    .join(', ')})`;
const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Orders that are pushed, as they were charged. pk_orders, pk_customers, pk_order_items, pk_products. $1 Orders. */
export const READ_PUSHED_ORDERS = `SELECT o.id, o.deleted_utc IS NOT NULL AS is_deleted, o.date_paid, o.currency_iso, o.subtotal, o.shipping_total, o.tax_total, o.total,
  o.payment_method_type, o.gateway_transaction_id, c.external_id AS customer_external_id, c.email, c.tax_exempt,
  ${addressSql('billing', BILLING_ADDRESS)} AS billing, ${addressSql('shipping', SHIPPING_ADDRESS)} AS shipping,
  (SELECT coalesce(json_agg(json_build_object('productExternalId', p.external_id, 'sku', p.sku, 'name', i.name, 'quantity', i.quantity,
      'total', i.total::text, 'taxTotal', i.tax_total::text, 'isRecurring', i.is_recurring) ORDER BY i.id), '[]')
    FROM order_items i LEFT JOIN products p ON p.id = i.product_id WHERE i.order_id = o.id) AS lines
FROM orders o JOIN customers c ON c.id = o.customer_id
WHERE o.id = ANY ($1::bigint[])`;

interface OrderRow {
  readonly id: number;
  readonly isDeleted: boolean;
  readonly datePaid: Date | null;
  readonly currencyIso: string;
  readonly subtotal: string | null;
  readonly shippingTotal: string | null;
  readonly taxTotal: string | null;
  readonly total: string;
  readonly paymentMethodType: string | null;
  readonly gatewayTransactionId: string | null;
  readonly customerExternalId: string | null;
  readonly email: string | null;
  readonly taxExempt: boolean;
  readonly billing: PostalAddress;
  readonly shipping: PostalAddress;
  readonly lines: readonly PushLine[];
}

/** A claimed push, and what is to arrive. */
export interface PushedOrder {
  readonly row: ClaimedPush;
  readonly push: Push;
  /** Somebody has deleted the Order since it was charged. */
  readonly isDeleted: boolean;
}

/** What these pushes are to bring into their shops. */
export async function readPushedOrders(executor: SqlExecutor, rows: readonly ClaimedPush[]): Promise<PushedOrder[]> {
  if (rows.length === 0) return [];
  const read = await executor.execute<OrderRow>(READ_PUSHED_ORDERS, [numbers(rows.map(({ orderId }) => orderId))]);
  const orders = new Map(read.map((order) => [order.id, order]));
  return rows.map((row) => {
    const order = orders.get(row.orderId)!;
    return { row, push: pushOf(row, order), isDeleted: order.isDeleted };
  });
}

/** When the occurrence fell due that it names. A second Order of one occurrence has a longer name. */
export const dueUtcOf = ({ pushName, createdUtc }: Pick<ClaimedPush, 'pushName' | 'createdUtc'>): Date =>
  parsePushName(pushName)?.dueUtc ?? createdUtc;

/**
 * No shop has it from before its occurrence fell due, which is the same after a restore, however late it is claimed
 * then; a simulated one may fall due long after today.
 */
function pushOf(row: ClaimedPush, order: OrderRow): Push {
  const { pushName: name, siteId, orderId, scheduledOrderId, cycle, createdUtc } = row;
  const { customerExternalId: externalId, email, taxExempt, isDeleted: _, id: __, ...charged } = order;
  const dueUtc = dueUtcOf(row);
  const claimedUtc = dueUtc < createdUtc ? dueUtc : createdUtc;
  const names = { name, siteId, orderId, scheduledOrderId, cycle, dueUtc, claimedUtc };
  return { customer: { externalId, email, taxExempt }, ...names, ...charged };
}
