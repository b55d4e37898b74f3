import { logMovedIn } from '#libs/events';
import type { Transaction } from '#libs/platform';
import { written } from '../written.js';
import { SOURCE } from './references.js';
import { ADDRESS_LIST } from './stage-tables.js';

const SHIPPING = ADDRESS_LIST.split(', ')
  .filter((column) => column.startsWith('shipping_'))
  .join(', ');
const BILLING = ADDRESS_LIST.split(', ')
  .filter((column) => column.startsWith('billing_'))
  .join(', ');
const LOGGED_AT_ONCE = 500;

const HAS_CARD = 'gateway_customer_id IS NOT NULL AND gateway_card_id IS NOT NULL';
/** Of somebody who pays by hand, the order has no card: nobody could charge it by accident. */
const PAYS = `(NOT is_manual AND ${HAS_CARD})`;

/** Writes the orders, paused, with all that belongs to them. @returns how many. */
export async function writeOrders(tx: Transaction, siteId: number, exportedUtc: Date): Promise<number> {
  await tx.execute(
    `UPDATE staged SET order_id = numbered.id
     FROM (SELECT line, nextval(pg_get_serial_sequence('scheduled_orders', 'id')) AS id
           FROM (SELECT line FROM staged ORDER BY line) AS sorted) AS numbered
     WHERE numbered.line = staged.line`,
  );
  const created = await written(
    tx,
    `INSERT INTO scheduled_orders (id, site_id, customer_id, status, frequency_type, frequency, currency_iso, next_occurrence_utc,
       schedule_anchor_utc, payment_method_type, payment_method_customer_id, payment_method_id, payment_method_description,
       shipping_total, tax_total, total, shipping_total_fixed, tax_total_fixed, ${SHIPPING})
     SELECT order_id, $1, customer_id, 'Paused', frequency_type, frequency, currency_iso, next_utc, anchor_utc,
       CASE WHEN ${PAYS} THEN payment_type END, CASE WHEN ${PAYS} THEN gateway_customer_id END,
       CASE WHEN ${PAYS} THEN gateway_card_id END, CASE WHEN ${PAYS} THEN payment_description END,
       shipping_total, tax_total, total, shipping_fixed, tax_fixed, ${SHIPPING}
     FROM staged ORDER BY line`,
    [siteId],
  );
  await tx.execute(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT $1, s.order_id, i.product_id, i.price, i.quantity FROM staged s JOIN staged_items i USING (line) ORDER BY line, place`,
    [siteId],
  );
  await writeCards(tx, siteId);
  await tx.execute(
    `INSERT INTO migrated_subscriptions (scheduled_order_id, site_id, source, source_id, source_status, payment_method_type,
       gateway_customer_id, gateway_card_id, next_payment_utc, source_total, exported_utc, state, reason)
     SELECT order_id, $1, $2, source_id, source_status, payment_type, gateway_customer_id, gateway_card_id, next_utc, file_total, $3,
       CASE WHEN reason IS NULL THEN 'Imported' ELSE 'Manual' END, reason
     FROM staged ORDER BY line`,
    [siteId, SOURCE, exportedUtc],
  );
  await writeLog(tx);
  return created;
}

/**
 * The cards as payment methods of their customers; the gateway's customers as ones that the shop has recorded
 * (decisions.md §3, Whose card).
 */
async function writeCards(tx: Transaction, siteId: number): Promise<void> {
  await tx.execute(
    `INSERT INTO payment_methods (site_id, customer_id, type, gateway_customer_id, gateway_payment_id, description, ${BILLING})
     SELECT DISTINCT ON (customer_id, payment_type, gateway_customer_id, gateway_card_id)
       $1, customer_id, payment_type, gateway_customer_id, gateway_card_id, payment_description, ${BILLING}
     FROM staged WHERE ${HAS_CARD} ORDER BY customer_id, payment_type, gateway_customer_id, gateway_card_id, line
     ON CONFLICT DO NOTHING`,
    [siteId],
  );
  await tx.execute(
    `INSERT INTO gateway_customers (customer_id, type, gateway_customer_id)
     SELECT DISTINCT customer_id, payment_type, gateway_customer_id FROM staged WHERE gateway_customer_id IS NOT NULL
     ON CONFLICT DO NOTHING`,
  );
}

async function writeLog(tx: Transaction): Promise<void> {
  for (let after = 0; ;) {
    const rows = await tx.execute<{ id: number; description: string }>(
      `SELECT order_id AS id, 'Moved in: subscription ' || source_id || ' of WooCommerce. Paused '
         || coalesce('because ' || reason || '.', 'until it goes live.') AS description
       FROM staged WHERE order_id > $1 ORDER BY order_id LIMIT $2`,
      [after, LOGGED_AT_ONCE],
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    await logMovedIn(tx, rows);
  }
}
