-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/auth/callers.ts
-- for 132 routes
SELECT t.user_id,
  t.secret_hash,
  t.customer_id,
  c.site_id,
  t.session_until_utc IS NOT NULL AS is_session,
  t.session_until_utc IS NOT NULL AND coalesce(t.last_used_utc, t.created_utc) < now() - interval '1 minute' AS moves,
  t.session_until_utc IS NULL OR coalesce(t.password_entered_utc > now() - interval '10 minutes', false) AS is_confirmed
FROM access_tokens t
LEFT JOIN customers c ON c.id = t.customer_id
WHERE t.id = $1 AND t.expires_utc > now() AND t.revoked_utc IS NULL AND c.deleted_utc IS NULL;

-- apps/api/src/auth/callers.ts
-- for any route, once a minute
UPDATE access_tokens
SET last_used_utc = now()
WHERE id = (
  SELECT t.id
  FROM access_tokens t
  WHERE t.id = $1 AND (t.last_used_utc IS NULL OR t.last_used_utc < now() - interval '1 minute')
  FOR NO KEY UPDATE SKIP LOCKED
);

-- apps/api/src/auth/callers.ts
-- for any route, once a minute
UPDATE access_tokens AS x
SET last_used_utc = now(),
  expires_utc = least(now() + interval '30 minutes', x.session_until_utc),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = (
  SELECT t.id
  FROM access_tokens t
  WHERE t.id = $1
    AND t.revoked_utc IS NULL
    AND t.expires_utc > now()
    AND t.session_until_utc IS NOT NULL
    AND coalesce(t.last_used_utc, t.created_utc) < now() - interval '1 minute'
  FOR NO KEY UPDATE SKIP LOCKED
);

-- apps/api/src/auth/logins/known-networks.ts
-- for POST /api/AccessTokens/Login
-- for POST /api/Session/Confirm
-- for POST /api/Sessions
INSERT INTO known_networks AS n (user_id, network_hash)
VALUES ($1::bigint, sha256(convert_to($1::bigint::text || ' ' || $2::text, 'UTF8')))
ON CONFLICT (
  user_id, network_hash
) DO UPDATE SET last_login_utc = now() WHERE n.last_login_utc < now() - interval '1 hour' RETURNING n.user_id;

-- apps/api/src/auth/logins/login-attempts.ts
-- apps/api/src/auth/tokens/token-bounds.ts
-- for POST /api/AccessTokens/Generate
-- for POST /api/AccessTokens/Login
-- for POST /api/Session/Confirm
-- for POST /api/Sessions
SELECT pg_advisory_xact_lock(hashtextextended($1, 0));

-- apps/api/src/auth/logins/login-attempts.ts
-- for POST /api/AccessTokens/Login
-- for POST /api/Session/Confirm
-- for POST /api/Sessions
DELETE
FROM login_attempts
WHERE id IN (
  SELECT id
  FROM login_attempts
  WHERE attempted_utc < now() - interval '15 minutes'
  ORDER BY attempted_utc
  LIMIT 20
  FOR UPDATE SKIP LOCKED
);

-- apps/api/src/auth/logins/login-attempts.ts
-- for POST /api/AccessTokens/Login
-- for POST /api/Session/Confirm
-- for POST /api/Sessions
DELETE FROM login_attempts WHERE id = ANY ($1::bigint[]);

-- apps/api/src/auth/logins/login-attempts.ts
-- for POST /api/AccessTokens/Login
-- for POST /api/Session/Confirm
-- for POST /api/Sessions
INSERT INTO login_attempts (subject, checking_until_utc)
SELECT subject, now() + interval '20 seconds'
FROM unnest($1::text[]) subject
RETURNING id;

-- apps/api/src/auth/logins/login-attempts.ts
-- for POST /api/AccessTokens/Login
-- for POST /api/Session/Confirm
-- for POST /api/Sessions
SELECT counted.checking,
  counted.failed,
  s.most,
  ceil(extract(epoch FROM filling.attempted_utc + interval '15 minutes' - now()))::int AS seconds
FROM (VALUES (1, $1::text, 10), (2, $2::text, 100)) AS s (place, subject, most)
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE coalesce(a.checking_until_utc > now(), false))::int AS checking,
    count(*) FILTER (WHERE NOT coalesce(a.checking_until_utc > now(), false))::int AS failed
  FROM login_attempts a
  WHERE a.subject = s.subject AND a.attempted_utc > now() - interval '15 minutes'
) counted
LEFT JOIN LATERAL (
  SELECT a.attempted_utc
  FROM login_attempts a
  WHERE a.subject = s.subject
    AND a.attempted_utc > now() - interval '15 minutes'
    AND NOT coalesce(a.checking_until_utc > now(), false)
  ORDER BY a.attempted_utc DESC
  OFFSET s.most - 1
  LIMIT 1
) filling ON true
ORDER BY s.place;

