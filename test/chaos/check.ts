import type { TestDatabase } from '../support/database.js';
import type { Capture } from '../support/gateways/ledger.js';
import type { Diary } from './diary.js';

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
 * Reads the gateways' books and the database once more, in words of its own, and asks of every order: was each of its cycles charged
 * once and recorded once, or is it visibly waiting? Nothing here is shared with the code that is checked. After a restore numbers of
 * cycles have drifted: what belongs together is known by the gateway's transaction.
 */
export async function checkLedger(
  database: TestDatabase,
  captures: readonly Capture[],
  diary: Diary,
  find: Find,
): Promise<void> {
  const orders = await database.query<OrderRow>(
    `SELECT o.scheduled_order_id, o.cycle, c.gateway_transaction_id AS transaction_id, o.total, o.subtotal, o.shipping_total, o.tax_total,
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
  sums(orders, find);
  ledger(orders, cycles, find);
  await growth(database, orders, find);
  await forgotten(database, diary, find);
  await silentlyStopped(database, diary, find);
}

function charges(orders: readonly OrderRow[], captures: readonly Capture[], find: Find): void {
  const written = new Map<string, OrderRow[]>();
  for (const order of orders) push(written, order.transaction_id ?? '', order);
  const charged = new Set(captures.map(({ transactionId }) => transactionId));
  for (const { transactionId, scheduledOrderId: id, dueUtc, amount } of captures) {
    const [order, another] = written.get(transactionId) ?? [];
    if (!order) find('loss', id, `${transactionId}, sent for the occurrence ${dueUtc}, was charged, and has no Order`);
    else if (another) find('double', id, `${transactionId} has more than one Order`);
    else if (Number(order.scheduled_order_id) !== id) find('other', id, `${transactionId} is another order's`);
    else if (cents(order.total) !== cents(amount))
      find('other', id, `${transactionId}: ${amount} was charged, but the Order says ${order.total}`);
  }
  for (const { scheduled_order_id: id, cycle, total, transaction_id } of orders) {
    if (cents(total) !== 0n && !charged.has(transaction_id ?? ''))
      find('other', id, `cycle ${id}/${cycle} has an Order, but no charge`);
  }
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

/** Of these requests one keeps an order from being taken up, or lets it be taken up once more. */
const KEEPS = ['pause', 'pend', 'remove', 'frequency'];
const REPEATS = ['process', 'soon', 'past', 'skip'];

/** Due and not taken up; never taken up at all, though nobody asked for that; or more often than somebody asked for. */
async function forgotten(database: TestDatabase, diary: Diary, find: Find): Promise<void> {
  const rows = await database.query<{ id: string; is_due: boolean; taken_up: string; ended: string }>(
    `SELECT s.id, s.status = 'Active' AND s.deleted_utc IS NULL AND s.next_occurrence_utc <= now() AS is_due,
       (SELECT count(*) FROM processing_cycles c WHERE c.scheduled_order_id = s.id) AS taken_up,
       (SELECT count(*) FILTER (WHERE c.attempt = 0) + least(count(*) FILTER (WHERE c.attempt > 0),
            (SELECT count(*) FROM processing_cycles f WHERE f.scheduled_order_id = s.id AND f.state = 'Completed' AND f.idempotency_key IS NULL))
          FROM processing_cycles c WHERE c.scheduled_order_id = s.id AND c.state = 'Failed') AS ended
     FROM scheduled_orders s`,
  );
  for (const { id, is_due, taken_up, ended } of rows) {
    if (is_due) find('loss', id, 'it is due, and nobody processes it');
    const asked = diary.of(Number(id));
    const most = 1 + asked.filter(({ what }) => REPEATS.includes(what)).length;
    // One that a request ended has a second cycle when a restore had lost its charge, and that is found.
    if (Number(taken_up) - Number(ended) > most)
      find('other', id, `it fell due ${most} times at most, and was taken up ${taken_up} times`);
    if (taken_up === '0' && !asked.some(({ what }) => KEEPS.includes(what)))
      find('loss', id, 'it fell due, nobody kept it, and it was never taken up');
  }
}

/** Paid, or never failed, and Pending for good, though nobody asked for that. A skip after a cycle that failed changes no status. */
async function silentlyStopped(database: TestDatabase, diary: Diary, find: Find): Promise<void> {
  const rows = await database.query<{ id: string; status: string; state: string | null; resolution: string | null }>(
    `SELECT s.id, s.status, c.state, c.resolution FROM scheduled_orders s
     LEFT JOIN LATERAL (SELECT * FROM processing_cycles c WHERE c.scheduled_order_id = s.id AND c.state <> 'Skipped'
       ORDER BY cycle DESC LIMIT 1) c ON true
     WHERE s.status <> 'Active' AND s.deleted_utc IS NULL`,
  );
  for (const { id, status, state } of rows) {
    const asked = diary.of(Number(id));
    const wanted = status === 'Paused' ? 'pause' : 'pend';
    if (asked.some(({ what }) => what === wanted)) continue;
    if (status === 'Paused') find('other', id, 'it is Paused, and nobody paused it');
    else if (state !== 'Failed')
      find('other', id, `it is Pending after a cycle that is ${state}, and nobody asked for that`);
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
    found: await rows(`SELECT * FROM found_charges WHERE scheduled_order_id = $1 ORDER BY created_utc`),
    reconciled: await rows(
      `SELECT r.* FROM integration_reconciliations r JOIN payment_integrations i ON i.id = r.payment_integration_id
       JOIN scheduled_orders o ON o.site_id = i.site_id WHERE o.id = $1`,
    ),
    deployment: await database.query(`SELECT * FROM deployment`),
    doubts: await database.query(`SELECT * FROM doubts ORDER BY generation`),
  };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** Ten-thousandths, exactly. */
function cents(decimal: string | null): bigint {
  const [whole = '0', fraction = ''] = (decimal ?? '0').split('.');
  return BigInt(whole + fraction.padEnd(4, '0').slice(0, 4));
}
