import type { Transaction } from '#libs/database';
import { NEXT_UPDATED_UTC } from '#libs/records';

const OF_SITE = 'site_id = $1';
const ORDERS = 'SELECT o.id FROM scheduled_orders o WHERE o.site_id = $1';
const CUSTOMERS = 'SELECT c.id FROM customers c WHERE c.site_id = $1';
const INTEGRATIONS = 'SELECT i.id FROM payment_integrations i WHERE i.site_id = $1';

/** What belongs to a site: tables and conditions, what refers to others before them. $1 site. */
const PARTS = [
  ['event_logs', `scheduled_order_id IN (${ORDERS})`],
  ['error_logs', `scheduled_order_id IN (${ORDERS})`],
  ['action_logs', `scheduled_order_id IN (${ORDERS})`],
  ['upcoming_notices', `scheduled_order_id IN (${ORDERS})`],
  ['migrated_subscriptions', `scheduled_order_id IN (${ORDERS})`],
  ['archived_cycles', `scheduled_order_id IN (${ORDERS})`],
  ['processing_cycles', `scheduled_order_id IN (${ORDERS})`],
  ['order_items', `order_id IN (SELECT o.id FROM orders o WHERE o.site_id = $1)`],
  ['orders', OF_SITE],
  ['scheduled_order_items', `scheduled_order_id IN (${ORDERS})`],
  ['scheduled_orders', OF_SITE],
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
  ['webhook_deliveries', `webhook_endpoint_id IN (SELECT e.id FROM webhook_endpoints e WHERE e.site_id = $1)`],
  ['webhook_endpoints', OF_SITE],
  ['outbox', OF_SITE],
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

/** Requests that write for them wait, and find nothing then: these references are not checked. $1 site. */
const LOCKS = [
  `SELECT 1 FROM customers c WHERE c.site_id = $1 ORDER BY c.id FOR UPDATE`,
  `SELECT 1 FROM scheduled_orders o WHERE o.site_id = $1 ORDER BY o.id FOR UPDATE`,
  `SELECT 1 FROM sites s WHERE s.id = $1 FOR UPDATE`,
];

/** Deletes a simulated site with all that belongs to it. Its clock must be locked. */
export async function removeSite(tx: Transaction, siteId: number): Promise<void> {
  for (const lock of LOCKS) await tx.execute(lock, [siteId]);
  for (const [table, condition] of PARTS) await tx.execute(`DELETE FROM ${table} WHERE ${condition}`, [siteId]);
  await tx.execute(END_KEYS, [siteId]);
  await tx.execute(`DELETE FROM api_key_sites WHERE site_id = $1`, [siteId]);
  await tx.execute(`DELETE FROM test_clocks WHERE site_id = $1`, [siteId]);
  await tx.execute(`DELETE FROM sites WHERE id = $1 AND simulated`, [siteId]);
}