-- apps/api/src/auth/logins/logins.ts
-- for POST /api/AccessTokens/Login
-- for POST /api/Session/Confirm
-- for POST /api/Sessions
SELECT 1 FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE;

-- apps/api/src/auth/logins/logins.ts
-- for POST /api/AccessTokens/Login
-- for POST /api/Session/Confirm
-- for POST /api/Sessions
SELECT id, password_hash FROM users WHERE email = $1;

-- apps/api/src/auth/tokens/token-bounds.ts
-- for POST /api/AccessTokens/Login
-- for POST /api/Sessions
UPDATE access_tokens AS x
SET expires_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id IN (
  SELECT t.id
  FROM access_tokens t
  WHERE t.user_id = $1 AND t.customer_id IS NULL AND t.revoked_utc IS NULL AND t.expires_utc > now()
  ORDER BY t.id IS NOT DISTINCT FROM $2::bigint DESC, coalesce(t.last_used_utc, t.created_utc) DESC, t.id DESC
  OFFSET $3
);

-- apps/api/src/auth/tokens/token-families.ts
-- for DELETE /api/AccessTokens/{accessTokenId}
-- for DELETE /api/ApiKey/{apiKeyId}
-- for DELETE /api/Customers/{customerId}/AccessTokens
-- for DELETE /api/Session
-- for POST /api/ApiKeys
SELECT 1 FROM users WHERE id = $1 FOR UPDATE;

-- apps/api/src/auth/tokens/token-families.ts
-- for DELETE /api/AccessTokens/{accessTokenId}
-- for DELETE /api/Session
WITH RECURSIVE family AS (
  SELECT t.id
  FROM access_tokens t
  WHERE t.id = $1 UNION
  SELECT t.id
  FROM access_tokens t
  JOIN family f ON t.parent_id = f.id
)
UPDATE access_tokens AS x
SET revoked_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
FROM family
WHERE x.id = family.id AND x.revoked_utc IS NULL;

-- apps/api/src/auth/tokens/token-families.ts
-- for POST /api/AccessTokens/Generate
-- for POST /api/ApiKeys
SELECT api_key_id FROM access_tokens WHERE id = $1 AND revoked_utc IS NULL AND expires_utc > now();

-- apps/api/src/rates/rates.service.ts
-- for POST /api/ShippingRates
-- for POST /api/TaxRates
SELECT v.rates FROM rate_versions v WHERE v.site_id = $1;

-- apps/api/src/reports/report-database.ts
-- libs/ledger/src/pushes/not-pushable.sql.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Quote
-- for GET /api/Site/{siteId}/Calendar
-- for GET /api/Site/{siteId}/Forecast
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Process
SELECT h.receiver FROM site_shops h WHERE h.site_id = $1 AND h.push AND NOT h.push_anyway;

-- apps/api/src/scheduled-orders/items/order-items.ts
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Quote
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Upcoming
-- for POST /api/ScheduledOrderItems
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}
SELECT i.id,
  i.product_id,
  i.price,
  i.sale_price,
  i.quantity,
  json_build_object(
    'id', p.id,
    'price', p.price::text,
    'salePrice', p.sale_price::text,
    'availability', p.availability,
    'stockLevel', p.stock_level,
    'shippingClass', p.shipping_class,
    'taxClass', p.tax_class,
    'deletedUtc', p.deleted_utc,
    'title', p.title,
    'externalId', p.external_id,
    'sku', p.sku,
    'unsellable', p.unsellable
  ) AS product
FROM scheduled_order_items i
JOIN products p ON p.id = i.product_id
WHERE i.scheduled_order_id = $1 AND i.deleted_utc IS NULL
ORDER BY i.id;

