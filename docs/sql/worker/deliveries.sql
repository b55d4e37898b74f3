-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/dispatcher/deliveries.sql.ts

-- CLAIM_DELIVERIES
WITH due AS MATERIALIZED (
  SELECT e.id, e.failures, e.rate_per_second, r.most
  FROM unnest($1::bigint[], $2::bigint[]) AS r (id, most)
  JOIN webhook_endpoints e ON e.id = r.id
),
picked AS MATERIALIZED (
  SELECT p.id, e.id AS endpoint_id
  FROM due e
  CROSS JOIN LATERAL (
    SELECT d.id
    FROM webhook_deliveries d
    WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc <= now()
    ORDER BY d.next_attempt_utc, d.id
    LIMIT CASE WHEN e.failures >= 5 THEN 1 ELSE least(e.rate_per_second, e.most) END
  ) p
),
counted AS (
  SELECT due.id,
    due.failures,
    due.rate_per_second,
    (SELECT count(*) FROM picked WHERE picked.endpoint_id = due.id) AS count
  FROM due
),
paced AS (
  UPDATE webhook_endpoints e
  SET not_before_utc = pace.not_before,
    next_due_utc = CASE
      WHEN counted.count = 0
      AND later.next_attempt_utc IS NULL THEN NULL
      WHEN counted.count = 0 THEN greatest(pace.not_before, later.next_attempt_utc)
      ELSE greatest(pace.not_before, least(now() + interval '1 minute', later.next_attempt_utc))
      END,
    failures_before = CASE WHEN e.next_due_utc < now() - interval '2 days' THEN e.failures ELSE e.failures_before END
  FROM counted
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN counted.count > 0
      AND counted.failures >= 5 THEN now() + interval '1 minute'
      ELSE now() + counted.count * interval '1 second' / counted.rate_per_second
      END AS not_before
  ) pace
  LEFT JOIN LATERAL (
    SELECT d.next_attempt_utc
    FROM webhook_deliveries d
    WHERE d.webhook_endpoint_id = counted.id AND d.next_attempt_utc IS NOT NULL
    ORDER BY d.next_attempt_utc, d.id
    OFFSET counted.count
    LIMIT 1
  ) later ON true
  WHERE e.id = counted.id
),
leased AS (
  UPDATE webhook_deliveries d
  SET lease = d.lease + 1, next_attempt_utc = now() + interval '1 minute'
  FROM picked
  WHERE d.id = picked.id AND d.next_attempt_utc <= now()
  RETURNING d.id,
    d.lease,
    d.webhook_endpoint_id,
    d.event_id,
    d.sequence,
    d.scheduled_order_id,
    d.ordered,
    d.tries,
    d.body
)
SELECT l.id,
  l.lease,
  l.webhook_endpoint_id,
  l.event_id,
  l.scheduled_order_id,
  l.ordered,
  l.tries,
  l.body,
  o.sequence,
  o.site_id,
  o.type,
  o.log_id,
  o.occurred_utc,
  o.simulated_utc,
  o.facts,
  e.url,
  e.payload,
  e.secret,
  CASE WHEN e.previous_until_utc > now() THEN e.previous_secret END AS previous_secret
FROM leased l
JOIN webhook_endpoints e ON e.id = l.webhook_endpoint_id
LEFT JOIN outbox o ON o.sequence = l.sequence
ORDER BY l.sequence;

-- FREEZE_BODIES
UPDATE webhook_deliveries d
SET body = f.body
FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS f (id, lease, body)
WHERE d.id = f.id AND d.lease = f.lease AND d.body IS NULL
RETURNING d.id;

-- LEFT_TO_SEND
SELECT (
  SELECT (extract(epoch FROM e.next_due_utc - clock_timestamp()) * 1000)::float8 AS in_ms
  FROM webhook_endpoints e
  JOIN sites s ON s.id = e.site_id
  WHERE e.next_due_utc IS NOT NULL
    AND e.id <> ALL ($1::bigint[])
    AND s.user_id <> ALL (
      CASE WHEN (e.failures > 0 OR e.id = ANY ($2::bigint[])) THEN $4::bigint[] ELSE $3::bigint[] END
    )
  ORDER BY e.next_due_utc
  LIMIT 1
) AS in_ms,
  coalesce((SELECT max(o.sequence) FROM outbox o) > (SELECT f.sequence FROM webhook_fan_out f), false) AS has_events;

