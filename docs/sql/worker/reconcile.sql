-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/processor/reconcile/reconcile.sql.ts

-- LISTED_TO
INSERT INTO integration_reconciliations (payment_integration_id, generation, list_generation, list_cursor)
SELECT i.id, 0, $2, $4
FROM payment_integrations i
WHERE i.id = $1 AND i.xmin = $3::xid
FOR SHARE
ON CONFLICT (payment_integration_id) DO UPDATE SET list_generation = excluded.list_generation,
  list_cursor = excluded.list_cursor WHERE integration_reconciliations.generation < excluded.list_generation;

-- RECONCILED
INSERT INTO integration_reconciliations (payment_integration_id, generation)
SELECT i.id, $2
FROM payment_integrations i
WHERE i.id = $1 AND i.xmin = $3::xid
FOR SHARE
ON CONFLICT (payment_integration_id) DO UPDATE SET generation = excluded.generation,
  list_generation = NULL,
  list_cursor = NULL,
  done_utc = now() WHERE integration_reconciliations.generation < excluded.generation;

-- UNRECONCILED
SELECT i.id,
  i.payment_method_type AS type,
  i.xmin::text AS version,
  min(d.cut_off_utc) AS sure_until_utc,
  (extract(epoch FROM now() - min(d.cut_off_utc)) * 1000)::bigint AS ago_ms,
  (
    extract(epoch FROM now() - max(CASE d.cause WHEN 'gap' THEN pg_postmaster_start_time() ELSE d.began_utc END)) * 1000
  )::bigint AS quiet_for_ms,
  min(r.list_cursor) FILTER (WHERE r.list_generation = $2) AS cursor
FROM payment_integrations i
LEFT JOIN integration_reconciliations r ON r.payment_integration_id = i.id
JOIN required_reconciliations d ON d.generation > coalesce(r.generation, 0)
  AND i.created_utc < d.began_utc + interval '7 days'
  AND d.began_utc > now() - interval '60 days'
  AND NOT (SELECT s.simulated FROM sites s WHERE s.id = i.site_id)
WHERE i.site_id = $1 AND i.deleted_utc IS NULL
GROUP BY i.id;

-- UNRECONCILED_SITES
SELECT DISTINCT ON (i.site_id) i.site_id, i.payment_method_type
FROM payment_integrations i
WHERE i.site_id > $1
  AND i.deleted_utc IS NULL
  AND EXISTS (
    SELECT 1
    FROM required_reconciliations d
    WHERE i.created_utc < d.began_utc + interval '7 days'
      AND d.began_utc > now() - interval '60 days'
      AND NOT (SELECT s.simulated FROM sites s WHERE s.id = i.site_id)
      AND d.generation > coalesce(
        (SELECT r.generation FROM integration_reconciliations r WHERE r.payment_integration_id = i.id), 0
      )
  )
ORDER BY i.site_id
LIMIT 50;
