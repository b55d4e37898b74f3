import { lib } from '../harness/product.mjs';
import { RATES_VERSION, SHIPPING } from '../shop/shop.mjs';
import { ADDRESS } from './address.mjs';

const columns = (kind, alias = '') => ADDRESS.map((part) => `${alias}${kind}_${part}`).join(', ');

/**
 * Next dates as plain intervals: they equal the product's calendar for the bench's orders, which are due on their
 * anchor.
 */
const NEXT = `CASE o.frequency_type WHEN 'Days' THEN o.next_occurrence_utc + make_interval(days => o.frequency::int)
    WHEN 'Weeks' THEN o.next_occurrence_utc + make_interval(weeks => o.frequency::int)
    WHEN 'Months' THEN o.next_occurrence_utc + make_interval(months => o.frequency::int)
    WHEN 'DayOfTheWeek' THEN o.next_occurrence_utc + interval '7 days' ELSE o.next_occurrence_utc + interval '1 month' END`;

/** pgbench takes every `:word` for a variable, also inside quotes. */
const literal = (sql) => sql.replace(/:(?=MI|SS)/g, "' || chr(58) || '");

/**
 * What PostgreSQL needs to write the rows of due orders when nobody asks whether a charge went through: one statement,
 * each row written once, complete; prices in SQL with the rates of the bench's shops as constants. `due`: SQL for the
 * `id` and `due_utc` of locked orders. It ends behind its last CTE; `e` has the orders that were written.
 */
export async function setBasedSql(due, prefix) {
  const { insertEventsSql } = await lib('events');
  return `WITH due AS (
${due}
), lines AS (
  SELECT d.id, i.product_id, p.title, i.quantity, l.amount,
    round(l.amount * 0.06, 2) + CASE WHEN o.shipping_state = 'CA' THEN round(l.amount * 0.015, 2) ELSE 0.00 END AS tax
  FROM due d JOIN scheduled_orders o ON o.id = d.id
  JOIN scheduled_order_items i ON i.scheduled_order_id = d.id AND i.deleted_utc IS NULL JOIN products p ON p.id = i.product_id
  CROSS JOIN LATERAL (SELECT round(coalesce(i.sale_price, i.price) * i.quantity, 2) AS amount) l
), priced AS (
  SELECT s.*, d.due_utc, ${SHIPPING('o.shipping_state', 's.subtotal', 's.units')}::numeric(20,2) AS shipping, nextval('orders_id_seq') AS order_id
  FROM (SELECT id, sum(amount) AS subtotal, sum(tax) AS tax, sum(quantity) AS units FROM lines GROUP BY id) s
  JOIN due d ON d.id = s.id JOIN scheduled_orders o ON o.id = s.id
), e AS (
  UPDATE scheduled_orders o
  SET cycles = o.cycles + 1, last_occurrence_utc = now(), updated_utc = now(), next_occurrence_utc = ${NEXT}, replaced_occurrence_utc = NULL,
    shipping_total = p.shipping * 100, tax_total = p.tax * 100, total = (p.subtotal + p.shipping + p.tax) * 100
  FROM priced p WHERE o.id = p.id
  RETURNING o.*, p.order_id, p.due_utc, p.subtotal, p.shipping, p.tax, p.subtotal + p.shipping + p.tax AS amount,
    'ScheduledOrderProcessed' AS event_type, uuid_v7() AS event_log_id,
    'The occurrence of ' || to_char(p.due_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC was processed: ' || (p.subtotal + p.shipping + p.tax) || ' ' || o.currency_iso || ' paid.' AS event_description
), ledger AS (
  INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, attempt, amount, currency_iso, payment_method_type,
    gateway_customer_id, gateway_payment_id, payment_integration_id, credentials_fingerprint, idempotency_key, started_utc,
    gateway_transaction_id, rates_version, order_cycles, order_id)
  SELECT e.site_id, e.id, e.cycles, 'Completed', false, e.due_utc, 1, e.total, e.currency_iso, e.payment_method_type,
    e.payment_method_customer_id, e.payment_method_id, n.id, '00000000000000000000000000000000', k.key, now(), 'sandbox_' || k.key, ${RATES_VERSION}, e.cycles - 1, e.order_id
  FROM e JOIN payment_integrations n ON n.site_id = e.site_id AND n.payment_method_type = e.payment_method_type AND n.deleted_utc IS NULL
  CROSS JOIN LATERAL (SELECT '${prefix}-' || e.id || '-t' || right(floor(extract(epoch FROM e.due_utc))::text, 6) || '-1' AS key) k
), written AS (
  INSERT INTO orders (id, site_id, customer_id, scheduled_order_id, cycle, is_recurring, date_created, date_paid, currency_iso, subtotal, shipping_total,
    tax_total, total, gateway_transaction_id, payment_method_type, ${columns('shipping')}, ${columns('billing')})
  SELECT e.order_id, e.site_id, e.customer_id, e.id, e.cycles, true, now(), now(), e.currency_iso, e.subtotal, e.shipping, e.tax, e.amount,
    'sandbox_${prefix}-' || e.id || '-' || e.cycles || '-1-${prefix}', e.payment_method_type, ${columns('shipping', 'e.')}, ${columns('billing', 'c.')}
  FROM e JOIN customers c ON c.id = e.customer_id
), items AS (
  INSERT INTO order_items (site_id, order_id, product_id, name, quantity, subtotal, total, tax_total, is_recurring)
  SELECT e.site_id, e.order_id, l.product_id, l.title, l.quantity, l.amount, l.amount, l.tax, true FROM e JOIN lines l ON l.id = e.id
), events AS (${insertEventsSql('e')}
)`;
}

/**
 * The limit: the above batch by batch. The claim goes on from a watermark (pgbench's variables `us` and `id`), so that
 * no batch steps over what is done. pgbench script text.
 */
export async function limitScript(batch, prefix) {
  const due = `  SELECT o.id, o.next_occurrence_utc AS due_utc FROM scheduled_orders o
  WHERE o.status = 'Active' AND o.deleted_utc IS NULL AND o.next_occurrence_utc <= now()
    AND (o.next_occurrence_utc, o.id) > (timestamptz 'epoch' + :us * interval '1 microsecond', :id::bigint)
  ORDER BY o.next_occurrence_utc, o.id LIMIT ${batch} FOR NO KEY UPDATE SKIP LOCKED`;
  return literal(`${await setBasedSql(due, prefix)}
SELECT coalesce((extract(epoch FROM due_utc) * 1000000)::bigint, :us) AS us, coalesce(id, :id::bigint) AS id
FROM (SELECT max(due_utc) AS due_utc, max(id) AS id FROM (SELECT due_utc, id FROM e ORDER BY due_utc DESC, id DESC LIMIT 1) last) last \\gset
`);
}