-- LOCK_DUE_ENDPOINTS
SELECT e.id AS "endpointId",
  s.user_id AS account,
  CASE WHEN (e.failures > 0 OR e.id = ANY ($2::bigint[])) THEN 'slow' ELSE 'quick' END AS lane
FROM webhook_endpoints e
JOIN sites s ON s.id = e.site_id
WHERE assert_same_database($5, $6, 1)
  AND e.next_due_utc <= now()
  AND e.id <> ALL ($1::bigint[])
  AND s.user_id <> ALL (CASE WHEN (e.failures > 0 OR e.id = ANY ($2::bigint[])) THEN $4::bigint[] ELSE $3::bigint[] END)
ORDER BY e.next_due_utc
LIMIT $7
FOR NO KEY UPDATE OF e SKIP LOCKED;

-- NEXT_ENDPOINT
SELECT (extract(epoch FROM e.next_due_utc - clock_timestamp()) * 1000)::float8 AS in_ms
FROM webhook_endpoints e
JOIN sites s ON s.id = e.site_id
WHERE e.next_due_utc IS NOT NULL
  AND e.id <> ALL ($1::bigint[])
  AND s.user_id <> ALL (CASE WHEN (e.failures > 0 OR e.id = ANY ($2::bigint[])) THEN $4::bigint[] ELSE $3::bigint[] END)
ORDER BY e.next_due_utc
LIMIT 1;

-- RECORD_ATTEMPT
UPDATE webhook_deliveries d
SET state = $3::varchar,
  lease = d.lease + 1,
  tries = d.tries + CASE WHEN $6 THEN 1 ELSE 0 END,
  next_attempt_utc = CASE WHEN $3 = 'Waiting' THEN now() + $4 * interval '1 millisecond' END,
  finished_utc = CASE WHEN $3 <> 'Waiting' THEN now() END,
  attempts = CASE WHEN jsonb_array_length(d.attempts) >= 20 THEN d.attempts - 0 ELSE d.attempts END || $5::jsonb
WHERE d.id = $1 AND d.lease = $2 AND d.state = 'Waiting'
RETURNING d.id;

-- RECORD_FAILURE
UPDATE webhook_endpoints e
SET failures = e.failures + 1,
  failing_since_utc = coalesce(e.failing_since_utc, now()),
  not_before_utc = greatest(
    now() + $2 * interval '1 millisecond',
    CASE
      WHEN e.failures + 1 >= 5 THEN now() + greatest(
        interval '10 seconds', least(interval '30 minutes', (now() - coalesce(e.failing_since_utc, now())) / 2)
      )
      END,
    CASE WHEN e.failures < 5 OR e.not_before_utc > now() + interval '1 minute' THEN e.not_before_utc END
  ),
  status = CASE
    WHEN (
      $3 OR e.failing_since_utc <= now() - interval '5 days' AND e.failures + 1 - e.failures_before >= 5
    ) THEN 'Disabled'
    ELSE e.status
    END,
  disabled_reason = CASE
    WHEN NOT ($3 OR e.failing_since_utc <= now() - interval '5 days' AND e.failures + 1 - e.failures_before >= 5)
    OR e.status = 'Disabled' THEN e.disabled_reason
    WHEN $3 THEN 'It answered 410 (Gone).'
    ELSE 'Nothing could be delivered for 5 days.'
    END,
  updated_utc = CASE
    WHEN ($3 OR e.failing_since_utc <= now() - interval '5 days' AND e.failures + 1 - e.failures_before >= 5)
    AND e.status = 'Enabled' THEN greatest(clock_timestamp(), e.updated_utc + interval '1 millisecond')
    ELSE e.updated_utc
    END,
  next_due_utc = CASE
    WHEN NOT (
      $3 OR e.failing_since_utc <= now() - interval '5 days' AND e.failures + 1 - e.failures_before >= 5
    ) THEN CASE
    WHEN e.status = 'Enabled'
    AND e.deleted_utc IS NULL THEN (
      SELECT greatest(
        greatest(
          now() + $2 * interval '1 millisecond',
          CASE
            WHEN e.failures + 1 >= 5 THEN now() + greatest(
              interval '10 seconds', least(interval '30 minutes', (now() - coalesce(e.failing_since_utc, now())) / 2)
            )
            END,
          CASE WHEN e.failures < 5 OR e.not_before_utc > now() + interval '1 minute' THEN e.not_before_utc END
        ),
        d.next_attempt_utc
      )
      FROM webhook_deliveries d
      WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc IS NOT NULL
      ORDER BY d.next_attempt_utc, d.id
      LIMIT 1
    )
    END
    END
