import { type FrequencyType, nextOccurrence } from '#libs/rules';
import type { TestDatabase } from './database.js';
import type { ChargeLedger } from './gateways/index.js';
import type { Capture } from './gateways/ledger.js';

interface Faulty {
  readonly what: string;
  readonly rows: unknown[];
}

export interface InvariantOptions {
  /** How long after its end a lease may still stand: one tick. */
  readonly tickMs?: number;
  /** Nothing is under way any more: a charge has its Order, also where its cycle is open. */
  readonly isAtRest?: boolean;
}

/** Each statement finds what must not be. `held`: what waits or is unknown has its time. */
const NEVER: Readonly<Record<string, string>> = {
  'a cycle is completed without exactly one Order, or an Order has no completed cycle': `
    SELECT c.scheduled_order_id, c.cycle, c.state, o.id AS order_id
    FROM processing_cycles c FULL JOIN (SELECT * FROM orders WHERE scheduled_order_id IS NOT NULL) o
      ON o.scheduled_order_id = c.scheduled_order_id AND o.cycle = c.cycle
    WHERE (c.state = 'Completed') IS DISTINCT FROM (o.id IS NOT NULL) OR c.state = 'Completed' AND c.order_id <> o.id`,
  'a transaction pays for more than one cycle': `
    SELECT site_id, payment_method_type, gateway_transaction_id, array_agg(scheduled_order_id || '/' || cycle) AS cycles
    FROM processing_cycles WHERE gateway_transaction_id IS NOT NULL GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  'an occurrence was completed more than once': `
    SELECT scheduled_order_id, date_trunc('second', due_utc) AS due, array_agg(cycle) AS cycles
    FROM processing_cycles WHERE state = 'Completed' GROUP BY 1, 2 HAVING count(*) > 1`,
  'Cycles is not the number of completed cycles': `
    SELECT s.id, s.cycles, count(c.*) AS completed
    FROM scheduled_orders s LEFT JOIN processing_cycles c ON c.scheduled_order_id = s.id AND c.state = 'Completed'
    GROUP BY s.id, s.cycles HAVING s.cycles <> count(c.*)`,
  'numbers of cycles have a gap': `
    SELECT scheduled_order_id, max(cycle), count(*) FROM processing_cycles GROUP BY 1 HAVING max(cycle) <> count(*)`,
  'items, shipping and tax are not the total': `
    SELECT o.id, o.subtotal, o.shipping_total, o.tax_total, o.total, items.subtotal AS of_items
    FROM orders o CROSS JOIN LATERAL (
      SELECT sum(i.subtotal) AS subtotal, sum(i.tax_total) AS tax FROM order_items i WHERE i.order_id = o.id) items
    WHERE o.scheduled_order_id IS NOT NULL AND (o.total <> o.subtotal + o.shipping_total + o.tax_total OR o.subtotal <> items.subtotal
      OR o.tax_total < items.tax OR (o.tax_total > items.tax AND NOT EXISTS (
        SELECT FROM site_settings g WHERE g.site_id = o.site_id AND g.shipping_tax <> 'None')))`,
  'a completed cycle has no event, or more than one': `
    SELECT c.scheduled_order_id, count(DISTINCT c.cycle) AS cycles, count(DISTINCT e.id) AS events
    FROM processing_cycles c LEFT JOIN event_logs e ON e.scheduled_order_id = c.scheduled_order_id AND e.event_type = 'ScheduledOrderProcessed'
    WHERE c.state = 'Completed' GROUP BY 1 HAVING count(DISTINCT c.cycle) <> count(DISTINCT e.id)`,
  'a cycle that waits has no time of its next try, or one that a worker has none of its lease': `
    SELECT scheduled_order_id, cycle, state, worker, lease_until_utc, next_attempt_utc FROM processing_cycles
    WHERE CASE WHEN NOT open THEN next_attempt_utc IS NOT NULL OR worker IS NOT NULL
      WHEN state IN ('Claimed', 'Charging') THEN lease_until_utc IS NULL
      ELSE (next_attempt_utc IS NULL) = (lease_until_utc IS NULL) END`,
  'a cycle waits for an integration that nobody probes': `
    SELECT c.scheduled_order_id, c.cycle, c.payment_method_type FROM processing_cycles c
    LEFT JOIN integration_waits w ON w.site_id = c.site_id AND w.payment_method_type = c.payment_method_type
    WHERE c.open AND c.waiting_since_utc IS NOT NULL AND c.failure_code = 1003 AND c.next_attempt_utc > now() AND w.next_probe_utc IS NULL`,
  'a failed, retried or unknown charge left no entry in the error log': `
    SELECT c.scheduled_order_id, c.cycle, c.state, c.failure_code FROM processing_cycles c
    WHERE c.state IN ('Retrying', 'Waiting', 'Unknown', 'Failed') AND (c.payment_failures > 0 OR c.technical_failures > 0)
      AND NOT EXISTS (SELECT 1 FROM error_logs l WHERE l.scheduled_order_id = c.scheduled_order_id)`,
  'an order is due again for an occurrence that was taken up, and nobody gave it another schedule since': `
    SELECT s.id, s.next_occurrence_utc, max(c.due_utc) AS taken_up FROM scheduled_orders s
    JOIN processing_cycles c ON c.scheduled_order_id = s.id AND NOT c.open AND NOT c.retries_exhausted
    WHERE s.status = 'Active' AND s.deleted_utc IS NULL AND NOT EXISTS (SELECT 1 FROM action_logs a
      WHERE a.scheduled_order_id = s.id AND a.action_type IN ('UpdateScheduledOrder', 'RescheduleScheduledOrder')
        AND a.created_utc >= c.updated_utc)
    GROUP BY s.id, s.next_occurrence_utc HAVING s.next_occurrence_utc <= max(c.due_utc)`,
};

/** All of them in one: most of the time that each takes alone is the way to the database. */
const ALL_NEVER = Object.entries(NEVER)
  .map(
    ([what, sql]) => `SELECT '${what}' AS what, (SELECT json_agg(f) FROM (SELECT * FROM (${sql}) f LIMIT 5) f) AS rows`,
  )
  .join(' UNION ALL ');

/**
 * Checks, from the database and from the gateway's own books, all that must hold whatever died or failed
 * (CONTRIBUTING.md, Invariants). Every test of a fault ends with it.
 */
export async function assertInvariants(
  database: TestDatabase,
  ledger?: ChargeLedger,
  { tickMs = 5_000, isAtRest = false }: InvariantOptions = {},
): Promise<void> {
  const never = await database.query<{ what: string; rows: unknown[] | null }>(ALL_NEVER);
  const found: Faulty[] = never.map(({ what, rows }) => ({ what, rows: rows ?? [] }));
  found.push({
    what: 'a lease stands longer than a tick after its end',
    rows: await database.query(
      `SELECT scheduled_order_id, cycle, state FROM processing_cycles
       WHERE open AND lease_until_utc < now() - $1 * interval '1 millisecond'`,
      [tickMs],
    ),
  });
  found.push({ what: 'the next occurrence is not one of the schedule', rows: await offSchedule(database) });
  if (ledger) found.push(...(await againstBooks(database, ledger, isAtRest)));
  expect(
    found.filter(({ rows }) => rows.length > 0).map(({ what, rows }) => ({ what, rows: rows.slice(0, 5) })),
  ).toEqual([]);
}

interface Cycle {
  id: string;
  cycle: string;
  due_utc: Date;
  state: string;
  /** Of its Order; null where it has none. */
  total: string | null;
  gateway_transaction_id: string | null;
}

/** The charge of such a cycle may be unknown still. */
const UNDER_WAY = ['Charging', 'Unknown'];

/** Workers may be at work: what must have a cycle is read before the cycles are, what a cycle must have after them. */
async function againstBooks(database: TestDatabase, books: ChargeLedger, isAtRest: boolean): Promise<Faulty[]> {
  const charges = [...books.charges];
  const cycles = await database.query<Cycle>(
    `SELECT c.scheduled_order_id AS id, c.cycle, c.due_utc, c.state, trim_scale(o.total)::text AS total, c.gateway_transaction_id
     FROM processing_cycles c LEFT JOIN orders o ON o.scheduled_order_id = c.scheduled_order_id AND o.cycle = c.cycle`,
  );
  const pays = (cycle: Cycle, charge: Capture) => Number(cycle.id) === charge.scheduledOrderId && isOf(cycle, charge);
  const paid = cycles.filter(({ total }) => total !== null);
  const byTransaction = new Map(paid.map((cycle) => [cycle.gateway_transaction_id, cycle]));
  const underWay = new Map(cycles.filter(({ state }) => UNDER_WAY.includes(state)).map((one) => [Number(one.id), one]));
  const after = new Map(books.charges.map((charge) => [charge.transactionId, charge]));
  return [
    { what: 'an occurrence was charged more than once', rows: books.doubles() },
    {
      what: 'a charge has no Order, or one of another amount or occurrence',
      rows: charges.filter((charge) => {
        const cycle = byTransaction.get(charge.transactionId);
        if (cycle) return !pays(cycle, charge) || Number(cycle.total) !== Number(charge.amount);
        const open = underWay.get(charge.scheduledOrderId);
        return isAtRest || !open || !pays(open, charge);
      }),
    },
    {
      what: 'an Order to be paid has no charge of its own',
      rows: paid.filter((cycle) => {
        const own = after.get(cycle.gateway_transaction_id ?? '');
        return own ? !pays(cycle, own) : cycle.total !== '0';
      }),
    },
  ];
}

/** An old form names a number, or nothing, in place of the occurrence. */
function isOf({ due_utc }: Cycle, { dueUtc }: Capture): boolean {
  const due: Date | string | null = dueUtc;
  const ms = due === null ? NaN : new Date(due).getTime();
  return Number.isNaN(ms) || Math.floor(ms / 1_000) === Math.floor(due_utc.getTime() / 1_000);
}

interface Scheduled {
  id: string;
  frequency_type: FrequencyType;
  frequency: string;
  schedule_anchor_utc: Date;
  next_occurrence_utc: Date;
}

/** Orders that were processed and not rescheduled since stand at a regular occurrence. */
async function offSchedule(database: TestDatabase): Promise<unknown[]> {
  const orders = await database.query<Scheduled>(
    `SELECT id, frequency_type, frequency, schedule_anchor_utc, next_occurrence_utc FROM scheduled_orders s
     WHERE status = 'Active' AND deleted_utc IS NULL AND cycles > 0 AND next_occurrence_utc > now()
       AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = s.id AND c.open)
       AND replaced_occurrence_utc IS NULL AND schedule_anchor_utc < next_occurrence_utc`,
  );
  return orders.filter(({ frequency_type, frequency, schedule_anchor_utc, next_occurrence_utc }) => {
    const rule = { frequencyType: frequency_type, frequency: Number(frequency) };
    const before = new Date(next_occurrence_utc.getTime() - 1);
    return nextOccurrence(rule, schedule_anchor_utc, before).getTime() !== next_occurrence_utc.getTime();
  });
}
