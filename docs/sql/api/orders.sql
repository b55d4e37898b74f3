-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/orders/order-items.ts
-- for POST /api/Orders
INSERT INTO order_items (site_id, order_id, product_id, name, subtotal, total, tax_total, quantity, is_recurring)
SELECT $1, $2, i."productId", i.name, i.subtotal, i.total, i."taxTotal", i.quantity, i."isRecurring"
FROM jsonb_to_recordset($3::jsonb) AS i(
  id bigint,
  "productId" bigint,
  name text,
  subtotal numeric,
  total numeric,
  "taxTotal" numeric,
  quantity bigint,
  "isRecurring" boolean,
  place bigint
)
ORDER BY i.place;

-- apps/api/src/orders/order-items.ts
-- for POST /api/Orders
SELECT * FROM order_items WHERE order_id = $1;

-- apps/api/src/orders/orders.service.ts
-- for POST /api/Orders
SELECT CASE
  WHEN (
    SELECT count(*) FROM (SELECT 1 FROM order_items i WHERE i.order_id = x.id LIMIT 501) i
  ) <= 500 THEN orderView.json(x)::text
  END AS json
FROM orders x
WHERE x.id = $1;

-- apps/api/src/orders/orders.service.ts
-- for POST /api/Orders
WITH event AS (
  SELECT x.site_id,
    NULL::bigint AS scheduled_order_id,
    'order.created' AS type,
    NULL::uuid AS log_id,
    jsonb_build_object('OrderId', x.id) AS facts
  FROM orders x
  WHERE x.id = $1
)
INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts, simulated_utc)
SELECT w.site_id,
  w.scheduled_order_id,
  w.type,
  w.log_id,
  w.facts,
  (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id)
FROM event w
WHERE w.site_id = ANY (
  ARRAY (
    SELECT s.id
    FROM (SELECT DISTINCT r.site_id FROM event r) r
    JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL
  )
)
RETURNING pg_notify('scheduled_orders_events', '');

-- apps/api/src/shops/pushes.service.ts
-- for GET /api/Orders/{orderId}/Push
SELECT isReached(o.site_id, $2::bigint[]) AS reached,
  coalesce(
    (SELECT pushView.json(p) FROM order_pushes p WHERE p.site_id = o.site_id AND p.order_id = o.id),
    json_build_object(
      'SiteId', o.site_id,
      'ScheduledOrderId', o.scheduled_order_id,
      'Cycle', o.cycle,
      'OrderId', o.id,
      'State', 'Off',
      'ShopOrderId', NULL,
      'ShopOrderNumber', NULL,
      'ShopTotal', NULL,
      'ChargedTotal', trim_scale(o.total),
      'LinesThatDiffer', '[]'::jsonb,
      'EndedInShop', NULL,
      'Attempts', 0,
      'Message', NULL,
      'NextAttemptUtc', NULL,
      'CreatedUtc', NULL,
      'UpdatedUtc', NULL
    )
  )::text AS json
FROM orders o
WHERE o.id = $1 AND o.deleted_utc IS NULL;

-- libs/records/src/lists/key-batches.ts
-- for GET /api/Orders
SELECT '{' || string_agg(p.id::text, ',' ORDER BY p.id) || '}' AS ids,
  count(*) AS count,
  min(p.id) AS first,
  max(p.id) AS last,
  (SELECT max(id) FROM orders) AS newest
