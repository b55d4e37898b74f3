-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/records/src/rates/rates.sql.ts

-- RATES_FOR_ADDRESS
SELECT EXISTS (
  SELECT FROM shipping_rates r WHERE r.site_id = s.site_id AND r.deleted_utc IS NULL OFFSET 0
) AS has_shipping_rates,
  (
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
      'roundTax', g.round_tax
    )
    FROM site_settings g
    WHERE g.site_id = s.site_id
  ) AS settings,
  (
    SELECT json_agg(
      json_build_object(
        'id', r.id,
        'country', r.country,
        'state', r.state,
        'city', r.city,
        'postcode', r.postcode,
        'shippingClass', r.shipping_class,
        'name', r.name,
        'basePrice', r.base_price::text,
        'pricePerUnit', r.price_per_unit::text,
        'minUnits', r.min_units,
        'minCycles', r.min_cycles,
        'minSubtotal', r.min_subtotal::text
      )
    )
    FROM (
      SELECT *
      FROM shipping_rates r
      WHERE r.site_id = s.site_id
        AND r.deleted_utc IS NULL
        AND place_key(r.country, r.state, r.city, r.postcode) = ANY ($2::text[])
    ) r
  ) AS shipping_rates,
  (
    SELECT json_agg(
      json_build_object(
        'id', r.id,
        'country', r.country,
        'state', r.state,
        'city', r.city,
        'postcode', r.postcode,
        'taxClass', r.tax_class,
        'name', r.name,
        'rate', r.rate::text,
        'isCompound', r.is_compound,
        'priority', r.priority,
        'appliesToShipping', r.applies_to_shipping
      )
    )
    FROM tax_rates r
    WHERE r.site_id = s.site_id
      AND r.deleted_utc IS NULL
      AND place_key(r.country, r.state, r.city, r.postcode) = ANY ($2::text[])
  ) AS tax_rates
FROM (SELECT $1::bigint AS site_id) AS s;

-- RATES_FOR_QUOTE
SELECT EXISTS (
  SELECT FROM shipping_rates r WHERE r.site_id = s.site_id AND r.deleted_utc IS NULL OFFSET 0
) AS has_shipping_rates,
  (
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
      'roundTax', g.round_tax
    )
    FROM site_settings g
    WHERE g.site_id = s.site_id
  ) AS settings,
  (
    SELECT json_agg(
      json_build_object(
        'id', r.id,
        'country', r.country,
        'state', r.state,
        'city', r.city,
        'postcode', r.postcode,
        'shippingClass', r.shipping_class,
        'name', r.name,
        'basePrice', r.base_price::text,
        'pricePerUnit', r.price_per_unit::text,
        'minUnits', r.min_units,
        'minCycles', r.min_cycles,
        'minSubtotal', r.min_subtotal::text
      )
    )
    FROM (SELECT * FROM shipping_rates r WHERE r.site_id = s.site_id AND r.deleted_utc IS NULL LIMIT 20001) r
  ) AS shipping_rates,
  (
    SELECT json_agg(
      json_build_object(
        'id', r.id,
        'country', r.country,
        'state', r.state,
        'city', r.city,
        'postcode', r.postcode,
        'taxClass', r.tax_class,
        'name', r.name,
        'rate', r.rate::text,
        'isCompound', r.is_compound,
        'priority', r.priority,
        'appliesToShipping', r.applies_to_shipping
      )
    )
    FROM tax_rates r
    WHERE r.site_id = s.site_id
      AND r.deleted_utc IS NULL
      AND place_key(r.country, r.state, r.city, r.postcode) = ANY ($2::text[])
  ) AS tax_rates
FROM (SELECT $1::bigint AS site_id) AS s;

-- RATES_OF_PLACES
WITH wanted AS MATERIALIZED (SELECT * FROM unnest($1::bigint[], $2::text[]) AS s (site_id, keys)),
shipping AS MATERIALIZED (
  SELECT r.*
  FROM wanted s
  CROSS JOIN LATERAL (
    SELECT *
    FROM shipping_rates r
    WHERE r.site_id = s.site_id
      AND r.deleted_utc IS NULL
      AND place_key(r.country, r.state, r.city, r.postcode) = ANY (string_to_array(s.keys, E'\n'))
    OFFSET 0
  ) AS r
  LIMIT $3::bigint + 1
),
tax AS MATERIALIZED (
  SELECT r.*
  FROM wanted s
  CROSS JOIN LATERAL (
    SELECT *
    FROM tax_rates r
    WHERE r.site_id = s.site_id
      AND r.deleted_utc IS NULL
      AND place_key(r.country, r.state, r.city, r.postcode) = ANY (string_to_array(s.keys, E'\n'))
    OFFSET 0
  ) AS r
  LIMIT $3::bigint + 1
),
size AS MATERIALIZED (
  SELECT coalesce((SELECT count(*) FROM shipping) + (SELECT count(*) FROM tax) <= $3::bigint, true) AS fits
)
SELECT s.site_id,
  coalesce(
    (SELECT v.version || '@' || extract(epoch FROM v.changed_utc) FROM rate_versions v WHERE v.site_id = s.site_id), '0'
  ) AS version,
  EXISTS (
    SELECT FROM shipping_rates r WHERE r.site_id = s.site_id AND r.deleted_utc IS NULL OFFSET 0
  ) AS has_shipping_rates,
  size.fits,
  (
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
      'roundTax', g.round_tax
    )
    FROM site_settings g
    WHERE g.site_id = s.site_id
  ) AS settings,
  s.shipping_rates,
  s.tax_rates
