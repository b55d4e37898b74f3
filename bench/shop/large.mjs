import { fillShops } from './shop.mjs';

/**
 * A database that has been in use for years. `stored`: scheduled orders besides `active`; the active ones are whole (customer, items,
 * payment method), the others share their customers and have no items, for nobody reads them: they are there for tables and indexes to be
 * large. None is due. `events` and `orders`: finished work in the logs and on record, spread over this month and the ones before it.
 */
export async function fillLarge(client, { active, stored, events = 0, orders = 0 }) {
  await fillShops(client, { sites: 10, orders: active, due: false });
  await client.query(`SET maintenance_work_mem = '1GB'; SET session_replication_role = replica`);
  if (stored > 0) await filled(client, 'scheduled_orders', COPIES, [active, stored]);
  if (orders > 0) await filled(client, 'orders', ORDERS, [active, orders]);
  if (events > 0) {
    await client.query(PARTITIONS);
    await filled(client, 'event_logs', EVENTS, [active, events]);
  }
  await client.query('RESET session_replication_role');
  await client.query(`SELECT setval('scheduled_orders_id_seq', max(id)) FROM scheduled_orders`);
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
    await client.query(constraint ? `ALTER TABLE ${table} ADD CONSTRAINT ${constraint} ${clause}` : definition);
  for (const { from, name, clause } of referring.rows)
    await client.query(`ALTER TABLE ${from} ADD CONSTRAINT ${name} ${clause}`);
}

const ADDRESS = ['first_name', 'last_name', 'street1', 'street2', 'city', 'state', 'postcode', 'country']
  .map((part) => `shipping_${part}`)
  .join(', ');

/** Falling due over the next two years. $1 those to copy from, $2 how many copies. */
const COPIES = `INSERT INTO scheduled_orders (id, site_id, customer_id, ${ADDRESS}, next_occurrence_utc, status, frequency_type, frequency, cycles, currency_iso,
    payment_method_type, payment_method_customer_id, payment_method_id, payment_method_description, schedule_anchor_utc, shipping_total, tax_total, total)
  SELECT $1::bigint + n, site_id, customer_id, ${ADDRESS}, now() + interval '1 day' + (n * 7919 % 63072000) * interval '1 second', status, frequency_type, frequency,
    n % 50, currency_iso, payment_method_type, payment_method_customer_id, payment_method_id, payment_method_description, schedule_anchor_utc,
    shipping_total, tax_total, total
  FROM generate_series(1, $2::bigint) n JOIN scheduled_orders o ON o.id = 1 + n % $1`;

/** Of the shop's own making, without a cycle. */
const ORDERS = `INSERT INTO orders (id, site_id, customer_id, ${ADDRESS}, date_created, date_paid, subtotal, shipping_total, tax_total, total, is_recurring,
    created_utc, updated_utc)
  SELECT nextval('orders_id_seq'), site_id, customer_id, ${ADDRESS}, at, at, (total - shipping_total - tax_total) / 100.0, shipping_total / 100.0, tax_total / 100.0,
    total / 100.0, false, at, at
  FROM (SELECT now() - (n % 63072000) * interval '1 second' AS at, o.* FROM generate_series(1, $2::bigint) n JOIN scheduled_orders o ON o.id = 1 + n % $1) o`;

/** Months that the migrations did not make, because they were over by then. */
const PARTITIONS = `DO $$ BEGIN
  FOR m IN 1..11 LOOP
    EXECUTE format('CREATE TABLE event_logs_old_%s PARTITION OF event_logs FOR VALUES FROM (%L) TO (%L)', m,
      date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => m), date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => m - 1));
  END LOOP;
END $$`;

/** Short snapshots: what is measured is the work beside them, not the disk that they fill. A fifth of them are of this month. */
const EVENTS = `INSERT INTO event_logs (site_id, scheduled_order_id, event_type, description, scheduled_order, created_utc, updated_utc)
  SELECT o.site_id, o.id, 'ScheduledOrderProcessed', 'Cycle 1 was processed: 58.63 USD paid.', jsonb_build_object('Id', o.id, 'Total', o.total), at, at
  FROM (SELECT n, CASE WHEN n % 5 = 0 THEN greatest(date_trunc('month', now()), now() - (n % 600000) * interval '1 second')
      ELSE date_trunc('month', now()) - (1 + n % 20000000) * interval '1 second' END AS at FROM generate_series(1, $2::bigint) n) e
  JOIN scheduled_orders o ON o.id = 1 + n % $1`;
