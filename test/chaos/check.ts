import type { TestDatabase } from '../support/database.js';
import type { Capture } from '../support/gateways/ledger.js';

export interface Finding {
  readonly kind: 'double' | 'loss' | 'other';
  readonly what: string;
  readonly scheduledOrderId: number;
}

interface OrderRow {
  scheduled_order_id: string;
  cycle: string;
  total: string;
  subtotal: string;
  shipping_total: string;
  tax_total: string;
  items: string;
  items_tax: string;
}

interface CycleRow {
  scheduled_order_id: string;
  cycle: string;
  state: string;
  attempt: string;
  failure_code: number | null;
  past_attempts: { Attempt: number; FailureCode: number | null }[] | null;
  logged: boolean;
}

/**
 * Reads the gateways' books and the database once more, in words of its own, and asks of every order: was each of its cycles charged
 * once and recorded once, or is it visibly waiting? Nothing here is shared with the code that is checked.
 */
export async function check(
  database: TestDatabase,
  captures: readonly Capture[],
  touched: ReadonlySet<number>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const find = (kind: Finding['kind'], scheduledOrderId: number | string, what: string) =>
    findings.push({ kind, what, scheduledOrderId: Number(scheduledOrderId) });
  const orders = await database.query<OrderRow>(
    `SELECT o.scheduled_order_id, o.cycle, o.total, o.subtotal, o.shipping_total, o.tax_total,
       (SELECT sum(i.total) FROM order_items i WHERE i.order_id = o.id) AS items,
       (SELECT sum(i.tax_total) FROM order_items i WHERE i.order_id = o.id) AS items_tax
     FROM orders o WHERE o.is_recurring`,
  );
  const cycles = await database.query<CycleRow>(
    `SELECT c.scheduled_order_id, c.cycle, c.state, c.attempt, c.failure_code, c.past_attempts,
       EXISTS (SELECT 1 FROM error_logs l WHERE l.scheduled_order_id = c.scheduled_order_id) AS logged FROM processing_cycles c`,
  );
  charges(orders, captures, find);
  ledger(orders, cycles, find);
  await growth(database, orders, find);
  await forgotten(database, touched, find);
  return findings;
}

type Find = (kind: Finding['kind'], scheduledOrderId: number | string, what: string) => void;

function charges(orders: readonly OrderRow[], captures: readonly Capture[], find: Find): void {
  const written = new Map<string, OrderRow[]>();
  for (const order of orders) push(written, `${order.scheduled_order_id}/${order.cycle}`, order);
  const charged = new Map<string, Capture[]>();
  for (const capture of captures) push(charged, `${capture.scheduledOrderId}/${capture.cycle}`, capture);
  for (const [key, ofCycle] of charged) {
    const [id = ''] = key.split('/');
    const [order] = written.get(key) ?? [];
    if (ofCycle.length > 1) find('double', id, `cycle ${key} was charged ${ofCycle.length} times`);
    if (!order) find('loss', id, `cycle ${key} was charged, and has no Order`);
    else if (cents(order.total) !== cents(ofCycle[0]!.amount)) {
      find('other', id, `cycle ${key}: ${ofCycle[0]!.amount} was charged, but the Order says ${order.total}`);
    }
  }
  for (const [key, ofCycle] of written) {
    const [order] = ofCycle;
    const id = order!.scheduled_order_id;
    if (ofCycle.length > 1) find('double', id, `cycle ${key} has ${ofCycle.length} Orders`);
    if (cents(order!.total) !== 0n && !charged.has(key)) find('other', id, `cycle ${key} has an Order, but no charge`);
    const { total, subtotal, shipping_total, tax_total, items, items_tax } = order!;
    if (cents(items) + cents(shipping_total) + cents(tax_total) !== cents(total)) {
      find('other', id, `cycle ${key}: items, shipping and tax are not the total`);
    }
    if (cents(items) !== cents(subtotal) || cents(items_tax) !== cents(tax_total)) {
      find('other', id, `cycle ${key}: the items are not the subtotal, or their taxes not the tax`);
    }
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
    if (state === 'Failed' && Number(cycle.attempt) > 0 && failure_code === null) {
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

/** Due and not taken up; or never taken up at all, though nobody touched it. */
async function forgotten(database: TestDatabase, touched: ReadonlySet<number>, find: Find): Promise<void> {
  const rows = await database.query<{ id: string; is_due: boolean; taken_up: string }>(
    `SELECT s.id, s.status = 'Active' AND s.deleted_utc IS NULL AND s.next_occurrence_utc <= now() AS is_due,
       (SELECT count(*) FROM processing_cycles c WHERE c.scheduled_order_id = s.id) AS taken_up FROM scheduled_orders s`,
  );
  for (const { id, is_due, taken_up } of rows) {
    if (is_due) find('loss', id, 'it is due, and nobody processes it');
    if (touched.has(Number(id))) continue;
    if (taken_up !== '1')
      find(taken_up === '0' ? 'loss' : 'other', id, `it fell due once, and was taken up ${taken_up} times`);
  }
}

/** Everything that is known of an order: for whoever has to find out what happened. */
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
