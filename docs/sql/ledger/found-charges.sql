-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/found-charges.sql.ts

-- HAS_UNPLACED
SELECT EXISTS (SELECT FROM found_charges f WHERE f.state = 'Unplaced') AS found;

-- KEEP_UNKNOWN
INSERT INTO found_charges (
  payment_integration_id,
  site_id,
  transaction_id,
  scheduled_order_id,
  cycle,
  attempt,
  due_utc,
  amount,
  currency_iso,
  charged_utc,
  is_charged,
  is_doubtful,
  state
)
SELECT $1,
  $2,
  b.transaction_id,
  b.order_id,
  b.cycle,
  b.attempt,
  b.due_utc,
  b.amount,
  b.currency_iso,
  b.charged_utc,
  b.is_charged,
  NOT coalesce(customer.is_known, false) OR b.is_anyones AND b.due_utc IS NOT NULL,
  CASE WHEN o.id IS NULL THEN 'Orphan' ELSE 'Unplaced' END
FROM unnest(
  $5::text[],
  $6::bigint[],
  $7::bigint[],
  $8::bigint[],
  $9::timestamptz[],
  $10::bigint[],
  $11::text[],
  $12::timestamptz[],
  $13::boolean[],
  $14::text[],
  $15::boolean[]
)
AS b (
  transaction_id,
  order_id,
  cycle,
  attempt,
  due_utc,
  amount,
  currency_iso,
  charged_utc,
  is_charged,
  gateway_customer_id,
  is_anyones
)
LEFT JOIN scheduled_orders o ON o.id = b.order_id
CROSS JOIN LATERAL (
  SELECT b.gateway_customer_id IS NULL
    AND NOT b.is_anyones
    OR b.gateway_customer_id = o.payment_method_customer_id
    OR EXISTS (
      SELECT 1
      FROM gateway_customers g
      WHERE g.customer_id = o.customer_id AND g.gateway_customer_id = b.gateway_customer_id
    )
    OR EXISTS (
      SELECT 1
      FROM (
        SELECT l.*
        FROM processing_cycles l
        WHERE l.scheduled_order_id = o.id
        UNION ALL
        SELECT r.*
        FROM archived_cycles a
        CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
        WHERE o.archived_cycle IS NOT NULL AND a.scheduled_order_id = o.id
      ) c
      WHERE c.gateway_customer_id = b.gateway_customer_id
    ) AS is_known
) customer
WHERE (o.id IS NULL OR o.site_id = $2)
  AND (customer.is_known OR NOT b.is_anyones)
  AND NOT EXISTS (
    SELECT 1
    FROM payment_differences d
    WHERE d.site_id = $2
      AND d.kind IN ('ChargeWithoutCycle', 'TwoCharges', 'ChargedAfterStop')
      AND d.fact = b.transaction_id || '/' || b.order_id
      AND d.state = 'Settled'
  )
  AND NOT EXISTS (
    SELECT 1
    FROM (
      SELECT l.*
      FROM processing_cycles l
      WHERE l.scheduled_order_id = o.id
      UNION ALL
      SELECT r.*
      FROM archived_cycles a
      CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
      WHERE o.archived_cycle IS NOT NULL AND a.scheduled_order_id = o.id
    ) c
    WHERE (
      c.state = 'Completed'
        AND c.gateway_transaction_id = b.transaction_id
        OR c.state = 'Completed'
        AND c.past_attempts @> jsonb_build_array(jsonb_build_object('GatewayTransactionId', b.transaction_id))
        OR c.state = 'Completed'
        AND b.due_utc IS NULL
        AND c.cycle = b.cycle
        AND c.updated_utc < $4::timestamptz
        OR $3
        AND c.state = 'Charging'
        AND b.due_utc = date_trunc('second', c.due_utc)
        AND c.attempt = b.attempt
        AND c.lease_until_utc > now()
    )
  )
ON CONFLICT DO NOTHING RETURNING scheduled_order_id, transaction_id, state;

-- LOCK_CYCLES
SELECT c.cycle,
  c.state,
  c.open,
  c.due_utc,
  c.replaced_utc,
  c.attempt,
  c.gateway_transaction_id AS transaction_id,
  c.amount,
  c.currency_iso,
  c.resolution IS NOT NULL AS is_resolved,
  c.state = 'Charging' AND coalesce(c.lease_until_utc > now(), false) AS is_leased
FROM processing_cycles c
WHERE c.scheduled_order_id = $1
ORDER BY c.cycle DESC
LIMIT 100
FOR NO KEY UPDATE;

-- LOCK_ORDER
SELECT o.currency_iso,
  o.next_occurrence_utc,
  o.replaced_occurrence_utc,
  o.frequency_type,
  o.frequency,
  o.schedule_anchor_utc,
  o.archived_cycle
FROM scheduled_orders o
WHERE o.id = $1
FOR NO KEY UPDATE;

-- MARK_FOUND
UPDATE found_charges f
SET state = CASE
  WHEN EXISTS (
    SELECT 1
    FROM payment_differences d
    WHERE d.site_id = f.site_id
      AND d.kind IN ('ChargeWithoutCycle', 'TwoCharges', 'ChargedAfterStop')
      AND d.fact = f.transaction_id || '/' || f.scheduled_order_id
      AND d.state = 'Settled'
  ) THEN 'Known'
  ELSE $3
  END
WHERE f.payment_integration_id = $1 AND f.transaction_id = $2 AND f.state = 'Unplaced'
RETURNING f.state;

-- UNPLACED
SELECT DISTINCT ON (place.value, f.scheduled_order_id) place.value::text AS place,
  f.payment_integration_id,
  f.transaction_id,
  f.scheduled_order_id,
  f.attempt,
  f.due_utc,
  f.amount,
  f.currency_iso,
  f.charged_utc,
  f.is_charged,
  f.is_doubtful,
  f.site_id,
  i.payment_method_type
FROM found_charges f
JOIN payment_integrations i ON i.id = f.payment_integration_id
CROSS JOIN LATERAL (SELECT hashint8extended(f.scheduled_order_id, $3::bigint) AS value) place
WHERE f.state = 'Unplaced'
  AND ($2::bigint IS NULL OR place.value > $2)
  AND (
    i.deleted_utc IS NOT NULL
      OR NOT EXISTS (
        SELECT 1
        FROM required_reconciliations d
        WHERE i.created_utc < d.began_utc + interval '7 days'
          AND d.began_utc > now() - interval '60 days'
          AND NOT (SELECT s.simulated FROM sites s WHERE s.id = i.site_id)
          AND d.generation > coalesce(
            (SELECT r.generation FROM integration_reconciliations r WHERE r.payment_integration_id = i.id), 0
          )
      )
  )
ORDER BY place.value,
  f.scheduled_order_id,
  f.is_doubtful,
  NOT EXISTS (
    SELECT 1
    FROM processing_cycles c
    WHERE c.scheduled_order_id = f.scheduled_order_id AND c.open AND date_trunc('second', c.due_utc) = f.due_utc
  ),
  f.charged_utc,
  f.transaction_id
LIMIT $1;

-- UNPLACED_AMONG
SELECT DISTINCT f.scheduled_order_id
FROM found_charges f
WHERE f.state = 'Unplaced' AND f.scheduled_order_id = ANY ($1::bigint[]);
