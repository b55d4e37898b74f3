import { type Order, OrderItem } from '#libs/entities';
import type { Settings, Transaction } from '#libs/platform';
import {
  assertReferences,
  type Caller,
  entityOf,
  type Fault,
  NEXT_UPDATED_UTC,
  Rejected,
  type Values,
} from '#libs/records';
import { assertItemCount } from '../http/parameters/item-limit.js';

export type SentItem = Values<Omit<OrderItem, 'id'>> & { readonly id?: number | null };

const PRODUCTS = { table: 'products', name: 'Product' };

/** The columns that a body writes. PostgreSQL reads them from JSON. */
const COLUMNS = `id bigint, "productId" bigint, name text, subtotal numeric, total numeric, "taxTotal" numeric,
  quantity bigint, "isRecurring" boolean, place bigint`;

const INSERT = `INSERT INTO order_items
    (site_id, order_id, product_id, name, subtotal, total, tax_total, quantity, is_recurring)
  SELECT $1, $2, i."productId", i.name, i.subtotal, i.total, i."taxTotal", i.quantity, i."isRecurring"
  FROM jsonb_to_recordset($3::jsonb) AS i(${COLUMNS}) ORDER BY i.place`;

const UPDATE = `UPDATE order_items AS x SET product_id = i."productId", name = i.name, subtotal = i.subtotal,
    total = i.total, tax_total = i."taxTotal", quantity = i.quantity, is_recurring = i."isRecurring",
    updated_utc = ${NEXT_UPDATED_UTC}
  FROM jsonb_to_recordset($2::jsonb) AS i(${COLUMNS}) WHERE x.order_id = $1 AND x.id = i.id`;

/**
 * Creates and changes items of a locked order. An element with an `Id` changes that item, one without creates a new
 * one, and other items do not change (decisions.md §2).
 * @throws Rejected for an Id of another order or a repeated Id; and the errors of assertReferences.
 */
export async function writeOrderItems(
  tx: Transaction,
  caller: Caller,
  order: Order,
  sent: readonly SentItem[],
  { maxItemsPerOrder }: Pick<Settings, 'maxItemsPerOrder'>,
): Promise<void> {
  const stored = await itemsOf(tx, order.id);
  assertItemCount(maxItemsPerOrder, stored.size, sent, 'OrderItems');
  assertOwnItems(order.id, sent, stored);
  await assertReferences(tx, caller, PRODUCTS, newProducts(sent, stored), order.siteId);
  const items = sent.map((item, place) => ({
    ...defaultsOf(order),
    ...stored.get(item.id ?? 0),
    ...given(item),
    place,
  }));
  const [changed, made] = [items.filter(({ id }) => id), items.filter(({ id }) => !id)];
  if (changed.length > 0) await tx.execute(UPDATE, [order.id, JSON.stringify(changed)]);
  if (made.length > 0) await tx.execute(INSERT, [order.siteId, order.id, JSON.stringify(made)]);
}

const defaultsOf = ({ isRecurring }: Order): SentItem => ({ quantity: 1, isRecurring });

/** Absent fields must not replace stored values. */
const given = (item: SentItem): SentItem =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

async function itemsOf(tx: Transaction, orderId: number): Promise<Map<number, OrderItem>> {
  const rows = await tx.execute<object>(`SELECT * FROM order_items WHERE order_id = $1`, [orderId]);
  const items = rows.map((row) => entityOf(OrderItem, row));
  return new Map(items.map((item) => [item.id, item]));
}

function assertOwnItems(orderId: number, sent: readonly SentItem[], stored: ReadonlyMap<number, OrderItem>): void {
  const named = new Set<number>();
  const faults = sent.flatMap(({ id }, index): Fault[] => {
    if (!id) return [];
    const field = `OrderItems[${index}].Id`;
    if (!stored.has(id)) return [{ field, message: `${id} is not an item of Order ${orderId}.` }];
    if (named.has(id)) return [{ field, message: `${id} is named twice.` }];
    named.add(id);
    return [];
  });
  if (faults.length > 0) throw new Rejected(faults);
}

/** The product of an existing item may have been deleted since, so it is not checked again. */
function newProducts(sent: readonly SentItem[], stored: ReadonlyMap<number, OrderItem>) {
  return sent.flatMap(({ id, productId }, index) => {
    const isKept = productId === stored.get(id ?? 0)?.productId;
    return !productId || isKept ? [] : [{ field: `OrderItems[${index}].ProductId`, id: productId }];
  });
}
