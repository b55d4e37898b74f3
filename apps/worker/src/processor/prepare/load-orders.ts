import { numbers, type SqlExecutor } from '#libs/platform';
import { type PricedItemRow, pricedItems } from '#libs/records';
import type { LoadedOrder } from '../cycle/loaded-order.js';
import { COUNT_ITEMS, LOAD_ORDERS } from './loader.sql.js';

/** The most items of a batch in memory at once. The last order may exceed it. */
const ITEMS_AT_ONCE = 20_000;

/** The rows of LOAD_ORDERS. */
interface OrderRow extends Omit<LoadedOrder, 'items'> {
  readonly items: PricedItemRow[] | null;
}

/** Orders of a batch with all their items; `left`: those that did not fit. */
export interface LoadedOrders {
  readonly orders: ReadonlyMap<number, LoadedOrder>;
  readonly left: ReadonlySet<number>;
}

/**
 * Loads as many orders of a batch as fit into memory. Almost all have few items and are read in one statement. Orders
 * with more items than their share are counted first, and then read together as far as there is room. At least one of
 * them is always loaded.
 */
export async function loadOrders(
  pool: SqlExecutor,
  ids: readonly number[],
  siteIds: readonly number[],
): Promise<LoadedOrders> {
  const { orders, left } = await loadSmallOrders(pool, ids, siteIds);
  if (left.size === 0) return { orders, left };
  const small = [...orders.values()].reduce((sum, { items }) => sum + items.length, 0);
  const fitting = await thatFit(pool, [...left], ITEMS_AT_ONCE - small);
  for (const [id, order] of await read(pool, fitting, siteIds, null)) orders.set(id, order);
  for (const id of fitting) left.delete(id);
  return { orders, left };
}

/** Only the orders that have no more items than their share, in one statement. */
export async function loadSmallOrders(
  database: SqlExecutor,
  ids: readonly number[],
  siteIds: readonly number[],
): Promise<{ readonly orders: Map<number, LoadedOrder>; readonly left: Set<number> }> {
  const share = Math.max(1, Math.floor(ITEMS_AT_ONCE / ids.length));
  const orders = await read(database, ids, siteIds, share + 1);
  const left = new Set([...orders.values()].filter(({ items }) => items.length > share).map(({ id }) => id));
  for (const id of left) orders.delete(id);
  return { orders, left };
}

async function read(
  pool: SqlExecutor,
  ids: readonly number[],
  siteIds: readonly number[],
  most: number | null,
): Promise<Map<number, LoadedOrder>> {
  const rows = await pool.execute<OrderRow>(LOAD_ORDERS, [numbers(ids), most, numbers(siteIds)]);
  return new Map(rows.map((row) => [row.id, loadedOrder(row)]));
}

/** The first ones, until there is no room. */
async function thatFit(pool: SqlExecutor, ids: readonly number[], room: number): Promise<number[]> {
  const rows = await pool.execute<{ id: number; items: number }>(COUNT_ITEMS, [numbers(ids)]);
  const fitting: number[] = [];
  let taken = 0;
  for (const { id, items } of rows) {
    if (fitting.length > 0 && taken >= room) break;
    fitting.push(id);
    taken += items;
  }
  return fitting;
}

const loadedOrder = (row: OrderRow): LoadedOrder => Object.assign(row, { items: pricedItems(row.items) });
