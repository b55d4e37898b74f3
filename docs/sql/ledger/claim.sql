-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/claim.sql.ts

-- CLAIM_AGAIN
WITH due AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM processing_cycles c
  WHERE assert_same_database($3, $4, 1)
    AND c.open
    AND NOT c.simulated
    AND c.next_attempt_utc <= least(now(), $6::timestamptz)
    AND c.site_id <> ALL ($7::bigint[])
  ORDER BY c.next_attempt_utc, c.scheduled_order_id
  LIMIT $5
  FOR NO KEY UPDATE SKIP LOCKED
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
    END AS payment_method_type
FROM claimed c;

-- DUE_SITES
WITH RECURSIVE site AS (
  (
    SELECT o.site_id
    FROM scheduled_orders o
    WHERE o.status = 'Active' AND o.deleted_utc IS NULL
    ORDER BY o.site_id
    LIMIT 1
  )
  UNION ALL
  SELECT (
    SELECT o.site_id
    FROM scheduled_orders o
    WHERE o.status = 'Active' AND o.deleted_utc IS NULL AND o.site_id > site.site_id
    ORDER BY o.site_id
    LIMIT 1
  )
  FROM site
  WHERE site.site_id IS NOT NULL
)
SELECT site.site_id
FROM site
JOIN sites s ON s.id = site.site_id AND NOT s.simulated
WHERE EXISTS (
  SELECT 1
  FROM scheduled_orders o
  WHERE o.site_id = site.site_id
    AND o.status = 'Active'
    AND o.deleted_utc IS NULL
    AND NOT o.simulated
    AND o.next_occurrence_utc <= now()
);

-- LEFT_DUE
SELECT (
  extract(
    epoch
    FROM least(
      (
        SELECT o.next_occurrence_utc
        FROM scheduled_orders o
        WHERE o.status = 'Active' AND o.deleted_utc IS NULL AND NOT o.simulated AND o.next_occurrence_utc > $1
        ORDER BY o.next_occurrence_utc, o.id
        LIMIT 1
      ),
      (
        SELECT c.next_attempt_utc
        FROM processing_cycles c
        WHERE c.open AND NOT c.simulated AND c.next_attempt_utc IS NOT NULL
        ORDER BY c.next_attempt_utc, c.scheduled_order_id
        LIMIT 1
      ),
      (
        SELECT w.next_probe_utc
        FROM integration_waits w
        WHERE w.next_probe_utc IS NOT NULL AND NOT w.simulated
        ORDER BY w.next_probe_utc
        LIMIT 1
      )
    ) - now()
  ) * 1000
)::bigint AS in_ms;

-- LOCK_DUE
WITH due AS (
  SELECT o.id,
    o.site_id,
    o.next_occurrence_utc,
    o.replaced_occurrence_utc,
    o.payment_method_type,
    greatest(newest.cycle, o.archived_cycle, 0) + 1 AS cycle
  FROM scheduled_orders o
  LEFT JOIN LATERAL (
    SELECT c.cycle, c.open FROM processing_cycles c WHERE c.scheduled_order_id = o.id ORDER BY c.cycle DESC LIMIT 1
  ) newest ON true
  WHERE assert_same_database($2, $3, 1)
    AND o.status = 'Active'
    AND o.deleted_utc IS NULL
    AND NOT o.simulated
    AND o.next_occurrence_utc <= now()
    AND (o.next_occurrence_utc, o.id) > ($5::timestamptz, $6::bigint)
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
  set_config('idle_in_transaction_session_timeout', $1, true)
FROM due;

-- LOCK_SHARES
WITH due AS (
  SELECT o.*
  FROM unnest($4::bigint[], $5::integer[], $6::timestamptz[], $7::bigint[]) AS b (site_id, take, after_utc, after_id)
  CROSS JOIN LATERAL (
    SELECT o.id,
      o.site_id,
      o.next_occurrence_utc,
      o.replaced_occurrence_utc,
      o.payment_method_type,
      greatest(newest.cycle, o.archived_cycle, 0) + 1 AS cycle
    FROM scheduled_orders o
    LEFT JOIN LATERAL (
      SELECT c.cycle, c.open FROM processing_cycles c WHERE c.scheduled_order_id = o.id ORDER BY c.cycle DESC LIMIT 1
    ) newest ON true
    WHERE o.site_id = b.site_id
      AND o.status = 'Active'
      AND o.deleted_utc IS NULL
      AND NOT o.simulated
      AND o.next_occurrence_utc <= now()
      AND (o.next_occurrence_utc, o.id) > (b.after_utc, b.after_id)
      AND newest.open IS NOT TRUE
    ORDER BY o.next_occurrence_utc, o.id
    LIMIT b.take
    FOR NO KEY UPDATE OF o SKIP LOCKED
  ) o
  WHERE assert_same_database($2, $3, 1)
)
SELECT due.id AS scheduled_order_id,
  due.cycle,
  due.site_id,
  due.next_occurrence_utc AS due_utc,
  due.replaced_occurrence_utc AS replaced_utc,
  due.payment_method_type,
  nextval('orders_id_seq') AS order_id,
  set_config('idle_in_transaction_session_timeout', $1, true)
FROM due;

-- NEXT_DUE
SELECT (
  extract(
    epoch
    FROM least(
      (
        SELECT o.next_occurrence_utc
        FROM scheduled_orders o
        WHERE o.status = 'Active' AND o.deleted_utc IS NULL AND NOT o.simulated AND o.next_occurrence_utc > $1
        ORDER BY o.next_occurrence_utc, o.id
        LIMIT 1
      ),
      (
        SELECT c.next_attempt_utc
        FROM processing_cycles c
        WHERE c.open AND NOT c.simulated AND c.next_attempt_utc > $1
        ORDER BY c.next_attempt_utc, c.scheduled_order_id
        LIMIT 1
      ),
      (
        SELECT w.next_probe_utc
        FROM integration_waits w
        WHERE w.next_probe_utc > $1 AND NOT w.simulated
        ORDER BY w.next_probe_utc
        LIMIT 1
      )
    ) - now()
  ) * 1000
)::bigint AS in_ms;

-- NEXT_EXPIRY
SELECT (extract(epoch FROM min(c.lease_until_utc) - now()) * 1000)::bigint AS in_ms
FROM processing_cycles c
WHERE c.open AND NOT c.simulated AND c.worker <> $1;

-- TAKE_OVER
WITH expired AS (
  SELECT c.scheduled_order_id, c.cycle, c.worker, c.claim
  FROM processing_cycles c
  WHERE assert_same_database($3, $4, 1)
    AND c.open
    AND NOT c.simulated
    AND c.lease_until_utc <= least(now(), $6::timestamptz)
  ORDER BY c.scheduled_order_id
  LIMIT $5
  FOR NO KEY UPDATE SKIP LOCKED
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
  c.kept_claim
FROM claimed c;
