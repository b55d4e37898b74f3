-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/explain/rates-tester.service.ts
-- for POST /api/Site/{siteId}/Explain/Rates
SELECT s.currency_iso AS "currencyIso", isReached(s.id, $2::bigint[]) AS reached FROM sites s WHERE s.id = $1;

-- apps/api/src/payments/differences/differences.service.ts
-- for GET /api/Site/{siteId}/Differences
SELECT x.id, differenceView.json(x)::text AS json
FROM unnest($2::varchar[]) AS s (state)
CROSS JOIN LATERAL (
  SELECT d.*
  FROM payment_differences d
  WHERE d.site_id = $1 AND d.state = s.state AND d.id < $4 AND ($3::varchar IS NULL OR d.kind = $3)
  ORDER BY d.id DESC
  LIMIT 101
) x
ORDER BY x.id DESC
LIMIT 101;

-- apps/api/src/reports/overview/differences.ts
-- for GET /api/Site/{siteId}/Overview
SELECT (
  SELECT count(*)::int FROM (SELECT FROM payment_differences d WHERE d.site_id = $1 AND d.state = 'Open' LIMIT 10001) n
) AS open,
  (
    SELECT count(DISTINCT n.scheduled_order_id)::int
    FROM (SELECT d.scheduled_order_id FROM payment_differences d WHERE d.site_id = $1 AND d.holds LIMIT 10001) n
  ) AS held,
  (
    SELECT d.created_utc FROM payment_differences d WHERE d.site_id = $1 AND d.state = 'Open' ORDER BY d.id LIMIT 1
  ) AS oldest;

-- apps/api/src/reports/overview/pushes.ts
-- for GET /api/Site/{siteId}/Overview
SELECT x.state FROM site_shops x WHERE x.site_id = $1 AND x.push;

-- apps/api/src/reports/report-database.ts
-- for GET /api/Site/{siteId}/Calendar
SELECT o.id,
  o.frequency_type,
  o.frequency,
  o.schedule_anchor_utc AS anchor,
  o.next_occurrence_utc AS next,
  o.replaced_occurrence_utc AS replaced
FROM scheduled_orders o
WHERE o.site_id = $1
  AND o.status = 'Active'
  AND o.deleted_utc IS NULL
  AND o.next_occurrence_utc < $2
  AND (o.next_occurrence_utc, o.id) > (coalesce($3::timestamptz, '-infinity'), $4::bigint)
ORDER BY o.next_occurrence_utc, o.id
LIMIT $5;

-- apps/api/src/reports/report-database.ts
-- for GET /api/Site/{siteId}/Forecast
SELECT o.id,
  o.status,
  o.frequency_type,
  o.frequency,
  o.schedule_anchor_utc AS anchor,
  o.next_occurrence_utc AS next,
  o.replaced_occurrence_utc AS replaced,
  o.cycles,
  (SELECT c.state FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open) AS open_state
FROM scheduled_orders o
WHERE o.site_id = $1 AND o.deleted_utc IS NULL AND o.id > $2
ORDER BY o.id
LIMIT $3;

-- apps/api/src/reports/reported-site.ts
-- for GET /api/Site/{siteId}/Calendar
-- for GET /api/Site/{siteId}/Forecast
-- for GET /api/Site/{siteId}/Overview
SELECT coalesce((SELECT k.now_utc FROM test_clocks k WHERE k.site_id = s.id), clock_timestamp())::timestamptz(3) AS now,
  isReached(s.id, $2::bigint[]) AS reached
FROM sites s
WHERE s.id = $1;

-- apps/api/src/shops/probe.ts
-- for POST /api/Site/{siteId}/Shop/Verify
SELECT s.currency_iso,
  coalesce((SELECT t.prices FROM site_settings t WHERE t.site_id = s.id), 'Net') AS prices,
  (SELECT d.key_prefix FROM deployment d),
  now() AS now_utc,
  p.external_id,
  p.sku,
  p.title,
  p.product,
  c.shipping_street1,
  c.shipping_city,
  c.shipping_state,
  c.shipping_postcode,
  c.shipping_country
