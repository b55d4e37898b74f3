-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql

-- libs/records/src/listing.ts
-- for GET /api/Products
WITH found AS MATERIALIZED (
  SELECT k.id
  FROM unnest($1::bigint[]) AS site(id)
  CROSS JOIN LATERAL (
    SELECT t.id FROM products t WHERE t.site_id = site.id AND t.id > $2 AND t.deleted_utc IS NULL ORDER BY t.id LIMIT $3
  ) k
  ORDER BY k.id
  LIMIT $3
),
chunk AS (
  SELECT string_agg(c.json, ',' ORDER BY c.id) AS json, coalesce(max(c.id), (SELECT min(id) FROM found)) AS last
  FROM (
    SELECT x.id,
      (
        SELECT row_to_json(resource)
        FROM (
          SELECT x.id AS "Id",
            x.site_id AS "SiteId",
            x.external_id AS "ExternalId",
            x.availability AS "Availability",
            x.stock_level AS "StockLevel",
            x.type AS "Type",
            x.sku AS "Sku",
            x.title AS "Title",
            x.description AS "Description",
            trim_scale(x.price) AS "Price",
            trim_scale(x.sale_price) AS "SalePrice",
            x.length AS "Length",
            x.width AS "Width",
            x.height AS "Height",
            x.weight AS "Weight",
            x.shipping_class AS "ShippingClass",
            x.tax_class AS "TaxClass",
            x.image_url AS "ImageUrl",
            x.image_thumb_url AS "ImageThumbUrl",
            to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
            to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
        ) resource
      )::text AS json
    FROM products x
    WHERE x.id = ANY (ARRAY(SELECT id FROM found))
  ) c
)
SELECT $4::text || json AS json,
  last::text AS last,
  ((SELECT count(*) FROM found) < $3 AND coalesce(last = (SELECT max(id) FROM found), true))::text AS ends
FROM chunk;

-- libs/records/src/rows.ts
-- for DELETE /api/Products/{productId}
UPDATE products AS x
SET deleted_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- libs/records/src/rows.ts
-- for POST /api/Products
INSERT INTO products AS x (site_id, external_id, sku, title, price, sale_price, tax_class)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING x.id,
  (
    SELECT row_to_json(resource)
    FROM (
      SELECT x.id AS "Id",
        x.site_id AS "SiteId",
        x.external_id AS "ExternalId",
        x.availability AS "Availability",
        x.stock_level AS "StockLevel",
        x.type AS "Type",
        x.sku AS "Sku",
        x.title AS "Title",
        x.description AS "Description",
        trim_scale(x.price) AS "Price",
        trim_scale(x.sale_price) AS "SalePrice",
        x.length AS "Length",
        x.width AS "Width",
        x.height AS "Height",
        x.weight AS "Weight",
        x.shipping_class AS "ShippingClass",
        x.tax_class AS "TaxClass",
        x.image_url AS "ImageUrl",
        x.image_thumb_url AS "ImageThumbUrl",
        to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
        to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
    ) resource
  )::text AS json;

-- libs/records/src/rows.ts
-- for PUT /api/Products/{productId}
UPDATE products AS x
SET availability = $2,
  sale_price = $3,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING (
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.external_id AS "ExternalId",
      x.availability AS "Availability",
      x.stock_level AS "StockLevel",
      x.type AS "Type",
      x.sku AS "Sku",
      x.title AS "Title",
      x.description AS "Description",
      trim_scale(x.price) AS "Price",
      trim_scale(x.sale_price) AS "SalePrice",
      x.length AS "Length",
      x.width AS "Width",
      x.height AS "Height",
      x.weight AS "Weight",
      x.shipping_class AS "ShippingClass",
      x.tax_class AS "TaxClass",
      x.image_url AS "ImageUrl",
      x.image_thumb_url AS "ImageThumbUrl",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)::text AS json;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/Products/{productId}
-- for PUT /api/Products/{productId}
SELECT x.id,
  x.created_utc,
  x.updated_utc,
  x.site_id,
  x.deleted_utc,
  x.external_id,
  x.availability,
  x.stock_level,
  x.type,
  x.sku,
  x.title,
  x.description,
  x.price,
  x.sale_price,
  x.length,
  x.width,
  x.height,
  x.weight,
  x.shipping_class,
  x.tax_class,
  x.image_url,
  x.image_thumb_url,
  $2::bigint IS NULL OR true AS own
FROM products x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/Products/{productId}
SELECT x.site_id,
  $2::bigint IS NULL OR true AS own,
  (
    SELECT row_to_json(resource)
    FROM (
      SELECT x.id AS "Id",
        x.site_id AS "SiteId",
        x.external_id AS "ExternalId",
        x.availability AS "Availability",
        x.stock_level AS "StockLevel",
        x.type AS "Type",
        x.sku AS "Sku",
        x.title AS "Title",
        x.description AS "Description",
        trim_scale(x.price) AS "Price",
        trim_scale(x.sale_price) AS "SalePrice",
        x.length AS "Length",
        x.width AS "Width",
        x.height AS "Height",
        x.weight AS "Weight",
        x.shipping_class AS "ShippingClass",
        x.tax_class AS "TaxClass",
        x.image_url AS "ImageUrl",
        x.image_thumb_url AS "ImageThumbUrl",
        to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
        to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
    ) resource
  )::text AS json
FROM products x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for POST /api/Products
-- for PUT /api/Products/{productId}
SELECT id FROM products WHERE site_id = $1 AND external_id = $2 AND deleted_utc IS NULL AND id IS DISTINCT FROM $3;
