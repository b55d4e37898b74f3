-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/differences.sql.ts

-- DISMISS
WITH dismissed AS (
  UPDATE processing_cycles c
  SET resolution = 'NotCharged',
    next_attempt_utc = (
      SELECT CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) ELSE now() END
    ),
    updated_utc = now()
  FROM payment_differences d
  WHERE d.id = $1
    AND d.kind IN ('ChargeWithoutCycle', 'TwoCharges', 'ChargedAfterStop')
    AND c.scheduled_order_id = d.scheduled_order_id
    AND c.cycle = d.cycle
    AND c.open
    AND c.state = 'Unknown'
    AND c.resolution = 'NeedsReview'
  RETURNING c.simulated
)
SELECT CASE
  WHEN dismissed.simulated THEN pg_notify('scheduled_orders_clocks', '')
  ELSE pg_notify('scheduled_orders_due', '0')
  END
FROM dismissed;

-- HOLDING
SELECT d.id::float8 AS id, d.kind, d.ours, d.theirs, d.created_utc AS "createdUtc"
FROM payment_differences d
WHERE d.holds AND d.site_id = $1 AND d.scheduled_order_id = $2
ORDER BY d.id;

-- LIFT
WITH lifted AS (
  UPDATE processing_cycles c
  SET next_attempt_utc = (
    SELECT CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) ELSE now() END
  ),
    updated_utc = now()
  WHERE c.scheduled_order_id = $2
    AND c.site_id = $1
    AND c.open
    AND c.worker IS NULL
    AND (c.held_for IS NOT NULL OR c.state = 'Unknown')
    AND (
      SELECT string_agg(DISTINCT d.kind, ', ')
      FROM payment_differences d
      WHERE d.holds AND d.site_id = $1::bigint AND d.scheduled_order_id = $2::bigint
    ) IS NULL
  RETURNING c.simulated
)
SELECT CASE
  WHEN lifted.simulated THEN pg_notify('scheduled_orders_clocks', '')
  ELSE pg_notify('scheduled_orders_due', '0')
  END
FROM lifted;

-- NAME_HELD_CYCLE
UPDATE payment_differences d
SET cycle = $3
WHERE d.site_id = $1
  AND d.kind IN ('ChargeWithoutCycle', 'TwoCharges', 'ChargedAfterStop')
  AND d.fact = $2
  AND d.state = 'Open'
  AND d.cycle IS DISTINCT FROM $3;

-- NOT_HELD
SELECT o.id::float8 AS id
FROM scheduled_orders o
WHERE o.id = ANY ($1::bigint[])
  AND (
    SELECT string_agg(DISTINCT d.kind, ', ')
    FROM payment_differences d
    WHERE d.holds AND d.site_id = o.site_id AND d.scheduled_order_id = o.id
  ) IS NULL;

-- REPORT
WITH b AS (
  SELECT *
  FROM jsonb_to_recordset($1::jsonb) AS b (
    site_id bigint,
    kind text,
    fact text,
    alike text[],
    holds boolean,
    payment_integration_id bigint,
    payment_method_type text,
    gateway_transaction_id text,
    scheduled_order_id bigint,
    cycle bigint,
    order_id bigint,
    ours jsonb,
    theirs jsonb
  )
),
fresh AS (
  SELECT b.*
  FROM b
  WHERE NOT EXISTS (
    SELECT 1 FROM payment_differences d WHERE d.site_id = b.site_id AND d.kind = ANY (b.alike) AND d.fact = b.fact
  )
),
locked AS MATERIALIZED (
  SELECT o.id, o.site_id
  FROM scheduled_orders o
  WHERE (o.id, o.site_id) IN (SELECT f.scheduled_order_id, f.site_id FROM fresh f)
  ORDER BY o.id
  FOR NO KEY UPDATE
),
reported AS (
  INSERT INTO payment_differences AS d (
    site_id,
    kind,
    fact,
    holds,
    payment_integration_id,
    payment_method_type,
    gateway_transaction_id,
    scheduled_order_id,
    cycle,
    order_id,
    ours,
    theirs
  )
  SELECT f.site_id,
    f.kind,
    f.fact,
    f.holds,
    f.payment_integration_id,
    f.payment_method_type,
    f.gateway_transaction_id,
    f.scheduled_order_id,
    f.cycle,
    f.order_id,
    f.ours,
    f.theirs
  FROM fresh f
  WHERE (SELECT count(*) FROM locked) >= 0
  ON CONFLICT (site_id, kind, fact) DO NOTHING RETURNING d.id,
    d.site_id,
    d.kind,
    d.payment_method_type,
    d.scheduled_order_id,
    d.cycle,
    d.order_id
),
event AS (
  SELECT r.site_id,
    l.id AS scheduled_order_id,
    'payment.differs'::varchar AS type,
    NULL::uuid AS log_id,
    jsonb_strip_nulls(
      jsonb_build_object(
        'DifferenceId', r.id,
        'Kind', r.kind,
        'PaymentMethodType', r.payment_method_type,
        'Cycle', r.cycle,
        'OrderId', r.order_id
      )
    ) AS facts
  FROM reported r
  LEFT JOIN locked l ON l.id = r.scheduled_order_id AND l.site_id = r.site_id
),
published AS (
  INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts, simulated_utc)
  SELECT w.site_id,
    w.scheduled_order_id,
    w.type,
    w.log_id,
    w.facts,
    (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id)
  FROM event w
  WHERE w.site_id = ANY (
    ARRAY (
      SELECT s.id
      FROM (SELECT DISTINCT r.site_id FROM event r) r
      JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL
    )
  )
  RETURNING site_id
)
SELECT r.id::float8 AS id,
r.kind,
r.site_id::float8 AS site_id,
r.scheduled_order_id::float8 AS scheduled_order_id,
(SELECT pg_notify('scheduled_orders_events', '')::text FROM published LIMIT 1) AS woken FROM reported r;

-- SETTLE
UPDATE payment_differences d
SET state = 'Settled', holds = false, settled_as = $2, settled_by = $3, note = $4, settled_utc = now()
WHERE d.id = ANY ($1::bigint[]) AND d.state = 'Open';
