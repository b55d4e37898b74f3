-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/deployment/deployment.ts
-- for a worker
-- for deployment:adopt
SELECT 1 FROM required_reconciliations LIMIT 1;

-- libs/ledger/src/deployment/deployment.ts
-- for a worker
-- for deployment:adopt
UPDATE deployment d
SET seen_utc = now(), timeline = h.timeline
FROM database_here() h
WHERE d.system_identifier = h.system_identifier
  AND d.database_identity = h.database_identity
  AND (d.timeline IS NULL OR d.timeline = h.timeline)
  AND (
    d.seen_utc IS NULL
      OR d.seen_utc < now() - interval '10 seconds'
      OR d.seen_utc > now() + interval '1 minute'
      OR d.timeline IS NULL
  );

-- libs/ledger/src/deployment/deployment.ts
-- for deployment:adopt
UPDATE deployment
SET deployment_id = $1,
  system_identifier = h.system_identifier,
  database_identity = h.database_identity,
  adopted_utc = now()
FROM database_here() h
RETURNING adopted_utc AS "adoptedUtc";

-- libs/ledger/src/deployment/required-reconciliation.ts
-- for deployment:adopt
SELECT advance_ids($1);

-- libs/ledger/src/deployment/required-reconciliation.ts
-- for deployment:adopt
WITH before AS (
  SELECT coalesce(
    d.seen_utc, (SELECT o.created_utc FROM orders o ORDER BY o.id DESC LIMIT 1), now() - interval '30 days'
  ) AS cut_off_utc
  FROM deployment d
),
raised AS (
  UPDATE deployment d
  SET generation = greatest(d.generation + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint),
    timeline = h.timeline,
    seen_utc = now()
  FROM database_here() h
  WHERE d.generation = $1
  RETURNING d.generation
)
INSERT INTO required_reconciliations (generation, cause, cut_off_utc)
SELECT r.generation, $2, b.cut_off_utc
FROM raised r, before b;

-- libs/ledger/src/differences/resolve.ts
-- for cycles:resolve
SELECT c.state
FROM scheduled_orders o
CROSS JOIN LATERAL (
  SELECT l.*
  FROM processing_cycles l
  WHERE l.scheduled_order_id = o.id
  UNION ALL
  SELECT r.*
  FROM archived_cycles a
  CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
  WHERE o.archived_cycle IS NOT NULL AND a.scheduled_order_id = o.id
) c
WHERE o.id = $1 AND c.cycle = $2;

-- libs/ledger/src/differences/resolve.ts
-- for cycles:resolve
WITH named AS (
  SELECT i.id, i.payment_method_type
  FROM found_charges f
  JOIN payment_integrations i ON i.id = f.payment_integration_id
  WHERE f.scheduled_order_id = $1 AND f.transaction_id = $3 AND f.is_charged
  ORDER BY i.id DESC
  LIMIT 1
),
resolved AS (
  UPDATE processing_cycles c
  SET resolution = $5,
    gateway_transaction_id = coalesce($3, c.gateway_transaction_id),
    payment_integration_id = coalesce((SELECT n.id FROM named n), c.payment_integration_id),
    payment_method_type = coalesce((SELECT n.payment_method_type FROM named n), c.payment_method_type),
    past_attempts = CASE
      WHEN $3::text IS NULL THEN coalesce(c.past_attempts, '[]') || jsonb_build_object(
        'Attempt', c.attempt, 'SettledUtc', now()
      )
      ELSE c.past_attempts
      END,
    next_attempt_utc = CASE
      WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id)
      ELSE now()
      END,
    updated_utc = now()
  WHERE c.scheduled_order_id = $1 AND c.cycle = $2 AND c.state = 'Unknown' AND c.worker IS NULL
  RETURNING c.site_id,
    c.scheduled_order_id,
    c.cycle,
    c.simulated,
    'The occurrence of ' || to_char(
      c.due_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'
    ) || ' UTC ' || $6::text AS description
),
e AS (
  SELECT o.*,
    r.description AS error_description,
    json_build_object('Message', r.description, 'InnerExceptionInfo', null) AS exception_info
  FROM resolved r
  JOIN scheduled_orders o ON o.id = r.scheduled_order_id
),
logged AS (
  INSERT INTO error_logs (site_id, scheduled_order_id, description, exception_info, site, entity, occurred_utc)
  SELECT e.site_id,
    e.id,
    e.error_description,
    e.exception_info,
    siteSnapshotView.json(s),
    scheduledOrderView.json(e),
    CASE WHEN e.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = e.site_id) END
  FROM e e
  JOIN sites s ON s.id = e.site_id
  WHERE e.exception_info IS NOT NULL
),
settled AS (
  UPDATE payment_differences d
  SET state = 'Settled',
    holds = false,
    settled_as = 'Resolved',
    settled_by = left($4, 255),
    note = left(r.description, 1000),
    settled_utc = now()
  FROM resolved r
  WHERE d.site_id = r.site_id
    AND d.scheduled_order_id = r.scheduled_order_id
    AND d.holds
    AND (
      d.gateway_transaction_id = $3
        OR d.cycle = r.cycle
        AND (
          d.kind = 'TransactionTwice'
            OR $3::text IS NULL
            AND EXISTS (
              SELECT
              FROM found_charges f
              WHERE f.payment_integration_id = d.payment_integration_id
                AND f.transaction_id = d.gateway_transaction_id
                AND f.state = 'Placed'
            )
        )
    )
)
SELECT CASE
  WHEN resolved.simulated THEN pg_notify('scheduled_orders_clocks', '')
  ELSE pg_notify('scheduled_orders_due', '0')
  END
