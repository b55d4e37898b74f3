-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
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
) INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts) SELECT l.site_id,
l.id,
'scheduled_order.upcoming',
NULL,
l.facts
FROM noticed n
JOIN locked l ON l.id = n.scheduled_order_id
ORDER BY l.id
RETURNING pg_notify('scheduled_orders_events', '');

-- FIND_UPCOMING
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
    AND o.next_occurrence_utc > now()
    AND o.next_occurrence_utc <= now() + coalesce(g.upcoming_notice_days, 3) * interval '1 day'
    AND NOT EXISTS (
      SELECT 1 FROM upcoming_notices n WHERE n.scheduled_order_id = o.id AND n.occurrence_utc = o.next_occurrence_utc
    )
  ORDER BY o.next_occurrence_utc, o.id
  LIMIT $1
) o
WHERE s.listens_since_utc IS NOT NULL
LIMIT $1;
