-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/audited-cycles.sql.ts

-- NAMED_CYCLES
SELECT c.scheduled_order_id,
  c.cycle,
  c.state,
  c.due_utc,
  c.gateway_transaction_id AS transaction_id,
  c.order_id,
  c.amount,
  c.currency_iso,
  c.gateway_customer_id,
  c.look_ups,
  p.total,
  p.currency_iso AS total_currency
FROM unnest(
  $3::bigint[], $4::text[], $5::timestamptz[], $6::timestamptz[]
) AS b (order_id, transaction_id, due_utc, charged_utc)
CROSS JOIN LATERAL (
  SELECT l.*
  FROM (
    SELECT s.id, CASE WHEN b.charged_utc < now() - interval '2 months' THEN s.archived_cycle END AS archived_cycle
    FROM scheduled_orders s
    WHERE s.site_id = $1 AND s.id = b.order_id
  ) o
  CROSS JOIN LATERAL (
    SELECT l.*
    FROM processing_cycles l
    WHERE l.scheduled_order_id = o.id
    UNION ALL
    SELECT r.*
    FROM archived_cycles a
    CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
    WHERE o.archived_cycle IS NOT NULL AND a.scheduled_order_id = o.id
  ) l
  WHERE l.gateway_transaction_id = b.transaction_id OR date_trunc('second', l.due_utc) = b.due_utc
  UNION ALL
  SELECT l.*
  FROM orders q
  CROSS JOIN LATERAL (
    SELECT s.id, CASE WHEN b.charged_utc < now() - interval '2 months' THEN s.archived_cycle END AS archived_cycle
    FROM scheduled_orders s
    WHERE s.site_id = $1 AND s.id = q.scheduled_order_id
  ) o
  CROSS JOIN LATERAL (
    SELECT l.*
    FROM processing_cycles l
    WHERE l.scheduled_order_id = o.id
    UNION ALL
    SELECT r.*
    FROM archived_cycles a
    CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
    WHERE o.archived_cycle IS NOT NULL AND a.scheduled_order_id = o.id
  ) l
  WHERE q.site_id = $1
    AND q.payment_method_type = $2
    AND q.gateway_transaction_id = b.transaction_id
    AND l.cycle = q.cycle
) c
LEFT JOIN orders p ON p.id = c.order_id;

-- UNLISTED_CYCLES
SELECT c.scheduled_order_id,
  c.cycle,
  c.state,
  c.due_utc,
  c.gateway_transaction_id AS transaction_id,
  c.order_id,
  c.amount,
  c.currency_iso,
  c.gateway_customer_id,
  c.look_ups,
  p.total,
  p.currency_iso AS total_currency
FROM orders p
JOIN processing_cycles c ON c.scheduled_order_id = p.scheduled_order_id AND c.cycle = p.cycle
WHERE p.site_id = $1
  AND p.scheduled_order_id IS NOT NULL
  AND p.deleted_utc IS NULL
  AND p.date_created > $4
  AND p.date_created <= $5
  AND c.state = 'Completed'
  AND c.amount > 0
  AND c.payment_integration_id = $2
  AND c.credentials_fingerprint = $3
  AND NOT EXISTS (SELECT FROM unnest($6::text[]) AS l (id) WHERE l.id = c.gateway_transaction_id);
