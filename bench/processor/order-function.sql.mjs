import { ADDRESS } from './address.mjs';

const SHIPPING = ADDRESS.map((part) => `shipping_${part}`);
const BILLING = ADDRESS.map((part) => `billing_${part}`);

const FROZEN_ADDRESS = ['shipping', 'billing'].flatMap((kind) => ADDRESS.map((_, index) => `f.${kind} ->> ${index}`));

/** All of one order, in one statement. $1 its id. */
export const LOAD = `SELECT o.*, o.xmin::text AS version, now() AS now,
  coalesce((SELECT max(c.cycle) FROM processing_cycles c WHERE c.scheduled_order_id = o.id), 0) + 1 AS cycle,
  json_build_array(${SHIPPING.map((column) => `o.${column}`).join(', ')})::text AS shipping,
  json_build_array(${BILLING.map((column) => `c.${column}`).join(', ')})::text AS billing,
  (SELECT json_agg(json_build_array(i.id, i.product_id, i.price::text, i.sale_price::text, i.quantity, p.title, p.availability, p.stock_level,
     p.shipping_class, p.tax_class, p.deleted_utc) ORDER BY i.id)
   FROM scheduled_order_items i JOIN products p ON p.id = i.product_id WHERE i.scheduled_order_id = o.id AND i.deleted_utc IS NULL) AS items
FROM scheduled_orders o JOIN customers c ON c.id = o.customer_id
WHERE o.id = $1 AND o.status = 'Active' AND o.deleted_utc IS NULL AND o.next_occurrence_utc <= now()`;

/** What is about to be charged, on record before the gateway is called. */
export const FREEZE = `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, attempt, amount, currency_iso,
    payment_method_type, gateway_customer_id, gateway_payment_id, payment_integration_id, credentials_fingerprint, idempotency_key, started_utc, frozen,
    worker, lease_until_utc, rates_version, order_cycles, order_id)
  VALUES ($1, $2, $3, 'Charging', true, $4, 1, $5, $6, $7, $8, $9, $10, $11, $12, now(), $13, $14, now() + interval '2 minutes', $15, $16, nextval('orders_id_seq'))
  RETURNING order_id`;

/** All that a charged order leaves behind, in one statement and so in one transaction. */
export const record = (insertEventsSql) => `WITH e AS (
  UPDATE scheduled_orders o
  SET cycles = o.cycles + 1, last_occurrence_utc = now(), updated_utc = now(), next_occurrence_utc = $3, replaced_occurrence_utc = NULL,
    shipping_total = $4, tax_total = $5, total = $6
  WHERE o.id = $1 AND o.xmin = $2::text::xid
  RETURNING o.*, 'ScheduledOrderProcessed' AS event_type, uuid_v7() AS event_log_id, $7::text AS event_description
), ledger AS (
  UPDATE processing_cycles c
  SET state = 'Completed', open = false, gateway_transaction_id = $8, frozen = NULL, worker = NULL, lease_until_utc = NULL, updated_utc = now()
  FROM e WHERE c.scheduled_order_id = $1 AND c.cycle = $9 AND c.state = 'Charging'
), written AS (
  INSERT INTO orders (id, site_id, customer_id, scheduled_order_id, cycle, is_recurring, date_created, date_paid, currency_iso, subtotal, shipping_total,
    tax_total, total, gateway_transaction_id, payment_method_type, ${[...SHIPPING, ...BILLING].join(', ')})
  SELECT $10, e.site_id, e.customer_id, e.id, $9, true, now(), now(), e.currency_iso, (f.amounts ->> 0)::numeric, (f.amounts ->> 1)::numeric,
    (f.amounts ->> 2)::numeric, (f.amounts ->> 3)::numeric, $8, e.payment_method_type, ${FROZEN_ADDRESS.join(', ')}
  FROM e CROSS JOIN LATERAL (SELECT $11::jsonb -> 'amounts' AS amounts, $11::jsonb -> 'shipping' AS shipping,
    coalesce($11::jsonb -> 'billing', $11::jsonb -> 'shipping') AS billing OFFSET 0) f
), items AS (
  INSERT INTO order_items (site_id, order_id, product_id, name, quantity, subtotal, total, tax_total, is_recurring)
  SELECT e.site_id, $10, (item ->> 0)::bigint, item ->> 1, (item ->> 2)::bigint, (item ->> 3)::numeric, (item ->> 3)::numeric,
    (item ->> 4)::numeric, true
  FROM e CROSS JOIN LATERAL jsonb_array_elements($11::jsonb -> 'items') item
), events AS (${insertEventsSql('e')}
)
SELECT id FROM e`;
