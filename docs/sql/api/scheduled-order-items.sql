-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/scheduled-orders/items/scheduled-order-items.service.ts
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
SELECT scheduled_order_id FROM scheduled_order_items WHERE id = $1;

-- apps/api/src/scheduled-orders/items/scheduled-order-items.service.ts
-- for POST /api/ScheduledOrderItems
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
SELECT scheduledOrderItemView.json(x)::text AS json FROM scheduled_order_items x WHERE x.id = $1;

-- libs/records/src/access/references.ts
-- for POST /api/ScheduledOrderItems
SELECT x.id, x.site_id, isReached(x.site_id, $2::bigint[]) AS reached
FROM scheduled_orders x
WHERE x.id = ANY ($1::bigint[]) AND x.deleted_utc IS NULL;

-- libs/records/src/lists/key-batches.ts
-- for GET /api/ScheduledOrderItems
SELECT '{' || string_agg(p.id::text, ',' ORDER BY p.id) || '}' AS ids,
  count(*) AS count,
  min(p.id) AS first,
  max(p.id) AS last,
  (SELECT max(id) FROM scheduled_order_items) AS newest
FROM (
  SELECT k.id, (row_number() OVER (ORDER BY k.id) - 1) / 500 AS piece
  FROM (
    SELECT k.id
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id
      FROM scheduled_order_items t
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
-- for GET /api/ScheduledOrderItems
WITH wanted AS MATERIALIZED (
  SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2
),
fitting AS MATERIALIZED (SELECT id, place FROM wanted),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM scheduled_order_items x, taken
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
    SELECT f.place,
      (row_number() OVER (ORDER BY f.place) - 1) / 20 AS part,
      scheduledOrderItemView.json(x)::text AS json
    FROM fitting f
    CROSS JOIN LATERAL (
      SELECT x.*
      FROM scheduled_order_items x
      WHERE x.id = f.id AND isOfList(x.site_id, $3::bigint[]) AND x.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) c
  GROUP BY c.part
) p ON true
ORDER BY p.first;

-- libs/records/src/rows.ts
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for POST /api/ScheduledOrderItems
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
UPDATE scheduled_orders AS x
SET shipping_total = $2,
  tax_total = $3,
  total = $4,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/rows.ts
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
UPDATE scheduled_order_items AS x
SET deleted_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- libs/records/src/rows.ts
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
UPDATE scheduled_order_items AS x
SET product_id = $2,
  price = $3,
  sale_price = $4,
  quantity = $5,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
SELECT x.id,
  x.created_utc,
  x.updated_utc,
  x.site_id,
  x.deleted_utc,
  x.scheduled_order_id,
  x.product_id,
  x.price,
  x.sale_price,
  x.quantity,
  isReached(x.site_id, $2::bigint[])
    AND (
      ($2::bigint[])[4] IS NULL
        OR x.scheduled_order_id IN (SELECT o.id FROM scheduled_orders o WHERE o.customer_id = ($2::bigint[])[4])
    ) AS reached
FROM scheduled_order_items x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrderItems/{scheduledOrderItemId}
SELECT isReached(x.site_id, $2::bigint[])
  AND (
    ($2::bigint[])[4] IS NULL
      OR x.scheduled_order_id IN (SELECT o.id FROM scheduled_orders o WHERE o.customer_id = ($2::bigint[])[4])
  ) AS reached,
  scheduledOrderItemView.json(x)::text AS json
FROM scheduled_order_items x
WHERE x.id = $1 AND x.deleted_utc IS NULL;
