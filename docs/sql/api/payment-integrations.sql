-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/payments/payment-integrations.service.ts
-- for POST /api/PaymentIntegrations
-- for PUT /api/PaymentIntegration/{paymentIntegrationId}
SELECT id
FROM payment_integrations
WHERE site_id = $1 AND payment_method_type = $2 AND deleted_utc IS NULL AND id IS DISTINCT FROM $3;

-- apps/api/src/payments/payment-integrations.service.ts
-- for POST /api/PaymentIntegrations
-- for PUT /api/PaymentIntegration/{paymentIntegrationId}
SELECT simulated FROM sites WHERE id = $1;

-- libs/ledger/src/integration-changed.ts
-- for DELETE /api/PaymentIntegration/{paymentIntegrationId}
-- for POST /api/PaymentIntegration/{paymentIntegrationId}/Verify
-- for POST /api/PaymentIntegrations
-- for PUT /api/PaymentIntegration/{paymentIntegrationId}
DELETE
FROM integration_reconciliations r USING payment_integrations i
WHERE r.payment_integration_id = i.id AND i.site_id = $1 AND i.payment_method_type = $2;

-- libs/ledger/src/integration-changed.ts
-- for DELETE /api/PaymentIntegration/{paymentIntegrationId}
-- for POST /api/PaymentIntegration/{paymentIntegrationId}/Verify
-- for POST /api/PaymentIntegrations
-- for PUT /api/PaymentIntegration/{paymentIntegrationId}
INSERT INTO integration_waits AS w (site_id, payment_method_type, waiting_since_utc, next_probe_utc)
SELECT s.id, $2::varchar, s.now_utc, s.now_utc
FROM (
  SELECT s.id, coalesce((SELECT k.now_utc FROM test_clocks k WHERE k.site_id = s.id), now()) AS now_utc
  FROM sites s
  WHERE s.id = $1::bigint
) s
WHERE EXISTS (
  SELECT 1
  FROM processing_cycles c
  WHERE c.open AND c.waiting_since_utc IS NOT NULL AND c.site_id = $1::bigint AND c.payment_method_type = $2::varchar
)
ON CONFLICT (site_id, payment_method_type) DO UPDATE SET waiting_since_utc = coalesce(
  w.waiting_since_utc, excluded.waiting_since_utc
),
  next_probe_utc = excluded.next_probe_utc;

-- libs/ledger/src/integration-changed.ts
-- for DELETE /api/PaymentIntegration/{paymentIntegrationId}
-- for POST /api/PaymentIntegration/{paymentIntegrationId}/Verify
-- for POST /api/PaymentIntegrations
-- for PUT /api/PaymentIntegration/{paymentIntegrationId}
SELECT CASE
  WHEN s.simulated THEN pg_notify('scheduled_orders_clocks', '')
  ELSE pg_notify('scheduled_orders_due', '0')
  END
FROM sites s
WHERE s.id = $1;

-- libs/ledger/src/integration-changed.ts
-- for DELETE /api/PaymentIntegration/{paymentIntegrationId}
-- for POST /api/PaymentIntegration/{paymentIntegrationId}/Verify
-- for POST /api/PaymentIntegrations
-- for PUT /api/PaymentIntegration/{paymentIntegrationId}
UPDATE processing_cycles c
SET next_attempt_utc = CASE
  WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id)
  ELSE now()
  END,
  updated_utc = now()
FROM (
  SELECT u.scheduled_order_id, u.cycle
  FROM processing_cycles u
  WHERE u.site_id = $1
    AND u.open
    AND u.failure_code IN (2001, 99)
    AND u.state = 'Unknown'
    AND u.payment_method_type = $2
    AND u.resolution IS NULL
    AND u.worker IS NULL
  ORDER BY u.scheduled_order_id
  FOR NO KEY UPDATE SKIP LOCKED
) unknown
WHERE c.scheduled_order_id = unknown.scheduled_order_id AND c.cycle = unknown.cycle;

-- libs/records/src/lists/key-batches.ts
-- for GET /api/PaymentIntegrations
SELECT '{' || string_agg(p.id::text, ',' ORDER BY p.id) || '}' AS ids,
  count(*) AS count,
  min(p.id) AS first,
  max(p.id) AS last,
  (SELECT max(id) FROM payment_integrations) AS newest
FROM (
  SELECT k.id, (row_number() OVER (ORDER BY k.id) - 1) / 500 AS piece
  FROM (
    SELECT k.id
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id
      FROM payment_integrations t
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
-- for GET /api/PaymentIntegrations
WITH wanted AS MATERIALIZED (
  SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2
),
fitting AS MATERIALIZED (SELECT id, place FROM wanted),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM payment_integrations x, taken
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
    SELECT f.place,
      (row_number() OVER (ORDER BY f.place) - 1) / 20 AS part,
      paymentIntegrationView.json(x)::text AS json
    FROM fitting f
    CROSS JOIN LATERAL (
      SELECT x.*
      FROM payment_integrations x
      WHERE x.id = f.id AND isOfList(x.site_id, $3::bigint[]) AND x.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) c
  GROUP BY c.part
) p ON true
ORDER BY p.first;

-- libs/records/src/rows.ts
-- for DELETE /api/PaymentIntegration/{paymentIntegrationId}
UPDATE payment_integrations AS x
SET deleted_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- libs/records/src/rows.ts
-- for POST /api/PaymentIntegrations
INSERT INTO payment_integrations AS x (site_id, payment_method_type, api_key1, test_mode, id)
VALUES ($1, $2, $3, $4, $5)
RETURNING x.id, paymentIntegrationView.json(x)::text AS json;

-- libs/records/src/rows.ts
-- for PUT /api/PaymentIntegration/{paymentIntegrationId}
UPDATE payment_integrations AS x
SET api_key2 = $2, updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING paymentIntegrationView.json(x)::text AS json;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/PaymentIntegration/{paymentIntegrationId}
-- for PUT /api/PaymentIntegration/{paymentIntegrationId}
SELECT x.id,
  x.created_utc,
  x.updated_utc,
  x.site_id,
  x.deleted_utc,
  x.payment_method_type,
  x.api_account,
  x.api_key1,
  x.api_key2,
  x.test_mode,
  isReached(x.site_id, $2::bigint[]) AS reached
FROM payment_integrations x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/PaymentIntegration/{paymentIntegrationId}
SELECT isReached(x.site_id, $2::bigint[]) AS reached, paymentIntegrationView.json(x)::text AS json
FROM payment_integrations x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for POST /api/PaymentIntegration/{paymentIntegrationId}/Verify
SELECT isReached(x.site_id, $2::bigint[]) AS reached,
  x.id,
  x.site_id AS "siteId",
  x.payment_method_type AS type,
  x.test_mode AS "testMode",
  x.api_account AS "apiAccount",
  x.api_key1 AS "apiKey1",
  x.api_key2 AS "apiKey2"
FROM payment_integrations x
WHERE x.id = $1 AND x.deleted_utc IS NULL;
