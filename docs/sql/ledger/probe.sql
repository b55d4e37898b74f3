-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/probe.sql.ts

-- CLAIM_PROBES
WITH t AS MATERIALIZED (
  SELECT w.site_id, w.payment_method_type, w.last_probed_order, now() AS now_utc
  FROM integration_waits w
  WHERE assert_same_database($3, $4, 1) AND w.next_probe_utc <= least(now(), $6::timestamptz) AND NOT w.simulated
  ORDER BY w.next_probe_utc
  LIMIT $5
  FOR NO KEY UPDATE SKIP LOCKED
),
probe AS MATERIALIZED (
  SELECT t.site_id,
    t.payment_method_type,
    t.now_utc,
    coalesce(higher.scheduled_order_id, lowest.scheduled_order_id) AS id,
    coalesce(higher.cycle, lowest.cycle) AS cycle
  FROM t
  LEFT JOIN LATERAL (
    SELECT c.scheduled_order_id, c.cycle
    FROM processing_cycles c
    WHERE c.open
      AND c.waiting_since_utc IS NOT NULL
      AND c.site_id = t.site_id
      AND c.payment_method_type = t.payment_method_type
      AND c.failure_code = 1003
      AND c.next_attempt_utc > CASE
      WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id)
      ELSE now()
      END
      AND c.scheduled_order_id > t.last_probed_order
    ORDER BY c.scheduled_order_id
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
  ) higher ON true
  LEFT JOIN LATERAL (
    SELECT c.scheduled_order_id, c.cycle
    FROM processing_cycles c
    WHERE c.open
      AND c.waiting_since_utc IS NOT NULL
      AND c.site_id = t.site_id
      AND c.payment_method_type = t.payment_method_type
      AND c.failure_code = 1003
      AND c.next_attempt_utc > CASE
      WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id)
      ELSE now()
      END
      AND higher.cycle IS NULL
    ORDER BY c.scheduled_order_id
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
  ) lowest ON true
),
waits AS MATERIALIZED (
  SELECT probe.*,
    probe.now_utc + interval '900000 milliseconds' AS next_probe_utc,
    probe.id IS NOT NULL
      OR EXISTS (
        SELECT 1
        FROM processing_cycles c
        WHERE c.open
          AND c.waiting_since_utc IS NOT NULL
          AND c.site_id = probe.site_id
          AND c.payment_method_type = probe.payment_method_type
      ) AS goes_on
  FROM probe
),
renewed AS (
  UPDATE integration_waits w
  SET next_probe_utc = p.next_probe_utc, last_probed_order = coalesce(p.id, w.last_probed_order)
  FROM waits p
  WHERE w.site_id = p.site_id AND w.payment_method_type = p.payment_method_type AND p.goes_on
),
over AS (
  DELETE
  FROM integration_waits w USING waits p
  WHERE w.site_id = p.site_id AND w.payment_method_type = p.payment_method_type AND NOT p.goes_on
),
claimed AS (
  UPDATE processing_cycles c
  SET state = CASE WHEN c.state = 'Unknown' THEN 'Unknown' ELSE 'Claimed' END,
    next_attempt_utc = NULL,
    claim = c.claim + 1,
    worker = $1,
    lease_until_utc = now() + $2 * interval '1 millisecond',
    updated_utc = now()
  FROM waits p
  WHERE c.scheduled_order_id = p.id AND c.cycle = p.cycle
  RETURNING c.scheduled_order_id,
    c.cycle,
    c.site_id,
    c.state,
    c.attempt,
    c.order_id,
    c.due_utc,
    c.replaced_utc,
    c.payment_failures,
    c.technical_failures,
    c.look_ups,
    c.waiting_since_utc,
    c.held_for,
    c.retries_exhausted,
    c.claim,
    c.resolution,
    c.payment_method_type
)
SELECT c.scheduled_order_id,
  c.cycle,
  c.site_id,
  c.state,
  c.attempt,
  c.order_id,
  c.due_utc,
  c.replaced_utc,
  c.payment_failures,
  c.technical_failures,
  c.look_ups,
  c.waiting_since_utc,
  c.held_for,
  c.retries_exhausted,
  c.claim,
  CASE
    WHEN c.state = 'Claimed' THEN (
      SELECT o.payment_method_type FROM scheduled_orders o WHERE o.id = c.scheduled_order_id
    )
    WHEN c.resolution IS NULL THEN c.payment_method_type
    END AS payment_method_type
FROM claimed c;