FROM sites s
LEFT JOIN LATERAL (
  SELECT x.external_id,
    x.sku,
    x.title,
    json_build_object(
      'id', x.id,
      'price', x.price::text,
      'salePrice', x.sale_price::text,
      'availability', x.availability,
      'stockLevel', x.stock_level,
      'shippingClass', x.shipping_class,
      'taxClass', x.tax_class,
      'deletedUtc', x.deleted_utc,
      'title', x.title,
      'externalId', x.external_id,
      'sku', x.sku,
      'unsellable', x.unsellable
    ) AS product
  FROM products x
  WHERE x.site_id = s.id AND x.deleted_utc IS NULL AND x.external_id IS NOT NULL AND coalesce(x.sale_price, x.price) > 0
  ORDER BY x.id = ANY ($2::bigint[]) DESC, x.id DESC
  LIMIT 1
) p ON true
LEFT JOIN LATERAL (
  SELECT *
  FROM customers x
  WHERE x.site_id = s.id AND x.deleted_utc IS NULL AND x.shipping_country IS NOT NULL
  ORDER BY x.id DESC
  LIMIT 1
) c ON true
WHERE s.id = $1;

-- apps/api/src/shops/probe.ts
-- for POST /api/Site/{siteId}/Shop/Verify
WITH next AS MATERIALIZED (
  SELECT o.id
  FROM scheduled_orders o
  WHERE o.site_id = $1 AND o.status = 'Active' AND o.deleted_utc IS NULL
  ORDER BY o.next_occurrence_utc
  LIMIT 1000
)
SELECT p.id, p.external_id AS product_external_id, p.title AS name
FROM products p
WHERE p.site_id = $1
  AND p.deleted_utc IS NULL
  AND (
    p.unsellable IS NOT NULL
      OR p.id IN (
        SELECT i.product_id
        FROM next n
        JOIN scheduled_order_items i ON i.scheduled_order_id = n.id AND i.deleted_utc IS NULL
      )
  )
ORDER BY p.unsellable IS NULL, p.id
LIMIT 200;

