import { deleteCycles } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { NEXT_UPDATED_UTC } from '#libs/records';

type Deletion = (tx: Transaction, ids: readonly number[]) => Promise<unknown>;

/** Records of a site, some of which one transaction deletes. */
export interface Part {
  /** The ids of some of them; they are locked. $1 site. */
  readonly find: string;
  /** What refers to others before them. */
  readonly deletions: readonly Deletion[];
}

/**
 * SQL: at most so many of a table. Both conditions have an index: those that are deleted, and those that are not. $1
 * site.
 */
const someOf = (table: string, most: number) => `SELECT x.id FROM ${table} x WHERE x.id IN (
  (SELECT i.id FROM ${table} i WHERE i.site_id = $1 AND i.deleted_utc IS NULL LIMIT ${most})
  UNION ALL (SELECT i.id FROM ${table} i WHERE i.site_id = $1 AND i.deleted_utc IS NOT NULL LIMIT ${most})
) ORDER BY x.id FOR UPDATE`;

/** SQL: at most so many of a table that are not deleted. $1 site. */
const livingOf = (table: string, most: number) =>
  `SELECT x.id FROM ${table} x WHERE x.site_id = $1 AND x.deleted_utc IS NULL ORDER BY x.id LIMIT ${most} FOR UPDATE`;

/** $1 ids. */
const deleted =
  (statement: string): Deletion =>
  (tx, ids) =>
    tx.execute(statement, [ids]);

/** One statement for each table, whose column has the ids. */
const deleteBy = (column: string, ...tables: readonly string[]): Deletion[] =>
  tables.map((table) => deleted(`DELETE FROM ${table} WHERE ${column} = ANY ($1::bigint[])`));

/**
 * A daily order of a century has 36,500 cycles, so few at once. Requests that write for them wait, and find nothing
 * then. ix_scheduled_orders_site, ix_scheduled_orders_deleted_id.
 */
export const ORDERS: Part = {
  find: someOf('scheduled_orders', 10),
  deletions: [
    ...deleteBy(
      'scheduled_order_id',
      'event_logs',
      'error_logs',
      'action_logs',
      'order_pushes',
      'upcoming_notices',
      'migrated_subscriptions',
    ),
    deleteCycles,
    deleted(
      `DELETE FROM order_items WHERE order_id IN (SELECT o.id FROM orders o WHERE o.scheduled_order_id = ANY ($1::bigint[]))`,
    ),
    ...deleteBy('scheduled_order_id', 'orders', 'scheduled_order_items'),
    ...deleteBy('id', 'scheduled_orders'),
  ],
};

/** Orders without a schedule. ix_orders_site, pk_order_items. */
export const LOOSE_ORDERS: Part = {
  find: livingOf('orders', 1_000),
  deletions: [...deleteBy('order_id', 'order_items'), ...deleteBy('id', 'orders')],
};

const ENDPOINTS = `SELECT e.id FROM webhook_endpoints e WHERE e.site_id = $1`;

/** uq_webhook_deliveries_event. */
export const DELIVERIES: Part = {
  find: `SELECT d.id FROM webhook_deliveries d WHERE d.webhook_endpoint_id IN (${ENDPOINTS}) LIMIT 5000 FOR UPDATE`,
  deletions: deleteBy('id', 'webhook_deliveries'),
};

/** Those that have their number. ix_outbox_site, uq_outbox_sequence. */
export const EVENTS: Part = {
  find: `SELECT x.sequence AS id FROM outbox x WHERE x.site_id = $1 AND x.sequence IS NOT NULL ORDER BY x.sequence LIMIT 5000 FOR UPDATE`,
  deletions: deleteBy('sequence', 'outbox'),
};

/** Those that are not deleted. ix_customers_site. */
export const CUSTOMERS: Part = {
  find: livingOf('customers', 500),
  deletions: [
    ...deleteBy('customer_id', 'payment_methods', 'gateway_customers', 'access_tokens'),
    ...deleteBy('id', 'customers'),
  ],
};

/** Those that are not deleted, once no order has them. ix_products_site. */
export const PRODUCTS: Part = { find: livingOf('products', 500), deletions: deleteBy('id', 'products') };

/** Requests that write for them wait, and find nothing then. $1 site. */
const LOCK_CUSTOMERS = `SELECT c.id FROM customers c WHERE c.site_id = $1 ORDER BY c.id FOR UPDATE`;
const LOCK_SITE = `SELECT 1 FROM sites s WHERE s.id = $1 FOR UPDATE`;

const OF_SITE = 'site_id = $1';
const INTEGRATIONS = 'SELECT i.id FROM payment_integrations i WHERE i.site_id = $1';

/** What is left of a site: tables and conditions, what refers to others before them. $1 site. */
const REST = [
  ['order_items', `order_id IN (SELECT o.id FROM orders o WHERE o.site_id = $1)`],
  ['orders', OF_SITE],
  ['found_charges', `payment_integration_id IN (${INTEGRATIONS})`],
  ['payment_differences', OF_SITE],
  ['integration_audits', `payment_integration_id IN (${INTEGRATIONS})`],
  ['integration_reconciliations', `payment_integration_id IN (${INTEGRATIONS})`],
  ['integration_waits', OF_SITE],
  ['payment_integrations', OF_SITE],
  ['products', OF_SITE],
  ['shipping_rates', OF_SITE],
  ['tax_rates', OF_SITE],
  ['site_settings', OF_SITE],
  ['site_shops', OF_SITE],
  ['shop_reads', OF_SITE],
  ['shop_hints', OF_SITE],
  ['product_imports', OF_SITE],
  // Triggers write these with every change of rates and settings.
  ['price_history', OF_SITE],
  ['price_insertions', OF_SITE],
  ['rate_versions', OF_SITE],
  ['webhook_deliveries', `webhook_endpoint_id IN (${ENDPOINTS})`],
  ['webhook_endpoints', OF_SITE],
  // An event may get its number in between: it is found by one of the two, in this order. Each has an index of its own.
  ['outbox', `${OF_SITE} AND sequence IS NULL`],
  ['outbox', `${OF_SITE} AND sequence IS NOT NULL`],
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

/** Deletes some of them. @returns whether there may be more. */
export async function removeSome(tx: Transaction, siteId: number, { find, deletions }: Part): Promise<boolean> {
  return removeFound(tx, deletions, await tx.execute<{ id: number }>(find, [siteId]));
}

async function removeFound(tx: Transaction, deletions: Part['deletions'], rows: { id: number }[]): Promise<boolean> {
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  for (const deletion of deletions) await deletion(tx, ids);
  return true;
}

/**
 * Deletes the site with what is left of it: what was deleted by requests before, and what requests have made since. It
 * reads some tables whole. It locks in the order in which requests do: customers, orders, the site. The clock must be
 * locked.
 */
export async function removeLast(tx: Transaction, siteId: number): Promise<void> {
  const customers = await tx.execute<{ id: number }>(LOCK_CUSTOMERS, [siteId]);
  while (await removeSome(tx, siteId, ORDERS));
  await tx.execute(LOCK_SITE, [siteId]);
  await removeFound(tx, CUSTOMERS.deletions, customers);
  for (const [table, condition] of REST) await tx.execute(`DELETE FROM ${table} WHERE ${condition}`, [siteId]);
  await tx.execute(END_KEYS, [siteId]);
  await tx.execute(`DELETE FROM api_key_sites WHERE site_id = $1`, [siteId]);
  await tx.execute(`DELETE FROM test_clocks WHERE site_id = $1`, [siteId]);
  await tx.execute(`DELETE FROM sites WHERE id = $1 AND simulated`, [siteId]);
}
