import { type SqlExecutor, Statement, type Transaction } from '#libs/platform';
import { type Caller, collectFaults, type Fault, insertRow, Rejected, updateRow } from '#libs/records';
import { isSamePrice } from '#libs/rules';
import { type ItemInput, type ItemPath, type ItemValues, type ItemWithProduct, validateItem } from './item-rules.js';
import { productsFor, referencedProduct } from './referenced-products.js';

/** An order's items after a request, and the rows to write. */
export interface PlannedItems {
  readonly items: readonly ItemWithProduct[];
  readonly writes: readonly { readonly id: number | null; readonly values: ItemValues }[];
}

const ITEMS = Statement.named(
  `SELECT i.id, i.product_id, i.price, i.sale_price, i.quantity, ${referencedProduct('p')} AS product
     FROM scheduled_order_items i JOIN products p ON p.id = i.product_id
     WHERE i.scheduled_order_id = $1 AND i.deleted_utc IS NULL ORDER BY i.id`,
);

/**
 * The items of an order that are not deleted, each with its product, deleted or not. `ix_scheduled_order_items_order`.
 */
export const itemsOf = (database: SqlExecutor, scheduledOrderId: number): Promise<ItemWithProduct[]> =>
  database.execute<ItemWithProduct>(ITEMS, [scheduledOrderId]);

export const inOrder: ItemPath = (index) => `ScheduledOrderItems[${index}].`;

/**
 * An order's items after a request: elements with the Id of an item update it, elements without an Id create one, other
 * items do not change (decisions.md §2).
 * @throws Rejected for an Id that is not an item of this order, or for a reference to a missing record. Forbidden.
 */
export async function planItems(
  tx: Transaction,
  caller: Caller,
  siteId: number,
  stored: readonly ItemWithProduct[],
  sent: readonly ItemInput[],
  pathOf: ItemPath = inOrder,
): Promise<PlannedItems> {
  const storedById = byId(stored);
  const targets = sent.map(({ id }) => storedById.get(id ?? null));
  const references = sent.flatMap(({ productId }, index) =>
    productId === undefined || productId === targets[index]?.productId
      ? []
      : [{ field: `${pathOf(index)}ProductId`, id: productId }],
  );
  const [products] = await collectFaults(
    () => productsFor(tx, caller, siteId, references),
    () => assertOwnItems(stored, sent, pathOf),
    () => assertProductsNamed(sent, pathOf),
  );
  const validations = sent.map((item, index) => () => {
    const target = targets[index] ?? null;
    const product = products.get(item.productId ?? 0) ?? target?.product;
    const values = validateItem(caller, item, target, product, pathOf(index));
    return { id: target?.id ?? null, ...values, product: product! };
  });
  const planned = await collectFaults(...validations);
  const plannedById = byId(planned);
  const kept = stored.map((item) => plannedById.get(item.id) ?? item);
  return {
    items: [...kept, ...planned.filter(({ id }) => id === null)],
    writes: planned.map(({ id, product: _, ...values }) => ({ id, values })),
  };
}

const byId = <Item extends { readonly id: number | null }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

function assertOwnItems(stored: readonly ItemWithProduct[], sent: readonly ItemInput[], pathOf: ItemPath): void {
  const storedById = byId(stored);
  const named = new Set<number>();
  const faults = sent.flatMap(({ id }, index): Fault[] => {
    if (id == null) return [];
    const field = `${pathOf(index)}Id`;
    if (!storedById.has(id)) {
      return [{ field, message: `${id} is not an item of this order: leave it out to create one.` }];
    }
    if (named.has(id)) return [{ field, message: `${id} is named more than once.` }];
    named.add(id);
    return [];
  });
  if (faults.length > 0) throw new Rejected(faults);
}

/** @throws Rejected that names every new item without a product. */
export function assertProductsNamed(sent: readonly ItemInput[], pathOf: ItemPath = inOrder): void {
  const faults = sent.flatMap(({ id, productId }, index): Fault[] =>
    id == null && productId === undefined ? [{ field: `${pathOf(index)}ProductId`, message: 'is required.' }] : [],
  );
  if (faults.length > 0) throw new Rejected(faults);
}

/** Whether a planned write changes the stored row; a price may have more zeros. */
export function changesItems({ writes }: PlannedItems, stored: readonly ItemWithProduct[]): boolean {
  const storedById = byId(stored);
  return writes.some(({ id, values }) => {
    const item = id === null ? undefined : storedById.get(id);
    return (
      item === undefined ||
      item.productId !== values.productId ||
      item.quantity !== values.quantity ||
      !isSamePrice(item.price, values.price) ||
      !isSamePrice(item.salePrice, values.salePrice)
    );
  });
}

/** Writes the planned rows. @returns the ids in the order of `writes`. */
export async function writeItems(
  tx: Transaction,
  siteId: number,
  scheduledOrderId: number,
  { writes }: PlannedItems,
): Promise<number[]> {
  const rows = await Promise.all(
    writes.map(({ id, values }) =>
      id === null
        ? insertRow<{ id: number }>(tx, 'scheduled_order_items', { ...values, siteId, scheduledOrderId }, 'x.id')
        : updateRow<{ id: number }>(tx, 'scheduled_order_items', id, values, 'x.id'),
    ),
  );
  return rows.map(({ id }) => id);
}
