import { setTimeout as pause } from 'node:timers/promises';
import { isLeased, lockClock } from '#libs/cycles';
import type { Transaction } from '#libs/database';
import { Conflict, type Database, NEXT_UPDATED_UTC } from '#libs/records';

/** The most orders whose records one transaction deletes, twice so many if some of them are deleted ones. A daily order of a century has 36,500 cycles. */
const ORDERS_AT_ONCE = 20;
/** The most events, and the most deliveries, that one transaction deletes. */
const EVENTS_AT_ONCE = 5_000;
/** Longer than most charges take. */
const LONGEST_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/** pk_test_clocks. $1 site. */
const BEGIN = `UPDATE test_clocks SET state = 'Deleting', worker = NULL, lease_until_utc = NULL, updated_utc = now() WHERE site_id = $1`;

/** Requests that write for them wait, and find nothing then. ix_scheduled_orders_site, ix_scheduled_orders_deleted_id. $1 site, $2 limit. */
const LOCK_ORDERS = `SELECT o.id FROM scheduled_orders o WHERE o.id IN (
  (SELECT x.id FROM scheduled_orders x WHERE x.site_id = $1 AND x.deleted_utc IS NULL LIMIT $2)
  UNION ALL (SELECT x.id FROM scheduled_orders x WHERE x.site_id = $1 AND x.deleted_utc IS NOT NULL LIMIT $2)
) ORDER BY o.id FOR UPDATE`;

/** What belongs to scheduled orders, what refers to others before them: their own indexes by order. $1 orders. */
const OF_ORDERS = [
  'event_logs',
  'error_logs',
  'action_logs',
  'upcoming_notices',
  'migrated_subscriptions',
  'archived_cycles',
  'processing_cycles',
]
  .map((table) => `DELETE FROM ${table} WHERE scheduled_order_id = ANY ($1::bigint[])`)
  .concat(
    `DELETE FROM order_items WHERE order_id IN (SELECT o.id FROM orders o WHERE o.scheduled_order_id = ANY ($1::bigint[]))`,
    `DELETE FROM orders WHERE scheduled_order_id = ANY ($1::bigint[])`,
    `DELETE FROM scheduled_order_items WHERE scheduled_order_id = ANY ($1::bigint[])`,
    `DELETE FROM scheduled_orders WHERE id = ANY ($1::bigint[])`,
  );

const ENDPOINTS = `SELECT e.id FROM webhook_endpoints e WHERE e.site_id = $1`;

/** uq_webhook_deliveries_event, ix_outbox_site. $1 site, $2 limit. */
const OF_EVENTS = [
  `DELETE FROM webhook_deliveries WHERE id IN (SELECT d.id FROM webhook_deliveries d WHERE d.webhook_endpoint_id IN (${ENDPOINTS}) LIMIT $2) RETURNING 1`,
  `DELETE FROM outbox WHERE id IN (SELECT x.id FROM outbox x WHERE x.site_id = $1 AND x.sequence IS NOT NULL LIMIT $2) RETURNING 1`,
];

/** $1 site. */
const LOCKS = [
  `SELECT 1 FROM customers c WHERE c.site_id = $1 ORDER BY c.id FOR UPDATE`,
  `SELECT 1 FROM sites s WHERE s.id = $1 FOR UPDATE`,
];

const OF_SITE = 'site_id = $1';
const CUSTOMERS = 'SELECT c.id FROM customers c WHERE c.site_id = $1';
const INTEGRATIONS = 'SELECT i.id FROM payment_integrations i WHERE i.site_id = $1';

