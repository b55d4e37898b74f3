import type { TestDatabase } from '../support/database.js';
import type { Capture } from '../support/gateways/ledger.js';
import { secondAt, secondOfCharge, shownSecond } from './licences.js';

export interface Finding {
  readonly kind: 'double' | 'loss' | 'other';
  readonly what: string;
  readonly scheduledOrderId: number;
}

export type Find = (kind: Finding['kind'], scheduledOrderId: number | string, what: string) => void;

interface OrderRow {
  scheduled_order_id: string;
  cycle: string;
  transaction_id: string | null;
  due_utc: Date | null;
  total: string;
  subtotal: string | null;
  shipping_total: string | null;
  tax_total: string | null;
  items: string | null;
  items_tax: string | null;
}

interface CycleRow {
  scheduled_order_id: string;
  cycle: string;
  state: string;
  attempt: string;
  failure_code: number | null;
  resolution: string | null;
  past_attempts: { Attempt: number; FailureCode: number | null }[] | null;
  stopped: boolean;
  logged: boolean;
}

/**
 * Reads the gateways' books and the database once more, in words of its own, and asks of every order: was each of its
 * cycles charged once and recorded once, or is it visibly waiting? Nothing here is shared with the code that is
 * checked. After a restore numbers of cycles have drifted: what belongs together is known by the gateway's transaction.
 */
export async function checkLedger(database: TestDatabase, captures: readonly Capture[], find: Find): Promise<void> {
  const orders = await database.query<OrderRow>(
    `SELECT o.scheduled_order_id, o.cycle, c.gateway_transaction_id AS transaction_id, c.due_utc, o.total, o.subtotal, o.shipping_total, o.tax_total,
       (SELECT sum(i.total) FROM order_items i WHERE i.order_id = o.id) AS items,
       (SELECT sum(i.tax_total) FROM order_items i WHERE i.order_id = o.id) AS items_tax
     FROM orders o LEFT JOIN processing_cycles c ON c.scheduled_order_id = o.scheduled_order_id AND c.cycle = o.cycle
     WHERE o.is_recurring`,
  );
  const cycles = await database.query<CycleRow>(
    `SELECT c.scheduled_order_id, c.cycle, c.state, c.attempt, c.failure_code, c.resolution, c.past_attempts, c.stopped_utc IS NOT NULL AS stopped,
       EXISTS (SELECT 1 FROM error_logs l WHERE l.scheduled_order_id = c.scheduled_order_id) AS logged FROM processing_cycles c`,
  );
  charges(orders, captures, find);
  await transactions(database, find);
  sums(orders, find);
  ledger(orders, cycles, find);
  await growth(database, orders, find);
}

function charges(orders: readonly OrderRow[], captures: readonly Capture[], find: Find): void {
  const written = new Map<string, OrderRow[]>();
  for (const order of orders) push(written, order.transaction_id ?? '', order);
  const charged = new Map(captures.map((capture) => [capture.transactionId, capture]));
  for (const { transactionId, scheduledOrderId: id, amount } of captures) {
    const [order, another] = written.get(transactionId) ?? [];
    if (!order) find('loss', id, `${transactionId} was charged, and has no Order`);
    else if (another) find('double', id, `${transactionId} has more than one Order`);
    else if (cents(order.total) !== cents(amount))
      find('other', id, `${transactionId}: ${amount} was charged, but the Order says ${order.total}`);
  }
  for (const { scheduled_order_id: id, cycle, total, transaction_id, due_utc } of orders) {
    const own = charged.get(transaction_id ?? '');
    const second = own ? secondOfCharge(own) : null;
    if (!own) {
      if (cents(total) !== 0n) find('loss', id, `the Order of cycle ${id}/${cycle} has no charge`);
    } else if (own.scheduledOrderId !== Number(id)) {
      find('loss', id, `the Order of cycle ${id}/${cycle} has the charge of order ${own.scheduledOrderId}`);
    } else if (second !== null && second !== secondAt(due_utc!.getTime())) {
      const due = due_utc!.toISOString();
      find('loss', id, `the Order of cycle ${id}/${cycle}, due at ${due}, has the charge of ${shownSecond(second)}`);
    }
  }
}

/** One transaction pays one cycle, whatever became of it, and one Order. */
async function transactions(database: TestDatabase, find: Find): Promise<void> {
  const rows = await database.query<{ transaction: string; id: string; cycles: string }>(
    `SELECT gateway_transaction_id AS transaction, min(scheduled_order_id) AS id, string_agg(scheduled_order_id || '/' || cycle, ', ') AS cycles
     FROM processing_cycles WHERE gateway_transaction_id IS NOT NULL
     GROUP BY site_id, payment_method_type, gateway_transaction_id HAVING count(*) > 1`,
  );
  for (const { transaction, id, cycles } of rows) find('double', id, `${transaction} pays the cycles ${cycles}`);
}

