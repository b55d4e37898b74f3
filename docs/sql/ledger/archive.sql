-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/archive.sql.ts

-- ARCHIVE
WITH until AS (
  SELECT least(now() - $3::int * interval '1 month', known.utc - interval '3 months') AS utc
  FROM (
    SELECT least(
      (SELECT min(d.seen_utc) FROM deployment d),
      (SELECT min(d.cut_off_utc) FROM required_reconciliations d WHERE d.began_utc > now() - interval '60 days')
    ) AS utc
  ) known
),
page AS (SELECT o.id FROM scheduled_orders o WHERE o.id > $1 ORDER BY o.id LIMIT $2),
old AS MATERIALIZED (
  SELECT page.id, kept.from_cycle
  FROM page
  CROSS JOIN until
  CROSS JOIN LATERAL (
    SELECT min(c.cycle) FILTER (WHERE c.open OR c.updated_utc >= until.utc OR c.place <= 2) AS from_cycle,
      max(c.updated_utc) < until.utc AS has_ended
    FROM (
      SELECT c.cycle, c.open, c.updated_utc, row_number() OVER (ORDER BY c.cycle DESC) AS place
      FROM processing_cycles c
      WHERE c.scheduled_order_id = page.id
    ) c
  ) kept
  WHERE (
    SELECT count(*) FROM processing_cycles c WHERE c.scheduled_order_id = page.id AND c.cycle < kept.from_cycle
  ) >= CASE
    WHEN kept.has_ended THEN 3
    ELSE 12
    END
),
locked AS (
  SELECT o.id, old.from_cycle FROM old JOIN scheduled_orders o ON o.id = old.id FOR NO KEY UPDATE OF o SKIP LOCKED
),
moved AS (
  DELETE
  FROM processing_cycles c USING locked
  WHERE c.scheduled_order_id = locked.id AND c.cycle < locked.from_cycle AND NOT c.open
  RETURNING c.*
),
archived AS (
  INSERT INTO archived_cycles (scheduled_order_id, last_cycle, site_id, cycles, first_ended_utc, last_ended_utc)
  SELECT m.scheduled_order_id,
    max(m.cycle),
    min(m.site_id),
    jsonb_agg(
      (SELECT jsonb_object_agg(f.key, f.value) FROM jsonb_each(to_jsonb(m)) f WHERE f.value <> 'null') ORDER BY m.cycle
    ),
    min(coalesce(m.ended_utc, m.due_utc)) FILTER (WHERE m.state IN ('Failed', 'Skipped')),
    max(coalesce(m.ended_utc, m.due_utc)) FILTER (WHERE m.state IN ('Failed', 'Skipped'))
  FROM moved m
  GROUP BY m.scheduled_order_id
  RETURNING scheduled_order_id, last_cycle, jsonb_array_length(cycles) AS count
),
marked AS (
  UPDATE scheduled_orders o SET archived_cycle = a.last_cycle FROM archived a WHERE o.id = a.scheduled_order_id
)
SELECT (SELECT max(page.id) FROM page)::float8 AS last,
  coalesce(sum(a.count), 0)::float8 AS cycles,
  count(*)::float8 AS orders
FROM archived a;
