-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/webhooks/recovery.service.ts
-- for POST /api/WebhookEndpoint/{webhookEndpointId}/Recover
INSERT INTO webhook_deliveries AS x (
  site_id, webhook_endpoint_id, sequence, event_id, event_type, scheduled_order_id, ordered, next_attempt_utc
)
SELECT o.site_id,
  e.id,
  o.sequence,
  o.event_id,
  o.type,
  o.scheduled_order_id,
  e.ordered AND o.scheduled_order_id IS NOT NULL,
  CASE
    WHEN e.ordered
    AND o.scheduled_order_id IS NOT NULL
    AND (
      row_number() OVER (PARTITION BY e.id, o.scheduled_order_id ORDER BY o.sequence) > 1
        OR EXISTS (
          SELECT
          FROM webhook_deliveries w
          WHERE w.webhook_endpoint_id = e.id
            AND w.scheduled_order_id = o.scheduled_order_id
            AND w.ordered
            AND w.state = 'Waiting'
        )
    ) THEN NULL
    ELSE now()
    END
FROM webhook_endpoints e
JOIN outbox o ON o.site_id = e.site_id
  AND o.sequence IS NOT NULL
  AND o.occurred_utc >= $2
  AND o.occurred_utc <= coalesce($3::timestamptz, now())
LEFT JOIN webhook_deliveries w ON w.webhook_endpoint_id = e.id AND w.sequence = o.sequence
WHERE e.id = $1
  AND w.state = 'Exhausted'
  AND (
    e.event_types = '[]'
      OR EXISTS (
        SELECT
        FROM jsonb_array_elements_text(e.event_types) p
        WHERE o.type = p OR right(p, 2) = '.*' AND starts_with(o.type, left(p, -1))
      )
  )
LIMIT 100001
ON CONFLICT (webhook_endpoint_id, sequence) DO UPDATE SET state = 'Waiting',
  tries = 0,
  ordered = excluded.ordered,
  next_attempt_utc = excluded.next_attempt_utc,
  finished_utc = NULL RETURNING 1;

-- apps/api/src/webhooks/recovery.service.ts
-- for POST /api/WebhookEndpoint/{webhookEndpointId}/Recover
SELECT to_char(s.listens_since_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS since,
  pg_notify('scheduled_orders_events', '')
FROM sites s
WHERE s.id = $1;

-- apps/api/src/webhooks/signing-secrets.ts
-- for POST /api/WebhookEndpoint/{webhookEndpointId}/RotateSecret
SELECT x.id AS id,
  x.secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_secret END AS previous_secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_until_utc END AS previous_until_utc,
  now() AS now_utc
FROM webhook_endpoints x
WHERE x.id = $1
FOR NO KEY UPDATE;

-- apps/api/src/webhooks/signing-secrets.ts
-- for POST /api/WebhookEndpoint/{webhookEndpointId}/RotateSecret
UPDATE webhook_endpoints x
SET secret = $2,
  previous_secret = $3,
  previous_until_utc = $4,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- apps/api/src/webhooks/webhook-deliveries.service.ts
-- for GET /api/WebhookEndpoint/{webhookEndpointId}/Deliveries
SELECT x.id, webhookDeliveryView.json(x)::text AS json
FROM unnest($2::varchar[]) AS s (state)
CROSS JOIN LATERAL (
  SELECT d.*
  FROM webhook_deliveries d
  WHERE d.webhook_endpoint_id = $1 AND d.state = s.state AND d.id < $4 AND ($3::varchar IS NULL OR d.event_type = $3)
  ORDER BY d.id DESC
  LIMIT 101
) x
ORDER BY x.id DESC
LIMIT 101;

-- apps/api/src/webhooks/webhook-endpoints.service.ts
-- for POST /api/WebhookEndpoints
SELECT count(*)::int AS count FROM webhook_endpoints WHERE site_id = $1 AND deleted_utc IS NULL;

-- libs/records/src/lists/key-batches.ts
-- for GET /api/WebhookEndpoints
SELECT '{' || string_agg(p.id::text, ',' ORDER BY p.id) || '}' AS ids,
  count(*) AS count,
  min(p.id) AS first,
  max(p.id) AS last,
  (SELECT max(id) FROM webhook_endpoints) AS newest
FROM (
  SELECT k.id, (row_number() OVER (ORDER BY k.id) - 1) / 500 AS piece
  FROM (
    SELECT k.id
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id
      FROM webhook_endpoints t
      WHERE t.site_id = site.id AND t.id > $2 AND t.id <= $3 AND t.deleted_utc IS NULL
      ORDER BY t.id
      LIMIT $4
    ) k
    ORDER BY k.id
    LIMIT $4
  ) k
) p
GROUP BY p.piece
ORDER BY p.piece;

