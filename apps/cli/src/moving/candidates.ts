import type { SqlExecutor } from '#libs/platform';
import type { Candidate } from './candidate.js';
import { DECIDED_HERE, KEEPS_DATE, LIVE_ELSEWHERE } from './decisions.sql.js';

/** An order may have thousands of items. */
const AT_ONCE = 200;

/**
 * Those of a site that the check judges, or that are live already, by id. ix_migrated_subscriptions_state. $1 site id,
 * $2 states, $3 after, $4 at most.
 */
const CANDIDATES = `SELECT m.scheduled_order_id AS id, m.site_id AS "siteId", m.version, m.source_id AS "sourceId",
  m.source_status AS "sourceStatus", m.gateway_customer_id AS "gatewayCustomerId", m.gateway_card_id AS "gatewayCardId",
  m.next_payment_utc AS "nextPaymentUtc", m.exported_utc AS "exportedUtc", m.accounted_utc AS "accountedUtc", ${KEEPS_DATE} AS "keepsDate",
  m.source_total AS "sourceTotal", m.live_utc AS "liveUtc", o.status, o.deleted_utc IS NOT NULL AS deleted, o.cancelled_utc IS NOT NULL AS cancelled, ${DECIDED_HERE} AS "isDecidedHere",
  ${LIVE_ELSEWHERE} AS "liveElsewhere",
  o.next_occurrence_utc AS "nextOccurrenceUtc", o.payment_method_type AS "paymentMethodType",
  o.payment_method_customer_id AS "paymentMethodCustomerId", o.payment_method_id AS "paymentMethodId", o.currency_iso AS "currencyIso",
  o.cycles, o.shipping_total AS "shippingTotal", o.tax_total AS "taxTotal", o.shipping_total_fixed AS "shippingTotalFixed",
  o.tax_total_fixed AS "taxTotalFixed", o.shipping_country AS "shippingCountry", o.shipping_state AS "shippingState",
  o.shipping_city AS "shippingCity", o.shipping_postcode AS "shippingPostcode", cu.tax_exempt AS "taxExempt",
  coalesce((SELECT json_agg(json_build_object('id', i.id, 'productId', i.product_id, 'price', i.price::text, 'salePrice', i.sale_price::text,
      'quantity', i.quantity, 'title', p.title, 'product', json_build_object('availability', p.availability, 'stockLevel', p.stock_level,
      'shippingClass', p.shipping_class, 'taxClass', p.tax_class, 'deletedUtc', p.deleted_utc)) ORDER BY i.id)
    FROM scheduled_order_items i JOIN products p ON p.id = i.product_id
    WHERE i.scheduled_order_id = m.scheduled_order_id AND i.deleted_utc IS NULL), '[]') AS items
FROM (SELECT *, xmin::text AS version FROM migrated_subscriptions WHERE site_id = $1 AND state = ANY ($2::text[]) AND scheduled_order_id > $3
  ORDER BY scheduled_order_id LIMIT $4) m
JOIN scheduled_orders o ON o.id = m.scheduled_order_id
JOIN customers cu ON cu.id = o.customer_id
ORDER BY m.scheduled_order_id`;

/** A site's moved subscriptions that are in one of these states, in portions, by id. */
export async function* candidatesOf(
  database: SqlExecutor,
  siteId: number,
  states: readonly string[],
): AsyncGenerator<readonly Candidate[], void> {
  for (let after = 0; ;) {
    const rows = await database.execute<Candidate>(CANDIDATES, [siteId, states, after, AT_ONCE]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}
