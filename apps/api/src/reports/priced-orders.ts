import { type SqlExecutor, Statement } from '#libs/platform';
import { type PricedItem, type PricedItemRow, pricedItems, pricedItemsSql } from '#libs/records';
import type { PayableOrder, QuotableOrder } from '#libs/rules';

/** An order with all that its price and its payment depend on. */
export interface PricedOrder extends QuotableOrder, PayableOrder {
  readonly id: number;
  readonly items: readonly PricedItem[];
}

interface Row extends Omit<PricedOrder, 'items'> {
  readonly items: PricedItemRow[] | null;
}

/** The most items in memory at once. A single order may have more. */
const ITEMS_AT_ONCE = 20_000;

/**
 * By pk_scheduled_orders, pk_customers, ix_scheduled_order_items_order and pk_products. $1 ids, $2 at most so many
 * items of each; null: all. $3 whether what names products to a shop is read, too.
 */
const PRICED = Statement.named(
  `SELECT o.id, o.cycles, o.currency_iso, o.shipping_total, o.tax_total, o.shipping_total_fixed, o.tax_total_fixed, o.shipping_country,
     o.shipping_state, o.shipping_city, o.shipping_postcode, o.payment_method_type, o.payment_method_customer_id, o.payment_method_id,
     cu.tax_exempt,
     ${pricedItemsSql('NULL', '$3')} AS items
   FROM unnest($1::bigint[]) AS wanted (id)
   JOIN scheduled_orders o ON o.id = wanted.id AND o.deleted_utc IS NULL
   JOIN customers cu ON cu.id = o.customer_id`,
);

/**
 * Orders of these ids that are not deleted, in any order, in parts that fit into memory: those with many items come one
 * by one. `isPushed`: of a site whose Orders are pushed.
 */
export async function* readPricedOrders(
  read: <T>(work: () => Promise<T>) => Promise<T>,
  database: SqlExecutor,
  ids: readonly number[],
  isPushed: boolean,
): AsyncGenerator<PricedOrder[], void> {
  const share = Math.max(1, Math.floor(ITEMS_AT_ONCE / Math.max(1, ids.length)));
  const orders = await read(() => readOrders(database, ids, share + 1, isPushed));
  yield orders.filter(({ items }) => items.length <= share);
  const large = orders.flatMap(({ id, items }) => (items.length > share ? id : []));
  orders.length = 0;
  for (const id of large) yield await read(() => readOrders(database, [id], null, isPushed));
}

async function readOrders(
  database: SqlExecutor,
  ids: readonly number[],
  mostItems: number | null,
  isPushed: boolean,
): Promise<PricedOrder[]> {
  if (ids.length === 0) return [];
  return (await database.execute<Row>(PRICED, [ids, mostItems, isPushed])).map(orderOf);
}

const orderOf = (row: Row): PricedOrder => Object.assign(row, { items: pricedItems(row.items) });