FROM (SELECT b.status FROM webhook_endpoints b WHERE b.id = $1) before
WHERE e.id = $1
RETURNING e.site_id, e.failures = 5 AS opened, before.status = 'Enabled' AND e.status = 'Disabled' AS disabled;

-- RECORD_SUCCESS
WITH before AS (SELECT b.failures FROM webhook_endpoints b WHERE b.id = $1)
UPDATE webhook_endpoints e
SET failures = 0,
  failures_before = 0,
  failing_since_utc = NULL,
  not_before_utc = CASE WHEN e.failures >= 5 THEN now() ELSE e.not_before_utc END,
  next_due_utc = CASE
    WHEN e.status = 'Enabled'
    AND e.deleted_utc IS NULL THEN (
      SELECT greatest(CASE WHEN e.failures >= 5 THEN now() ELSE e.not_before_utc END, d.next_attempt_utc)
      FROM webhook_deliveries d
      WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc IS NOT NULL
      ORDER BY d.next_attempt_utc, d.id
      LIMIT 1
    )
    END
FROM before
WHERE e.id = $1 AND e.status = 'Enabled' AND (e.failures > 0 OR $2)
RETURNING before.failures >= 5 AS closed;

-- RECORD_UNSENT
UPDATE webhook_endpoints e
SET not_before_utc = greatest(e.not_before_utc, now() + $2 * interval '1 millisecond'),
  next_due_utc = CASE
    WHEN e.status = 'Enabled'
    AND e.deleted_utc IS NULL THEN (
      SELECT greatest(greatest(e.not_before_utc, now() + $2 * interval '1 millisecond'), d.next_attempt_utc)
      FROM webhook_deliveries d
      WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc IS NOT NULL
      ORDER BY d.next_attempt_utc, d.id
      LIMIT 1
    )
    END
WHERE e.id = $1;

-- RELEASE_NEXT
UPDATE webhook_deliveries d
SET next_attempt_utc = now()
WHERE d.next_attempt_utc IS NULL
  AND d.state = 'Waiting'
  AND d.id = (
    SELECT w.id
    FROM webhook_deliveries w
    WHERE w.webhook_endpoint_id = $1 AND w.scheduled_order_id = $2 AND w.ordered AND w.state = 'Waiting'
    ORDER BY w.sequence
    LIMIT 1
  );

-- SNAPSHOTS
SELECT r.id, s.text
FROM unnest(
  $1::bigint[], $2::bigint[], $3::uuid[], $4::timestamptz[]
) AS r (id, scheduled_order_id, log_id, occurred_utc)
CROSS JOIN LATERAL (
  SELECT coalesce(
    (
      SELECT ev.scheduled_order::text
      FROM event_logs ev
      WHERE ev.scheduled_order_id = r.scheduled_order_id
        AND ev.id = r.log_id
        AND ev.created_utc BETWEEN r.occurred_utc - interval '1 day'
        AND r.occurred_utc + interval '1 day'
    ),
    (
      SELECT coalesce(a.new_scheduled_order, a.previous_scheduled_order)::text
      FROM action_logs a
      WHERE a.scheduled_order_id = r.scheduled_order_id
        AND a.id = r.log_id
        AND a.created_utc BETWEEN r.occurred_utc - interval '1 day'
        AND r.occurred_utc + interval '1 day'
    )
  ) AS text
  OFFSET 0
) s
WHERE length(s.text) <= 1048576;

-- WAKE_FORGOTTEN
UPDATE webhook_endpoints
SET next_due_utc = greatest(now(), not_before_utc)
WHERE id IN (
  SELECT e.id
  FROM webhook_endpoints e
  WHERE e.next_due_utc IS NULL
    AND e.status = 'Enabled'
    AND e.deleted_utc IS NULL
    AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc IS NOT NULL)
  FOR NO KEY UPDATE SKIP LOCKED
);
