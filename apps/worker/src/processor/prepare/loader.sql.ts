import { columnOf } from '#libs/entities';
import { hasUnplacedSql, heldByInBatchSql, receiverInBatchSql } from '#libs/ledger';
import { BILLING_ADDRESS, pricedItemsSql, SHIPPING_ADDRESS } from '#libs/records';

const shipping = SHIPPING_ADDRESS.map((field) => `o.${columnOf(field)}`).join(', ');

/** The billing address of the payment method where it has any, else of the customer (decisions.md §9). */
const billed = `num_nonnulls(${BILLING_ADDRESS.map((field) => `m.${columnOf(field)}`).join(', ')}) > 0`;
const billing = BILLING_ADDRESS.map(columnOf)
  .map((column) => `CASE WHEN b.own THEN m.${column} ELSE cu.${column} END`)
  .join(', ');

/**
 * All that pricing and freezing need of the orders of a batch. `version` shows later whether the row was changed. The
 * addresses are text that goes into the ledger as it is (`prepare.ts`). The LIMIT makes PostgreSQL look up one payment
 * method per order, even with wrong statistics. With a join, it read the whole table for every order when the table was
 * never analysed. pk_scheduled_orders, ix_scheduled_order_items_order, uq_payment_methods_gateway_ids,
 * ix_found_charges_unplaced, ix_payment_differences_holding. `prices_version` adds up the versions of the batch's
 * sites, once for the statement: it is another sum when a class of a product or an exemption is another one than with
 * the rates. What names a product to a shop is read only where orders are pushed there. pk_rate_versions,
 * pk_site_shops. $1 order ids, $2 at most so many items of each (null: all), $3 site ids.
 */
export const LOAD_ORDERS = `SELECT o.id, o.xmin::text AS version, o.customer_id, o.status, o.deleted_utc IS NOT NULL AS deleted,
  o.frequency_type, o.frequency, o.schedule_anchor_utc, coalesce(o.last_occurrence_utc, o.created_utc) AS settled_until_utc,
  o.created_utc, o.cycles, o.currency_iso, o.payment_method_type, o.payment_method_customer_id,
  o.payment_method_id, o.shipping_total, o.tax_total, o.total, o.shipping_total_fixed, o.tax_total_fixed, o.shipping_country,
  o.shipping_state, o.shipping_city, o.shipping_postcode, cu.tax_exempt, ${hasUnplacedSql('o.id')} AS has_unplaced,
  ${heldByInBatchSql('$3', 'o.id')} AS held_by, r.receiver,
  (SELECT coalesce(sum(v.version), 0)::bigint FROM rate_versions v WHERE v.site_id = ANY ($3::bigint[])) AS prices_version,
  json_build_array(${shipping})::text AS shipping, json_build_array(${billing})::text AS billing,
  ${pricedItemsSql('p.title', 'r.receiver IS NOT NULL')} AS items
FROM unnest($1::bigint[]) AS batch (id)
JOIN scheduled_orders o ON o.id = batch.id
JOIN customers cu ON cu.id = o.customer_id
LEFT JOIN LATERAL (
  SELECT m.* FROM payment_methods m
  WHERE m.customer_id = o.customer_id AND m.type = o.payment_method_type AND m.gateway_customer_id = o.payment_method_customer_id
    AND m.gateway_payment_id = o.payment_method_id AND m.deleted_utc IS NULL
  LIMIT 1) m ON true
CROSS JOIN LATERAL (SELECT ${billed} AS own) b
CROSS JOIN LATERAL (SELECT ${receiverInBatchSql('$3', 'o.site_id')} AS receiver) r`;

/** How many items each of these orders has. ix_scheduled_order_items_order. $1 order ids. */
export const COUNT_ITEMS = `SELECT batch.id, (
    SELECT count(*) FROM scheduled_order_items i WHERE i.scheduled_order_id = batch.id AND i.deleted_utc IS NULL) AS items
FROM unnest($1::bigint[]) AS batch (id)`;

/** pk_sites. $1 site ids. */
export const LOAD_ACCOUNTS = `SELECT id AS site_id, user_id AS account_id FROM sites WHERE id = ANY ($1::bigint[])`;