FROM resolved;

-- libs/ledger/src/reading/stuck.ts
-- for cycles:stuck
SELECT json_build_object(
  'ScheduledOrderId', c.scheduled_order_id,
  'Cycle', c.cycle,
  'SiteId', c.site_id,
  'State', c.state,
  'Why',
  CASE
    WHEN c.resolution = 'NeedsReview' THEN 'A person must decide: run cycles:resolve, with the transaction if it paid this cycle, else as not charged.'
    WHEN c.state = 'Unknown'
    AND c.retries_exhausted THEN 'The service could not find out whether it was charged. Look at the gateway, then run cycles:resolve.'
    WHEN c.state = 'Unknown' THEN 'A worker is finding out whether it was charged.'
    WHEN c.held_for = 1010 THEN 'It is held: its shop cannot take the Order. Correct its products, or set PushAnyway of the Shop.'
    WHEN c.held_for IS NOT NULL THEN 'It is held: settle its difference (GET /api/Site/{id}/Differences), or Process the order.'
    WHEN c.state = 'Waiting' THEN 'It waits for its payment integration.'
    WHEN c.lease_until_utc < now() THEN 'Its worker is gone: the next one takes it over.'
    ELSE 'It waits for its next try.'
    END || coalesce(' ' || c.failure_message, ''),
  'FailureCode', c.failure_code,
  'DueUtc', c.due_utc,
  'Attempts', c.attempt,
  'LookUps', c.look_ups,
  'Amount', c.amount,
  'CurrencyIso', c.currency_iso,
  'GatewayTransactionId', c.gateway_transaction_id,
  'NextAttemptUtc',
  CASE
    WHEN c.held_for IS NOT NULL
    AND c.state = 'Waiting' THEN NULL
    WHEN c.open
    AND c.next_attempt_utc IS NOT NULL
    AND c.waiting_since_utc IS NOT NULL
    AND c.failure_code = 1003 THEN least(
      c.next_attempt_utc,
      (
        SELECT w.next_probe_utc
        FROM integration_waits w
        WHERE w.site_id = c.site_id AND w.payment_method_type = c.payment_method_type
      )
    )
    ELSE c.next_attempt_utc
    END
) AS cycle
FROM processing_cycles c
WHERE c.open
  AND NOT c.simulated
  AND (c.next_attempt_utc IS NOT NULL OR c.lease_until_utc < now())
  AND ($1::text IS NULL OR c.state = $1)
ORDER BY c.due_utc, c.scheduled_order_id
LIMIT $2;
