-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/records/src/rates/rates-at-version.sql.ts

-- CLASSES_AT_VERSION
SELECT (
  SELECT (
    coalesce(
      (
        SELECT h.record
        FROM price_history h
        WHERE h.site_id = s.site_id AND h.kind = 'customers' AND h.until_version > s.version AND h.record_id = c.id
        ORDER BY h.until_version
        LIMIT 1
      ),
      jsonb_build_object('tax_exempt', c.tax_exempt)
    ) ->> 'tax_exempt'
  )::boolean
  FROM customers c
  WHERE c.id = $4
) AS tax_exempt,
  (
    SELECT json_agg(json_build_array(p.id, p.record ->> 'shipping_class', p.record ->> 'tax_class'))
    FROM (
      SELECT p.id,
        coalesce(
          (
            SELECT h.record
            FROM price_history h
            WHERE h.site_id = s.site_id AND h.kind = 'products' AND h.until_version > s.version AND h.record_id = p.id
            ORDER BY h.until_version
            LIMIT 1
          ),
          jsonb_build_object('shipping_class', p.shipping_class, 'tax_class', p.tax_class)
        ) AS record
      FROM products p
      WHERE p.id = ANY ($3::bigint[])
    ) p
  ) AS products
FROM (SELECT $1::bigint AS site_id, $2::bigint AS version) AS s;

-- RATES_AT_VERSION
SELECT (shipping.rates IS NOT NULL) AS has_shipping_rates,
  shipping.rates AS shipping_rates,
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
    FROM (
      SELECT r.*
      FROM tax_rates r
      WHERE r.site_id = s.site_id
        AND r.deleted_utc IS NULL
        AND place_key(r.country, r.state, r.city, r.postcode) = ANY ($3::text[])
        AND NOT (
          (
            SELECT h.until_version
            FROM price_history h
            WHERE h.site_id = s.site_id AND h.kind = 'tax_rates' AND h.until_version > s.version AND h.record_id = r.id
            ORDER BY h.until_version
            LIMIT 1
          ) IS NOT NULL
        )
        AND NOT r.id <@ (
          SELECT coalesce(range_agg(r), '{}')
          FROM price_insertions i
          CROSS JOIN LATERAL unnest(i.ids) r
          WHERE i.site_id = $1 AND i.kind = 'tax_rates' AND i.version > $2
        )
      UNION ALL
      SELECT r.*
      FROM (
        SELECT DISTINCT h.record_id
        FROM price_history h
        WHERE h.site_id = s.site_id
          AND h.kind = 'tax_rates'
          AND h.until_version > s.version
          AND h.place = ANY ($3::text[])
      ) changed
      CROSS JOIN LATERAL (
        SELECT h.*
        FROM price_history h
        WHERE h.site_id = s.site_id
          AND h.kind = 'tax_rates'
          AND h.until_version > s.version
          AND h.record_id = changed.record_id
        ORDER BY h.until_version
        LIMIT 1
      ) h
      CROSS JOIN LATERAL jsonb_populate_record(NULL::tax_rates, h.record) r
      WHERE r.deleted_utc IS NULL
        AND h.place = ANY ($3::text[])
        AND NOT (
          h.record_id <@ (
            SELECT coalesce(range_agg(r), '{}')
            FROM price_insertions i
            CROSS JOIN LATERAL unnest(i.ids) r
            WHERE i.site_id = $1 AND i.kind = 'tax_rates' AND i.version > $2
          )
            AND EXISTS (
              SELECT
              FROM price_insertions i
              WHERE i.site_id = s.site_id
                AND i.kind = 'tax_rates'
                AND i.version > s.version
                AND i.version < h.until_version
                AND h.record_id <@ i.ids
            )
        )
    ) r
  ) AS tax_rates,
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
    FROM (
      SELECT g.*
      FROM site_settings g
      WHERE g.site_id = s.site_id
        AND NOT (
          (
            SELECT h.until_version
            FROM price_history h
            WHERE h.site_id = s.site_id
              AND h.kind = 'site_settings'
              AND h.until_version > s.version
              AND h.record_id = g.site_id
            ORDER BY h.until_version
            LIMIT 1
          ) IS NOT NULL
        )
      UNION ALL
      SELECT g.*
      FROM (
        SELECT DISTINCT h.record_id
        FROM price_history h
        WHERE h.site_id = s.site_id AND h.kind = 'site_settings' AND h.until_version > s.version
      ) changed
      CROSS JOIN LATERAL (
        SELECT h.*
        FROM price_history h
        WHERE h.site_id = s.site_id
          AND h.kind = 'site_settings'
          AND h.until_version > s.version
          AND h.record_id = changed.record_id
        ORDER BY h.until_version
        LIMIT 1
      ) h
      CROSS JOIN LATERAL jsonb_populate_record(NULL::site_settings, h.record) g
      WHERE h.record IS NOT NULL
    ) g
  ) AS settings
FROM (SELECT $1::bigint AS site_id, $2::bigint AS version) AS s
CROSS JOIN LATERAL (
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
  ) AS rates
  FROM (
    SELECT r.*
    FROM shipping_rates r
    WHERE r.site_id = s.site_id
      AND r.deleted_utc IS NULL
      AND NOT (
        (
          SELECT h.until_version
          FROM price_history h
          WHERE h.site_id = s.site_id
            AND h.kind = 'shipping_rates'
            AND h.until_version > s.version
            AND h.record_id = r.id
          ORDER BY h.until_version
          LIMIT 1
        ) IS NOT NULL
      )
      AND NOT r.id <@ (
        SELECT coalesce(range_agg(r), '{}')
        FROM price_insertions i
        CROSS JOIN LATERAL unnest(i.ids) r
        WHERE i.site_id = $1 AND i.kind = 'shipping_rates' AND i.version > $2
      )
    UNION ALL
    SELECT r.*
    FROM (
      SELECT DISTINCT h.record_id
      FROM price_history h
      WHERE h.site_id = s.site_id AND h.kind = 'shipping_rates' AND h.until_version > s.version
    ) changed
    CROSS JOIN LATERAL (
      SELECT h.*
      FROM price_history h
      WHERE h.site_id = s.site_id
        AND h.kind = 'shipping_rates'
        AND h.until_version > s.version
        AND h.record_id = changed.record_id
      ORDER BY h.until_version
      LIMIT 1
    ) h
    CROSS JOIN LATERAL jsonb_populate_record(NULL::shipping_rates, h.record) r
    WHERE r.deleted_utc IS NULL
      AND NOT (
        h.record_id <@ (
          SELECT coalesce(range_agg(r), '{}')
          FROM price_insertions i
          CROSS JOIN LATERAL unnest(i.ids) r
          WHERE i.site_id = $1 AND i.kind = 'shipping_rates' AND i.version > $2
        )
          AND EXISTS (
            SELECT
            FROM price_insertions i
            WHERE i.site_id = s.site_id
              AND i.kind = 'shipping_rates'
              AND i.version > s.version
              AND i.version < h.until_version
              AND h.record_id <@ i.ids
          )
      )
  ) r
) shipping;
