-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/auth/tokens/token-families.ts
-- for DELETE /api/Customers/{customerId}/AccessTokens
UPDATE access_tokens AS x
SET revoked_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.customer_id = $1 AND x.revoked_utc IS NULL;

-- apps/api/src/payments/card-in-use.ts
-- for DELETE /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
SELECT id
FROM scheduled_orders
WHERE customer_id = $1
  AND payment_method_type = $2
  AND payment_method_customer_id = $3
  AND payment_method_id = $4
  AND deleted_utc IS NULL
ORDER BY id;

-- apps/api/src/payments/payment-methods.service.ts
-- for POST /api/Customers/{customerId}/PaymentMethods
SELECT id
FROM payment_methods
WHERE customer_id = $1
  AND type = $2
  AND gateway_customer_id = $3
  AND gateway_payment_id = $4
  AND deleted_utc IS NULL
  AND id IS DISTINCT FROM $5;

-- apps/api/src/payments/payment-methods.service.ts
-- for PUT /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
SELECT * FROM payment_methods WHERE id = $1;

-- apps/api/src/scheduled-orders/scheduled-orders.service.ts
-- for DELETE /api/Customers/{customerId}
SELECT id FROM scheduled_orders WHERE customer_id = $1 AND deleted_utc IS NULL ORDER BY id FOR NO KEY UPDATE;

-- libs/records/src/lists/listing.ts
-- for GET /api/Customers
WITH page AS MATERIALIZED (
  SELECT k.id
  FROM (
    SELECT k.id
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id
      FROM customers t
      WHERE t.site_id = site.id AND t.id > $2 AND t.id <= $3 AND t.deleted_utc IS NULL
      ORDER BY t.id
      LIMIT $4
    ) k
    ORDER BY k.id
    LIMIT $4
  ) k
  ORDER BY k.id
  OFFSET $5
  LIMIT 101
),
shown AS MATERIALIZED (SELECT id FROM page ORDER BY id LIMIT 100)
SELECT CASE
  WHEN coalesce(0, 0) <= 500 THEN (
    SELECT '[' || coalesce(string_agg(x.json::text, ',' ORDER BY x.id), '') || ']'
    FROM customers x
    WHERE x.id IN (SELECT id FROM shown)
  )
  END AS json,
  ARRAY (SELECT id FROM shown)::text AS ids,
  (SELECT count(*) FROM page) > 100 AS more;

-- libs/records/src/lists/listing.ts
-- for GET /api/Customers/{customerId}/PaymentMethods
WITH page AS MATERIALIZED (
  SELECT k.id
  FROM (
    SELECT t.id
    FROM payment_methods t
    WHERE t.customer_id = $1::bigint AND t.deleted_utc IS NULL AND t.id > $2 AND t.id <= $3
    ORDER BY t.id
    LIMIT $4
  ) k
  ORDER BY k.id
  OFFSET $5
  LIMIT 101
),
shown AS MATERIALIZED (SELECT id FROM page ORDER BY id LIMIT 100)
SELECT CASE
  WHEN coalesce(0, 0) <= 500 THEN (
    SELECT '[' || coalesce(string_agg(paymentMethodView.json(x)::text, ',' ORDER BY x.id), '') || ']'
    FROM payment_methods x
    WHERE x.id IN (SELECT id FROM shown)
  )
  END AS json,
  ARRAY (SELECT id FROM shown)::text AS ids,
  (SELECT count(*) FROM page) > 100 AS more;

-- libs/records/src/lists/listing.ts
-- for GET /api/Customers/{customerId}/PaymentMethods/PageCount
SELECT count(*) AS count
FROM (
  SELECT t.id
  FROM payment_methods t
  WHERE t.customer_id = $1::bigint AND t.deleted_utc IS NULL AND t.id > $2 AND t.id <= $3
  ORDER BY t.id
  LIMIT $4
) k;