FROM (
  SELECT k.id, (row_number() OVER (ORDER BY k.id) - 1) / 500 AS piece
  FROM (
    SELECT k.id
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id
      FROM orders t
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
-- for GET /api/Orders
WITH wanted AS MATERIALIZED (
  SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2
),
fitting AS MATERIALIZED (
  SELECT r.id, r.place
  FROM (
    SELECT n.id, n.place, sum(CASE WHEN n.rows > 500 THEN 1001 ELSE n.rows END) OVER (ORDER BY n.place) AS upto
    FROM (
      SELECT w.id,
        w.place,
        (SELECT count(*) FROM (SELECT 1 FROM order_items i WHERE i.order_id = w.id LIMIT 501) i) AS rows
      FROM wanted w
    ) n
  ) r
  WHERE r.upto <= 1000
),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM orders x, taken
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
    SELECT f.place, (row_number() OVER (ORDER BY f.place) - 1) / 20 AS part, orderView.json(x)::text AS json
    FROM fitting f
    CROSS JOIN LATERAL (
      SELECT x.*
      FROM orders x
      WHERE x.id = f.id AND isOfList(x.site_id, $3::bigint[]) AND x.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) c
  GROUP BY c.part
) p ON true
ORDER BY p.first;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders
-- for GET /api/Orders/Count
SELECT count(*) AS count
FROM (
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM orders r
    WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $1::text
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM orders r
    WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.order_number = $1::text
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT o.id AS id
    FROM customers r
    LEFT JOIN LATERAL (
      SELECT o.id FROM orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
    ) o ON true
    WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $3::text
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT o.id AS id
    FROM customers r
    LEFT JOIN LATERAL (
      SELECT o.id FROM orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
    ) o ON true
    WHERE r.site_id = site.id
      AND r.deleted_utc IS NULL
      AND (
        lower(r.email) COLLATE "C" >= lower($3::text) AND lower(r.email) COLLATE "C" < lower($3::text) || chr(1114111)
      )
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT o.id AS id
    FROM customers r
    LEFT JOIN LATERAL (
      SELECT o.id FROM orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
    ) o ON true
    WHERE r.site_id = site.id
      AND r.deleted_utc IS NULL
      AND (
        lower(r.last_name) COLLATE "C" >= lower($3::text)
          AND lower(r.last_name) COLLATE "C" < lower($3::text) || chr(1114111)
      )
    LIMIT 5001
  ) r
  LIMIT 5001
) n;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM orders t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id
    LIMIT 101
  ) w
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM orders t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id
    LIMIT 21
  ) w
) r
ORDER BY r.key, r.id
LIMIT 21;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM orders t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id DESC
    LIMIT 101
  ) w
) r
ORDER BY r.key DESC, r.id DESC
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM orders t
    WHERE t.site_id = site.id
      AND t.deleted_utc IS NULL
      AND t.site_id = site.id
      AND t.deleted_utc IS NULL
      AND t.date_created < $1::timestamptz
    ORDER BY t.id
    LIMIT 101
  ) w
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM orders t
    WHERE t.site_id = site.id
      AND t.deleted_utc IS NULL
      AND t.site_id = site.id
      AND t.deleted_utc IS NULL
      AND t.date_created >= $1::timestamptz
    ORDER BY t.id
    LIMIT 101
  ) w
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders
SELECT r.id, r.key::text AS value
FROM (
  SELECT x.id, x.key
  FROM (
    SELECT DISTINCT n.id
    FROM (
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT r.id AS id FROM orders r WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT r.id AS id
        FROM orders r
        WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.order_number = $2::text
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT o.id AS id
        FROM customers r
        LEFT JOIN LATERAL (
          SELECT o.id FROM orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
        ) o ON true
        WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $3::text
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT o.id AS id
        FROM customers r
        LEFT JOIN LATERAL (
          SELECT o.id FROM orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
        ) o ON true
        WHERE r.site_id = site.id
          AND r.deleted_utc IS NULL
          AND (
            lower(r.email) COLLATE "C" >= lower($3::text)
              AND lower(r.email) COLLATE "C" < lower($3::text) || chr(1114111)
          )
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT o.id AS id
        FROM customers r
        LEFT JOIN LATERAL (
          SELECT o.id FROM orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
        ) o ON true
        WHERE r.site_id = site.id
          AND r.deleted_utc IS NULL
          AND (
            lower(r.last_name) COLLATE "C" >= lower($3::text)
              AND lower(r.last_name) COLLATE "C" < lower($3::text) || chr(1114111)
          )
      ) r
    ) n
  ) f
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM orders t
    WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
    OFFSET 0
  ) x
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders/Count
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.key
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM orders t
      WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
      ORDER BY t.id
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders/Count
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.key
    FROM eachSite($2::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM orders t
      WHERE t.site_id = site.id
        AND t.deleted_utc IS NULL
        AND t.site_id = site.id
        AND t.deleted_utc IS NULL
        AND t.date_created < $1::timestamptz
      ORDER BY t.id
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders/Count
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.key
    FROM eachSite($2::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM orders t
      WHERE t.site_id = site.id
        AND t.deleted_utc IS NULL
        AND t.site_id = site.id
        AND t.deleted_utc IS NULL
        AND t.date_created >= $1::timestamptz
      ORDER BY t.id
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Orders/Count
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
          FROM orders r
          WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT r.id AS id
          FROM orders r
          WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.order_number = $2::text
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT o.id AS id
          FROM customers r
          LEFT JOIN LATERAL (
            SELECT o.id FROM orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
          ) o ON true
          WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $3::text
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT o.id AS id
          FROM customers r
          LEFT JOIN LATERAL (
            SELECT o.id FROM orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
          ) o ON true
          WHERE r.site_id = site.id
            AND r.deleted_utc IS NULL
            AND (
              lower(r.email) COLLATE "C" >= lower($3::text)
                AND lower(r.email) COLLATE "C" < lower($3::text) || chr(1114111)
            )
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT o.id AS id
          FROM customers r
          LEFT JOIN LATERAL (
            SELECT o.id FROM orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
          ) o ON true
          WHERE r.site_id = site.id
            AND r.deleted_utc IS NULL
            AND (
              lower(r.last_name) COLLATE "C" >= lower($3::text)
                AND lower(r.last_name) COLLATE "C" < lower($3::text) || chr(1114111)
            )
        ) r
      ) n
    ) f
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM orders t
      WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) r
  LIMIT 10001
) c;

