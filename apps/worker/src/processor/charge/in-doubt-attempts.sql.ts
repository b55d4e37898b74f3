import { FENCE, heldBySql } from '#libs/cycles';
import { hasUnplaced } from '../reconcile/reconcile.sql.js';

/** A sending that begins within a second after a request's answer counts as sent before it. The other second allows for the request's own COMMIT. */
const QUIET_MS = `(extract(epoch FROM now() - c.stopped_utc) * 1000 - 2000)::bigint`;

/**
 * The frozen values of in-doubt cycles, for their look-ups. Ages are measured by the database's clock, never by a worker's. pk_processing_cycles,
 * ix_found_charges_unplaced, pk_found_charges, ix_payment_differences_holding. $1 order ids, $2 cycles, $3 attempts, $4 workers, $5 claims.
 */
export const LOAD_IN_DOUBT = `SELECT c.scheduled_order_id, c.cycle, c.amount, c.currency_iso, c.gateway_customer_id, c.gateway_payment_id,
  c.payment_method_type, c.payment_integration_id, c.credentials_fingerprint, c.idempotency_key, c.started_utc,
  c.gateway_transaction_id, c.resolution, c.failure_message, coalesce(o.last_occurrence_utc, o.created_utc) AS settled_until_utc, c.known_to_gateway, c.stopped_utc IS NOT NULL AS stopped,
  coalesce(c.stopped_utc = c.created_utc, false) AS made_for_found,
  f.amount AS found_amount, f.charged_utc AS found_utc,
  ${hasUnplaced('o.id')} AS has_unplaced, ${heldBySql('c.site_id', 'o.id')} AS held_by, ${QUIET_MS} AS quiet_ms, greatest(0, extract(epoch FROM now() - c.started_utc) * 1000)::bigint AS age_ms
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[]) AS b (id, cycle, attempt, worker, claim)
JOIN processing_cycles c ON ${FENCE} AND c.attempt = b.attempt AND c.open
JOIN scheduled_orders o ON o.id = c.scheduled_order_id
LEFT JOIN found_charges f ON f.payment_integration_id = c.payment_integration_id AND f.transaction_id = c.gateway_transaction_id
  AND f.scheduled_order_id = o.id AND f.is_charged`;

/** Integrations that charges were sent with, also deleted ones: a look-up still needs their account. $1 integration ids. */
export const LOAD_PINNED_INTEGRATIONS = `SELECT i.id, i.site_id, i.payment_method_type, i.api_account, i.api_key1, i.api_key2, i.test_mode
FROM payment_integrations i
WHERE i.id = ANY ($1::bigint[])`;

/** What was sent for a cycle before its present attempt, the oldest first. pk_processing_cycles. $1 order id, $2 cycle. */
export const READ_PAST_ATTEMPTS = `SELECT c.past_attempts FROM processing_cycles c WHERE c.scheduled_order_id = $1 AND c.cycle = $2`;
