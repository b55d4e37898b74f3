-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/outbox/upcoming.sql.ts

-- ANNOUNCE
WITH b AS (
  SELECT *
  FROM unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::jsonb[]) AS b (id, version, occurrence_utc, facts)
),
locked AS MATERIALIZED (
  SELECT o.id, o.site_id, o.next_occurrence_utc, b.facts
  FROM b
  JOIN scheduled_orders o ON o.id = b.id
  WHERE o.xmin = b.version::xid
    AND o.next_occurrence_utc = b.occurrence_utc
    AND o.status = 'Active'
    AND o.deleted_utc IS NULL
    AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open)
  ORDER BY o.id
  FOR NO KEY UPDATE OF o SKIP LOCKED
),
noticed AS (
  INSERT INTO upcoming_notices (scheduled_order_id, occurrence_utc)
  SELECT id, next_occurrence_utc
  FROM locked
  WHERE site_id = ANY (
    ARRAY (
      SELECT s.id
      FROM (SELECT DISTINCT r.site_id FROM locked r) r
      JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL
    )
  )
  ON CONFLICT DO NOTHING RETURNING scheduled_order_id
) INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts, simulated_utc) SELECT l.site_id,
l.id,
'scheduled_order.upcoming',
NULL,
l.facts,
(SELECT k.now_utc FROM test_clocks k WHERE k.site_id = l.site_id)
FROM noticed n
JOIN locked l ON l.id = n.scheduled_order_id
ORDER BY l.id
RETURNING scheduled_order_id,
pg_notify('scheduled_orders_events', '');

-- ANY_LISTENS
SELECT 1 FROM sites s WHERE s.listens_since_utc IS NOT NULL LIMIT 1;

-- BEGIN_LOOK
UPDATE upcoming_look l
SET lease = l.lease + 1, leased_until_utc = now() + interval '5 minutes'
WHERE coalesce(l.leased_until_utc <= now() OR l.leased_until_utc > now() + 2 * interval '5 minutes', true)
  AND coalesce(l.looked_utc <= now() - $1 * interval '1 millisecond' OR l.looked_utc > now(), true)
RETURNING l.lease,
  date_trunc('milliseconds', now()) AS now_utc,
  l.looked_utc,
  l.sequence AS after,
  l.full_requests,
  coalesce((SELECT max(x.sequence) FROM outbox x WHERE x.sequence IS NOT NULL), 0) AS up_to,
  l.full_requests <> l.full_requests_seen OR coalesce(l.full_utc <= now() - interval '1 hour', true) AS is_full;

-- END_LOOK
UPDATE upcoming_look
SET leased_until_utc = NULL,
  looked_utc = $2::timestamptz,
  sequence = $3::bigint,
  full_utc = CASE WHEN $4 THEN $2::timestamptz ELSE full_utc END,
  full_requests_seen = CASE WHEN $4 THEN $5::bigint ELSE full_requests_seen END
WHERE lease = $1;

-- FIND_BY_EVENTS
WITH page AS MATERIALIZED (
  SELECT x.sequence, x.scheduled_order_id, x.type
  FROM outbox x
  WHERE x.sequence > $2 AND x.sequence <= $3
  ORDER BY x.sequence
  LIMIT $1
)
SELECT p.last, f.site_id, f.id, f.next_occurrence_utc
FROM (SELECT max(sequence) AS last FROM page) p
LEFT JOIN (
  SELECT o.site_id, o.id, o.next_occurrence_utc
  FROM (
    SELECT DISTINCT scheduled_order_id AS id FROM page WHERE type NOT IN ('scheduled_order.upcoming', 'order.created')
  ) changed
  JOIN scheduled_orders o ON o.id = changed.id
  JOIN sites s ON s.id = o.site_id AND s.listens_since_utc IS NOT NULL AND NOT s.simulated
  LEFT JOIN site_settings g ON g.site_id = s.id
  WHERE o.status = 'Active'
    AND o.deleted_utc IS NULL
    AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open)
    AND NOT EXISTS (
      SELECT 1 FROM upcoming_notices n WHERE n.scheduled_order_id = o.id AND n.occurrence_utc = o.next_occurrence_utc
    )
    AND o.next_occurrence_utc > $4::timestamptz
    AND o.next_occurrence_utc <= $4::timestamptz + coalesce(g.upcoming_notice_days, 3) * interval '1 day'
) f ON true;

-- FIND_BY_TIME
SELECT s.id AS site_id, o.id, o.next_occurrence_utc
FROM sites s
LEFT JOIN site_settings g ON g.site_id = s.id
CROSS JOIN LATERAL (
  SELECT o.id, o.next_occurrence_utc
  FROM scheduled_orders o
  WHERE o.site_id = s.id
    AND o.status = 'Active'
    AND o.deleted_utc IS NULL
    AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open)
    AND NOT EXISTS (
      SELECT 1 FROM upcoming_notices n WHERE n.scheduled_order_id = o.id AND n.occurrence_utc = o.next_occurrence_utc
    )
    AND o.next_occurrence_utc > greatest(
      $5::timestamptz, $6::timestamptz + coalesce(g.upcoming_notice_days, 3) * interval '1 day'
    )
    AND o.next_occurrence_utc <= $5::timestamptz + coalesce(g.upcoming_notice_days, 3) * interval '1 day'
    AND o.next_occurrence_utc >= CASE
    WHEN s.id = $2 THEN $3::timestamptz
    ELSE '-infinity'
    END
    AND (s.id > $2 OR (o.next_occurrence_utc, o.id) > ($3::timestamptz, $4::bigint))
  ORDER BY o.next_occurrence_utc, o.id
  LIMIT $1
) o
WHERE s.listens_since_utc IS NOT NULL AND NOT s.simulated AND s.id >= $2
ORDER BY s.id, o.next_occurrence_utc, o.id
LIMIT $1;

-- FIND_SIMULATED
SELECT o.site_id, o.id, o.next_occurrence_utc
FROM scheduled_orders o
LEFT JOIN site_settings g ON g.site_id = o.site_id
WHERE o.site_id = $2
  AND o.simulated
  AND o.status = 'Active'
  AND o.deleted_utc IS NULL
  AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open)
  AND NOT EXISTS (
    SELECT 1 FROM upcoming_notices n WHERE n.scheduled_order_id = o.id AND n.occurrence_utc = o.next_occurrence_utc
  )
  AND o.next_occurrence_utc > $3::timestamptz
  AND o.next_occurrence_utc <= $3::timestamptz + coalesce(g.upcoming_notice_days, 3) * interval '1 day'
  AND (o.next_occurrence_utc, o.id) > ($4::timestamptz, $5::bigint)
ORDER BY o.next_occurrence_utc, o.id
LIMIT $1;

-- GIVE_UP_LOOK
UPDATE upcoming_look SET leased_until_utc = NULL WHERE lease = $1;

-- GO_ON_LOOKING
UPDATE upcoming_look SET leased_until_utc = now() + interval '5 minutes' WHERE lease = $1 RETURNING 1;