FROM (
  SELECT site_id,
    json_agg(shipping_rate) FILTER (WHERE shipping_rate IS NOT NULL) AS shipping_rates,
    json_agg(tax_rate) FILTER (WHERE tax_rate IS NOT NULL) AS tax_rates
  FROM (
    SELECT s.site_id AS site_id, NULL::json AS shipping_rate, NULL::json AS tax_rate
    FROM wanted s
    UNION ALL
    SELECT r.site_id AS site_id,
      json_build_object(
        'id', r.id,
        'country', r.country,
        'state', r.state,
        'city', r.city,
        'postcode', r.postcode,
        'shippingClass', r.shipping_class,
        'name', r.name,
        'basePrice', r.base_price::text,
        'pricePerUnit', r.price_per_unit::text,
        'minUnits', r.min_units,
        'minCycles', r.min_cycles,
        'minSubtotal', r.min_subtotal::text
      ) AS shipping_rate,
      NULL::json AS tax_rate
    FROM shipping r, size
    WHERE size.fits
    UNION ALL
    SELECT r.site_id AS site_id,
      NULL::json AS shipping_rate,
      json_build_object(
        'id', r.id,
        'country', r.country,
        'state', r.state,
        'city', r.city,
        'postcode', r.postcode,
        'taxClass', r.tax_class,
        'name', r.name,
        'rate', r.rate::text,
        'isCompound', r.is_compound,
        'priority', r.priority,
        'appliesToShipping', r.applies_to_shipping
      ) AS tax_rate
    FROM tax r, size
    WHERE size.fits
  ) AS one
  GROUP BY site_id
) AS s,
  size;

-- RATES_OF_SITES
WITH wanted AS MATERIALIZED (SELECT * FROM unnest($1::bigint[], $2::text[]) AS s (site_id, keys)),
shipping AS MATERIALIZED (
  SELECT r.*
  FROM wanted s
  CROSS JOIN LATERAL (
    SELECT * FROM shipping_rates r WHERE r.site_id = s.site_id AND r.deleted_utc IS NULL OFFSET 0
  ) AS r
  LIMIT $3::bigint + 1
),
tax AS MATERIALIZED (
  SELECT r.*
  FROM wanted s
  CROSS JOIN LATERAL (SELECT * FROM tax_rates r WHERE r.site_id = s.site_id AND r.deleted_utc IS NULL OFFSET 0) AS r
  LIMIT $3::bigint + 1
),
size AS MATERIALIZED (
  SELECT coalesce((SELECT count(*) FROM shipping) + (SELECT count(*) FROM tax) <= $3::bigint, true) AS fits
)
SELECT s.site_id,
  coalesce(
    (SELECT v.version || '@' || extract(epoch FROM v.changed_utc) FROM rate_versions v WHERE v.site_id = s.site_id), '0'
  ) AS version,
  EXISTS (
    SELECT FROM shipping_rates r WHERE r.site_id = s.site_id AND r.deleted_utc IS NULL OFFSET 0
  ) AS has_shipping_rates,
  size.fits,
  (
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
      'roundTax', g.round_tax
    )
    FROM site_settings g
    WHERE g.site_id = s.site_id
  ) AS settings,
  s.shipping_rates,
  s.tax_rates
FROM (
  SELECT site_id,
    json_agg(shipping_rate) FILTER (WHERE shipping_rate IS NOT NULL) AS shipping_rates,
    json_agg(tax_rate) FILTER (WHERE tax_rate IS NOT NULL) AS tax_rates
  FROM (
    SELECT s.site_id AS site_id, NULL::json AS shipping_rate, NULL::json AS tax_rate
    FROM wanted s
    UNION ALL
    SELECT r.site_id AS site_id,
      json_build_object(
        'id', r.id,
        'country', r.country,
        'state', r.state,
        'city', r.city,
        'postcode', r.postcode,
        'shippingClass', r.shipping_class,
        'name', r.name,
        'basePrice', r.base_price::text,
        'pricePerUnit', r.price_per_unit::text,
        'minUnits', r.min_units,
        'minCycles', r.min_cycles,
        'minSubtotal', r.min_subtotal::text
      ) AS shipping_rate,
      NULL::json AS tax_rate
    FROM shipping r, size
    WHERE size.fits
    UNION ALL
    SELECT r.site_id AS site_id,
      NULL::json AS shipping_rate,
      json_build_object(
        'id', r.id,
        'country', r.country,
        'state', r.state,
        'city', r.city,
        'postcode', r.postcode,
        'taxClass', r.tax_class,
        'name', r.name,
        'rate', r.rate::text,
        'isCompound', r.is_compound,
        'priority', r.priority,
        'appliesToShipping', r.applies_to_shipping
      ) AS tax_rate
    FROM tax r, size
    WHERE size.fits
  ) AS one
  GROUP BY site_id
) AS s,
  size;

-- RATE_VERSIONS
SELECT s.site_id,
  s.version,
  CASE
    WHEN s.version IS DISTINCT FROM s.known THEN (
      SELECT count(*)
      FROM (SELECT FROM shipping_rates r WHERE r.site_id = s.site_id AND r.deleted_utc IS NULL LIMIT $3) AS counted
    )
    + (
      SELECT count(*)
      FROM (SELECT FROM tax_rates r WHERE r.site_id = s.site_id AND r.deleted_utc IS NULL LIMIT $3) AS counted
    )
    END AS rates
FROM (
  SELECT s.site_id,
    s.known,
    coalesce(
      (SELECT v.version || '@' || extract(epoch FROM v.changed_utc) FROM rate_versions v WHERE v.site_id = s.site_id),
      '0'
    ) AS version
  FROM unnest($1::bigint[], $2::text[]) AS s (site_id, known)
  OFFSET 0
) AS s;
