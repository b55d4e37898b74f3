-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/simulated.sql.ts

-- CLAIM_AGAIN_SIMULATED
WITH clock AS MATERIALIZED (
  SELECT k.site_id, k.now_utc FROM test_clocks k WHERE k.site_id = $6 AND k.worker = $1 FOR SHARE
),
due AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM clock
  JOIN processing_cycles c ON c.site_id = clock.site_id
  WHERE assert_same_database($3, $4, 1) AND c.open AND c.simulated AND c.next_attempt_utc <= clock.now_utc
  ORDER BY c.next_attempt_utc, c.scheduled_order_id
  LIMIT $5
  FOR NO KEY UPDATE OF c SKIP LOCKED
),
claimed AS (
  UPDATE processing_cycles c
  SET state = CASE WHEN c.state = 'Unknown' THEN 'Unknown' ELSE 'Claimed' END,
    next_attempt_utc = NULL,
    worker = $1,
    lease_until_utc = now() + $2 * interval '1 millisecond',
    claim = c.claim + 1,
    updated_utc = now()
  FROM due
  WHERE c.scheduled_order_id = due.scheduled_order_id AND c.cycle = due.cycle
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
    END AS payment_method_type,
  (SELECT clock.now_utc FROM clock) AS present_utc
FROM claimed c;

-- CLAIM_PROBES_SIMULATED
WITH clock AS MATERIALIZED (
  SELECT k.site_id, k.now_utc FROM test_clocks k WHERE k.site_id = $6 AND k.worker = $1 FOR SHARE
),
t AS MATERIALIZED (
  SELECT w.site_id, w.payment_method_type, w.last_probed_order, clock.now_utc
  FROM clock
  JOIN integration_waits w ON w.site_id = clock.site_id
  WHERE assert_same_database($3, $4, 1) AND w.next_probe_utc <= clock.now_utc
  ORDER BY w.next_probe_utc
  LIMIT $5
  FOR NO KEY UPDATE OF w SKIP LOCKED
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
    END AS payment_method_type,
  (SELECT clock.now_utc FROM clock) AS present_utc
FROM claimed c;

-- CLOCKS
SELECT count(*)::int AS clocks,
  (
    extract(
      epoch FROM min(k.lease_until_utc) FILTER (WHERE k.worker <> $1 AND k.lease_until_utc > now()) - now()
    ) * 1000
  )::bigint AS expires_in_ms
FROM test_clocks k;

-- LEAD_CLOCKS
WITH free AS (
  SELECT k.site_id
  FROM test_clocks k
  WHERE assert_same_database($3, $4, 1)
    AND coalesce(k.lease_until_utc <= now() OR k.lease_until_utc > now() + interval '25 hours', true)
    AND k.site_id <> ALL ($6::bigint[])
    AND k.state <> 'Deleting'
    AND (
      k.state = 'Advancing'
        OR EXISTS (
          SELECT 1
          FROM scheduled_orders o
          WHERE o.site_id = k.site_id
            AND o.status = 'Active'
            AND o.deleted_utc IS NULL
            AND o.simulated
            AND o.next_occurrence_utc <= k.now_utc
            AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open)
        )
        OR EXISTS (
          SELECT 1
          FROM processing_cycles c
          WHERE c.open
            AND c.simulated
            AND c.site_id = k.site_id
            AND (c.next_attempt_utc <= k.now_utc OR c.lease_until_utc <= now())
        )
        OR EXISTS (SELECT 1 FROM integration_waits w WHERE w.site_id = k.site_id AND w.next_probe_utc <= k.now_utc)
        OR EXISTS (
          SELECT 1
          FROM sites s
          LEFT JOIN site_settings g ON g.site_id = s.id
          CROSS JOIN LATERAL (SELECT coalesce(g.upcoming_notice_days, 3) * interval '1 day' AS notice) n
          JOIN scheduled_orders o ON o.site_id = s.id
            AND o.status = 'Active'
            AND o.deleted_utc IS NULL
            AND o.simulated
            AND o.next_occurrence_utc > k.now_utc
            AND o.next_occurrence_utc <= k.now_utc + n.notice
            AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open)
            AND NOT EXISTS (
              SELECT 1
              FROM upcoming_notices x
              WHERE x.scheduled_order_id = o.id AND x.occurrence_utc = o.next_occurrence_utc
            )
          WHERE s.id = k.site_id AND s.listens_since_utc IS NOT NULL
        )
    )
  ORDER BY (
    SELECT count(*)
    FROM sites s
    JOIN sites x ON x.user_id = s.user_id AND x.simulated
    JOIN test_clocks l ON l.site_id = x.id AND l.lease_until_utc > now()
    WHERE s.id = k.site_id
  ),
    k.led_utc NULLS FIRST,
    k.site_id
  LIMIT $5
  FOR NO KEY UPDATE SKIP LOCKED
),
led AS (
  UPDATE test_clocks k
  SET worker = $1, lease_until_utc = now() + $2 * interval '1 millisecond', led_utc = now()
  FROM free
  WHERE k.site_id = free.site_id
  RETURNING k.site_id, k.now_utc
)
SELECT k.site_id,
  k.now_utc AS present_utc,
  EXISTS (SELECT 1 FROM sites s WHERE s.id = k.site_id AND s.listens_since_utc IS NOT NULL) AS listens
