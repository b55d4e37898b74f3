import { businessNowSql } from '#libs/entities';
import { insertOutboxSql } from '#libs/events';
import { WITHOUT_ORDER } from '../differences/difference-kinds.js';
import { notifySql } from '../notify.js';
import { WAKE_IF_PUBLISHED } from './published.js';

const listed = (kinds: readonly string[]) => kinds.map((kind) => `'${kind}'`).join(', ');

/** SQL: the kinds of the open differences that hold an order; null: none does. ix_payment_differences_holding. */
export const heldBySql = (siteId: string, orderId: string): string =>
  `(SELECT string_agg(DISTINCT d.kind, ', ') FROM payment_differences d WHERE d.holds AND d.site_id = ${siteId} AND d.scheduled_order_id = ${orderId})`;

/**
 * SQL: the same for an order of a batch. All of its sites' are read once a statement, because nearly always there is
 * none. `siteIds`: SQL, an array.
 */
export const heldByInBatchSql = (siteIds: string, orderId: string): string =>
  `(SELECT jsonb_object_agg(h.scheduled_order_id, h.kinds) FROM (SELECT d.scheduled_order_id, string_agg(DISTINCT d.kind, ', ') AS kinds
    FROM payment_differences d WHERE d.holds AND d.site_id = ANY (${siteIds}) AND d.scheduled_order_id IS NOT NULL GROUP BY 1) h) ->> ${orderId}::text`;

/**
 * Writes the differences that are new, and an event for each. Their orders are locked, because the events of an order
 * are numbered in the order of the commits; an order of another site, which a charge may name, is none of theirs.
 * uq_payment_differences_fact, pk_scheduled_orders. $1 differences, JSON.
 */
export const REPORT = `WITH b AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS b (site_id bigint, kind text, fact text, alike text[], holds boolean, payment_integration_id bigint, payment_method_type text,
    gateway_transaction_id text, scheduled_order_id bigint, cycle bigint, order_id bigint, ours jsonb, theirs jsonb)
), fresh AS (
  SELECT b.* FROM b WHERE NOT EXISTS (SELECT 1 FROM payment_differences d WHERE d.site_id = b.site_id AND d.kind = ANY (b.alike) AND d.fact = b.fact)
), locked AS MATERIALIZED (
  SELECT o.id, o.site_id FROM scheduled_orders o WHERE (o.id, o.site_id) IN (SELECT f.scheduled_order_id, f.site_id FROM fresh f) ORDER BY o.id FOR NO KEY UPDATE
), reported AS (
  INSERT INTO payment_differences AS d (site_id, kind, fact, holds, payment_integration_id, payment_method_type, gateway_transaction_id,
    scheduled_order_id, cycle, order_id, ours, theirs)
  SELECT f.site_id, f.kind, f.fact, f.holds, f.payment_integration_id, f.payment_method_type, f.gateway_transaction_id,
    f.scheduled_order_id, f.cycle, f.order_id, f.ours, f.theirs
  FROM fresh f WHERE (SELECT count(*) FROM locked) >= 0
  ON CONFLICT (site_id, kind, fact) DO NOTHING
  RETURNING d.id, d.site_id, d.kind, d.payment_method_type, d.scheduled_order_id, d.cycle, d.order_id
), event AS (
  SELECT r.site_id, l.id AS scheduled_order_id, 'payment.differs'::varchar AS type, NULL::uuid AS log_id, jsonb_strip_nulls(jsonb_build_object(
    'DifferenceId', r.id, 'Kind', r.kind, 'PaymentMethodType', r.payment_method_type, 'Cycle', r.cycle, 'OrderId', r.order_id)) AS facts
  FROM reported r LEFT JOIN locked l ON l.id = r.scheduled_order_id AND l.site_id = r.site_id
), published AS (${insertOutboxSql('event', 'site_id')}
)
SELECT r.id::float8 AS id, r.kind, r.site_id::float8 AS site_id, r.scheduled_order_id::float8 AS scheduled_order_id, ${WAKE_IF_PUBLISHED}
FROM reported r`;

/** SQL: whether somebody has settled that a charge has no Order. uq_payment_differences_fact. */
export const isSettledSql = (siteId: string, transactionId: string, orderId: string): string =>
  `EXISTS (SELECT 1 FROM payment_differences d WHERE d.site_id = ${siteId} AND d.kind IN (${listed(WITHOUT_ORDER)})
    AND d.fact = ${transactionId} || '/' || ${orderId} AND d.state = 'Settled')`;

/** Of a charge without an Order. uq_payment_differences_fact. $1 site, $2 fact, $3 cycle. */
export const NAME_HELD_CYCLE = `UPDATE payment_differences d SET cycle = $3
WHERE d.site_id = $1 AND d.kind IN (${listed(WITHOUT_ORDER)}) AND d.fact = $2 AND d.state = 'Open' AND d.cycle IS DISTINCT FROM $3`;

/** pk_payment_differences. $1 ids, $2 as, $3 by, $4 note. */
export const SETTLE = `UPDATE payment_differences d
SET state = 'Settled', holds = false, settled_as = $2, settled_by = $3, note = $4, settled_utc = now()
WHERE d.id = ANY ($1::bigint[]) AND d.state = 'Open'`;

/**
 * The cycle that is held for the charge of a difference, and for nothing else: what was sent for it is known. A worker
 * that has it at this moment leaves it as it is. uq_processing_cycles_open. $1 difference.
 */
export const DISMISS = `WITH dismissed AS (
  UPDATE processing_cycles c SET resolution = 'NotCharged', next_attempt_utc = (SELECT ${businessNowSql('c')}), updated_utc = now()
  FROM payment_differences d
  WHERE d.id = $1 AND d.kind IN (${listed(WITHOUT_ORDER)}) AND c.scheduled_order_id = d.scheduled_order_id AND c.cycle = d.cycle
    AND c.open AND c.state = 'Unknown' AND c.resolution = 'NeedsReview'
  RETURNING c.simulated
)
SELECT ${notifySql('dismissed.simulated')} FROM dismissed`;

/** ix_payment_differences_holding. $1 site, $2 order. */
export const HOLDING = `SELECT d.id::float8 AS id, d.kind, d.ours, d.theirs, d.created_utc AS "createdUtc"
FROM payment_differences d WHERE d.holds AND d.site_id = $1 AND d.scheduled_order_id = $2 ORDER BY d.id`;

/** Which of these orders nothing holds. ix_payment_differences_holding. $1 order ids. */
export const NOT_HELD = `SELECT o.id::float8 AS id FROM scheduled_orders o
WHERE o.id = ANY ($1::bigint[]) AND ${heldBySql('o.site_id', 'o.id')} IS NULL`;

/**
 * The cycle of an order that nothing holds any more goes on at once: a worker judges it anew. What is unknown is looked
 * up, because it may be repeated again. uq_processing_cycles_open. $1 site, $2 order.
 */
export const LIFT = `WITH lifted AS (
  UPDATE processing_cycles c SET next_attempt_utc = (SELECT ${businessNowSql('c')}), updated_utc = now()
  WHERE c.scheduled_order_id = $2 AND c.site_id = $1 AND c.open AND c.worker IS NULL AND (c.held_for IS NOT NULL OR c.state = 'Unknown')
    AND ${heldBySql('$1::bigint', '$2::bigint')} IS NULL
  RETURNING c.simulated
)
SELECT ${notifySql('lifted.simulated')} FROM lifted`;