-- libs/records/src/lists/listing.ts
-- for GET /api/Customers/{customerId}/ScheduledOrders
WITH page AS MATERIALIZED (
  SELECT k.id
  FROM (
    SELECT t.id
    FROM scheduled_orders t
    WHERE t.customer_id = $1::bigint AND t.deleted_utc IS NULL AND t.id > $2 AND t.id <= $3
    ORDER BY t.id
    LIMIT $4
  ) k
  ORDER BY k.id
  OFFSET $5
  LIMIT 101
),
shown AS MATERIALIZED (SELECT id FROM page ORDER BY id LIMIT 100)
SELECT CASE
  WHEN coalesce(
    (
      SELECT sum(
        (
          SELECT count(*)
          FROM (
            SELECT 1
            FROM scheduled_order_items i
            WHERE i.scheduled_order_id = shown.id AND i.deleted_utc IS NULL
            LIMIT 501
          ) i
        )
      )
      FROM shown
    ),
    0
  )
  <= 500 THEN (
    SELECT '[' || coalesce(string_agg(scheduledOrderView.json(x)::text, ',' ORDER BY x.id), '') || ']'
    FROM scheduled_orders x
    WHERE x.id IN (SELECT id FROM shown)
  )
  END AS json,
  ARRAY (SELECT id FROM shown)::text AS ids,
  (SELECT count(*) FROM page) > 100 AS more;

-- libs/records/src/lists/listing.ts
-- for GET /api/Customers/{customerId}/ScheduledOrders/PageCount
SELECT count(*) AS count
FROM (
  SELECT t.id
  FROM scheduled_orders t
  WHERE t.customer_id = $1::bigint AND t.deleted_utc IS NULL AND t.id > $2 AND t.id <= $3
  ORDER BY t.id
  LIMIT $4
) k;

-- libs/records/src/lists/record-reader.ts
-- for GET /api/Customers
WITH wanted AS MATERIALIZED (
  SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2
),
fitting AS MATERIALIZED (SELECT id, place FROM wanted),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM customers x, taken
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
      FROM customers x
      WHERE x.id = f.id AND isOfList(x.site_id, $3::bigint[]) AND x.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) c
  GROUP BY c.part
) p ON true
ORDER BY p.first;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Customers
-- for GET /api/Customers/Count
SELECT count(*) AS count
FROM (
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM customers r
    WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $1::text
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM customers r
    WHERE r.site_id = site.id
      AND r.deleted_utc IS NULL
      AND (
        lower(r.email) COLLATE "C" >= lower($1::text) AND lower(r.email) COLLATE "C" < lower($1::text) || chr(1114111)
      )
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM customers r
    WHERE r.site_id = site.id
      AND r.deleted_utc IS NULL
      AND (
        lower(r.last_name) COLLATE "C" >= lower($1::text)
          AND lower(r.last_name) COLLATE "C" < lower($1::text) || chr(1114111)
      )
    LIMIT 5001
  ) r
  LIMIT 5001
) n;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Customers
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM customers t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id
    LIMIT 101
  ) w
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Customers
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM customers t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id
    LIMIT 21
  ) w
) r
ORDER BY r.key, r.id
LIMIT 21;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Customers
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM customers t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id DESC
    LIMIT 101
  ) w
) r
ORDER BY r.key DESC, r.id DESC
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Customers
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
        FROM customers r
        WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT r.id AS id
        FROM customers r
        WHERE r.site_id = site.id
          AND r.deleted_utc IS NULL
          AND (
            lower(r.email) COLLATE "C" >= lower($2::text)
              AND lower(r.email) COLLATE "C" < lower($2::text) || chr(1114111)
          )
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT r.id AS id
        FROM customers r
        WHERE r.site_id = site.id
          AND r.deleted_utc IS NULL
          AND (
            lower(r.last_name) COLLATE "C" >= lower($2::text)
              AND lower(r.last_name) COLLATE "C" < lower($2::text) || chr(1114111)
          )
      ) r
    ) n
  ) f
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM customers t
    WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
    OFFSET 0
  ) x
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Customers/Count
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.key
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM customers t
      WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
      ORDER BY t.id
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Customers/Count
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
          FROM customers r
          WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT r.id AS id
          FROM customers r
          WHERE r.site_id = site.id
            AND r.deleted_utc IS NULL
            AND (
              lower(r.email) COLLATE "C" >= lower($2::text)
                AND lower(r.email) COLLATE "C" < lower($2::text) || chr(1114111)
            )
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT r.id AS id
          FROM customers r
          WHERE r.site_id = site.id
            AND r.deleted_utc IS NULL
            AND (
              lower(r.last_name) COLLATE "C" >= lower($2::text)
                AND lower(r.last_name) COLLATE "C" < lower($2::text) || chr(1114111)
            )
        ) r
      ) n
    ) f
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM customers t
      WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) r
  LIMIT 10001
) c;

