-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/test-clocks/deletion.ts
-- for DELETE /api/TestClock/{siteId}
SELECT k.state = 'Deleting' AND k.lease_until_utc > now() AS led FROM test_clocks k WHERE k.site_id = $1;

-- apps/api/src/test-clocks/deletion.ts
-- for DELETE /api/TestClock/{siteId}
UPDATE test_clocks
SET lease_until_utc = now() + interval '1 minute'
WHERE site_id = $1 AND worker = $2 AND state = 'Deleting'
RETURNING 1;

-- apps/api/src/test-clocks/deletion.ts
-- for DELETE /api/TestClock/{siteId}
UPDATE test_clocks
SET state = 'Deleting', worker = $2, lease_until_utc = now() + interval '1 minute', updated_utc = now()
WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE
FROM integration_audits
WHERE payment_integration_id IN (SELECT i.id FROM payment_integrations i WHERE i.site_id = $1);

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE
FROM integration_reconciliations
WHERE payment_integration_id IN (SELECT i.id FROM payment_integrations i WHERE i.site_id = $1);

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM api_key_sites WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM found_charges WHERE payment_integration_id IN (SELECT i.id FROM payment_integrations i WHERE i.site_id = $1);

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM integration_waits WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM order_items WHERE order_id IN (SELECT o.id FROM orders o WHERE o.site_id = $1);

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM orders WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM outbox WHERE sequence = ANY ($1::bigint[]);

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM outbox WHERE site_id = $1 AND sequence IS NOT NULL;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM outbox WHERE site_id = $1 AND sequence IS NULL;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM payment_differences WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM payment_integrations WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM price_history WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM price_insertions WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM product_imports WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM products WHERE id = ANY ($1::bigint[]);

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM products WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM rate_versions WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM shipping_rates WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM shop_hints WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM shop_reads WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM site_settings WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM site_shops WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM sites WHERE id = $1 AND simulated;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM tax_rates WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM test_clocks WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM webhook_deliveries WHERE webhook_endpoint_id IN (SELECT e.id FROM webhook_endpoints e WHERE e.site_id = $1);

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
DELETE FROM webhook_endpoints WHERE site_id = $1;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
SELECT 1 FROM sites s WHERE s.id = $1 FOR UPDATE;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
SELECT c.id FROM customers c WHERE c.site_id = $1 ORDER BY c.id FOR UPDATE;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
SELECT d.id
FROM webhook_deliveries d
WHERE d.webhook_endpoint_id IN (SELECT e.id FROM webhook_endpoints e WHERE e.site_id = $1)
LIMIT 5000
FOR UPDATE;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
SELECT x.id
FROM scheduled_orders x
WHERE x.id IN (
  (SELECT i.id FROM scheduled_orders i WHERE i.site_id = $1 AND i.deleted_utc IS NULL LIMIT 10)
  UNION ALL (SELECT i.id FROM scheduled_orders i WHERE i.site_id = $1 AND i.deleted_utc IS NOT NULL LIMIT 10)
)
ORDER BY x.id
FOR UPDATE;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
SELECT x.id FROM customers x WHERE x.site_id = $1 AND x.deleted_utc IS NULL ORDER BY x.id LIMIT 500 FOR UPDATE;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
SELECT x.id FROM orders x WHERE x.site_id = $1 AND x.deleted_utc IS NULL ORDER BY x.id LIMIT 1000 FOR UPDATE;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
SELECT x.id FROM products x WHERE x.site_id = $1 AND x.deleted_utc IS NULL ORDER BY x.id LIMIT 500 FOR UPDATE;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
SELECT x.sequence AS id
FROM outbox x
WHERE x.site_id = $1 AND x.sequence IS NOT NULL
ORDER BY x.sequence
LIMIT 5000
FOR UPDATE;

-- apps/api/src/test-clocks/parts-of-a-site.ts
-- for DELETE /api/TestClock/{siteId}
WITH ended AS (
  UPDATE api_keys AS x
  SET revoked_utc = now(),
    updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
  WHERE x.revoked_utc IS NULL
    AND x.id IN (SELECT s.api_key_id FROM api_key_sites s WHERE s.site_id = $1)
    AND NOT EXISTS (SELECT 1 FROM api_key_sites s WHERE s.api_key_id = x.id AND s.site_id <> $1)
  RETURNING x.id
)
UPDATE access_tokens AS x
SET revoked_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
FROM ended
WHERE x.api_key_id = ended.id AND x.revoked_utc IS NULL;

-- apps/api/src/test-clocks/test-clock-copy.ts
-- for POST /api/TestClocks
INSERT INTO products (
  site_id,
  external_id,
  availability,
  stock_level,
  type,
  sku,
  title,
  description,
  price,
  sale_price,
  length,
  width,
  height,
  weight,
  shipping_class,
  tax_class,
  image_url,
  image_thumb_url
)
SELECT $2,
  external_id,
  availability,
  stock_level,
  type,
  sku,
  title,
  description,
  price,
  sale_price,
  length,
  width,
  height,
  weight,
  shipping_class,
  tax_class,
  image_url,
  image_thumb_url
FROM products
WHERE site_id = $1 AND deleted_utc IS NULL
ORDER BY id;

-- apps/api/src/test-clocks/test-clock-copy.ts
-- for POST /api/TestClocks
INSERT INTO shipping_rates (
  site_id,
  country,
  state,
  city,
  postcode,
  shipping_class,
  price_per_unit,
  base_price,
  min_units,
  min_cycles,
  min_subtotal,
  name
)
SELECT $2,
  country,
  state,
  city,
  postcode,
  shipping_class,
  price_per_unit,
  base_price,
  min_units,
  min_cycles,
  min_subtotal,
  name
