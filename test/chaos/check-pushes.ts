import type { TestDatabase } from '../support/database.js';
import type { Capture } from '../support/gateways/ledger.js';
import { cents, type Find } from './check.js';

/** An order as its shop has it, whatever it has answered. */
export interface InShop {
  readonly id: string;
  readonly number: string;
  /** The push name; null: nobody here has made it. */
  readonly name: string | null;
  /** `unpaid`: its customer is asked to pay. `draft`: nobody sees it. `deleted`: it is gone, by force. */
  readonly is: 'paid' | 'unpaid' | 'thrown away' | 'draft' | 'deleted';
  /** It was paid once, whatever became of it. */
  readonly wasPaid: boolean;
  readonly total: string;
  readonly currencyIso: string;
  readonly transactionId: string;
  readonly units: number;
  readonly takesStock: boolean;
}

export interface ShopBooks {
  readonly siteId: number;
  readonly orders: readonly InShop[];
  /** Push names whose customer was told more than once that an order was received. */
  readonly mailedTwice: readonly string[];
  /** Null: its stock is not looked at. */
  readonly unitsTaken: number | null;
}

export interface PushesParts {
  readonly shopBooks: readonly ShopBooks[];
  /** Charges that were given back whole, and have no Order. */
  readonly aside: readonly Capture[];
  readonly find: Find;
}

/** The scheduled order that a push name is of; 0: of none. */
export const orderOf = (name: string): number => Number(/^[^-]+-(\d+)-/.exec(name)?.[1] ?? 0);

/** A second Order of one occurrence has a longer name: a person decides about it. */
const occurrenceOf = (name: string): string => name.split('-').slice(0, 3).join('-');

interface PushedRow {
  readonly id: string;
  readonly cycle: string;
  readonly site_id: string;
  readonly total: string;
  readonly currency_iso: string;
  readonly transaction: string | null;
  readonly external_id: string | null;
  readonly order_number: string | null;
  /** Null: it has no lines. */
  readonly units: string | null;
  /** It was found in the gateway's books, which know the total alone. */
  readonly is_by_total: boolean;
  /** Its scheduled order has got other lines, or none: what was found has those, whatever was charged for. */
  readonly was_changed: boolean;
  /** It was found at a gateway that tells no currency, and its scheduled order may have got another one since. */
  readonly may_be_of_other: boolean;
  readonly push_name: string | null;
  readonly state: string | null;
  readonly shop_order_id: string | null;
  readonly shop_total: string | null;
  readonly message: string | null;
  /** Types of the events of its cycle; null: the site listens to none. */
  readonly published: readonly string[] | null;
}

const ROWS = `SELECT o.scheduled_order_id AS id, o.cycle, o.site_id, o.total, o.currency_iso, o.gateway_transaction_id AS transaction, o.external_id, o.order_number,
    (SELECT sum(i.quantity) FROM order_items i WHERE i.order_id = o.id) AS units,
    EXISTS (SELECT FROM found_charges f WHERE f.transaction_id = o.gateway_transaction_id)
      AND NOT EXISTS (SELECT FROM order_items i WHERE i.order_id = o.id AND i.total IS NOT NULL) AS is_by_total,
    EXISTS (SELECT FROM action_logs a WHERE a.scheduled_order_id = o.scheduled_order_id
      AND a.action_type IN ('UpdateScheduledOrderItem', 'DeleteScheduledOrderItem', 'DeleteScheduledOrder')) AS was_changed,
    EXISTS (SELECT FROM found_charges f WHERE f.transaction_id = o.gateway_transaction_id AND f.currency_iso IS NULL) AND EXISTS (SELECT FROM action_logs a
      WHERE a.scheduled_order_id = o.scheduled_order_id AND a.action_type = 'UpdateScheduledOrder') AS may_be_of_other,
    p.push_name, p.state, p.shop_order_id, p.shop_total, p.message,
    CASE WHEN s.listens_since_utc IS NOT NULL THEN ARRAY(SELECT DISTINCT e.type::text FROM outbox e
      WHERE e.scheduled_order_id = o.scheduled_order_id AND e.facts ->> 'Cycle' = o.cycle::text) END AS published
  FROM orders o JOIN site_shops h ON h.site_id = o.site_id AND h.push JOIN sites s ON s.id = o.site_id
  LEFT JOIN order_pushes p ON p.site_id = o.site_id AND p.order_id = o.id
  WHERE o.is_recurring`;

/**
 * From the shops' books: does every Order of a site that pushes stand in its shop once, paid, as it was charged, and
 * nothing else of ours? What differs is to be seen, and has a reason that there was.
 */
export async function checkPushes(database: TestDatabase, { shopBooks, aside, find }: PushesParts): Promise<void> {
  const rows = await database.query<PushedRow>(ROWS);
  const givenBack = new Set(aside.map(({ transactionId }) => transactionId));
  for (const { id, site_id } of rows)
    if (shopBooks.every(({ siteId }) => siteId !== Number(site_id))) find('other', id, 'its shop has no books');
  for (const books of shopBooks) {
    const ofSite = rows.filter(({ site_id }) => Number(site_id) === books.siteId);
    const byName = new Map(ofSite.map((row) => [row.push_name, row]));
    for (const row of ofSite) arrived(row, books, givenBack, find);
    for (const order of books.orders) if (!byName.has(order.name)) ofNoOrder(order, givenBack, find);
    once(books, byName, find);
  }
}

