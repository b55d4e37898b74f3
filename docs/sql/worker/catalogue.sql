-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/read-back/catalogue.sql.ts

-- ADD_PRODUCTS
INSERT INTO products (
  site_id,
  external_id,
  title,
  price,
  sale_price,
  availability,
  stock_level,
  type,
  sku,
  description,
  length,
  width,
  height,
  weight,
  shipping_class,
  tax_class,
  image_url
)
SELECT $1::bigint,
  b.external_id,
  b.title,
  b.price::numeric,
  b.sale_price::numeric,
  b.availability,
  b.stock_level,
  b.type,
  b.sku,
  b.description,
  b.length,
  b.width,
  b.height,
  b.weight,
  b.shipping_class,
  b.tax_class,
  b.image_url
FROM unnest(
  $2::text[],
  $3::text[],
  $4::text[],
  $5::text[],
  $6::text[],
  $7::text[],
  $8::text[],
  $9::text[],
  $10::text[],
  $11::text[],
  $12::text[],
  $13::text[],
  $14::text[],
  $15::text[],
  $16::text[],
  $17::text[]
)
AS b (
  external_id,
  title,
  price,
  sale_price,
  availability,
  stock_level,
  type,
  sku,
  description,
  length,
  width,
  height,
  weight,
  shipping_class,
  tax_class,
  image_url
)
ON CONFLICT (site_id, external_id) WHERE deleted_utc IS NULL DO NOTHING RETURNING 1;

-- ADVANCE_IMPORT
UPDATE product_imports i
SET place = $2,
  created = i.created + $5::bigint,
  message = NULL,
  total = coalesce(i.total, i.read + $3::bigint + $4::bigint),
  read = greatest(
    i.read, coalesce(coalesce(i.total, i.read + $3::bigint + $4::bigint) - $4::bigint, i.read + $3::bigint)
  ),
  state = CASE WHEN $6::boolean THEN 'Done' ELSE 'Running' END,
  ended_utc = CASE WHEN $6::boolean THEN now() END
WHERE i.site_id = $1 AND i.state = 'Running';

-- FOLLOW_PRODUCTS
WITH b AS MATERIALIZED (
  SELECT p.id, b.*
  FROM unnest(
    $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]
  ) AS b (external_id, title, price, sale_price, availability, stock_level)
  JOIN products p ON p.site_id = $1 AND p.external_id = b.external_id
  WHERE p.deleted_utc IS NULL
    AND (p.title, p.price, p.sale_price, p.availability, p.stock_level) IS DISTINCT FROM (
      coalesce(b.title, p.title),
      coalesce(b.price::numeric, p.price),
      CASE WHEN b.price IS NULL THEN p.sale_price ELSE b.sale_price::numeric END,
      b.availability,
      b.stock_level
    )
  ORDER BY p.id
  FOR NO KEY UPDATE OF p
)
UPDATE products p
SET (title, price, sale_price, availability, stock_level, updated_utc) = ROW (
  coalesce(b.title, p.title),
  coalesce(b.price::numeric, p.price),
  CASE WHEN b.price IS NULL THEN p.sale_price ELSE b.sale_price::numeric END,
  b.availability,
  b.stock_level,
  greatest(clock_timestamp()::timestamptz(3), p.updated_utc + interval '1 millisecond')
)
FROM b
WHERE p.id = b.id;
