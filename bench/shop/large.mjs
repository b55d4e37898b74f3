import { ADDRESS } from '../processor/address.mjs';
import { fillShops } from './shop.mjs';

/**
 * A database that has been in use for years.
 * @typedef {object} LargeSize
 * @property {number} active scheduled orders that are whole (a customer of their own, items, payment method), spread
 * evenly over all ids
 * @property {number} stored scheduled orders in all, a multiple of `active`; the others share customers and have no
 * items, for nobody
 *   reads them: they are there for tables and indexes to be large. They are not due.
 * @property {boolean} [due] whether the whole ones are due; not unless said
 * @property {number} [orders] finished cycles, at most half of `stored`: each with its Order, two items and its row in
 * the ledger
 * @property {number} [events] in the log, spread over this month and the eleven before it
 */

/** @param {LargeSize} size */
export async function fillLarge(client, { active, stored, due = false, orders = 0, events = 0 }) {
  await fillShops(client, { sites: 10, orders: active, due });
  const before = await indexes(client);
  await client.query(
    `SET maintenance_work_mem = '1GB'; SET session_replication_role = replica; SET synchronize_seqscans = off`,
  );
  await spread(client, stored / active);
  await filled(client, 'scheduled_orders', SCHEDULED_ORDERS, [stored, active, stored / active, orders]);
  await client.query('ANALYZE scheduled_orders');
  if (orders > 0) {
    await filled(client, 'orders', ORDERS, [orders]);
    await filled(client, 'order_items', ORDER_ITEMS, []);
    await filled(client, 'processing_cycles', CYCLES, []);
  }
  if (events > 0) {
    await client.query(PARTITIONS);
    await filled(client, 'event_logs', EVENTS, [events, stored, active]);
  }
  await client.query('DROP TABLE whole; RESET session_replication_role');
  for (const table of ['scheduled_orders', 'orders'])
    await client.query(`SELECT setval('${table}_id_seq', max(id)) FROM ${table} HAVING max(id) IS NOT NULL`);
  requireSame(before, await indexes(client));
}

/**
 * Sets the whole orders aside as `whole` (ids from 1 on), and gives their items the ids that they will come back with.
 */
async function spread(client, distance) {
  await client.query(`CREATE TEMPORARY TABLE whole AS SELECT * FROM scheduled_orders`);
  await client.query(`ALTER TABLE whole ADD PRIMARY KEY (id)`);
  await client.query(`ANALYZE whole`);
  await client.query(`DELETE FROM scheduled_orders`);
  await client.query(`VACUUM scheduled_orders`);
  await client.query(`UPDATE scheduled_order_items SET scheduled_order_id = scheduled_order_id * $1`, [distance]);
}

/** Rows first, then the indexes: ten times as fast as both together. */
async function filled(client, table, insert, values) {
  const { rows } = await client.query(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition, c.conname AS constraint,
       pg_get_constraintdef(c.oid) AS clause
     FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.conrelid = i.indrelid
     WHERE i.indrelid = $1::regclass`,
    [table],
  );
  const referring = await client.query(
    `SELECT conrelid::regclass::text AS "from", conname AS name, pg_get_constraintdef(oid) AS clause FROM pg_constraint
     WHERE contype = 'f' AND confrelid = $1::regclass AND conparentid = 0`,
    [table],
  );
  for (const { from, name } of referring.rows) await client.query(`ALTER TABLE ${from} DROP CONSTRAINT ${name}`);
  for (const { name, constraint } of rows)
    await client.query(constraint ? `ALTER TABLE ${table} DROP CONSTRAINT ${constraint}` : `DROP INDEX ${name}`);
  await client.query(insert, values);
  for (const { definition, constraint, clause } of rows)
    await client.query(
      constraint
        ? `ALTER TABLE ${table} ADD CONSTRAINT ${constraint} ${clause}`
        : definition.replace(' ON ONLY ', ' ON '), // of a partitioned table's index PostgreSQL shows the parent alone
    );
  for (const { from, name, clause } of referring.rows)
    await client.query(`ALTER TABLE ${from} ADD CONSTRAINT ${name} ${clause}`);
}

/** Definitions by name; those of partitions follow from their parents'. */
async function indexes(client) {
  const { rows } = await client.query(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) || CASE WHEN i.indisvalid THEN '' ELSE ' INVALID' END AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition ORDER BY 1`,
  );
  return rows.map(({ name, definition }) => `${name}: ${definition}`);
}

function requireSame(before, after) {
  if (before.join('\n') !== after.join('\n'))
    throw new Error(`The indexes are not those of the migrations any more:\n${after.join('\n')}`);
}

const SHIPPING_ADDRESS = ADDRESS.map((part) => `shipping_${part}`).join(', ');

