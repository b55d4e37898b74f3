-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/reports/operations/operations-state.service.ts
-- for GET /api/Operations
SELECT 'Sites' AS quota, NULL::bigint AS site_id, count(*) AS used
FROM sites s
WHERE s.user_id = $2 AND NOT s.simulated
UNION ALL
SELECT 'TestClocks', NULL, count(*)
FROM sites s
WHERE s.user_id = $2 AND s.simulated
UNION ALL
SELECT 'ApiKeys', NULL, count(*)
FROM api_keys k
WHERE k.user_id = $2 AND k.revoked_utc IS NULL
UNION ALL (
  SELECT 'Rates', v.site_id, v.rates
  FROM eachSite($1::bigint[])
  JOIN rate_versions v ON v.site_id = site.id
  ORDER BY v.rates DESC, v.site_id
  LIMIT 1
)
UNION ALL (
  SELECT 'WebhookEndpoints', e.site_id, count(*)
  FROM eachSite($1::bigint[])
  JOIN webhook_endpoints e ON e.site_id = site.id
  WHERE e.deleted_utc IS NULL
  GROUP BY e.site_id
  ORDER BY 3 DESC, 2
  LIMIT 1
);

-- apps/api/src/reports/operations/operations-state.service.ts
-- for GET /api/Operations
SELECT clock_timestamp()::timestamptz(3) AS now,
  (SELECT d.seen_utc FROM deployment d) AS seen_utc,
  (SELECT m.schema_version FROM minimum_version m) AS minimum,
  (SELECT (max(right(m.name, 13)::bigint) - 1780000000000)::int FROM migrations m) AS schema,
  (
    SELECT coalesce(json_agg(a.application_name), '[]')
    FROM pg_stat_activity a
    WHERE a.datname = current_database() AND a.application_name LIKE 'scheduled-orders-listen %'
  ) AS listeners,
  EXISTS (SELECT FROM webhook_endpoints e WHERE e.deleted_utc IS NULL AND e.status = 'Enabled') AS has_endpoints,
  EXISTS (SELECT FROM site_shops h WHERE h.push) AS has_shops;

-- apps/api/src/reports/operations/operations-state.service.ts
-- for GET /api/Operations
SELECT count(*)::int AS count
FROM eachSite($1::bigint[])
CROSS JOIN LATERAL (
  SELECT
  FROM payment_integrations i
  WHERE i.site_id = site.id
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
  OFFSET 0
) x;

-- apps/api/src/reports/operations/operations-state.service.ts
-- for GET /api/Operations
SELECT count(site.id)::int AS count,
  min(x.occurred_utc) FILTER (WHERE site.id IS NOT NULL) AS oldest,
  count(*) = 10001 AS is_more
FROM (SELECT o.site_id, o.occurred_utc FROM outbox o WHERE o.sequence IS NULL ORDER BY o.id LIMIT 10001) x
LEFT JOIN eachSite($1::bigint[]) ON site.id = x.site_id;

-- apps/api/src/reports/operations/operations-state.service.ts
-- for GET /api/Operations
SELECT min(x.next_occurrence_utc) AS oldest
FROM eachSite($1::bigint[])
CROSS JOIN LATERAL (
  SELECT o.next_occurrence_utc
  FROM scheduled_orders o
  WHERE o.site_id = site.id AND o.status = 'Active' AND o.deleted_utc IS NULL AND o.next_occurrence_utc < $2
  ORDER BY o.next_occurrence_utc
  LIMIT 1
) x;

-- apps/api/src/reports/operations/operations-state.service.ts
-- for GET /api/Operations
SELECT x.site_id, x.payment_method_type, x.waiting_since_utc, x.next_probe_utc, x.wrong_account
FROM eachSite($1::bigint[])
CROSS JOIN LATERAL (
  SELECT w.* FROM integration_waits w WHERE w.site_id = site.id AND w.waiting_since_utc IS NOT NULL OFFSET 0
) x
ORDER BY x.waiting_since_utc, x.site_id, x.payment_method_type
LIMIT $2;

-- apps/api/src/reports/operations/operations-state.service.ts
-- for GET /api/Operations
WITH endpoints AS MATERIALIZED (
  SELECT x.*
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT e.id,
      e.status,
      e.failures,
      e.disabled_reason,
      e.deleted_utc IS NULL
        AND e.failing_since_utc IS NOT NULL
        AND (e.status = 'Enabled' OR e.disabled_reason IS NOT NULL) AS is_failing
    FROM webhook_endpoints e
    WHERE e.site_id = site.id AND e.deleted_utc IS NULL
    OFFSET 0
  ) x
)
SELECT count(*) FILTER (WHERE is_failing)::int AS failing,
  count(*) FILTER (WHERE status = 'Enabled' AND failures >= 5)::int AS held,
  count(*) FILTER (WHERE status = 'Disabled' AND disabled_reason IS NOT NULL)::int AS disabled,
  (
    SELECT count(*)::int
    FROM (
      SELECT
      FROM endpoints e
      CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries d WHERE d.webhook_endpoint_id = e.id AND d.state = 'Waiting' LIMIT 10001
      ) d
      WHERE e.status = 'Enabled'
      LIMIT 10001
    ) n
  ) AS waiting,
  (
    SELECT min(d.created_utc)
    FROM endpoints e
    CROSS JOIN LATERAL (
      SELECT d.created_utc
      FROM webhook_deliveries d
      WHERE d.webhook_endpoint_id = e.id AND d.state = 'Waiting'
      ORDER BY d.id
      LIMIT 1
    ) d
    WHERE e.status = 'Enabled'
  ) AS oldest
FROM endpoints;

-- libs/platform/src/metrics/write-probe.ts
-- for GET /api/Operations
INSERT INTO write_probes (filler) VALUES ('');