-- libs/records/src/lists/record-reader.ts
-- for GET /api/WebhookEndpoints
WITH wanted AS MATERIALIZED (
  SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2
),
fitting AS MATERIALIZED (SELECT id, place FROM wanted),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM webhook_endpoints x, taken
    WHERE x.id = (SELECT w.id FROM wanted w WHERE w.place = taken.upto)
      AND NOT EXISTS (SELECT 1 FROM fitting)
      AND isOfList(x.site_id, $3::bigint[])
      AND x.deleted_utc IS NULL
  )::text AS alone,
  (SELECT taken.upto FROM taken WHERE taken.upto < (SELECT max(place) FROM wanted))::text AS upto
FROM (SELECT) always
LEFT JOIN (
  SELECT min(c.place) AS first, ',' || string_agg(c.json, ',' ORDER BY c.place) AS json
  FROM (
    SELECT f.place, (row_number() OVER (ORDER BY f.place) - 1) / 20 AS part, webhookEndpointView.json(x)::text AS json
    FROM fitting f
    CROSS JOIN LATERAL (
      SELECT x.*
      FROM webhook_endpoints x
      WHERE x.id = f.id AND isOfList(x.site_id, $3::bigint[]) AND x.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) c
  GROUP BY c.part
) p ON true
ORDER BY p.first;

-- libs/records/src/rows.ts
-- for DELETE /api/WebhookEndpoint/{webhookEndpointId}
UPDATE webhook_endpoints AS x
SET deleted_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- libs/records/src/rows.ts
-- for POST /api/WebhookEndpoints
INSERT INTO webhook_endpoints AS x (site_id, url, event_types, secret, previous_secret, id)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING x.id, webhookEndpointView.json(x)::text AS json;

-- libs/records/src/rows.ts
-- for PUT /api/WebhookEndpoint/{webhookEndpointId}
UPDATE webhook_endpoints AS x
SET description = $2,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING webhookEndpointView.json(x)::text AS json;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/WebhookEndpoint/{webhookEndpointId}
-- for POST /api/WebhookEndpoint/{webhookEndpointId}/Recover
-- for POST /api/WebhookEndpoint/{webhookEndpointId}/RotateSecret
-- for PUT /api/WebhookEndpoint/{webhookEndpointId}
SELECT x.id,
  x.created_utc,
  x.updated_utc,
  x.site_id,
  x.deleted_utc,
  x.url,
  x.description,
  x.event_types,
  x.payload,
  x.ordered,
  x.rate_per_second,
  x.status,
  x.disabled_reason,
  x.failing_since_utc,
  x.secret,
  x.previous_secret,
  x.previous_until_utc,
  x.failures,
  x.failures_before,
  x.not_before_utc,
  x.next_due_utc,
  x.written_utc,
  isReached(x.site_id, $2::bigint[]) AS reached
FROM webhook_endpoints x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/WebhookEndpoint/{webhookEndpointId}
SELECT isReached(x.site_id, $2::bigint[]) AS reached, webhookEndpointView.json(x)::text AS json
FROM webhook_endpoints x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/WebhookEndpoint/{webhookEndpointId}/Deliveries
SELECT isReached(x.site_id, $2::bigint[]) AS reached, x.id
FROM webhook_endpoints x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/WebhookEndpoint/{webhookEndpointId}/Secret
SELECT isReached(x.site_id, $2::bigint[]) AS reached,
  x.id,
  x.secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_secret END AS previous_secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_until_utc END AS previous_until_utc
FROM webhook_endpoints x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for POST /api/WebhookEndpoint/{webhookEndpointId}/Test
SELECT isReached(x.site_id, $2::bigint[]) AS reached,
  x.site_id AS "siteId",
  x.url,
  x.secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_secret END AS "previousSecret",
  now() AS "nowUtc"
FROM webhook_endpoints x
WHERE x.id = $1 AND x.deleted_utc IS NULL;
