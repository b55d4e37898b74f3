-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql

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
) AS settings
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
) AS settings
FROM sites s
WHERE s.id = $1
FOR NO KEY UPDATE OF s;

-- apps/api/src/sites/sites.service.ts
-- for GET /api/Site/{siteId}
-- for PUT /api/Site/{siteId}
SELECT (
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.user_id AS "UserId",
      x.url AS "Url",
      x.type AS "Type",
      x.name AS "Name",
      x.email AS "Email",
      (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key1 AS "ApiKey1",
      (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key2 AS "ApiKey2",
      (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key3 AS "ApiKey3",
      x.currency_iso AS "CurrencyIso",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)::text AS json
FROM sites x
WHERE x.id = $1;

-- libs/records/src/listing.ts
-- for GET /api/Sites
WITH found AS MATERIALIZED (SELECT s.id FROM sites s WHERE s.user_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3),
chunk AS (
  SELECT string_agg(c.json, ',' ORDER BY c.id) AS json, coalesce(max(c.id), (SELECT min(id) FROM found)) AS last
  FROM (
    SELECT x.id,
      (
        SELECT row_to_json(resource)
        FROM (
          SELECT x.id AS "Id",
            x.user_id AS "UserId",
            x.url AS "Url",
            x.type AS "Type",
            x.name AS "Name",
            x.email AS "Email",
            (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key1 AS "ApiKey1",
            (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key2 AS "ApiKey2",
            (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key3 AS "ApiKey3",
            x.currency_iso AS "CurrencyIso",
            to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
            to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
        ) resource
      )::text AS json
    FROM sites x
    WHERE x.id = ANY (ARRAY(SELECT id FROM found))
  ) c
)
SELECT $4::text || json AS json,
  last::text AS last,
  ((SELECT count(*) FROM found) < $3 AND coalesce(last = (SELECT max(id) FROM found), true))::text AS ends
FROM chunk;

-- libs/records/src/rows.ts
-- for POST /api/Sites
INSERT INTO sites AS x (url, type, name, currency_iso, id, user_id)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING x.id,
  (
    SELECT row_to_json(resource)
    FROM (
      SELECT x.id AS "Id",
        x.user_id AS "UserId",
        x.url AS "Url",
        x.type AS "Type",
        x.name AS "Name",
        x.email AS "Email",
        (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key1 AS "ApiKey1",
        (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key2 AS "ApiKey2",
        (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key3 AS "ApiKey3",
        x.currency_iso AS "CurrencyIso",
        to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
        to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
    ) resource
  )::text AS json;

-- libs/records/src/rows.ts
-- for PUT /api/Site/{siteId}
UPDATE sites AS x
SET name = $2, updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING (
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.user_id AS "UserId",
      x.url AS "Url",
      x.type AS "Type",
      x.name AS "Name",
      x.email AS "Email",
      (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key1 AS "ApiKey1",
      (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key2 AS "ApiKey2",
      (SELECT s.binding FROM sealing s) || ' ' || x.id || ' ' || x.api_key3 AS "ApiKey3",
      x.currency_iso AS "CurrencyIso",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)::text AS json;
