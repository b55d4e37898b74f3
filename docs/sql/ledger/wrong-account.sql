-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/wrong-account.sql.ts

-- DROP_STREAK
DELETE
FROM integration_waits w
WHERE w.site_id = $1 AND w.payment_method_type = $2 AND w.waiting_since_utc IS NULL AND w.cleared_fingerprint IS NULL;

-- END_STREAKS
WITH b AS (SELECT * FROM unnest($1::bigint[], $2::text[]) AS b (site_id, type)),
over AS (
  DELETE
  FROM integration_waits w USING b
  WHERE w.site_id = b.site_id
    AND w.payment_method_type = b.type
    AND w.missing <> '[]'
    AND w.waiting_since_utc IS NULL
    AND w.cleared_fingerprint IS NULL
)
UPDATE integration_waits w
SET missing = '[]'
FROM b
WHERE w.site_id = b.site_id
  AND w.payment_method_type = b.type
  AND w.missing <> '[]'
  AND NOT (w.waiting_since_utc IS NULL AND w.cleared_fingerprint IS NULL);

-- KEEP_STREAK
UPDATE integration_waits SET missing = $3 WHERE site_id = $1 AND payment_method_type = $2;

-- LAST_PAID
SELECT max(CASE WHEN c.simulated THEN c.started_utc ELSE o.date_paid END) AS paid_utc
FROM (
  SELECT o.scheduled_order_id, o.cycle, o.date_paid
  FROM orders o
  WHERE o.site_id = $1 AND o.deleted_utc IS NULL
  ORDER BY o.id DESC
  LIMIT 1000
) o
JOIN processing_cycles c ON c.scheduled_order_id = o.scheduled_order_id AND c.cycle = o.cycle
WHERE CASE
  WHEN c.simulated THEN c.started_utc
  ELSE o.date_paid
  END >= $4
  AND c.payment_method_type = $2
  AND c.credentials_fingerprint = $3
  AND c.amount > 0;

-- LOCK_STREAK
INSERT INTO integration_waits AS w (site_id, payment_method_type)
VALUES ($1, $2)
ON CONFLICT (site_id, payment_method_type) DO UPDATE SET wrong_account = w.wrong_account RETURNING w.wrong_account,
  w.missing,
  w.cleared_fingerprint;

-- READ_MISSING
SELECT c.scheduled_order_id::float8 AS "order",
  c.cycle::float8 AS cycle,
  o.customer_id::float8 AS customer,
  c.credentials_fingerprint AS fingerprint,
  c.started_utc AS "startedUtc"
FROM unnest($1::bigint[], $2::bigint[]) AS b (id, cycle)
JOIN processing_cycles c ON c.scheduled_order_id = b.id AND c.cycle = b.cycle
JOIN scheduled_orders o ON o.id = b.id;

-- TAKE_BACK
WITH b AS (
  SELECT *, uuid_v7() AS event_log_id, clock_timestamp()::timestamptz(3) AS clock_utc
  FROM unnest($4::bigint[], $5::bigint[]) AS b (id, cycle)
),
taken AS (
  SELECT o.id, c.cycle, b.event_log_id, b.clock_utc
  FROM b
  JOIN scheduled_orders o ON o.id = b.id
  JOIN processing_cycles c ON c.scheduled_order_id = b.id AND c.cycle = b.cycle
  WHERE o.status = 'Pending'
    AND o.deleted_utc IS NULL
    AND o.frequency IS NOT NULL
    AND c.state = 'Failed'
    AND c.retries_exhausted
    AND c.failure_code = 2000
    AND c.stopped_utc IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM processing_cycles newer WHERE newer.scheduled_order_id = b.id AND newer.cycle > b.cycle
    )
  ORDER BY o.id
  FOR NO KEY UPDATE OF o, c SKIP LOCKED
),
ledger AS (
  UPDATE processing_cycles c
  SET state = 'Waiting',
    open = true,
    retries_exhausted = false,
    waiting_since_utc = (
      SELECT CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) ELSE now() END
    ),
    next_attempt_utc = $1,
    missed_occurrences = 0,
    failure_code = 1003,
    failure_message = $2,
    ended_utc = NULL,
    updated_utc = now()
  FROM taken t
  WHERE c.scheduled_order_id = t.id AND c.cycle = t.cycle
),
e AS (
  UPDATE scheduled_orders o
  SET status = 'Active',
    next_occurrence_utc = $1,
    replaced_occurrence_utc = NULL,
    updated_utc = (SELECT greatest(t.clock_utc, o.updated_utc + interval '1 millisecond'))
  FROM taken t
  WHERE o.id = t.id
  RETURNING o.*, 'ScheduledOrderHeld' AS event_type, $3::text AS event_description, t.event_log_id, t.cycle
),
events AS (
  INSERT INTO event_logs (id, site_id, scheduled_order_id, event_type, description, scheduled_order, occurred_utc)
  SELECT e.event_log_id,
    e.site_id,
    e.id,
    e.event_type,
    e.event_description,
    scheduledOrderView.json(e),
    CASE WHEN e.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = e.site_id) END
  FROM e e
  WHERE e.event_type IS NOT NULL
),
published AS (
  INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts, simulated_utc)
  SELECT w.site_id,
    w.id,
    'scheduled_order.waiting',
    w.event_log_id,
    jsonb_build_object('Cycle', w.cycle, 'FailureCode', 1003),
    CASE WHEN w.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id) END
  FROM e w
  WHERE w.site_id = ANY (
    ARRAY (
      SELECT s.id
      FROM (SELECT DISTINCT r.site_id FROM e r) r
      JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL
    )
  )
  ORDER BY w.id
  RETURNING site_id
)
SELECT (SELECT pg_notify('scheduled_orders_events', '')::text FROM published LIMIT 1) AS woken;

-- TAKE_FOR_WRONG
WITH refused AS (
  UPDATE integration_waits w
  SET wrong_account = true,
    missing = '[]',
    waiting_since_utc = (
      SELECT coalesce(
        w.waiting_since_utc,
        CASE WHEN w.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id) ELSE now() END
      )
    ),
    next_probe_utc = $3,
    last_probed_order = $4
  WHERE site_id = $1 AND payment_method_type = $2
  RETURNING site_id, payment_method_type, true AS is_wrong_account
),
published AS (
  INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts, simulated_utc)
  SELECT w.site_id,
    NULL::bigint,
    'payment_integration.refused',
    NULL::uuid,
    jsonb_strip_nulls(
      jsonb_build_object(
        'PaymentIntegrationId', i.id,
        'PaymentMethodType', w.payment_method_type,
        'Reason', CASE WHEN i.id IS NULL THEN 'Missing' WHEN w.is_wrong_account THEN 'WrongAccount' ELSE 'Refused' END
      )
    ),
    (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id)
  FROM refused w
  LEFT JOIN payment_integrations i ON i.site_id = w.site_id
    AND i.payment_method_type = w.payment_method_type
    AND i.deleted_utc IS NULL
  WHERE w.site_id = ANY (
    ARRAY (
      SELECT s.id
      FROM (SELECT DISTINCT r.site_id FROM refused r) r
      JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL
    )
  )
  RETURNING site_id
)
SELECT (SELECT pg_notify('scheduled_orders_events', '')::text FROM published LIMIT 1) AS woken;