-- apps/api/src/shops/product-imports.service.ts
-- for GET /api/Site/{siteId}/Shop/ImportProducts
SELECT (
  SELECT row_to_json(import)
  FROM (
    SELECT i.site_id AS "SiteId",
      i.state AS "State",
      i.read AS "Read",
      i.total AS "Total",
      i.created AS "Created",
      i.message AS "Message",
      to_char(i.started_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "StartedUtc",
      to_char(i.ended_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "EndedUtc"
  ) import
)::text AS json
FROM product_imports i
WHERE i.site_id = $1;

-- apps/api/src/shops/product-imports.service.ts
-- for POST /api/Site/{siteId}/Shop/ImportProducts
INSERT INTO product_imports AS i (site_id, message)
VALUES ($1, $2)
ON CONFLICT (site_id) DO UPDATE SET state = 'Running',
  started_utc = now(),
  ended_utc = NULL,
  read = 0,
  total = NULL,
  created = 0,
  message = $2,
  place = '{}'
  WHERE i.state = 'Done'
  RETURNING (
    SELECT row_to_json(import)
    FROM (
      SELECT i.site_id AS "SiteId",
        i.state AS "State",
        i.read AS "Read",
        i.total AS "Total",
        i.created AS "Created",
        i.message AS "Message",
        to_char(i.started_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "StartedUtc",
        to_char(i.ended_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "EndedUtc"
    ) import
  )::text AS json;

-- apps/api/src/shops/product-imports.service.ts
-- for POST /api/Site/{siteId}/Shop/ImportProducts
INSERT INTO shop_reads AS r (site_id, look_at_once)
VALUES ($1, true)
ON CONFLICT (site_id) DO UPDATE SET look_at_once = true;

-- apps/api/src/shops/product-imports.service.ts
-- for POST /api/Site/{siteId}/Shop/ImportProducts
SELECT h.receiver, h.state FROM site_shops h WHERE h.site_id = $1;

-- apps/api/src/shops/shop-secrets.service.ts
-- for GET /api/Site/{siteId}/Shop/Secret
SELECT x.site_id AS id,
  x.secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_secret END AS previous_secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_until_utc END AS previous_until_utc
FROM site_shops x
WHERE x.site_id = $1;

-- apps/api/src/shops/shop-verification.service.ts
-- for POST /api/Site/{siteId}/Shop/Verify
SELECT e.url, e.event_types
FROM webhook_endpoints e
WHERE e.site_id = $1 AND e.deleted_utc IS NULL AND e.status = 'Enabled'
ORDER BY e.id;

-- apps/api/src/shops/shop-verification.service.ts
-- for POST /api/Site/{siteId}/Shop/Verify
SELECT x.site_id,
  x.receiver,
  s.url,
  x.path,
  x.auth_mode,
  s.api_key1,
  s.api_key2,
  x.secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_secret END AS previous_secret
FROM sites s
JOIN site_shops x ON x.site_id = s.id
WHERE s.id = $1;

-- apps/api/src/shops/stored-shop.ts
-- for GET /api/Site/{siteId}/Shop
-- for GET /api/Site/{siteId}/Shop/Secret
SELECT isReached(s.id, $2::bigint[]) AS reached,
  s.url,
  s.type,
  s.simulated,
  x.site_id IS NOT NULL AS is_stored,
  x.push,
  x.receiver,
  x.path,
  x.auth_mode,
  x.tax_difference,
  x.push_anyway,
  x.stock_sync,
  x.refunds_in,
  x.last_sync_utc,
  x.state,
  x.state_because
FROM sites s
LEFT JOIN site_shops x ON x.site_id = s.id
WHERE s.id = $1;

-- apps/api/src/shops/stored-shop.ts
-- for POST /api/Site/{siteId}/Shop/RotateSecret
-- for POST /api/Site/{siteId}/Shop/Verify
-- for PUT /api/Site/{siteId}/Shop
SELECT isReached(s.id, $2::bigint[]) AS reached,
  s.url,
  s.type,
  s.simulated,
  x.site_id IS NOT NULL AS is_stored,
  x.push,
  x.receiver,
  x.path,
  x.auth_mode,
  x.tax_difference,
  x.push_anyway,
  x.stock_sync,
  x.refunds_in,
  x.last_sync_utc,
  x.state,
  x.state_because
FROM sites s
LEFT JOIN site_shops x ON x.site_id = s.id
WHERE s.id = $1
FOR NO KEY UPDATE OF s;

-- apps/api/src/sites/site-settings.service.ts
-- for GET /api/Site/{siteId}/Settings
SELECT (
  SELECT json_build_object(
    'prices', g.prices,
    'homeCountry', g.home_country,
    'homeState', g.home_state,
    'homeCity', g.home_city,
    'homePostcode', g.home_postcode,
    'grossOutside', g.gross_outside,
    'minSubtotalGross', g.min_subtotal_gross,
    'shippingPrices', g.shipping_prices,
    'shippingTax', g.shipping_tax,
    'roundTax', g.round_tax,
    'keepEvents', g.keep_events,
    'upcomingNoticeDays', g.upcoming_notice_days
  )
  FROM site_settings g
  WHERE g.site_id = s.id
) AS settings,
  isReached(s.id, $2::bigint[]) AS reached
FROM sites s
WHERE s.id = $1;

-- apps/api/src/sites/site-settings.service.ts
-- for PUT /api/Site/{siteId}/Settings
SELECT (
  SELECT json_build_object(
    'prices', g.prices,
    'homeCountry', g.home_country,
    'homeState', g.home_state,
    'homeCity', g.home_city,
    'homePostcode', g.home_postcode,
    'grossOutside', g.gross_outside,
    'minSubtotalGross', g.min_subtotal_gross,
    'shippingPrices', g.shipping_prices,
    'shippingTax', g.shipping_tax,
    'roundTax', g.round_tax,
    'keepEvents', g.keep_events,
    'upcomingNoticeDays', g.upcoming_notice_days
  )
  FROM site_settings g
  WHERE g.site_id = s.id
) AS settings,
  isReached(s.id, $2::bigint[]) AS reached
FROM sites s
WHERE s.id = $1
FOR NO KEY UPDATE OF s;

-- apps/api/src/sites/sites.service.ts
-- for GET /api/Site/{siteId}
-- for PUT /api/Site/{siteId}
SELECT siteView.json(x)::text AS json, isReached(x.id, $2::bigint[]) AS reached FROM sites x WHERE x.id = $1;

-- apps/api/src/sites/sites.service.ts
-- for POST /api/Sites
SELECT count(*)::int AS sites FROM sites s WHERE s.user_id = $1 AND NOT s.simulated;

-- apps/api/src/webhooks/signing-secrets.ts
-- for POST /api/Site/{siteId}/Shop/RotateSecret
SELECT x.site_id AS id,
  x.secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_secret END AS previous_secret,
  CASE WHEN x.previous_until_utc > now() THEN x.previous_until_utc END AS previous_until_utc,
  now() AS now_utc
FROM site_shops x
WHERE x.site_id = $1
FOR NO KEY UPDATE;

-- apps/api/src/webhooks/signing-secrets.ts
-- for POST /api/Site/{siteId}/Shop/RotateSecret
UPDATE site_shops x
SET secret = $2,
  previous_secret = $3,
  previous_until_utc = $4,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.site_id = $1;

-- apps/api/src/webhooks/webhook-endpoints.service.ts
-- for GET /api/Site/{siteId}/Overview
SELECT count(*)::int AS count
FROM webhook_endpoints e
WHERE e.site_id = $1
  AND e.deleted_utc IS NULL
  AND e.failing_since_utc IS NOT NULL
  AND (e.status = 'Enabled' OR e.disabled_reason IS NOT NULL);

-- libs/ledger/src/pushes/push-reading.sql.ts
-- for GET /api/Site/{siteId}/Overview
-- for GET /api/Site/{siteId}/Pushes/Count
SELECT count(*)::int AS count
FROM (SELECT FROM order_pushes p WHERE p.site_id = $1 AND p.state = ANY ($2::varchar[]) LIMIT 10001) n;

-- libs/ledger/src/pushes/push-reading.sql.ts
-- for GET /api/Site/{siteId}/Pushes
SELECT x.order_id, pushView.json(x)::text AS json
FROM unnest($2::varchar[]) AS s (state)
CROSS JOIN LATERAL (
  SELECT p.*
  FROM order_pushes p
  WHERE p.site_id = $1 AND p.state = s.state AND p.order_id < $3
  ORDER BY p.order_id DESC
  LIMIT $4
) x
ORDER BY x.order_id DESC
LIMIT $4;

-- libs/ledger/src/pushes/push-shops.sql.ts
-- for POST /api/Site/{siteId}/Shop/Verify
SELECT 1 FROM sites s WHERE s.id = $1 FOR NO KEY UPDATE;

-- libs/ledger/src/pushes/push-shops.sql.ts
-- for POST /api/Site/{siteId}/Shop/Verify
UPDATE site_shops h
SET state = CASE WHEN h.state = 'Ready' AND $8::varchar = 'Unreachable' THEN h.state ELSE $8 END,
  state_because = CASE
    WHEN h.state = 'Ready'
    AND $8::varchar = 'Unreachable' THEN h.state_because
    ELSE left($9, 1000)
    END,
  failures = CASE WHEN h.state = 'Ready' AND $8::varchar = 'Unreachable' THEN h.failures ELSE 0 END,
  failing_since_utc = CASE
    WHEN h.state = 'Ready'
    AND $8::varchar = 'Unreachable' THEN h.failing_since_utc
    ELSE NULL
    END,
  not_before_utc = CASE WHEN h.state = 'Ready' AND $8::varchar = 'Unreachable' THEN h.not_before_utc ELSE NULL END,
  auth_mode = coalesce($10, h.auth_mode),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), h.updated_utc + interval '1 millisecond')
FROM sites s
WHERE h.site_id = $1
  AND s.id = h.site_id
  AND h.receiver = $2
  AND h.secret = $7
  AND (s.url, s.api_key1, s.api_key2, h.path) IS NOT DISTINCT FROM ($3::varchar, $5::text, $6::text, $4::varchar)
RETURNING 1;

-- libs/records/src/access/reach.ts
-- for GET /api/Site/{siteId}/Differences
-- for GET /api/Site/{siteId}/Pushes
-- for GET /api/Site/{siteId}/Pushes/Count
-- for GET /api/Site/{siteId}/Shop/ImportProducts
-- for POST /api/Site/{siteId}/Shop/ImportProducts
SELECT isReached(s.id, $2::bigint[]) AS reached FROM sites s WHERE s.id = $1;

-- libs/records/src/lists/key-batches.ts
-- for GET /api/Sites
SELECT '{' || string_agg(p.id::text, ',' ORDER BY p.id) || '}' AS ids,
  count(*) AS count,
  min(p.id) AS first,
  max(p.id) AS last,
  (SELECT max(id) FROM sites) AS newest
FROM (
  SELECT k.id, (row_number() OVER (ORDER BY k.id) - 1) / 500 AS piece
  FROM (SELECT site.id FROM eachSite($1::bigint[]) WHERE site.id > $2 AND site.id <= $3 ORDER BY site.id LIMIT $4) k
) p
GROUP BY p.piece
ORDER BY p.piece;

-- libs/records/src/lists/record-reader.ts
-- for GET /api/Sites
WITH wanted AS MATERIALIZED (
  SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2
),
fitting AS MATERIALIZED (SELECT id, place FROM wanted),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM sites x, taken
    WHERE x.id = (SELECT w.id FROM wanted w WHERE w.place = taken.upto)
      AND NOT EXISTS (SELECT 1 FROM fitting)
      AND isOfList(x.id, $3::bigint[])
  )::text AS alone,
  (SELECT taken.upto FROM taken WHERE taken.upto < (SELECT max(place) FROM wanted))::text AS upto
FROM (SELECT) always
LEFT JOIN (
  SELECT min(c.place) AS first, ',' || string_agg(c.json, ',' ORDER BY c.place) AS json
  FROM (
    SELECT f.place, (row_number() OVER (ORDER BY f.place) - 1) / 20 AS part, siteView.json(x)::text AS json
    FROM fitting f
    CROSS JOIN LATERAL (SELECT x.* FROM sites x WHERE x.id = f.id AND isOfList(x.id, $3::bigint[]) OFFSET 0) x
  ) c
  GROUP BY c.part
) p ON true
ORDER BY p.first;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Site/{siteId}/Overview
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.id AS key
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT r.id AS id
      FROM scheduled_orders r
      CROSS JOIN LATERAL (
        SELECT t.id, t.id AS key
        FROM scheduled_orders t
        WHERE t.id = r.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
        OFFSET 0
      ) x
      WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.status <> 'Active' AND r.status = 'Pending' AND true
      ORDER BY 1
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/rows.ts
-- for POST /api/Sites
INSERT INTO sites AS x (url, type, name, currency_iso, id, user_id)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING siteView.json(x)::text AS json;

-- libs/records/src/rows.ts
-- for PUT /api/Site/{siteId}
UPDATE sites AS x
SET name = $2, updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING siteView.json(x)::text AS json;
