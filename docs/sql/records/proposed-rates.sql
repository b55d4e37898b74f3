-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/records/src/rates/proposed-rates.sql.ts

-- PROPOSED_SHIPPING_RATES
SELECT json_build_object(
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
) AS rate
FROM unnest($2::bigint[], $3::text[]) AS p (id, columns)
LEFT JOIN shipping_rates t ON t.id = p.id AND t.site_id = $1 AND t.deleted_utc IS NULL
CROSS JOIN LATERAL jsonb_populate_record(t, p.columns::jsonb) r
WHERE p.id < 0 OR t.id IS NOT NULL;

-- PROPOSED_TAX_RATES
SELECT json_build_object(
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
) AS rate
FROM unnest($2::bigint[], $3::text[]) AS p (id, columns)
LEFT JOIN tax_rates t ON t.id = p.id AND t.site_id = $1 AND t.deleted_utc IS NULL
CROSS JOIN LATERAL jsonb_populate_record(t, p.columns::jsonb) r
WHERE p.id < 0 OR t.id IS NOT NULL;
