/**
 * What was written, whoever wrote it: without times of writing, ids of new rows and of transactions, names of workers
 * and keys, and how often a cycle was claimed.
 */
const WRITTEN = {
  scheduled_orders: `SELECT to_jsonb(o) - '{updated_utc,last_occurrence_utc,created_utc}'::text[] FROM scheduled_orders o`,
  orders: `SELECT to_jsonb(o) - '{id,created_utc,updated_utc,date_created,date_paid,gateway_transaction_id}'::text[] FROM orders o`,
  order_items: `SELECT to_jsonb(i) - '{id,order_id,created_utc,updated_utc}'::text[] || jsonb_build_object('of', o.scheduled_order_id)
    FROM order_items i JOIN orders o ON o.id = i.order_id`,
  processing_cycles: `SELECT to_jsonb(c) - '{order_id,created_utc,updated_utc,started_utc,claim,idempotency_key,gateway_transaction_id,credentials_fingerprint}'::text[]
    FROM processing_cycles c JOIN orders o ON o.id = c.order_id AND o.scheduled_order_id = c.scheduled_order_id AND o.cycle = c.cycle`,
  event_logs: `SELECT to_jsonb(e) - '{id,created_utc,updated_utc,scheduled_order}'::text[] || jsonb_build_object('of',
    e.scheduled_order::jsonb - '{UpdatedUtc,LastOccurrenceUtc,CreatedUtc}'::text[]) FROM event_logs e`,
};

/** Counts and checksums per table: equal for everybody who did the same work on the same orders. */
export async function fingerprint(client) {
  const written = {};
  for (const [table, rows] of Object.entries(WRITTEN)) {
    const { rows: found } = await client.query(
      `SELECT count(*)::int AS count, sum(hashtextextended(row::text, 0)::numeric)::text AS checksum FROM (${rows}) written (row)`,
    );
    written[table] = found[0];
  }
  return written;
}

/**
 * Every one of `orders` orders has its one cycle, its one Order with its items, its one event; amounts add up; the next
 * date lies ahead. Row by row through the indexes, whatever the planner knows of tables that were empty a moment ago.
 * @param {{ from?: number }} [since] the last order id before the run (`lastOrderId`): what was there already is left
 * out
 * @throws Error saying what is wrong.
 */
export async function requireProcessed(client, orders, { from = 0 } = {}) {
  const { rows } = await client.query(
    `SELECT
    (SELECT count(*)::int FROM processing_cycles WHERE order_id > $1 AND state = 'Completed' AND NOT open) AS completed,
    (SELECT count(*)::int FROM processing_cycles WHERE order_id > $1) AS cycles,
    (SELECT count(*)::int FROM orders WHERE id > $1) AS orders,
    (SELECT count(DISTINCT scheduled_order_id)::int FROM orders WHERE id > $1) AS distinct_orders,
    (SELECT count(*)::int FROM order_items WHERE order_id > $1) AS items,
    (SELECT count(*)::int FROM event_logs WHERE event_type = 'ScheduledOrderProcessed'
      AND created_utc >= (SELECT min(created_utc) FROM orders WHERE id > $1)) AS events,
    (SELECT count(*)::int FROM orders o WHERE o.id > $1 AND (SELECT s.cycles = o.cycle AND s.next_occurrence_utc > now()
      AND s.last_occurrence_utc IS NOT NULL FROM scheduled_orders s WHERE s.id = o.scheduled_order_id)) AS advanced,
    (SELECT count(*)::int FROM orders o WHERE o.id > $1 AND (o.total <> o.subtotal + o.shipping_total + o.tax_total OR o.subtotal
      IS DISTINCT FROM (SELECT sum(i.total) FROM order_items i WHERE i.order_id = o.id))) AS wrong_sums,
    (SELECT count(*)::int FROM orders o WHERE o.id > $1 AND o.total * 100 <>
      (SELECT s.total FROM scheduled_orders s WHERE s.id = o.scheduled_order_id)) AS wrong_totals`,
    [from],
  );
  const expected = {
    completed: orders,
    cycles: orders,
    orders,
    distinct_orders: orders,
    items: 2 * orders,
    events: orders,
    advanced: orders,
    wrong_sums: 0,
    wrong_totals: 0,
  };
  const wrong = Object.keys(expected).filter((name) => rows[0][name] !== expected[name]);
  if (wrong.length > 0)
    throw new Error(
      `Not every order was processed once: ${wrong.map((name) => `${name} ${rows[0][name]}, not ${expected[name]}`).join('; ')}`,
    );
}

/** The same in short, after each of `orders` orders fell due `passes` times. @throws Error saying what is wrong. */
export async function requireCycles(client, orders, passes) {
  const { rows } = await client.query(
    `SELECT
    (SELECT count(*)::int FROM processing_cycles WHERE state = 'Completed') AS completed,
    (SELECT count(DISTINCT (scheduled_order_id, cycle))::int FROM orders) AS distinct_orders,
    (SELECT count(*)::int FROM orders) AS orders,
    (SELECT count(*)::int FROM scheduled_orders WHERE cycles = $1 AND next_occurrence_utc > now()) AS advanced`,
    [passes],
  );
  const { completed, distinct_orders, orders: written, advanced } = rows[0];
  const all = orders * passes;
  if (completed !== all || distinct_orders !== all || written !== all || advanced !== orders) {
    throw new Error(
      `Of ${all} cycles ${completed} were completed, with ${written} orders, ${distinct_orders} different; ${advanced} of ${orders} moved on.`,
    );
  }
}
