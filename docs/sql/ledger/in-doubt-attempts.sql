-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/in-doubt-attempts.sql.ts

-- LOAD_IN_DOUBT
SELECT c.scheduled_order_id,
  c.cycle,
  c.amount,
  c.currency_iso,
  c.gateway_customer_id,
  c.gateway_payment_id,
  c.payment_method_type,
  c.payment_integration_id,
  c.credentials_fingerprint,
  c.idempotency_key,
  c.started_utc,
  c.gateway_transaction_id,
  c.resolution,
  c.failure_message,
  coalesce(o.last_occurrence_utc, o.created_utc) AS settled_until_utc,
  c.known_to_gateway,
  (extract(epoch FROM now() - c.replayed_utc) * 1000)::bigint AS replayed_ms,
  c.stopped_utc IS NOT NULL AS stopped,
  coalesce(c.stopped_utc = c.created_utc, false) AS made_for_found,
  f.amount AS found_amount,
  f.charged_utc AS found_utc,
  EXISTS (SELECT 1 FROM found_charges f WHERE f.scheduled_order_id = o.id AND f.state = 'Unplaced') AS has_unplaced,
  (
    SELECT string_agg(DISTINCT d.kind, ', ')
    FROM payment_differences d
    WHERE d.holds AND d.site_id = c.site_id AND d.scheduled_order_id = o.id
  ) AS held_by,
  (extract(epoch FROM now() - c.stopped_utc) * 1000 - 2000)::bigint AS quiet_ms,
  greatest(0, extract(epoch FROM now() - c.started_utc) * 1000)::bigint AS age_ms
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[]) AS b (id, cycle, worker, claim, attempt)
JOIN processing_cycles c ON c.scheduled_order_id = b.id
  AND c.cycle = b.cycle
  AND c.worker = b.worker
  AND c.claim = b.claim
  AND c.attempt = b.attempt
  AND c.open
JOIN scheduled_orders o ON o.id = c.scheduled_order_id
LEFT JOIN found_charges f ON f.payment_integration_id = c.payment_integration_id
  AND f.transaction_id = c.gateway_transaction_id
  AND f.scheduled_order_id = o.id
  AND f.is_charged;

-- READ_PAST_ATTEMPTS
SELECT c.past_attempts FROM processing_cycles c WHERE c.scheduled_order_id = $1 AND c.cycle = $2;