/**
 * In the order of their ids, every $3rd a whole one, the others falling due over the next two years. Every second has
 * been processed once, until $4 have been. $1 scheduled orders, $2 of them whole.
 */
const SCHEDULED_ORDERS = `INSERT INTO scheduled_orders (id, site_id, customer_id, ${SHIPPING_ADDRESS}, next_occurrence_utc, status, frequency_type, frequency, cycles,
    currency_iso, payment_method_type, payment_method_customer_id, payment_method_id, payment_method_description, schedule_anchor_utc, shipping_total,
    tax_total, total)
  SELECT n, site_id, customer_id, ${SHIPPING_ADDRESS}, CASE WHEN n % $3::bigint = 0 THEN next_occurrence_utc
      ELSE now() + interval '1 day' + (n * 7919 % 63072000) * interval '1 second' END, status, frequency_type, frequency,
    CASE WHEN n % 2 = 0 AND n <= 2 * $4::bigint THEN 1 ELSE 0 END, currency_iso, payment_method_type, payment_method_customer_id, payment_method_id,
    payment_method_description, schedule_anchor_utc, shipping_total, tax_total, total
  FROM generate_series(1, $1::bigint) n JOIN whole o ON o.id = CASE WHEN n % $3 = 0 THEN n / $3 ELSE 1 + n % $2::bigint END`;

/** Of every second scheduled order, over the last two years. $1 orders. */
const ORDERS = `INSERT INTO orders (id, site_id, customer_id, ${SHIPPING_ADDRESS}, date_created, date_paid, subtotal, shipping_total, tax_total, total, currency_iso,
    is_recurring, scheduled_order_id, cycle, created_utc, updated_utc)
  SELECT id / 2, site_id, customer_id, ${SHIPPING_ADDRESS}, at, at, (total - shipping_total - tax_total) / 100.0, shipping_total / 100.0, tax_total / 100.0,
    total / 100.0, currency_iso, true, id, 1, at, at
  FROM scheduled_orders CROSS JOIN LATERAL (SELECT now() - (63072000 - id * 6) * interval '1 second' AS at) a
  WHERE id % 2 = 0 AND id <= 2 * $1::bigint`;

const ORDER_ITEMS = `INSERT INTO order_items (site_id, order_id, product_id, name, subtotal, total, tax_total, quantity, is_recurring, created_utc, updated_utc)
  SELECT site_id, id, 1 + (id * 31 + n) % 1000, 'Coffee No. ' || n, subtotal / 2, subtotal / 2, tax_total / 2, 1, true, created_utc, updated_utc
  FROM orders CROSS JOIN generate_series(0, 1) n`;

const CYCLES = `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, attempt, amount, currency_iso, payment_method_type,
    gateway_customer_id, gateway_payment_id, payment_integration_id, credentials_fingerprint, idempotency_key, started_utc, gateway_transaction_id, order_id,
    created_utc, updated_utc)
  SELECT site_id, scheduled_order_id, cycle, 'Completed', false, created_utc, 1, total * 100, 'USD', 'GatewayOne', 'cus_' || customer_id,
    'pm_' || customer_id, site_id, md5('key'), 'bench-' || scheduled_order_id || '-1-1', created_utc, 'sandbox_' || md5(id::text), id, created_utc, updated_utc
  FROM orders`;

/** Months that the migrations did not make, because they were over by then. */
const PARTITIONS = `DO $$ BEGIN
  FOR m IN 1..11 LOOP
    EXECUTE format('CREATE TABLE event_logs_old_%s PARTITION OF event_logs FOR VALUES FROM (%L) TO (%L)', m,
      date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => m), date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => m - 1));
  END LOOP;
END $$`;

/**
 * Short snapshots: what is measured is the work beside them, not the disk that they fill. A fifth of them are of this
 * month. $1 events of $2 scheduled orders, $3 of them whole.
 */
const EVENTS = `INSERT INTO event_logs (site_id, scheduled_order_id, event_type, description, scheduled_order, created_utc, updated_utc)
  SELECT o.site_id, e.scheduled_order_id, 'ScheduledOrderProcessed', 'Cycle 1 was processed: 58.63 USD paid.',
    json_build_object('Id', e.scheduled_order_id, 'Total', o.total), at, at
  FROM (SELECT 1 + n * 7919 % $2::bigint AS scheduled_order_id,
      CASE WHEN n % 5 = 0 THEN greatest(date_trunc('month', now()), now() - (n % 600000) * interval '1 second')
      ELSE date_trunc('month', now()) - (1 + n * 7919 % 28000000) * interval '1 second' END AS at FROM generate_series(1, $1::bigint) n) e
  JOIN whole o ON o.id = 1 + e.scheduled_order_id % $3::bigint`;
