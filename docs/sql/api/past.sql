-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/reports/calendar/past.sql.ts

-- PAST
SELECT p.day,
  p.currency_iso AS "currencyIso",
  sum(p.processed)::float8 AS processed,
  sum(p.charged)::text AS charged,
  sum(p.failed)::float8 AS failed,
  sum(p.skipped)::float8 AS skipped
FROM (
  SELECT date_bin('1 day', w.date_created, '2000-01-01T00:00:00Z') AS day,
    w.currency_iso,
    count(*) AS processed,
    sum(coalesce(w.total, 0)) AS charged,
    0 AS failed,
    0 AS skipped
  FROM orders w
  WHERE w.site_id = $1::bigint
    AND w.date_created >= $2::timestamptz
    AND w.date_created < $3::timestamptz
    AND w.scheduled_order_id IS NOT NULL
    AND w.deleted_utc IS NULL
  GROUP BY 1, 2
  UNION ALL
  SELECT date_bin('1 day', e.ended_utc, '2000-01-01T00:00:00Z'),
    coalesce(e.currency_iso, (SELECT o.currency_iso FROM scheduled_orders o WHERE o.id = e.scheduled_order_id)),
    0,
    0,
    count(*) FILTER (WHERE e.state = 'Failed'),
    count(*) FILTER (WHERE e.state = 'Skipped')
  FROM (
    SELECT c.scheduled_order_id, c.state, c.currency_iso, coalesce(c.ended_utc, c.due_utc) AS ended_utc
    FROM processing_cycles c
    WHERE c.site_id = $1::bigint
      AND NOT c.open
      AND (c.ended_utc IS NOT NULL OR c.failure_code IS NOT NULL OR c.order_id IS NULL)
      AND coalesce(c.ended_utc, c.due_utc) >= $2::timestamptz
      AND coalesce(c.ended_utc, c.due_utc) < $3::timestamptz
      AND (c.state = 'Skipped' OR c.state = 'Failed' AND c.failure_code IS NOT NULL)
    UNION ALL
    SELECT c.scheduled_order_id, c.state, c.currency_iso, coalesce(c.ended_utc, c.due_utc) AS ended_utc
    FROM archived_cycles a
    CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) c
    WHERE a.site_id = $1::bigint
      AND a.last_ended_utc >= $2::timestamptz
      AND a.first_ended_utc < $3::timestamptz
      AND coalesce(c.ended_utc, c.due_utc) >= $2::timestamptz
      AND coalesce(c.ended_utc, c.due_utc) < $3::timestamptz
      AND (c.state = 'Skipped' OR c.state = 'Failed' AND c.failure_code IS NOT NULL)
  ) e
  GROUP BY 1, 2
) p
GROUP BY 1, 2;