FROM shipping_rates
WHERE site_id = $1 AND deleted_utc IS NULL
ORDER BY id;

-- apps/api/src/test-clocks/test-clock-copy.ts
-- for POST /api/TestClocks
INSERT INTO site_settings (
  site_id,
  prices,
  home_country,
  home_state,
  home_city,
  home_postcode,
  gross_outside,
  min_subtotal_gross,
  shipping_prices,
  shipping_tax,
  round_tax,
  keep_events,
  upcoming_notice_days
)
SELECT $2,
  prices,
  home_country,
  home_state,
  home_city,
  home_postcode,
  gross_outside,
  min_subtotal_gross,
  shipping_prices,
  shipping_tax,
  round_tax,
  keep_events,
  upcoming_notice_days
FROM site_settings
WHERE site_id = $1;

-- apps/api/src/test-clocks/test-clock-copy.ts
-- for POST /api/TestClocks
INSERT INTO tax_rates (
  site_id, country, state, city, postcode, tax_class, rate, is_compound, name, priority, applies_to_shipping
)
SELECT $2, country, state, city, postcode, tax_class, rate, is_compound, name, priority, applies_to_shipping
FROM tax_rates
WHERE site_id = $1 AND deleted_utc IS NULL
ORDER BY id;

-- apps/api/src/test-clocks/test-clock-moves.service.ts
-- apps/api/src/test-clocks/test-clocks.service.ts
-- for GET /api/TestClock/{siteId}
-- for POST /api/TestClock/{siteId}/Advance
-- for POST /api/TestClock/{siteId}/Outage
-- for POST /api/TestClocks
SELECT (
  SELECT row_to_json(clock)
  FROM (
    SELECT k.site_id AS "SiteId",
      s.name AS "Name",
      to_char(k.now_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NowUtc",
      k.state AS "State",
      to_char(k.target_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "TargetUtc",
      k.cycles AS "Cycles",
      to_char(k.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(k.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) clock
)::text AS json,
  isReached(k.site_id, $2::bigint[]) AS reached
FROM test_clocks k
JOIN sites s ON s.id = k.site_id
WHERE k.site_id = $1;

-- apps/api/src/test-clocks/test-clocks.service.ts
-- for GET /api/TestClocks
SELECT '[' || coalesce(
  string_agg(
    (
      SELECT row_to_json(clock)
      FROM (
        SELECT k.site_id AS "SiteId",
          s.name AS "Name",
          to_char(k.now_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NowUtc",
          k.state AS "State",
          to_char(k.target_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "TargetUtc",
          k.cycles AS "Cycles",
          to_char(k.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
          to_char(k.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
      ) clock
    )::text,
    ','
    ORDER BY k.site_id
  ),
  ''
) || ']' AS json
FROM eachSite($1::bigint[], 'all')
JOIN test_clocks k ON k.site_id = site.id
JOIN sites s ON s.id = k.site_id;

-- apps/api/src/test-clocks/test-clocks.service.ts
-- for POST /api/TestClocks
INSERT INTO sites (user_id, name, simulated, url, type, email, currency_iso)
SELECT $1, $2, true, o.url, o.type, o.email, coalesce(o.currency_iso, 'USD')
FROM (SELECT $3::bigint AS id) copied
LEFT JOIN sites o ON o.id = copied.id
RETURNING id;

-- apps/api/src/test-clocks/test-clocks.service.ts
-- for POST /api/TestClocks
INSERT INTO test_clocks (site_id, now_utc) VALUES ($1, $2);

-- apps/api/src/test-clocks/test-clocks.service.ts
-- for POST /api/TestClocks
SELECT count(*)::int AS clocks FROM sites s WHERE s.user_id = $1 AND s.simulated;

-- libs/events/src/outbox/listening.ts
-- for POST /api/TestClocks
UPDATE upcoming_look SET full_requests = full_requests + 1;

-- libs/ledger/src/test-clock.ts
-- for DELETE /api/TestClock/{siteId}
-- for POST /api/TestClock/{siteId}/Advance
-- for POST /api/TestClock/{siteId}/Outage
SELECT k.now_utc AS "nowUtc", k.state FROM test_clocks k WHERE k.site_id = $1 FOR UPDATE;

-- libs/ledger/src/test-clock.ts
-- for DELETE /api/TestClock/{siteId}
SELECT EXISTS (
  SELECT 1
  FROM processing_cycles c
  WHERE c.open AND c.simulated AND c.site_id = $1 AND c.worker IS NOT NULL AND c.lease_until_utc > now()
) AS leased;

-- libs/ledger/src/test-clock.ts
-- for POST /api/TestClock/{siteId}/Advance
-- for POST /api/TestClock/{siteId}/Outage
SELECT pg_notify('scheduled_orders_clocks', '');

-- libs/ledger/src/test-clock.ts
-- for POST /api/TestClock/{siteId}/Advance
UPDATE test_clocks SET state = 'Advancing', target_utc = $2, cycles = 0, updated_utc = now() WHERE site_id = $1;

-- libs/ledger/src/test-clock.ts
-- for POST /api/TestClock/{siteId}/Outage
SELECT EXISTS (
  SELECT 1 FROM processing_cycles c WHERE c.open AND c.simulated AND c.site_id = $1 AND c.worker IS NOT NULL
) AS busy;

-- libs/ledger/src/test-clock.ts
-- for POST /api/TestClock/{siteId}/Outage
UPDATE test_clocks SET now_utc = $2, updated_utc = now() WHERE site_id = $1;