FROM led k;

-- LEAVE_CLOCK
UPDATE test_clocks k
SET worker = NULL, lease_until_utc = NULL, cycles = k.cycles + $3
WHERE k.worker = $1 AND k.site_id = $2;

-- LOCK_DUE_SIMULATED
WITH clock AS MATERIALIZED (
  SELECT k.site_id, k.now_utc FROM test_clocks k WHERE k.site_id = $5 AND k.worker = $6 FOR SHARE
),
due AS (
  SELECT o.id,
    o.site_id,
    o.next_occurrence_utc,
    o.replaced_occurrence_utc,
    o.payment_method_type,
    greatest(newest.cycle, o.archived_cycle, 0) + 1 AS cycle,
    clock.now_utc AS present_utc
  FROM clock
  JOIN scheduled_orders o ON o.site_id = clock.site_id
  LEFT JOIN LATERAL (
    SELECT c.cycle, c.open FROM processing_cycles c WHERE c.scheduled_order_id = o.id ORDER BY c.cycle DESC LIMIT 1
  ) newest ON true
  WHERE assert_same_database($2, $3, 1)
    AND o.status = 'Active'
    AND o.deleted_utc IS NULL
    AND o.simulated
    AND o.next_occurrence_utc <= clock.now_utc
    AND newest.open IS NOT TRUE
  ORDER BY o.next_occurrence_utc, o.id
  LIMIT $4
  FOR NO KEY UPDATE OF o SKIP LOCKED
)
SELECT due.id AS scheduled_order_id,
  due.cycle,
  due.site_id,
  due.next_occurrence_utc AS due_utc,
  due.replaced_occurrence_utc AS replaced_utc,
  due.payment_method_type,
  nextval('orders_id_seq') AS order_id,
  set_config('idle_in_transaction_session_timeout', $1, true),
  due.present_utc
FROM due;

-- RENEW_CLOCKS
UPDATE test_clocks k
SET lease_until_utc = now() + $1 * interval '1 millisecond'
WHERE k.site_id = ANY ($3::bigint[]) AND k.worker = $2;