-- libs/records/src/rows.ts
-- for DELETE /api/Orders/{orderId}
UPDATE orders AS x
SET deleted_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- libs/records/src/rows.ts
-- for POST /api/Orders
INSERT INTO orders AS x (
  external_id,
  order_number,
  customer_id,
  date_paid,
  subtotal,
  total,
  shipping_total,
  tax_total,
  shipping_first_name,
  shipping_last_name,
  shipping_street1,
  shipping_city,
  shipping_state,
  shipping_postcode,
  shipping_country,
  site_id
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
RETURNING x.id,
  CASE
    WHEN (
      SELECT count(*) FROM (SELECT 1 FROM order_items i WHERE i.order_id = x.id LIMIT 501) i
    ) <= 500 THEN orderView.json(x)::text
    END AS json;

-- libs/records/src/rows.ts
-- for PUT /api/Orders/{orderId}
UPDATE orders AS x
SET date_completed = $2,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING CASE
  WHEN (
    SELECT count(*) FROM (SELECT 1 FROM order_items i WHERE i.order_id = x.id LIMIT 501) i
  ) <= 500 THEN orderView.json(x)::text
  END AS json;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/Orders/{orderId}
-- for POST /api/Orders
-- for PUT /api/Orders/{orderId}
SELECT x.id,
  x.created_utc,
  x.updated_utc,
  x.site_id,
  x.deleted_utc,
  x.shipping_first_name,
  x.shipping_last_name,
  x.shipping_street1,
  x.shipping_street2,
  x.shipping_city,
  x.shipping_state,
  x.shipping_postcode,
  x.shipping_country,
  x.billing_first_name,
  x.billing_last_name,
  x.billing_street1,
  x.billing_street2,
  x.billing_city,
  x.billing_state,
  x.billing_postcode,
  x.billing_country,
  x.external_id,
  x.order_number,
  x.customer_id,
  x.date_created,
  x.date_completed,
  x.date_paid,
  x.subtotal,
  x.total,
  x.shipping_total,
  x.tax_total,
  x.is_recurring,
  x.scheduled_order_id,
  x.cycle,
  x.currency_iso,
  x.gateway_transaction_id,
  x.payment_method_type,
  isReached(x.site_id, $2::bigint[]) AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached
FROM orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/Orders/{orderId}
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  CASE
    WHEN (
      SELECT count(*) FROM (SELECT 1 FROM order_items i WHERE i.order_id = x.id LIMIT 501) i
    ) <= 500 THEN orderView.json(x)::text
    END AS json
FROM orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for POST /api/Orders
SELECT id FROM orders WHERE site_id = $1 AND external_id = $2 AND deleted_utc IS NULL AND id IS DISTINCT FROM $3;