function arrived(row: PushedRow, { orders }: ShopBooks, givenBack: ReadonlySet<string>, find: Find): void {
  const { id, cycle, push_name, state, message, published } = row;
  const name = `the Order of cycle ${id}/${cycle}`;
  if (push_name === null) return find('loss', id, `${name} is not to arrive in its shop`);
  const standing = orders.filter((one) => one.name === push_name && one.is !== 'deleted' && one.is !== 'draft');
  const [order, another] = standing;
  if (!order && state === 'Differs' && message !== null && occurrenceOf(push_name) !== push_name) return;
  const isUnlike = row.is_by_total && row.was_changed;
  if (!order && isUnlike && row.units === null && (state === 'Failed' || state === 'Differs')) {
    if (message === null || published?.includes('order.push_failed') === false)
      find('other', id, `${name} has nothing to pack, and nobody was told`);
    return;
  }
  if (state !== 'Pushed' && state !== 'Differs')
    return find('loss', id, `${name} never arrived: it is ${state}: ${message}`);
  if (!order) return find('loss', id, `${name} is ${state}, and not in its shop: ${message}`);
  if (another) return find('double', id, `${name} is ${standing.length} times in its shop`);
  if ([row.shop_order_id, row.external_id].some((one) => one !== order.id) || row.order_number !== order.number)
    find(
      'other',
      id,
      `${name} is ${order.id} (${order.number}) in its shop, and goes by ${row.shop_order_id}, ${row.external_id} (${row.order_number})`,
    );
  if (state === 'Differs' && !isDifferent(row, order))
    find('other', id, `${name} differs without a reason: ${message}`);
  if (state === 'Differs' && message === null) find('other', id, `${name} differs, and nobody knows why`);
  if (published?.includes(state === 'Pushed' ? 'order.pushed' : 'order.push_failed') === false)
    find('other', id, `${name} is ${state}, and no event says so`);
  // Whoever has thrown it away has decided.
  if (state === 'Differs' && order.is === 'thrown away') return;
  if (order.is !== 'paid') find('loss', id, `${name} is ${order.is} in its shop`);
  if (state === 'Pushed' && !order.takesStock) find('loss', id, `${name} was pushed, and took no stock`);
  if (order.transactionId !== (row.transaction ?? '') && !givenBack.has(order.transactionId))
    find('other', id, `${name} was paid by ${row.transaction}, and in its shop by ${order.transactionId}`);
  const isOfUnits = order.units === Number(row.units) || (isUnlike && message !== null);
  const isOfCurrency = order.currencyIso === row.currency_iso || (row.may_be_of_other && state === 'Differs');
  if (!isOfUnits || !isOfCurrency)
    find(
      'other',
      id,
      `${name} has ${row.units} units in ${row.currency_iso}, and in its shop ${order.units} in ${order.currencyIso}`,
    );
  ofTotals(row, order, name, find);
}

/** Every minor unit of difference is to be seen. */
function ofTotals(
  { id, total, shop_total, message, published }: PushedRow,
  order: InShop,
  name: string,
  find: Find,
): void {
  if (cents(order.total) !== cents(shop_total))
    find('other', id, `${name} is ${order.total} in its shop, and the push says ${shop_total}`);
  if (cents(order.total) === cents(total)) return;
  if (message === null || published?.includes('order.total_differs') === false)
    find('other', id, `${name} is ${total}, in its shop ${order.total}, and nobody was told`);
}

/** What leaves the decision to a person. */
function isDifferent(row: PushedRow, { is, takesStock, currencyIso }: InShop): boolean {
  const isByTotal = row.is_by_total && (row.was_changed || row.message?.includes('Only the total') === true);
  const isOfOther = row.may_be_of_other && currencyIso !== row.currency_iso;
  return is === 'thrown away' || !takesStock || isByTotal || isOfOther;
}

/** It has no row: commits that were lost had made it, or nobody here. */
function ofNoOrder({ id, name, is, transactionId }: InShop, givenBack: ReadonlySet<string>, find: Find): void {
  if (name === null) return find('other', 0, `${id} is in a shop, and nobody here has made it`);
  const order = orderOf(name);
  if (is === 'unpaid') find('double', order, `${name} has no Order, and its customer is asked to pay it (${id})`);
  if (is === 'paid' && !givenBack.has(transactionId))
    find('double', order, `${name} has no Order, and is packed (${id}, paid by ${transactionId})`);
}

/** Also of what is gone by now: nobody is paid for, mailed or packed twice. */
function once(
  { orders, mailedTwice, unitsTaken }: ShopBooks,
  rows: ReadonlyMap<string | null, PushedRow>,
  find: Find,
): void {
  const paid = new Set<string>();
  for (const { name } of orders.filter(({ wasPaid }) => wasPaid)) {
    if (name === null) continue;
    const occurrence = occurrenceOf(name);
    if (paid.has(occurrence)) find('double', rows.get(name)?.id ?? 0, `${name} was paid twice in its shop`);
    paid.add(occurrence);
  }
  for (const name of mailedTwice) find('double', rows.get(name)?.id ?? 0, `the customer of ${name} was mailed twice`);
  const units = orders.filter(({ takesStock }) => takesStock).reduce((sum, one) => sum + one.units, 0);
  if (unitsTaken !== null && unitsTaken !== units)
    find('double', 0, `${units} units were ordered of a shop, and ${unitsTaken} taken from its stock`);
}