-- apps/api/src/scheduled-orders/items/referenced-products.ts
-- for POST /api/ScheduledOrderItems
-- for POST /api/ScheduledOrders
-- for POST /api/Site/{siteId}/Explain/Rates
SELECT json_build_object(
  'id', p.id,
  'price', p.price::text,
  'salePrice', p.sale_price::text,
  'availability', p.availability,
  'stockLevel', p.stock_level,
  'shippingClass', p.shipping_class,
  'taxClass', p.tax_class,
  'deletedUtc', p.deleted_utc,
  'title', p.title,
  'externalId', p.external_id,
  'sku', p.sku,
  'unsellable', p.unsellable
) AS product
FROM products p
WHERE p.id = ANY ($1::bigint[]);

-- apps/api/src/scheduled-orders/order-rates.ts
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Quote
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Upcoming
-- for POST /api/ScheduledOrderItems
-- for POST /api/ScheduledOrders
-- for POST /api/Site/{siteId}/Explain/Rates
-- for POST /api/Site/{siteId}/Shop/Verify
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}
SELECT tax_exempt FROM customers WHERE id = $1;

-- apps/api/src/scheduled-orders/quotes/payment-problems.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Quote
-- for GET /api/Site/{siteId}/Calendar
-- for GET /api/Site/{siteId}/Forecast
SELECT id, api_key1, test_mode
FROM payment_integrations
WHERE site_id = $1 AND payment_method_type = $2 AND deleted_utc IS NULL;

-- apps/api/src/sites/sites.service.ts
-- apps/api/src/test-clocks/test-clocks.service.ts
-- for POST /api/Sites
-- for POST /api/TestClocks
SELECT 1 FROM users u WHERE u.id = $1 FOR NO KEY UPDATE;

-- apps/api/src/webhooks/webhook-endpoints.service.ts
-- libs/events/src/outbox/listening.ts
-- for DELETE /api/WebhookEndpoint/{webhookEndpointId}
-- for POST /api/TestClocks
-- for POST /api/WebhookEndpoints
SELECT 1 FROM sites WHERE id = $1 FOR NO KEY UPDATE;

-- libs/events/src/audit-log/action-log.ts
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for POST /api/ScheduledOrderItems
-- for POST /api/ScheduledOrders
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cancel
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Process
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Reactivate
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Skip
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/Terms
WITH changed AS MATERIALIZED (
  SELECT x.site_id,
    scheduledOrderView.json(x) AS json,
    (
      SELECT count(*)
      FROM (
        SELECT 1 FROM scheduled_order_items i WHERE i.scheduled_order_id = x.id AND i.deleted_utc IS NULL LIMIT 501
      ) i
    ) <= 500 AS fits,
    CASE WHEN x.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = x.site_id) END AS occurred
  FROM scheduled_orders x
  WHERE x.id = $2
),
logged AS (
  INSERT INTO action_logs (
    site_id,
    scheduled_order_id,
    action_type,
    description,
    access_token,
    previous_scheduled_order,
    new_scheduled_order,
    occurred_utc
  )
  SELECT site_id,
    $2,
    $3,
    $4,
    CASE
      WHEN $1::bigint IS NULL THEN json_build_object(
        'Id', 0,
        'UserId', (SELECT s.user_id FROM sites s WHERE s.id = site_id),
        'TokenAuth', NULL,
        'AccessScope', 'Merchant',
        'CustomerId', NULL,
        'CreatedUtc', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'UpdatedUtc', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'ExpiresUtc', '9999-12-31T23:59:59.999Z'
      )
      ELSE CASE
      WHEN $9 THEN (SELECT apiKeyTokenView.json(k) FROM api_keys k WHERE k.id = $1)
      ELSE (SELECT accessTokenView.json(t) FROM access_tokens t WHERE t.id = $1)
      END
      END,
    CASE WHEN $6 THEN current_setting('scheduled_orders.previous')::json ELSE $5::json END,
    json,
    occurred
  FROM changed
  RETURNING id, site_id
),
event AS (
  SELECT site_id,
    $2::bigint AS scheduled_order_id,
    $7::varchar AS type,
    id AS log_id,
    jsonb_strip_nulls(jsonb_build_object('ScheduledOrderItemId', $8::bigint)) AS facts
  FROM logged
),
published AS (
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
  RETURNING pg_notify('scheduled_orders_events', '')
)
SELECT CASE WHEN fits THEN json::text END AS json
FROM changed;

-- libs/events/src/audit-log/order-snapshot.ts
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for POST /api/ScheduledOrderItems
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cancel
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Process
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Reactivate
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Skip
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/Terms
SELECT CASE
  WHEN (
    SELECT count(*)
    FROM (SELECT 1 FROM scheduled_order_items i WHERE i.scheduled_order_id = x.id AND i.deleted_utc IS NULL LIMIT 501) i
  ) <= 500 THEN scheduledOrderView.json(x)::text
  END AS json,
  (
    CASE
      WHEN x.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = x.site_id)
      ELSE clock_timestamp()
      END
  )::timestamptz(3) AS now
