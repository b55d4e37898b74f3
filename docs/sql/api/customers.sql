-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql

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
    FROM unnest(
      ARRAY(
        SELECT a.id
        FROM sites a
        WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
        UNION ALL
        SELECT k.site_id
        FROM api_key_sites k
        WHERE k.api_key_id = ($1::bigint[])[2]
        UNION ALL
        SELECT ($1::bigint[])[3]
        WHERE ($1::bigint[])[3] IS NOT NULL
      )
    ) AS site (id)
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
    SELECT '[' || coalesce(
      string_agg(
        (
          SELECT row_to_json(resource)
          FROM (
            SELECT x.id AS "Id",
              x.customer_id AS "CustomerId",
              x.type AS "Type",
              x.gateway_customer_id AS "GatewayCustomerId",
              x.gateway_payment_id AS "GatewayPaymentId",
              x.description AS "Description",
              x.billing_first_name AS "BillingFirstName",
              x.billing_last_name AS "BillingLastName",
              x.billing_street1 AS "BillingStreet1",
              x.billing_street2 AS "BillingStreet2",
              x.billing_city AS "BillingCity",
              x.billing_state AS "BillingState",
              x.billing_postcode AS "BillingPostcode",
              x.billing_country AS "BillingCountry",
              to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
              to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
          ) resource
        )::text,
        ','
        ORDER BY x.id
      ),
      ''
    ) || ']'
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
  WHEN coalesce((SELECT sum((SELECT count(*) FROM (SELECT 1 FROM scheduled_order_items i WHERE i.scheduled_order_id = shown.id AND i.deleted_utc IS NULL LIMIT 501) i)) FROM shown), 0) <= 500 THEN (
    SELECT '[' || coalesce(
      string_agg(
        (
          SELECT row_to_json(resource)
          FROM (
            SELECT x.id AS "Id",
              x.customer_id AS "CustomerId",
              (SELECT embedded.json FROM customers embedded WHERE embedded.id = x.customer_id) AS "Customer",
              to_char(x.last_occurrence_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "LastOccurrenceUtc",
              to_char(x.next_occurrence_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NextOccurrenceUtc",
              x.status AS "Status",
              x.frequency_type AS "FrequencyType",
              x.frequency AS "Frequency",
              x.cycles AS "Cycles",
              x.currency_iso AS "CurrencyIso",
              x.payment_method_type AS "PaymentMethodType",
              x.payment_method_customer_id AS "PaymentMethodCustomerId",
              x.payment_method_id AS "PaymentMethodId",
              x.payment_method_description AS "PaymentMethodDescription",
              x.shipping_total AS "ShippingTotal",
              x.tax_total AS "TaxTotal",
              x.total AS "Total",
              x.shipping_first_name AS "ShippingFirstName",
              x.shipping_last_name AS "ShippingLastName",
              x.shipping_street1 AS "ShippingStreet1",
              x.shipping_street2 AS "ShippingStreet2",
              x.shipping_city AS "ShippingCity",
              x.shipping_state AS "ShippingState",
              x.shipping_postcode AS "ShippingPostcode",
              x.shipping_country AS "ShippingCountry",
              (
                SELECT coalesce(
                  json_agg(
                    (
                      SELECT row_to_json(resource)
                      FROM (
                        SELECT i.id AS "Id",
                          i.scheduled_order_id AS "ScheduledOrderId",
                          i.product_id AS "ProductId",
                          (SELECT embedded.json FROM products embedded WHERE embedded.id = i.product_id) AS "Product",
                          trim_scale(i.price) AS "Price",
                          trim_scale(i.sale_price) AS "SalePrice",
                          i.quantity AS "Quantity",
                          to_char(i.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
                          to_char(i.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
                      ) resource
                    )
                    ORDER BY i.id
                  ),
                  '[]'::json
                )
                FROM scheduled_order_items i
                WHERE i.scheduled_order_id = x.id AND i.deleted_utc IS NULL
              ) AS "ScheduledOrderItems",
              to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
              to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
          ) resource
        )::text,
        ','
        ORDER BY x.id
      ),
      ''
    ) || ']'
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
WITH asked AS MATERIALIZED (
  SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2
),
fitting AS MATERIALIZED (SELECT id, place FROM asked),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM asked)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM customers x, taken
    WHERE x.id = (SELECT a.id FROM asked a WHERE a.place = taken.upto)
      AND NOT EXISTS (SELECT 1 FROM fitting)
      AND (
        x.site_id IN (
          SELECT a.id
          FROM sites a
          WHERE a.user_id = ($3::bigint[])[1] AND NOT a.simulated
          UNION ALL
          SELECT k.site_id
          FROM api_key_sites k
          WHERE k.api_key_id = ($3::bigint[])[2]
          UNION ALL
          SELECT ($3::bigint[])[3]
          WHERE ($3::bigint[])[3] IS NOT NULL
        )
      ) IS TRUE
      AND x.deleted_utc IS NULL
  )::text AS alone,
  (SELECT taken.upto FROM taken WHERE taken.upto < (SELECT max(place) FROM asked))::text AS upto
FROM (SELECT) always
LEFT JOIN (
  SELECT min(c.place) AS first, ',' || string_agg(c.json, ',' ORDER BY c.place) AS json
  FROM (
    SELECT f.place, (row_number() OVER (ORDER BY f.place) - 1) / 20 AS part, x.json::text AS json
    FROM fitting f
    CROSS JOIN LATERAL (
      SELECT x.*
      FROM customers x
      WHERE x.id = f.id
        AND (
          x.site_id IN (
            SELECT a.id
            FROM sites a
            WHERE a.user_id = ($3::bigint[])[1] AND NOT a.simulated
            UNION ALL
            SELECT k.site_id
            FROM api_key_sites k
            WHERE k.api_key_id = ($3::bigint[])[2]
            UNION ALL
            SELECT ($3::bigint[])[3]
            WHERE ($3::bigint[])[3] IS NOT NULL
          )
        ) IS TRUE
        AND x.deleted_utc IS NULL
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
  FROM unnest(
    ARRAY(
      SELECT a.id
      FROM sites a
      WHERE a.user_id = ($2::bigint[])[1] AND NOT a.simulated
      UNION ALL
      SELECT k.site_id
      FROM api_key_sites k
      WHERE k.api_key_id = ($2::bigint[])[2]
      UNION ALL
      SELECT ($2::bigint[])[3]
      WHERE ($2::bigint[])[3] IS NOT NULL
    )
  ) AS site (id)
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM customers r
    WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $1::text
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM unnest(
    ARRAY(
      SELECT a.id
      FROM sites a
      WHERE a.user_id = ($2::bigint[])[1] AND NOT a.simulated
      UNION ALL
      SELECT k.site_id
      FROM api_key_sites k
      WHERE k.api_key_id = ($2::bigint[])[2]
      UNION ALL
      SELECT ($2::bigint[])[3]
      WHERE ($2::bigint[])[3] IS NOT NULL
    )
  ) AS site (id)
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
  FROM unnest(
    ARRAY(
      SELECT a.id
      FROM sites a
      WHERE a.user_id = ($2::bigint[])[1] AND NOT a.simulated
      UNION ALL
      SELECT k.site_id
      FROM api_key_sites k
      WHERE k.api_key_id = ($2::bigint[])[2]
      UNION ALL
      SELECT ($2::bigint[])[3]
      WHERE ($2::bigint[])[3] IS NOT NULL
    )
  ) AS site (id)
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
  FROM unnest(
    ARRAY(
      SELECT a.id
      FROM sites a
      WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
      UNION ALL
      SELECT k.site_id
      FROM api_key_sites k
      WHERE k.api_key_id = ($1::bigint[])[2]
      UNION ALL
      SELECT ($1::bigint[])[3]
      WHERE ($1::bigint[])[3] IS NOT NULL
    )
  ) AS site (id)
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
  FROM unnest(
    ARRAY(
      SELECT a.id
      FROM sites a
      WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
      UNION ALL
      SELECT k.site_id
      FROM api_key_sites k
      WHERE k.api_key_id = ($1::bigint[])[2]
      UNION ALL
      SELECT ($1::bigint[])[3]
      WHERE ($1::bigint[])[3] IS NOT NULL
    )
  ) AS site (id)
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
  FROM unnest(
    ARRAY(
      SELECT a.id
      FROM sites a
      WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
      UNION ALL
      SELECT k.site_id
      FROM api_key_sites k
      WHERE k.api_key_id = ($1::bigint[])[2]
      UNION ALL
      SELECT ($1::bigint[])[3]
      WHERE ($1::bigint[])[3] IS NOT NULL
    )
  ) AS site (id)
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
      FROM unnest(
        ARRAY(
          SELECT a.id
          FROM sites a
          WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
          UNION ALL
          SELECT k.site_id
          FROM api_key_sites k
          WHERE k.api_key_id = ($1::bigint[])[2]
          UNION ALL
          SELECT ($1::bigint[])[3]
          WHERE ($1::bigint[])[3] IS NOT NULL
        )
      ) AS site (id)
      CROSS JOIN LATERAL (
        SELECT r.id AS id
        FROM customers r
        WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
      ) r
      UNION ALL
      SELECT r.id
      FROM unnest(
        ARRAY(
          SELECT a.id
          FROM sites a
          WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
          UNION ALL
          SELECT k.site_id
          FROM api_key_sites k
          WHERE k.api_key_id = ($1::bigint[])[2]
          UNION ALL
          SELECT ($1::bigint[])[3]
          WHERE ($1::bigint[])[3] IS NOT NULL
        )
      ) AS site (id)
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
      FROM unnest(
        ARRAY(
          SELECT a.id
          FROM sites a
          WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
          UNION ALL
          SELECT k.site_id
          FROM api_key_sites k
          WHERE k.api_key_id = ($1::bigint[])[2]
          UNION ALL
          SELECT ($1::bigint[])[3]
          WHERE ($1::bigint[])[3] IS NOT NULL
        )
      ) AS site (id)
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
    WHERE t.id = f.id
      AND (
        t.site_id IN (
          SELECT a.id
          FROM sites a
          WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
          UNION ALL
          SELECT k.site_id
          FROM api_key_sites k
          WHERE k.api_key_id = ($1::bigint[])[2]
          UNION ALL
          SELECT ($1::bigint[])[3]
          WHERE ($1::bigint[])[3] IS NOT NULL
        )
      ) IS TRUE
      AND t.deleted_utc IS NULL
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
    FROM unnest(
      ARRAY(
        SELECT a.id
        FROM sites a
        WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
        UNION ALL
        SELECT k.site_id
        FROM api_key_sites k
        WHERE k.api_key_id = ($1::bigint[])[2]
        UNION ALL
        SELECT ($1::bigint[])[3]
        WHERE ($1::bigint[])[3] IS NOT NULL
      )
    ) AS site (id)
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
        FROM unnest(
          ARRAY(
            SELECT a.id
            FROM sites a
            WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
            UNION ALL
            SELECT k.site_id
            FROM api_key_sites k
            WHERE k.api_key_id = ($1::bigint[])[2]
            UNION ALL
            SELECT ($1::bigint[])[3]
            WHERE ($1::bigint[])[3] IS NOT NULL
          )
        ) AS site (id)
        CROSS JOIN LATERAL (
          SELECT r.id AS id
          FROM customers r
          WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
        ) r
        UNION ALL
        SELECT r.id
        FROM unnest(
          ARRAY(
            SELECT a.id
            FROM sites a
            WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
            UNION ALL
            SELECT k.site_id
            FROM api_key_sites k
            WHERE k.api_key_id = ($1::bigint[])[2]
            UNION ALL
            SELECT ($1::bigint[])[3]
            WHERE ($1::bigint[])[3] IS NOT NULL
          )
        ) AS site (id)
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
        FROM unnest(
          ARRAY(
            SELECT a.id
            FROM sites a
            WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
            UNION ALL
            SELECT k.site_id
            FROM api_key_sites k
            WHERE k.api_key_id = ($1::bigint[])[2]
            UNION ALL
            SELECT ($1::bigint[])[3]
            WHERE ($1::bigint[])[3] IS NOT NULL
          )
        ) AS site (id)
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
      WHERE t.id = f.id
        AND (
          t.site_id IN (
            SELECT a.id
            FROM sites a
            WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
            UNION ALL
            SELECT k.site_id
            FROM api_key_sites k
            WHERE k.api_key_id = ($1::bigint[])[2]
            UNION ALL
            SELECT ($1::bigint[])[3]
            WHERE ($1::bigint[])[3] IS NOT NULL
          )
        ) IS TRUE
        AND t.deleted_utc IS NULL
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
RETURNING x.id,
  (
    SELECT row_to_json(resource)
    FROM (
      SELECT x.id AS "Id",
        x.customer_id AS "CustomerId",
        x.type AS "Type",
        x.gateway_customer_id AS "GatewayCustomerId",
        x.gateway_payment_id AS "GatewayPaymentId",
        x.description AS "Description",
        x.billing_first_name AS "BillingFirstName",
        x.billing_last_name AS "BillingLastName",
        x.billing_street1 AS "BillingStreet1",
        x.billing_street2 AS "BillingStreet2",
        x.billing_city AS "BillingCity",
        x.billing_state AS "BillingState",
        x.billing_postcode AS "BillingPostcode",
        x.billing_country AS "BillingCountry",
        to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
        to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
    ) resource
  )::text AS json;

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
RETURNING (
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.customer_id AS "CustomerId",
      x.type AS "Type",
      x.gateway_customer_id AS "GatewayCustomerId",
      x.gateway_payment_id AS "GatewayPaymentId",
      x.description AS "Description",
      x.billing_first_name AS "BillingFirstName",
      x.billing_last_name AS "BillingLastName",
      x.billing_street1 AS "BillingStreet1",
      x.billing_street2 AS "BillingStreet2",
      x.billing_city AS "BillingCity",
      x.billing_state AS "BillingState",
      x.billing_postcode AS "BillingPostcode",
      x.billing_country AS "BillingCountry",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)::text AS json;

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
  EXISTS (
    SELECT
    FROM (
      SELECT a.id
      FROM sites a
      WHERE a.user_id = ($2::bigint[])[1]
      UNION ALL
      SELECT k.site_id
      FROM api_key_sites k
      WHERE k.api_key_id = ($2::bigint[])[2]
      UNION ALL
      SELECT ($2::bigint[])[3]
      WHERE ($2::bigint[])[3] IS NOT NULL
    ) r (id)
    WHERE r.id = x.site_id
    OFFSET 0
  )
    AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/Customers/{customerId}/AccessTokens
-- for GET /api/Customers/{customerId}/PaymentMethods
-- for GET /api/Customers/{customerId}/PaymentMethods/PageCount
-- for GET /api/Customers/{customerId}/ScheduledOrders
-- for GET /api/Customers/{customerId}/ScheduledOrders/PageCount
SELECT EXISTS (
  SELECT
  FROM (
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($2::bigint[])[1]
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($2::bigint[])[2]
    UNION ALL
    SELECT ($2::bigint[])[3]
    WHERE ($2::bigint[])[3] IS NOT NULL
  ) r (id)
  WHERE r.id = x.site_id
  OFFSET 0
)
  AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached,
  x.id
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
-- for GET /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
-- for PUT /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}
SELECT EXISTS (
  SELECT
  FROM (
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($2::bigint[])[1]
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($2::bigint[])[2]
    UNION ALL
    SELECT ($2::bigint[])[3]
    WHERE ($2::bigint[])[3] IS NOT NULL
  ) r (id)
  WHERE r.id = x.site_id
  OFFSET 0
)
  AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached,
  (
    SELECT (
      SELECT row_to_json(resource)
      FROM (
        SELECT m.id AS "Id",
          m.customer_id AS "CustomerId",
          m.type AS "Type",
          m.gateway_customer_id AS "GatewayCustomerId",
          m.gateway_payment_id AS "GatewayPaymentId",
          m.description AS "Description",
          m.billing_first_name AS "BillingFirstName",
          m.billing_last_name AS "BillingLastName",
          m.billing_street1 AS "BillingStreet1",
          m.billing_street2 AS "BillingStreet2",
          m.billing_city AS "BillingCity",
          m.billing_state AS "BillingState",
          m.billing_postcode AS "BillingPostcode",
          m.billing_country AS "BillingCountry",
          to_char(m.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
          to_char(m.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
      ) resource
    )::text
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
  EXISTS (
    SELECT
    FROM (
      SELECT a.id
      FROM sites a
      WHERE a.user_id = ($2::bigint[])[1]
      UNION ALL
      SELECT k.site_id
      FROM api_key_sites k
      WHERE k.api_key_id = ($2::bigint[])[2]
      UNION ALL
      SELECT ($2::bigint[])[3]
      WHERE ($2::bigint[])[3] IS NOT NULL
    ) r (id)
    WHERE r.id = x.site_id
    OFFSET 0
  )
    AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached
FROM payment_methods x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/Customers/{customerId}
SELECT EXISTS (
  SELECT
  FROM (
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($2::bigint[])[1]
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($2::bigint[])[2]
    UNION ALL
    SELECT ($2::bigint[])[3]
    WHERE ($2::bigint[])[3] IS NOT NULL
  ) r (id)
  WHERE r.id = x.site_id
  OFFSET 0
)
  AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached,
  x.json::text AS json
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/Customers/{customerId}/PaymentMethods/Search
SELECT EXISTS (
  SELECT
  FROM (
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($2::bigint[])[1]
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($2::bigint[])[2]
    UNION ALL
    SELECT ($2::bigint[])[3]
    WHERE ($2::bigint[])[3] IS NOT NULL
  ) r (id)
  WHERE r.id = x.site_id
  OFFSET 0
)
  AND (($2::bigint[])[4] IS NULL OR x.id = ($2::bigint[])[4]) AS reached,
  (
    SELECT coalesce(
      json_agg(
        (
          SELECT row_to_json(resource)
          FROM (
            SELECT m.id AS "Id",
              m.customer_id AS "CustomerId",
              m.type AS "Type",
              m.gateway_customer_id AS "GatewayCustomerId",
              m.gateway_payment_id AS "GatewayPaymentId",
              m.description AS "Description",
              m.billing_first_name AS "BillingFirstName",
              m.billing_last_name AS "BillingLastName",
              m.billing_street1 AS "BillingStreet1",
              m.billing_street2 AS "BillingStreet2",
              m.billing_city AS "BillingCity",
              m.billing_state AS "BillingState",
              m.billing_postcode AS "BillingPostcode",
              m.billing_country AS "BillingCountry",
              to_char(m.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
              to_char(m.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
          ) resource
        )
        ORDER BY m.id
      ),
      '[]'::json
    )::text
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
SELECT EXISTS (
  SELECT
  FROM (
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($2::bigint[])[1]
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($2::bigint[])[2]
    UNION ALL
    SELECT ($2::bigint[])[3]
    WHERE ($2::bigint[])[3] IS NOT NULL
  ) r (id)
  WHERE r.id = x.site_id
  OFFSET 0
) AS reached,
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
  EXISTS (
    SELECT
    FROM (
      SELECT a.id
      FROM sites a
      WHERE a.user_id = ($2::bigint[])[1]
      UNION ALL
      SELECT k.site_id
      FROM api_key_sites k
      WHERE k.api_key_id = ($2::bigint[])[2]
      UNION ALL
      SELECT ($2::bigint[])[3]
      WHERE ($2::bigint[])[3] IS NOT NULL
    ) r (id)
    WHERE r.id = x.site_id
    OFFSET 0
  ) AS reached
FROM customers x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;