-- libs/records/src/rows.ts
-- for DELETE /api/Customers/{customerId}
UPDATE customers AS x
SET deleted_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- libs/records/src/rows.ts
-- for DELETE /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
UPDATE payment_methods AS x
SET deleted_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- libs/records/src/rows.ts
-- for POST /api/Customers
INSERT INTO customers AS x (
  site_id,
  external_id,
  email,
  first_name,
  last_name,
  shipping_first_name,
  shipping_last_name,
  shipping_street1,
  shipping_city,
  shipping_state,
  shipping_postcode,
  shipping_country
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
RETURNING x.id, x.json::text AS json;

-- libs/records/src/rows.ts
-- for POST /api/Customers/{customerId}/PaymentMethods
INSERT INTO payment_methods AS x (type, gateway_customer_id, gateway_payment_id, description, customer_id, site_id)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING x.id, paymentMethodView.json(x)::text AS json;

-- libs/records/src/rows.ts
-- for PUT /api/Customers/{customerId}
UPDATE customers AS x
SET email = $2,
  billing_city = $3,
  billing_country = $4,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.json::text AS json;

-- libs/records/src/rows.ts
-- for PUT /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
UPDATE payment_methods AS x
SET description = $2,
  billing_city = $3,
  billing_country = $4,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING paymentMethodView.json(x)::text AS json;

-- libs/records/src/rows.ts
-- for PUT /api/Customers/{customerId}/Settings
UPDATE customers AS x
SET vat_number = $2, updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING (
  SELECT row_to_json(resource) FROM (SELECT x.tax_exempt AS "TaxExempt", x.vat_number AS "VatNumber") resource
)::text AS json;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/Customers/{customerId}
-- for POST /api/Customers/{customerId}/PaymentMethods
-- for PUT /api/Customers/{customerId}
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
  x.email,
  x.first_name,
  x.last_name,
  x.created,
  x.tax_exempt,
  x.vat_number,
  isReached(x.site_id, $2::bigint[]) AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/Customers/{customerId}/AccessTokens
-- for GET /api/Customers/{customerId}/PaymentMethods
-- for GET /api/Customers/{customerId}/PaymentMethods/PageCount
-- for GET /api/Customers/{customerId}/ScheduledOrders
-- for GET /api/Customers/{customerId}/ScheduledOrders/PageCount
SELECT isReached(x.site_id, $2::bigint[]) AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached, x.id
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
-- for GET /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
-- for PUT /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
SELECT isReached(x.site_id, $2::bigint[]) AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached,
  (
    SELECT paymentMethodView.json(m)::text
    FROM payment_methods m
    WHERE m.customer_id = x.id AND m.deleted_utc IS NULL AND m.id = $3
  ) AS json
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
-- for PUT /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
SELECT x.id,
  x.created_utc,
  x.updated_utc,
  x.site_id,
  x.deleted_utc,
  x.billing_first_name,
  x.billing_last_name,
  x.billing_street1,
  x.billing_street2,
  x.billing_city,
  x.billing_state,
  x.billing_postcode,
  x.billing_country,
  x.customer_id,
  x.type,
  x.gateway_customer_id,
  x.gateway_payment_id,
  x.description,
  isReached(x.site_id, $2::bigint[]) AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached
FROM payment_methods x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/Customers/{customerId}
SELECT isReached(x.site_id, $2::bigint[]) AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached,
  x.json::text AS json
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/Customers/{customerId}/PaymentMethods/Search
SELECT isReached(x.site_id, $2::bigint[]) AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached,
  (
    SELECT coalesce(json_agg(paymentMethodView.json(m) ORDER BY m.id), '[]'::json)::text
    FROM payment_methods m
    WHERE m.customer_id = x.id
      AND m.deleted_utc IS NULL
      AND ($3::text IS NULL OR m.type = $3)
      AND ($4::text IS NULL OR m.gateway_payment_id = $4)
      AND ($5::text IS NULL OR m.gateway_customer_id = $5)
  ) AS json
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/Customers/{customerId}/Settings
SELECT isReached(x.site_id, $2::bigint[]) AS reached,
  (
    SELECT row_to_json(resource) FROM (SELECT x.tax_exempt AS "TaxExempt", x.vat_number AS "VatNumber") resource
  )::text AS json
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for POST /api/Customers
-- for PUT /api/Customers/{customerId}
-- for PUT /api/Customers/{customerId}/Settings
SELECT id FROM customers WHERE site_id = $1 AND external_id = $2 AND deleted_utc IS NULL AND id IS DISTINCT FROM $3;

-- libs/records/src/site-scoped.service.ts
-- for PUT /api/Customers/{customerId}/Settings
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
  x.email,
  x.first_name,
  x.last_name,
  x.created,
  x.tax_exempt,
  x.vat_number,
  isReached(x.site_id, $2::bigint[]) AS reached
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;