FROM scheduled_orders x
WHERE x.id = $1;

-- libs/events/src/outbox/listening.ts
-- for DELETE /api/WebhookEndpoint/{webhookEndpointId}
-- for POST /api/TestClocks
-- for POST /api/WebhookEndpoints
UPDATE sites s
SET listens_since_utc = CASE WHEN now_is.listens THEN clock_timestamp() END
FROM (SELECT site_listens($1::bigint) AS listens) now_is
WHERE s.id = $1 AND (s.listens_since_utc IS NOT NULL) <> now_is.listens
RETURNING now_is.listens;

-- libs/ledger/src/deployment/deployment.ts
-- for GET /api/Operations
-- for POST /api/Site/{siteId}/Shop/Verify
-- for POST /api/WebhookEndpoint/{webhookEndpointId}/Test
-- for a worker
-- for deployment:adopt
SELECT d.deployment_id AS "deploymentId",
  d.key_prefix AS "keyPrefix",
  d.generation::float8 AS generation,
  d.timeline,
  d.seen_utc AS "seenUtc",
  h.timeline AS "hereTimeline",
  now() AS "nowUtc",
  here.lsn::text AS lsn,
  coalesce(here.lsn < $1::pg_lsn, false) AS "isBehind",
  d.system_identifier = h.system_identifier AND d.database_identity = h.database_identity AS "isHere"
FROM deployment d,
  database_here() h,
  (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn() END AS lsn) here;

-- libs/ledger/src/pushes/not-pushable.sql.ts
-- for DELETE /api/Products/{productId}
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for POST /api/ScheduledOrderItems
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
WITH held AS MATERIALIZED (
  SELECT c.scheduled_order_id, c.cycle
  FROM processing_cycles c
  WHERE c.site_id = $1
    AND c.open
    AND c.failure_code = 1010
    AND c.held_for = 1010
    AND c.worker IS NULL
    AND (c.next_attempt_utc <= now()) IS NOT TRUE
    AND ($2::bigint IS NULL OR c.scheduled_order_id = $2)
  FOR NO KEY UPDATE SKIP LOCKED
),
lifted AS (
  UPDATE processing_cycles c
  SET next_attempt_utc = (
    SELECT CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) ELSE now() END
  ),
    updated_utc = now()
  FROM held h
  WHERE c.scheduled_order_id = h.scheduled_order_id AND c.cycle = h.cycle
  RETURNING c.simulated
)
SELECT CASE
  WHEN lifted.simulated THEN pg_notify('scheduled_orders_clocks', '')
  ELSE pg_notify('scheduled_orders_due', '0')
  END
FROM lifted;

-- libs/records/src/access/credentials.ts
-- for POST /api/PaymentIntegrations
-- for POST /api/Sites
-- for POST /api/WebhookEndpoints
SELECT nextval(pg_get_serial_sequence($1, 'id')) AS id;