-- STEP_CLOCK
WITH k AS MATERIALIZED (
  SELECT k.site_id, k.now_utc, k.state = 'Advancing' AS advances, k.target_utc, k.cycles + $6::bigint AS cycles
  FROM test_clocks k
  WHERE assert_same_database($3, $4, 1) AND k.site_id = $5 AND k.worker = $1
  FOR NO KEY UPDATE
),
ahead AS MATERIALIZED (
  SELECT k.*,
    (
      SELECT o.next_occurrence_utc
      FROM scheduled_orders o
      WHERE o.site_id = k.site_id
        AND o.status = 'Active'
        AND o.deleted_utc IS NULL
        AND o.simulated
        AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open)
      ORDER BY o.next_occurrence_utc, o.id
      LIMIT 1
    ) AS due_utc,
    (
      SELECT min(c.next_attempt_utc) FROM processing_cycles c WHERE c.open AND c.simulated AND c.site_id = k.site_id
    ) AS try_utc,
    (SELECT min(w.next_probe_utc) FROM integration_waits w WHERE w.site_id = k.site_id) AS probe_utc,
    (
      SELECT o.next_occurrence_utc - n.notice
      FROM sites s
      LEFT JOIN site_settings g ON g.site_id = s.id
      CROSS JOIN LATERAL (SELECT coalesce(g.upcoming_notice_days, 3) * interval '1 day' AS notice) n
      JOIN scheduled_orders o ON o.site_id = s.id
        AND o.status = 'Active'
        AND o.deleted_utc IS NULL
        AND o.simulated
        AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open)
        AND o.next_occurrence_utc > k.now_utc + n.notice
      WHERE s.id = k.site_id AND s.listens_since_utc IS NOT NULL
      ORDER BY o.next_occurrence_utc, o.id
      LIMIT 1
    ) AS notice_utc,
    EXISTS (
      SELECT 1 FROM processing_cycles c WHERE c.open AND c.simulated AND c.site_id = k.site_id AND c.worker IS NOT NULL
    ) AS is_busy,
    EXISTS (
      SELECT 1
      FROM processing_cycles c
      WHERE c.open AND c.simulated AND c.site_id = k.site_id AND c.worker IS NOT NULL AND c.lease_until_utc <= now()
    ) AS has_expired
  FROM k
),
step AS MATERIALIZED (
  SELECT a.*,
    CASE
      WHEN a.advances
      AND NOT a.is_busy
      AND a.cycles < 100000 THEN greatest(
        a.now_utc, least(a.due_utc, a.try_utc, a.probe_utc, a.notice_utc, a.target_utc)
      )
      ELSE a.now_utc
      END AS present_utc
  FROM ahead a
),
found AS MATERIALIZED (
  SELECT s.*,
    coalesce(s.due_utc <= s.present_utc, false) AS has_due,
    coalesce(s.try_utc <= s.present_utc, false) AS has_again,
    coalesce(s.probe_utc <= s.present_utc, false) AS has_probe
  FROM step s
),
moved AS (
  UPDATE test_clocks k
  SET now_utc = f.present_utc,
    cycles = f.cycles,
    lease_until_utc = now() + $2 * interval '1 millisecond',
    updated_utc = (SELECT CASE WHEN over.is_over OR f.present_utc > f.now_utc THEN now() ELSE k.updated_utc END),
    state = CASE WHEN over.is_over THEN 'Ready' ELSE k.state END
  FROM found f
  CROSS JOIN LATERAL (
    SELECT f.advances
      AND NOT f.is_busy
      AND (f.cycles >= 100000 OR f.now_utc >= f.target_utc AND NOT (f.has_due OR f.has_again OR f.has_probe)) AS is_over
  ) over
  WHERE k.site_id = f.site_id
  RETURNING k.site_id,
    k.now_utc,
    k.target_utc,
    k.cycles,
    k.state,
    over.is_over,
    f.is_busy,
    f.has_expired,
    f.has_due,
    f.has_again,
    f.has_probe
),
published AS (
  INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts, simulated_utc)
  SELECT m.site_id,
    NULL::bigint,
    'test_clock.ready',
    NULL::uuid,
    jsonb_build_object(
      'NowUtc', to_char(m.now_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'Cycles', m.cycles
    ),
    m.now_utc
  FROM moved m
  WHERE m.is_over
    AND m.site_id = ANY (
      ARRAY (
        SELECT s.id
        FROM (SELECT DISTINCT r.site_id FROM moved r) r
        JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL
      )
    )
  RETURNING site_id
)
SELECT m.now_utc AS present_utc,
  m.state = 'Advancing' AS advances,
  m.is_busy,
  m.has_expired,
  m.has_due,
  m.has_again,
  m.has_probe,
  EXISTS (SELECT 1 FROM sites s WHERE s.id = m.site_id AND s.listens_since_utc IS NOT NULL) AS listens,
  (SELECT pg_notify('scheduled_orders_events', '')::text FROM published LIMIT 1) AS woken
FROM moved m;

-- TAKE_OVER_SIMULATED
WITH clock AS MATERIALIZED (
  SELECT k.site_id, k.now_utc FROM test_clocks k WHERE k.site_id = $6 AND k.worker = $1 FOR SHARE
),
expired AS (
  SELECT c.scheduled_order_id, c.cycle, c.worker, c.claim
  FROM clock
  JOIN processing_cycles c ON c.site_id = clock.site_id
  WHERE assert_same_database($3, $4, 1) AND c.open AND c.simulated AND c.lease_until_utc <= now()
  ORDER BY c.scheduled_order_id
  LIMIT $5
  FOR NO KEY UPDATE OF c SKIP LOCKED
),
claimed AS (
  UPDATE processing_cycles c
  SET worker = $1, lease_until_utc = now() + $2 * interval '1 millisecond', claim = c.claim + 1, updated_utc = now()
  FROM expired e
  WHERE c.scheduled_order_id = e.scheduled_order_id AND c.cycle = e.cycle
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
    c.payment_method_type,
    CASE WHEN e.worker = $1 THEN e.claim END AS kept_claim
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
    END AS payment_method_type,
  c.kept_claim,
  (SELECT clock.now_utc FROM clock) AS present_utc
FROM claimed c;
