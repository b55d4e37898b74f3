-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/integration-waits.sql.ts

-- END_WAIT
WITH rest AS (
  SELECT w.site_id,
    w.payment_method_type,
    EXISTS (
      SELECT 1
      FROM processing_cycles c
      WHERE c.open
        AND c.waiting_since_utc IS NOT NULL
        AND c.site_id = w.site_id
        AND c.payment_method_type = w.payment_method_type
        AND c.failure_code = 1003
        AND c.next_attempt_utc > CASE
        WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id)
        ELSE now()
        END
    ) AS waits,
    w.wrong_account OR w.cleared_fingerprint IS NOT NULL AS stays,
    w.waiting_since_utc IS NOT NULL AS was_waiting
  FROM integration_waits w
  WHERE w.site_id = $1 AND w.payment_method_type = $2
),
over AS (
  DELETE
  FROM integration_waits w USING rest
  WHERE w.site_id = rest.site_id
    AND w.payment_method_type = rest.payment_method_type
    AND NOT rest.waits
    AND NOT rest.stays
),
recovered AS (SELECT site_id, payment_method_type FROM rest WHERE was_waiting AND NOT waits),
published AS (
  INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts, simulated_utc)
  SELECT w.site_id,
    NULL::bigint,
    'payment_integration.recovered',
    NULL::uuid,
    jsonb_strip_nulls(jsonb_build_object('PaymentIntegrationId', i.id, 'PaymentMethodType', w.payment_method_type)),
    (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id)
  FROM recovered w
  LEFT JOIN payment_integrations i ON i.site_id = w.site_id
    AND i.payment_method_type = w.payment_method_type
    AND i.deleted_utc IS NULL
  WHERE w.site_id = ANY (
    ARRAY (
      SELECT s.id
      FROM (SELECT DISTINCT r.site_id FROM recovered r) r
      JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL
    )
  )
  RETURNING site_id
),
stays AS (
  UPDATE integration_waits w
  SET waiting_since_utc = CASE WHEN rest.waits THEN w.waiting_since_utc END,
    next_probe_utc = (
      SELECT CASE
        WHEN rest.waits THEN CASE
        WHEN w.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id)
        ELSE now()
        END
        END
    ),
    missing = '[]',
    wrong_account = false,
    cleared_fingerprint = CASE WHEN w.wrong_account THEN $3 ELSE w.cleared_fingerprint END
  FROM rest
  WHERE w.site_id = rest.site_id AND w.payment_method_type = rest.payment_method_type AND (rest.waits OR rest.stays)
)
SELECT (SELECT pg_notify('scheduled_orders_events', '')::text FROM published LIMIT 1) AS woken;

-- JOIN_WAITS
WITH b AS (
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[]) AS b (id, cycle, type, next_probe_utc)
),
elsewhere AS (
  UPDATE processing_cycles c
  SET next_attempt_utc = (
    SELECT CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) ELSE now() END
  )
  FROM b
  WHERE c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.open AND c.payment_method_type IS DISTINCT FROM b.type
),
s AS (
  SELECT w.site_id,
    w.type,
    (
      CASE WHEN w.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id) ELSE now() END
    )::timestamptz(3) AS now_utc,
    w.next_probe_utc
  FROM (
    SELECT c.site_id, c.simulated, b.type, min(b.next_probe_utc) AS next_probe_utc
    FROM b
    JOIN processing_cycles c ON c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.open
    WHERE b.type IS NOT NULL
    GROUP BY c.site_id, c.simulated, b.type
  ) w
),
joined AS (
  INSERT INTO integration_waits AS w (site_id, payment_method_type, waiting_since_utc, next_probe_utc)
  SELECT s.site_id, s.type, s.now_utc, s.next_probe_utc
  FROM s
  ORDER BY s.site_id, s.type
  ON CONFLICT (site_id, payment_method_type) DO UPDATE SET waiting_since_utc = coalesce(
    w.waiting_since_utc, excluded.waiting_since_utc
  ),
    next_probe_utc = least(w.next_probe_utc, excluded.next_probe_utc) RETURNING w.site_id,
    w.payment_method_type,
    w.wrong_account,
    w.waiting_since_utc
),
refused AS (
  SELECT j.site_id, j.payment_method_type, false AS is_wrong_account
  FROM joined j
  JOIN s ON s.site_id = j.site_id AND s.type = j.payment_method_type
  WHERE j.waiting_since_utc = s.now_utc AND NOT j.wrong_account
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

-- LOCK_WAIT
SELECT 1 FROM integration_waits WHERE site_id = $1 AND payment_method_type = $2 FOR UPDATE;

-- PROBE_SOON
UPDATE integration_waits w
SET next_probe_utc = (
  SELECT CASE WHEN w.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id) ELSE now() END
)
WHERE site_id = $1 AND payment_method_type = $2 AND waiting_since_utc IS NOT NULL AND NOT (wrong_account AND $3);

-- WAKE_WAITING
WITH w AS (SELECT $1::bigint AS site_id, $2::text AS payment_method_type),
waiting AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM w
  CROSS JOIN LATERAL (
    SELECT c.scheduled_order_id, c.cycle
    FROM processing_cycles c
    WHERE c.open
      AND c.waiting_since_utc IS NOT NULL
      AND c.site_id = w.site_id
      AND c.payment_method_type = w.payment_method_type
      AND c.failure_code = 1003
      AND c.next_attempt_utc > CASE
      WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id)
      ELSE now()
      END
      AND c.state = ANY ($3::text[])
    ORDER BY c.scheduled_order_id
    LIMIT $4
    FOR NO KEY UPDATE SKIP LOCKED
  ) c
)
UPDATE processing_cycles c
SET next_attempt_utc = (
  SELECT CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) ELSE now() END
),
  updated_utc = now()
FROM waiting w
WHERE c.scheduled_order_id = w.scheduled_order_id AND c.cycle = w.cycle
RETURNING 1;