-- libs/records/src/access/gateway-customers.ts
-- for POST /api/Customers/{customerId}/PaymentMethods
-- for POST /api/ScheduledOrders
INSERT INTO gateway_customers (customer_id, type, gateway_customer_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;

-- libs/records/src/access/reach.ts
-- for 23 routes
SELECT isReached($1::bigint, $2::bigint[]) AS reached;

-- libs/records/src/access/references.ts
-- for POST /api/Orders
-- for POST /api/ScheduledOrderItems
-- for POST /api/ScheduledOrders
-- for POST /api/Site/{siteId}/Explain/Rates
SELECT x.id, x.site_id, isReached(x.site_id, $2::bigint[]) AS reached
FROM products x
WHERE x.id = ANY ($1::bigint[]) AND x.deleted_utc IS NULL;

-- libs/records/src/access/references.ts
-- for POST /api/Orders
-- for POST /api/Site/{siteId}/Explain/Rates
SELECT x.id, x.site_id, isReached(x.site_id, $2::bigint[]) AS reached
FROM customers x
WHERE x.id = ANY ($1::bigint[]) AND x.deleted_utc IS NULL;

-- libs/records/src/idempotency.ts
-- for 30 routes
DELETE
FROM idempotency_keys
WHERE (owner, route, key) IN (
  SELECT owner, route, key
  FROM idempotency_keys
  WHERE created_utc < now() - interval '24 hours'
  ORDER BY created_utc
  LIMIT 5
  FOR UPDATE SKIP LOCKED
);

-- libs/records/src/idempotency.ts
-- for 30 routes
INSERT INTO idempotency_keys (owner, route, key, body_hash, status, location, body)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (owner, route, key) DO UPDATE SET body_hash = excluded.body_hash,
  status = excluded.status,
  location = excluded.location,
  body = excluded.body,
  created_utc = now();

-- libs/records/src/idempotency.ts
-- for 30 routes
SELECT body_hash, location, body
FROM idempotency_keys
WHERE owner = $1 AND route = $2 AND key = $3 AND created_utc > now() - interval '24 hours';

-- libs/records/src/idempotency.ts
-- for 30 routes
SELECT pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2 || ' ' || $3, 0)) AS taken;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Operations
-- for GET /api/ScheduledOrders/Count
-- for GET /api/Site/{siteId}/Overview
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.id AS key
    FROM eachSite($1::bigint[])
    CROSS JOIN unnest('{t}'::boolean[]) AS part (open)
    CROSS JOIN unnest('{1000,1001,1002,1003,1004,1005,1009,1010,2000,2001,99}'::int[]) AS code (value)
    CROSS JOIN LATERAL (
      SELECT c.scheduled_order_id AS id
      FROM processing_cycles c
      CROSS JOIN LATERAL (
        SELECT t.id, t.id AS key
        FROM scheduled_orders t
        WHERE t.id = c.scheduled_order_id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
        OFFSET 0
      ) x
      WHERE c.site_id = site.id
        AND c.open = part.open
        AND c.failure_code = code.value
        AND c.state NOT IN ('Completed', 'Skipped')
        AND (
          c.open
            OR NOT EXISTS (
              SELECT
              FROM processing_cycles n
              WHERE n.scheduled_order_id = c.scheduled_order_id AND n.cycle > c.cycle
              OFFSET 0
            )
        )
        AND c.state = $2::varchar
        AND true
      ORDER BY 1
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Operations
-- for GET /api/Site/{siteId}/Overview
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
          SELECT t.id AS id
          FROM scheduled_orders t
          WHERE t.site_id = site.id
            AND t.deleted_utc IS NULL
            AND t.status = 'Active'
            AND t.next_occurrence_utc < $3::timestamptz
            AND t.next_occurrence_utc IS NOT NULL
        ) r
      ) n
    ) f
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM scheduled_orders t
      WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL AND t.status = $2::varchar
      OFFSET 0
    ) x
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/Operations
-- for GET /api/Site/{siteId}/Overview
SELECT count(*) AS count
FROM (
  SELECT r.id
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id AS id
    FROM scheduled_orders t
    WHERE t.site_id = site.id
      AND t.deleted_utc IS NULL
      AND t.status = 'Active'
      AND t.next_occurrence_utc < $2::timestamptz
      AND t.next_occurrence_utc IS NOT NULL
    LIMIT 5001
  ) r
  LIMIT 5001
) n;

-- libs/records/src/rows.ts
-- for POST /api/ScheduledOrderItems
-- for POST /api/ScheduledOrders
INSERT INTO scheduled_order_items AS x (product_id, price, sale_price, quantity, site_id, scheduled_order_id)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING x.id;

-- libs/records/src/site-scoped.service.ts
-- for DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for DELETE /api/ScheduledOrders/{scheduledOrderId}
-- for POST /api/ScheduledOrderItems
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cancel
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Process
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Reactivate
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Skip
-- for PUT /api/ScheduledOrderItems/{scheduledOrderItemId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/Terms
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
  x.customer_id,
  x.last_occurrence_utc,
  x.next_occurrence_utc,
  x.status,
  x.frequency_type,
  x.frequency,
  x.cycles,
  x.archived_cycle,
  x.currency_iso,
  x.payment_method_type,
  x.payment_method_customer_id,
  x.payment_method_id,
  x.payment_method_description,
  x.shipping_total,
  x.tax_total,
  x.total,
  x.schedule_anchor_utc,
  x.replaced_occurrence_utc,
  x.process_requested_utc,
  x.shipping_total_fixed,
  x.tax_total_fixed,
  x.simulated,
  x.cancelled_utc,
  x.external_id,
  x.cancel_reason,
  x.note,
  isReached(x.site_id, $2::bigint[]) AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL
FOR NO KEY UPDATE OF x;
