-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/events/events.sql.ts

-- ARRIVED
SELECT x.site_id, s.user_id, max(x.sequence) AS up_to
FROM outbox x
JOIN sites s ON s.id = x.site_id
WHERE x.sequence > $1
GROUP BY x.site_id, s.user_id;

-- LISTENS
SELECT EXISTS (
  SELECT 1 FROM eachSite($1::bigint[]) JOIN sites s ON s.id = site.id WHERE s.listens_since_utc IS NOT NULL
) AS listens,
  (SELECT last_value FROM outbox_sequence_seq) AS last;

-- READ_EVENTS
SELECT p.up_to,
  e.sequence,
  e.event_id,
  e.site_id,
  e.scheduled_order_id,
  e.type,
  e.log_id,
  e.occurred_utc,
  e.simulated_utc,
  e.facts
FROM (SELECT coalesce(max(x.sequence), 0) AS up_to FROM outbox x WHERE x.sequence IS NOT NULL) p
LEFT JOIN LATERAL (
  SELECT o.sequence,
    o.event_id,
    o.site_id,
    o.scheduled_order_id,
    o.type,
    o.log_id,
    o.occurred_utc,
    o.simulated_utc,
    o.facts
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT x.sequence,
      x.event_id,
      x.site_id,
      x.scheduled_order_id,
      x.type,
      x.log_id,
      x.occurred_utc,
      x.simulated_utc,
      x.facts
    FROM outbox x
    WHERE x.site_id = site.id AND x.sequence > $2 AND ($3::text[] IS NULL OR x.type = ANY ($3))
    ORDER BY x.sequence
    LIMIT $4
  ) o
  ORDER BY o.sequence
  LIMIT $4
) e ON true
ORDER BY e.sequence;
