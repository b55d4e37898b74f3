-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/records/src/lists/key-batches.ts
-- for GET /api/Products
SELECT '{' || string_agg(p.id::text, ',' ORDER BY p.id) || '}' AS ids,
  count(*) AS count,
  min(p.id) AS first,
  max(p.id) AS last,
  (SELECT max(id) FROM products) AS newest
FROM (
  SELECT k.id, (row_number() OVER (ORDER BY k.id) - 1) / 500 AS piece
  FROM (
    SELECT k.id
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id
      FROM products t
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
-- for GET /api/Products
WITH wanted AS MATERIALIZED (
  SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2
),
fitting AS MATERIALIZED (SELECT id, place FROM wanted),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM products x, taken
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
    SELECT f.place, (row_number() OVER (ORDER BY f.place) - 1) / 20 AS part, x.json::text AS json
    FROM fitting f
    CROSS JOIN LATERAL (
      SELECT x.*
      FROM products x
      WHERE x.id = f.id AND isOfList(x.site_id, $3::bigint[]) AND x.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) c
  GROUP BY c.part
) p ON true
ORDER BY p.first;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Products
-- for GET /api/Products/Count
SELECT count(*) AS count
FROM (
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM products r
    WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $1::text
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM products r
    WHERE r.site_id = site.id
      AND r.deleted_utc IS NULL
      AND (lower(r.sku) COLLATE "C" >= lower($1::text) AND lower(r.sku) COLLATE "C" < lower($1::text) || chr(1114111))
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM products r
    WHERE r.site_id = site.id
      AND r.deleted_utc IS NULL
      AND (
        lower(r.title) COLLATE "C" >= lower($1::text) AND lower(r.title) COLLATE "C" < lower($1::text) || chr(1114111)
      )
    LIMIT 5001
  ) r
  LIMIT 5001
) n;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Products
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM products t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id
    LIMIT 101
  ) w
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Products
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM products t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id
    LIMIT 21
  ) w
) r
ORDER BY r.key, r.id
LIMIT 21;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Products
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM products t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id DESC
    LIMIT 101
  ) w
) r
ORDER BY r.key DESC, r.id DESC
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Products
SELECT r.id, r.key::text AS value
FROM (
  SELECT x.id, x.key
  FROM (
    SELECT DISTINCT n.id
    FROM (
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT r.id AS id
        FROM products r
        WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT r.id AS id
        FROM products r
        WHERE r.site_id = site.id
          AND r.deleted_utc IS NULL
          AND (
            lower(r.sku) COLLATE "C" >= lower($2::text) AND lower(r.sku) COLLATE "C" < lower($2::text) || chr(1114111)
          )
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT r.id AS id
        FROM products r
        WHERE r.site_id = site.id
          AND r.deleted_utc IS NULL
          AND (
            lower(r.title) COLLATE "C" >= lower($2::text)
              AND lower(r.title) COLLATE "C" < lower($2::text) || chr(1114111)
          )
      ) r
    ) n
  ) f
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM products t
    WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
    OFFSET 0
  ) x
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Products/Count
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.key
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM products t
      WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
      ORDER BY t.id
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Products/Count
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT x.id, x.key
    FROM (
      SELECT DISTINCT n.id
      FROM (
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT r.id AS id
          FROM products r
          WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT r.id AS id
          FROM products r
          WHERE r.site_id = site.id
            AND r.deleted_utc IS NULL
            AND (
              lower(r.sku) COLLATE "C" >= lower($2::text) AND lower(r.sku) COLLATE "C" < lower($2::text) || chr(1114111)
            )
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT r.id AS id
          FROM products r
          WHERE r.site_id = site.id
            AND r.deleted_utc IS NULL
            AND (
              lower(r.title) COLLATE "C" >= lower($2::text)
                AND lower(r.title) COLLATE "C" < lower($2::text) || chr(1114111)
            )
        ) r
      ) n
    ) f
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM products t
      WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) r
  LIMIT 10001
) c;

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
RETURNING x.id, x.json::text AS json;

-- libs/records/src/rows.ts
-- for PUT /api/Products/{productId}
UPDATE products AS x
SET availability = $2,
  sale_price = $3,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.json::text AS json;

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
  x.unsellable,
  isReached(x.site_id, $2::bigint[]) AS reached
FROM products x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/Products/{productId}
SELECT isReached(x.site_id, $2::bigint[]) AS reached, x.json::text AS json
FROM products x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for POST /api/Products
-- for PUT /api/Products/{productId}
SELECT id FROM products WHERE site_id = $1 AND external_id = $2 AND deleted_utc IS NULL AND id IS DISTINCT FROM $3;