/** What else belongs to a site: tables and conditions, what refers to others before them. $1 site. */
const OF_SITES = [
  ['order_items', `order_id IN (SELECT o.id FROM orders o WHERE o.site_id = $1)`],
  ['orders', OF_SITE],
  ['found_charges', `payment_integration_id IN (${INTEGRATIONS})`],
  ['integration_reconciliations', `payment_integration_id IN (${INTEGRATIONS})`],
  ['integration_waits', OF_SITE],
  ['payment_integrations', OF_SITE],
  ['payment_methods', `customer_id IN (${CUSTOMERS})`],
  ['gateway_customers', `customer_id IN (${CUSTOMERS})`],
  ['access_tokens', `customer_id IN (${CUSTOMERS})`],
  ['customers', OF_SITE],
  ['products', OF_SITE],
  ['shipping_rates', OF_SITE],
  ['tax_rates', OF_SITE],
  ['site_settings', OF_SITE],
  // Triggers write these with every change of rates and settings.
  ['price_history', OF_SITE],
  ['price_insertions', OF_SITE],
  ['rate_versions', OF_SITE],
  ['webhook_deliveries', `webhook_endpoint_id IN (${ENDPOINTS})`],
  ['webhook_endpoints', OF_SITE],
  // Each condition has an index of its own.
  ['outbox', `${OF_SITE} AND sequence IS NOT NULL`],
  ['outbox', `${OF_SITE} AND sequence IS NULL`],
] as const;

/** Keys that reach this site alone end, with all tokens that were made with them. $1 site. */
const END_KEYS = `WITH ended AS (
  UPDATE api_keys AS x SET revoked_utc = now(), updated_utc = ${NEXT_UPDATED_UTC}
  WHERE x.revoked_utc IS NULL AND x.id IN (SELECT s.api_key_id FROM api_key_sites s WHERE s.site_id = $1)
    AND NOT EXISTS (SELECT 1 FROM api_key_sites s WHERE s.api_key_id = x.id AND s.site_id <> $1)
  RETURNING x.id
)
UPDATE access_tokens AS x SET revoked_utc = now(), updated_utc = ${NEXT_UPDATED_UTC}
FROM ended WHERE x.api_key_id = ended.id AND x.revoked_utc IS NULL`;

/**
 * No worker leads the clock from now on: each claim asks, with the clock locked, whether its worker still does. It stays so for ever: what was begun
 * and interrupted is ended by another deletion. The clock must be locked.
 */
export async function beginRemoval(tx: Transaction, siteId: number): Promise<void> {
  await tx.execute(BEGIN, [siteId]);
}

/**
 * Deletes a simulated site with all that belongs to it, in transactions of a bounded size: a year of a large shop is millions of rows. Call
 * `beginRemoval` first.
 * @throws Conflict while a worker is still processing an order of it.
 */
export async function removeSite(database: Database, siteId: number): Promise<void> {
  await untilIdle(database, siteId);
  while ((await database.write((tx) => removeOrders(tx, siteId))) > 0);
  for (const statement of OF_EVENTS) {
    while ((await database.execute(statement, [siteId, EVENTS_AT_ONCE])).length === EVENTS_AT_ONCE);
  }
  await database.write((tx) => removeRest(tx, siteId));
}

async function untilIdle(database: Database, siteId: number): Promise<void> {
  for (let waitedMs = 0; await isLeased(database, siteId); waitedMs += LOOK_AGAIN_MS) {
    if (waitedMs >= LONGEST_WAIT_MS) {
      throw new Conflict(
        `Site ${siteId} is being deleted, and an order of it is still being processed: send the request again when it is done.`,
      );
    }
    await pause(LOOK_AGAIN_MS);
  }
}

/** @returns how many orders. */
async function removeOrders(tx: Transaction, siteId: number): Promise<number> {
  const ids = (await tx.execute<{ id: string }>(LOCK_ORDERS, [siteId, ORDERS_AT_ONCE])).map(({ id }) => id);
  if (ids.length > 0) for (const statement of OF_ORDERS) await tx.execute(statement, [ids]);
  return ids.length;
}

/** In the order in which requests lock: the clock, customers, orders, the site. Another deletion may have been faster. */
async function removeRest(tx: Transaction, siteId: number): Promise<void> {
  if ((await lockClock(tx, siteId)) === null) return;
  for (const lock of LOCKS) await tx.execute(lock, [siteId]);
  while ((await removeOrders(tx, siteId)) > 0);
  for (const [table, condition] of OF_SITES) await tx.execute(`DELETE FROM ${table} WHERE ${condition}`, [siteId]);
  await tx.execute(END_KEYS, [siteId]);
  await tx.execute(`DELETE FROM api_key_sites WHERE site_id = $1`, [siteId]);
  await tx.execute(`DELETE FROM test_clocks WHERE site_id = $1`, [siteId]);
  await tx.execute(`DELETE FROM sites WHERE id = $1 AND simulated`, [siteId]);
}
