import { columnOf } from '#libs/entities';
import { numbers, type SqlExecutor } from '#libs/platform';
import { BILLING_ADDRESS, SHIPPING_ADDRESS } from '#libs/records';
import { decimalOf, exactNets, isSamePrice } from '#libs/rules';
import { parsePushName, type PostalAddress, type Push, type PushLine } from '#libs/shops';
import { pastQuote } from '../reading/past-quote.js';
import { type PricedWith, pricingOf } from '../reading/priced-with.js';
import type { ClaimedPush } from './push-claim.sql.js';

/** SQL: an address as `PostalAddress`, JSON. */
const addressSql = (prefix: 'shipping' | 'billing', properties: readonly string[]): string =>
  `json_build_object(${properties
    .map((name) => `'${lowerFirst(name.slice(prefix.length))}', o.${columnOf(name)}`)
    .join(', ')})`;
const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/**
 * Orders that are pushed, as they were charged, and what they were priced with. pk_orders, pk_customers,
 * pk_order_items, pk_products, pk_processing_cycles. $1 Orders.
 */
export const READ_PUSHED_ORDERS = `SELECT o.id, o.deleted_utc IS NOT NULL AS is_deleted, o.date_paid, o.currency_iso, o.subtotal, o.shipping_total, o.tax_total, o.total,
  o.payment_method_type, o.gateway_transaction_id, o.customer_id, c.external_id AS customer_external_id, c.email, c.tax_exempt,
  ${addressSql('billing', BILLING_ADDRESS)} AS billing, ${addressSql('shipping', SHIPPING_ADDRESS)} AS shipping,
  (SELECT coalesce(json_agg(json_build_object('productExternalId', p.external_id, 'sku', p.sku, 'name', i.name, 'quantity', i.quantity,
      'total', i.total::text, 'taxTotal', i.tax_total::text, 'isRecurring', i.is_recurring, 'productId', i.product_id) ORDER BY i.id), '[]')
    FROM order_items i LEFT JOIN products p ON p.id = i.product_id WHERE i.order_id = o.id) AS lines,
  y.rates_version, y.prices_mixed, y.order_cycles, y.fixed_totals, y.unit_prices
FROM orders o JOIN customers c ON c.id = o.customer_id LEFT JOIN processing_cycles y ON y.scheduled_order_id = o.scheduled_order_id AND y.cycle = o.cycle
WHERE o.id = ANY ($1::bigint[])`;

interface LineRow extends PushLine {
  readonly productId: number | null;
  readonly total: string | null;
}

interface OrderRow extends PricedWith {
  readonly id: number;
  readonly customerId: number;
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
  readonly lines: readonly LineRow[];
}

/** A claimed push, and what is to arrive. */
export interface PushedOrder {
  readonly row: ClaimedPush;
  readonly push: Push;
  /** Somebody has deleted the Order since it was charged. */
  readonly isDeleted: boolean;
}

/** What these pushes are to bring into their shops, in their order: one that cannot be read keeps no other one. */
export async function readPushedOrders(
  executor: SqlExecutor,
  rows: readonly ClaimedPush[],
): Promise<Promise<PushedOrder>[]> {
  if (rows.length === 0) return [];
  const read = await executor.execute<OrderRow>(READ_PUSHED_ORDERS, [numbers(rows.map(({ orderId }) => orderId))]);
  const orders = new Map(read.map((order) => [order.id, order]));
  return rows.map(async (row) => {
    const order = orders.get(row.orderId);
    if (order === undefined) throw new Error(`There is no Order ${row.orderId}.`);
    const nets = await exactNetsOf(executor, row, order);
    return { row, push: pushOf(row, order, nets), isDeleted: order.isDeleted };
  });
}

/**
 * The net of each line before it was rounded, for a shop that computes the tax again of prices that had it in them.
 * Null where prices were net, or where what they were made of is not known; then the shop may be a cent away.
 */
async function exactNetsOf(executor: SqlExecutor, row: ClaimedPush, order: OrderRow): Promise<(string | null)[]> {
  const pricing = pricingOf(order);
  if (row.receiver !== 'WooCommerceRest' || order.unitPrices === null || pricing === null) return [];
  const { currencyIso, customerId, shippingTotal, taxTotal, shipping, lines } = order;
  const { country, state, city, postcode } = shipping;
  const to = { shippingCountry: country, shippingState: state, shippingCity: city, shippingPostcode: postcode };
  const recordedLines = lines.map(({ productId, quantity, total: amount }) => ({ productId, quantity, amount }));
  const recorded = { to, customerId, shippingTotal, taxTotal, lines: recordedLines };
  const past = await pastQuote(executor, { siteId: row.siteId, currencyIso, pricing, recorded });
  if (past === null) return [];
  const isAsCharged = past.quote.lines.every(({ amount, taxTotal: tax }, index) => {
    const { total, taxTotal: charged } = lines[index]!;
    return (
      isSamePrice(decimalOf(amount, currencyIso), total) &&
      tax !== null &&
      isSamePrice(decimalOf(tax, currencyIso), charged)
    );
  });
  return isAsCharged ? exactNets(past.order, past.rates, past.quote) : [];
}

/** When the occurrence fell due that it names. A second Order of one occurrence has a longer name. */
export const dueUtcOf = ({ pushName, createdUtc }: Pick<ClaimedPush, 'pushName' | 'createdUtc'>): Date =>
  parsePushName(pushName)?.dueUtc ?? createdUtc;

/**
 * No shop has it from before its occurrence fell due, which is the same after a restore, however late it is claimed
 * then; a simulated one may fall due long after today.
 */
function pushOf(row: ClaimedPush, order: OrderRow, nets: readonly (string | null)[]): Push {
  const { pushName: name, siteId, orderId, scheduledOrderId, cycle, createdUtc } = row;
  const dueUtc = dueUtcOf(row);
  const { datePaid, currencyIso, subtotal, shippingTotal, taxTotal, total, paymentMethodType, gatewayTransactionId } =
    order;
  return {
    ...{ name, siteId, orderId, scheduledOrderId, cycle, dueUtc, datePaid, currencyIso },
    claimedUtc: dueUtc < createdUtc ? dueUtc : createdUtc,
    ...{ subtotal, shippingTotal, taxTotal, total, paymentMethodType, gatewayTransactionId },
    customer: { externalId: order.customerExternalId, email: order.email, taxExempt: order.taxExempt },
    // Without one a shop would greet nobody in its mails, and could find no tax.
    billing: isKnown(order.billing) ? order.billing : order.shipping,
    shipping: order.shipping,
    lines: order.lines.map(({ productId: _, ...line }, index) => {
      const exactNet = nets[index] ?? null;
      return exactNet === null ? line : { ...line, exactNet };
    }),
  };
}

const isKnown = (address: PostalAddress): boolean => Object.values(address).some(Boolean);