function sums(orders: readonly OrderRow[], find: Find): void {
  const seen = new Set<string>();
  for (const {
    scheduled_order_id: id,
    cycle,
    total,
    subtotal,
    shipping_total,
    tax_total,
    items,
    items_tax,
  } of orders) {
    const key = `${id}/${cycle}`;
    if (seen.has(key)) find('double', id, `cycle ${key} has more than one Order`);
    seen.add(key);
    // Found in the gateway's books, for a price that the order does not say (any more): only the total is known.
    if (subtotal === null) continue;
    if (cents(items) + cents(shipping_total) + cents(tax_total) !== cents(total))
      find('other', id, `cycle ${key}: items, shipping and tax are not the total`);
    if (cents(items) !== cents(subtotal) || cents(items_tax) !== cents(tax_total))
      find('other', id, `cycle ${key}: the items are not the subtotal, or their taxes not the tax`);
  }
}

function ledger(orders: readonly OrderRow[], cycles: readonly CycleRow[], find: Find): void {
  const completed = new Set<string>();
  for (const cycle of cycles) {
    const { scheduled_order_id: id, state, past_attempts, failure_code, logged } = cycle;
    const key = `${id}/${cycle.cycle}`;
    if (state === 'Completed') completed.add(key);
    if (!['Completed', 'Failed', 'Skipped'].includes(state))
      find('loss', id, `cycle ${key} never came to an end: ${state}`);
    const untold = (past_attempts ?? []).filter(({ FailureCode }) => FailureCode === null);
    if (untold.length > 0) find('other', id, `cycle ${key}: an attempt was followed by another, and nobody knows why`);
    if ((past_attempts ?? []).length > 0 && !logged)
      find('other', id, `cycle ${key}: failed attempts left no log entry`);
    if (state === 'Failed' && Number(cycle.attempt) > 0 && failure_code === null && !cycle.stopped) {
      find('other', id, `cycle ${key} failed, and nobody knows why`);
    }
  }
  const written = new Set(orders.map((order) => `${order.scheduled_order_id}/${order.cycle}`));
  for (const key of completed)
    if (!written.has(key)) find('loss', key.split('/')[0]!, `cycle ${key} is completed without Order`);
  for (const key of written)
    if (!completed.has(key)) find('other', key.split('/')[0]!, `the Order of ${key} has no completed cycle`);
}

async function growth(database: TestDatabase, orders: readonly OrderRow[], find: Find): Promise<void> {
  const written = new Map<string, number>();
  for (const { scheduled_order_id: id } of orders) written.set(id, (written.get(id) ?? 0) + 1);
  const rows = await database.query<{ id: string; cycles: string; processed: string }>(
    `SELECT s.id, s.cycles, (SELECT count(*) FROM event_logs e
       WHERE e.scheduled_order_id = s.id AND e.event_type = 'ScheduledOrderProcessed') AS processed FROM scheduled_orders s`,
  );
  for (const { id, cycles, processed } of rows) {
    const count = written.get(id) ?? 0;
    if (Number(cycles) !== count) find('other', id, `Cycles is ${cycles}, and there are ${count} Orders`);
    if (Number(processed) !== count)
      find('other', id, `${processed} events say that it was processed, ${count} Orders do`);
  }
}

/** Everything that is known about an order, for the person who has to find out what happened. */
export async function storyOf(database: TestDatabase, captures: readonly Capture[], scheduledOrderId: number) {
  const rows = (sql: string) => database.query(sql, [scheduledOrderId]);
  return {
    order: await rows(`SELECT * FROM scheduled_orders WHERE id = $1`),
    cycles: await rows(`SELECT * FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle`),
    charges: captures.filter((capture) => capture.scheduledOrderId === scheduledOrderId),
    orders: await rows(
      `SELECT id, cycle, total, date_created FROM orders WHERE scheduled_order_id = $1 ORDER BY cycle`,
    ),
    events: await rows(
      `SELECT created_utc, event_type, description FROM event_logs WHERE scheduled_order_id = $1 ORDER BY created_utc`,
    ),
    errors: await rows(
      `SELECT created_utc, description, exception_info FROM error_logs WHERE scheduled_order_id = $1 ORDER BY created_utc`,
    ),
    actions: await rows(
      `SELECT created_utc, action_type FROM action_logs WHERE scheduled_order_id = $1 ORDER BY created_utc`,
    ),
    differences: await rows(`SELECT * FROM payment_differences WHERE scheduled_order_id = $1 ORDER BY id`),
    found: await rows(`SELECT * FROM found_charges WHERE scheduled_order_id = $1 ORDER BY created_utc`),
    reconciled: await rows(
      `SELECT r.* FROM integration_reconciliations r JOIN payment_integrations i ON i.id = r.payment_integration_id
       JOIN scheduled_orders o ON o.site_id = i.site_id WHERE o.id = $1`,
    ),
    deployment: await database.query(`SELECT * FROM deployment`),
    pushes: await rows(`SELECT * FROM order_pushes WHERE scheduled_order_id = $1 ORDER BY cycle`),
    required_reconciliations: await database.query(`SELECT * FROM required_reconciliations ORDER BY generation`),
  };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** Ten-thousandths, exactly. */
export function cents(decimal: string | null): bigint {
  const [whole = '0', fraction = ''] = (decimal ?? '0').split('.');
  return BigInt(whole + fraction.padEnd(4, '0').slice(0, 4));
}
