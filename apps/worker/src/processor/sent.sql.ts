/**
 * What cycles that may have been sent have frozen, for asking the gateway about them. Ages are the database's: no worker's clock takes
 * part. pk_processing_cycles. $1 order ids, $2 cycles, $3 attempts, $4 workers.
 */
export const LOAD_SENT = `SELECT c.scheduled_order_id, c.cycle, c.amount, c.currency_iso, c.gateway_customer_id, c.gateway_payment_id,
  c.payment_method_type, c.payment_integration_id, c.credentials_fingerprint, c.idempotency_key, c.started_utc, c.due_utc,
  c.gateway_transaction_id, c.resolution, greatest(0, extract(epoch FROM now() - c.started_utc) * 1000)::bigint AS age_ms
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS b (id, cycle, attempt, worker)
JOIN processing_cycles c ON c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.worker = b.worker AND c.attempt = b.attempt AND c.open`;

/** Integrations that charges were sent with, also deleted ones: a look-up still needs their account. $1 integration ids. */
export const LOAD_PINNED_INTEGRATIONS = `SELECT i.id, i.site_id, i.payment_method_type, i.api_account, i.api_key1, i.api_key2, i.test_mode
FROM payment_integrations i
WHERE i.id = ANY ($1::bigint[])`;
