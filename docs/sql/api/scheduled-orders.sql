-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/explain/facts.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
SELECT c.cycle,
  c.state,
  c.due_utc AS "dueUtc",
  c.replaced_utc AS "replacedUtc",
  c.attempt,
  c.payment_failures AS "paymentFailures",
  c.technical_failures AS "technicalFailures",
  c.retries_exhausted AS "retriesExhausted",
  c.waiting_since_utc AS "waitingSinceUtc",
  CASE
    WHEN c.held_for IS NOT NULL
    AND c.state = 'Waiting' THEN NULL
    WHEN c.open
    AND c.next_attempt_utc IS NOT NULL
    AND c.waiting_since_utc IS NOT NULL
    AND c.failure_code = 1003 THEN least(
      c.next_attempt_utc,
      (
        SELECT w.next_probe_utc
        FROM integration_waits w
        WHERE w.site_id = c.site_id AND w.payment_method_type = c.payment_method_type
      )
    )
    ELSE c.next_attempt_utc
    END AS "nextAttemptUtc",
  c.amount,
  c.currency_iso AS "currencyIso",
  c.failure_code AS "failureCode",
  c.failure_message AS "failureMessage",
  c.order_id AS "orderId",
  c.started_utc AS "startedUtc",
  c.created_utc AS "createdUtc",
  c.updated_utc AS "updatedUtc",
  c.occurred_utc AS "occurredUtc"
FROM scheduled_orders o
CROSS JOIN LATERAL (
  WITH ledger AS MATERIALIZED (
    SELECT l.*
    FROM processing_cycles l
    WHERE l.scheduled_order_id = o.id AND l.cycle <= 9007199254740991::bigint
    ORDER BY l.cycle DESC
    LIMIT 2
  )
  SELECT n.*
  FROM ledger n
  UNION ALL (
    SELECT r.*
    FROM archived_cycles a
    CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
    WHERE o.archived_cycle IS NOT NULL
      AND (SELECT count(*) FROM ledger) < 2
      AND a.scheduled_order_id = o.id
      AND r.cycle <= 9007199254740991::bigint
      AND a.last_cycle <= coalesce(
        (
          SELECT f.last_cycle
          FROM archived_cycles f
          WHERE f.scheduled_order_id = o.id AND f.last_cycle >= 9007199254740991::bigint
          ORDER BY f.last_cycle
          LIMIT 1
        ),
        9007199254740991::bigint
      )
    ORDER BY a.last_cycle DESC, r.cycle DESC
    LIMIT 2
  )
) c
WHERE o.id = $1
ORDER BY c.cycle DESC
LIMIT 2;

-- apps/api/src/explain/facts.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
SELECT i.id AS "integrationId", i.test_mode AS "testMode", coalesce(m.description, o.payment_method_description) AS card
FROM scheduled_orders o
LEFT JOIN payment_integrations i ON i.site_id = o.site_id
  AND i.payment_method_type = o.payment_method_type
  AND i.deleted_utc IS NULL
LEFT JOIN payment_methods m ON m.customer_id = o.customer_id
  AND m.type = o.payment_method_type
  AND m.gateway_customer_id = o.payment_method_customer_id
  AND m.gateway_payment_id = o.payment_method_id
  AND m.deleted_utc IS NULL
WHERE o.id = $1;

-- apps/api/src/explain/facts.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
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
  (
    CASE
      WHEN x.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = x.site_id)
      ELSE clock_timestamp()
      END
  )::timestamptz(3) AS now
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- apps/api/src/explain/moves.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
SELECT coalesce(l.occurred_utc, l.created_utc) AS "atUtc",
  l.access_token ->> 'AccessScope' AS scope,
  l.access_token ->> 'Id' AS "tokenId",
  coalesce(l.description LIKE '% by API key ' || (l.access_token ->> 'Id') || '.', false) AS "isKey"
FROM action_logs l
WHERE l.scheduled_order_id = $1 AND l.action_type = $2 AND l.created_utc >= $3
ORDER BY l.id DESC
LIMIT 1;

-- apps/api/src/scheduled-orders/order-creation.ts
-- for POST /api/ScheduledOrders
SELECT json_build_object(
  'id', c.id,
  'siteId', c.site_id,
  'currencyIso', s.currency_iso,
  'now', coalesce((SELECT k.now_utc FROM test_clocks k WHERE k.site_id = s.id), clock_timestamp()),
  'shippingFirstName', c.shipping_first_name,
  'shippingLastName', c.shipping_last_name,
  'shippingStreet1', c.shipping_street1,
  'shippingStreet2', c.shipping_street2,
  'shippingCity', c.shipping_city,
  'shippingState', c.shipping_state,
  'shippingPostcode', c.shipping_postcode,
  'shippingCountry', c.shipping_country
) AS owner,
  isReached(c.site_id, $2::bigint[]) AS reached
FROM customers c
JOIN sites s ON s.id = c.site_id
WHERE c.id = $1 AND c.deleted_utc IS NULL
FOR SHARE OF c;

-- apps/api/src/scheduled-orders/payment-choice.ts
-- for POST /api/ScheduledOrders
INSERT INTO payment_methods AS m (site_id, customer_id, type, gateway_customer_id, gateway_payment_id, description)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (
  customer_id, type, gateway_customer_id, gateway_payment_id
) WHERE deleted_utc IS NULL DO UPDATE SET description = excluded.description,
  updated_utc = now() WHERE excluded.description IS NOT NULL AND m.description IS DISTINCT FROM excluded.description;

-- apps/api/src/scheduled-orders/scheduled-orders.service.ts
-- for DELETE /api/ScheduledOrders/{scheduledOrderId}
UPDATE scheduled_order_items AS x
SET deleted_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.scheduled_order_id = ANY ($1::bigint[]) AND x.deleted_utc IS NULL;

-- apps/api/src/scheduled-orders/scheduled-orders.service.ts
-- for DELETE /api/ScheduledOrders/{scheduledOrderId}
UPDATE scheduled_orders AS x
SET deleted_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = ANY ($1::bigint[]) AND x.deleted_utc IS NULL;

-- libs/events/src/audit-log/action-log.ts
-- for DELETE /api/ScheduledOrders/{scheduledOrderId}
WITH logged AS (
  INSERT INTO action_logs (
    site_id, scheduled_order_id, action_type, description, access_token, previous_scheduled_order, occurred_utc
  )
  SELECT x.site_id,
    x.id,
    'DeleteScheduledOrder',
    $3,
    CASE
      WHEN $4 THEN (SELECT apiKeyTokenView.json(k) FROM api_keys k WHERE k.id = $1)
      ELSE (SELECT accessTokenView.json(t) FROM access_tokens t WHERE t.id = $1)
      END,
    scheduledOrderView.json(x),
    CASE WHEN x.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = x.site_id) END
  FROM scheduled_orders x
  WHERE x.id = ANY ($2::bigint[])
  RETURNING id, site_id, scheduled_order_id
),
event AS (
  SELECT site_id, scheduled_order_id, 'scheduled_order.deleted' AS type, id AS log_id, '{}'::jsonb AS facts FROM logged
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

-- libs/events/src/outbox/write-event.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Accept
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Link
WITH event AS (
  SELECT $1::bigint AS site_id,
    $2::bigint AS scheduled_order_id,
    $3::varchar AS type,
    NULL::uuid AS log_id,
    $4::jsonb AS facts
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

-- libs/ledger/src/notify.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Process
SELECT pg_notify($1, $2);

-- libs/ledger/src/pushes/push-reading.sql.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Accept
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Link
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Retry
SELECT pushView.json(p)::text AS json FROM order_pushes p WHERE p.scheduled_order_id = $1 AND p.cycle = $2;

-- libs/ledger/src/requests/free-second.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Process
-- for PUT /api/ScheduledOrders/{scheduledOrderId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc
WITH taken AS MATERIALIZED (
  SELECT floor(extract(epoch FROM c.due_utc))::bigint AS second
  FROM scheduled_orders o
  CROSS JOIN LATERAL (
    SELECT l.*
    FROM processing_cycles l
    WHERE l.scheduled_order_id = o.id
    UNION ALL
    SELECT r.*
    FROM archived_cycles a
    CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
    WHERE o.archived_cycle IS NOT NULL AND a.scheduled_order_id = o.id
  ) c
  WHERE o.id = $1
)
SELECT n.second::float8 AS second
FROM generate_series($2::bigint, $2::bigint + (SELECT count(*) FROM taken)) AS n (second)
WHERE NOT EXISTS (
  SELECT 1
  FROM taken t
  WHERE ($3::boolean AND t.second = n.second)
    OR (t.second > $4::bigint AND t.second >= n.second AND (t.second - n.second) % 86400 = 0)
)
ORDER BY n.second
LIMIT 1;

-- libs/ledger/src/requests/latest-cycle.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
SELECT cycle,
  state,
  due_utc AS "dueUtc",
  replaced_utc AS "replacedUtc",
  retries_exhausted AS "retriesExhausted",
  rescheduled_meanwhile AS "rescheduledMeanwhile",
  coalesce(processing_cycles.stopped_utc = processing_cycles.created_utc, false) AS "madeForFound"
FROM processing_cycles
WHERE scheduled_order_id = $1
ORDER BY cycle DESC
LIMIT 1;

-- libs/ledger/src/requests/latest-cycle.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cancel
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Process
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Skip
-- for PUT /api/ScheduledOrders/{scheduledOrderId}
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc
SELECT cycle,
  state,
  due_utc AS "dueUtc",
  replaced_utc AS "replacedUtc",
  retries_exhausted AS "retriesExhausted",
  rescheduled_meanwhile AS "rescheduledMeanwhile",
  coalesce(processing_cycles.stopped_utc = processing_cycles.created_utc, false) AS "madeForFound"
FROM processing_cycles
WHERE scheduled_order_id = $1
ORDER BY cycle DESC
LIMIT 1
FOR NO KEY UPDATE;

-- libs/ledger/src/requests/second-call.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Process
SELECT c.due_utc AS "dueUtc",
  c.utc AS "completedUtc",
  c.utc > CASE
    WHEN o.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = o.site_id)
    ELSE clock_timestamp()
    END - interval '60 seconds' AS "isRecent"
FROM scheduled_orders o
CROSS JOIN LATERAL (
  SELECT l.due_utc, coalesce(l.occurred_utc, l.updated_utc) AS utc
  FROM processing_cycles l
  WHERE l.scheduled_order_id = o.id AND l.state = 'Completed'
  ORDER BY l.cycle DESC
  LIMIT 1
) c
WHERE o.id = $1;

-- libs/ledger/src/requests/status-requests.ts
-- for DELETE /api/ScheduledOrders/{scheduledOrderId}
UPDATE processing_cycles c
SET state = 'Failed',
  open = false,
  next_attempt_utc = NULL,
  held_for = NULL,
  worker = NULL,
  lease_until_utc = NULL,
  ended_utc = CASE
    WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id)
    ELSE now()
    END,
  occurred_utc = CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) END,
  updated_utc = now()
WHERE scheduled_order_id = ANY($1::bigint[]) AND open AND state IN ('Claimed', 'Retrying', 'Waiting');

-- libs/ledger/src/requests/steps.ts
-- for DELETE /api/ScheduledOrders/{scheduledOrderId}
WITH stopped AS (
  UPDATE processing_cycles
  SET stopped_utc = coalesce(stopped_utc, clock_timestamp()), updated_utc = now()
  WHERE scheduled_order_id = ANY($2::bigint[]) AND open AND state IN ('Charging', 'Unknown')
  RETURNING scheduled_order_id, state
)
SELECT pg_notify($1, scheduled_order_id::text)
FROM stopped
WHERE state = 'Charging';

-- libs/ledger/src/requests/steps.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Skip
INSERT INTO processing_cycles (
  site_id,
  scheduled_order_id,
  cycle,
  state,
  open,
  due_utc,
  replaced_utc,
  missed_occurrences,
  ended_utc,
  simulated,
  begun_utc,
  occurred_utc
)
SELECT $1,
  $2,
  $3,
  'Skipped',
  false,
  $4,
  $5,
  $6,
  CASE WHEN o.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = o.site_id) ELSE now() END,
  o.simulated,
  clock.utc,
  clock.utc
FROM scheduled_orders o
CROSS JOIN LATERAL (
  SELECT CASE WHEN o.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = o.site_id) END AS utc
) clock
WHERE o.id = $2;

-- libs/records/src/lists/key-batches.ts
-- for GET /api/ScheduledOrders
SELECT '{' || string_agg(p.id::text, ',' ORDER BY p.id) || '}' AS ids,
  count(*) AS count,
  min(p.id) AS first,
  max(p.id) AS last,
  (SELECT max(id) FROM scheduled_orders) AS newest
FROM (
  SELECT k.id, (row_number() OVER (ORDER BY k.id) - 1) / 500 AS piece
  FROM (
    SELECT k.id
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id
      FROM scheduled_orders t
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
-- for GET /api/ScheduledOrders
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
        (
          SELECT count(*)
          FROM (
            SELECT 1 FROM scheduled_order_items i WHERE i.scheduled_order_id = w.id AND i.deleted_utc IS NULL LIMIT 501
          ) i
        ) AS rows
      FROM wanted w
    ) n
  ) r
  WHERE r.upto <= 1000
),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM scheduled_orders x, taken
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
    SELECT f.place, (row_number() OVER (ORDER BY f.place) - 1) / 20 AS part, scheduledOrderView.json(x)::text AS json
    FROM fitting f
    CROSS JOIN LATERAL (
      SELECT x.*
      FROM scheduled_orders x
      WHERE x.id = f.id AND isOfList(x.site_id, $3::bigint[]) AND x.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) c
  GROUP BY c.part
) p ON true
ORDER BY p.first;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
-- for GET /api/ScheduledOrders/Count
SELECT count(*) AS count
FROM (
  SELECT r.id
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM scheduled_orders r
    WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::varchar
    LIMIT 5001
  ) r
  LIMIT 5001
) n;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
-- for GET /api/ScheduledOrders/Count
SELECT count(*) AS count
FROM (
  SELECT r.id
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT r.id AS id
    FROM scheduled_orders r
    WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.status = 'Active'
    ORDER BY r.next_occurrence_utc
    LIMIT 5001
  ) r
  LIMIT 5001
) n;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
-- for GET /api/ScheduledOrders/Count
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
  UNION ALL
  SELECT r.id
  FROM eachSite($1::bigint[])
  CROSS JOIN unnest('{Pending,Paused}'::varchar[]) AS part (status)
  CROSS JOIN LATERAL (
    SELECT t.id AS id
    FROM scheduled_orders t
    WHERE t.site_id = site.id
      AND t.deleted_utc IS NULL
      AND t.status <> 'Active'
      AND t.status = part.status
      AND coalesce(t.next_occurrence_utc, 'infinity') < $3::timestamptz
      AND t.next_occurrence_utc IS NOT NULL
    LIMIT 5001
  ) r
  LIMIT 5001
) n;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
-- for GET /api/ScheduledOrders/Count
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
      AND t.next_occurrence_utc >= $2::timestamptz
      AND t.next_occurrence_utc IS NOT NULL
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($1::bigint[])
  CROSS JOIN unnest('{Pending,Paused}'::varchar[]) AS part (status)
  CROSS JOIN LATERAL (
    SELECT t.id AS id
    FROM scheduled_orders t
    WHERE t.site_id = site.id
      AND t.deleted_utc IS NULL
      AND t.status <> 'Active'
      AND t.status = part.status
      AND coalesce(t.next_occurrence_utc, 'infinity') >= $3::timestamptz
      AND t.next_occurrence_utc IS NOT NULL
    LIMIT 5001
  ) r
  LIMIT 5001
) n;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
-- for GET /api/ScheduledOrders/Count
SELECT count(*) AS count
FROM (
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT o.id AS id
    FROM customers r
    LEFT JOIN LATERAL (
      SELECT o.id FROM scheduled_orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
    ) o ON true
    WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $1::text
    LIMIT 5001
  ) r
  UNION ALL
  SELECT r.id
  FROM eachSite($2::bigint[])
  CROSS JOIN LATERAL (
    SELECT o.id AS id
    FROM customers r
    LEFT JOIN LATERAL (
      SELECT o.id FROM scheduled_orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
    ) o ON true
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
    SELECT o.id AS id
    FROM customers r
    LEFT JOIN LATERAL (
      SELECT o.id FROM scheduled_orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
    ) o ON true
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
-- for GET /api/ScheduledOrders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.id AS key
  FROM (
    SELECT i.scheduled_order_id AS id
    FROM scheduled_order_items i
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM scheduled_orders t
      WHERE t.id = i.scheduled_order_id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
    WHERE i.product_id = $2::bigint
      AND i.deleted_utc IS NULL
      AND EXISTS (SELECT FROM products s WHERE s.id = $2::bigint AND isReached(s.site_id, $1::bigint[], 'counted'))
      AND NOT EXISTS (
        SELECT
        FROM scheduled_order_items e
        WHERE e.scheduled_order_id = i.scheduled_order_id
          AND e.product_id = i.product_id
          AND e.deleted_utc IS NULL
          AND e.id < i.id
        OFFSET 0
      )
    ORDER BY 1
    LIMIT 101
  ) w
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.id AS key
  FROM (
    SELECT r.id AS id
    FROM scheduled_orders r
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM scheduled_orders t
      WHERE t.id = r.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
    WHERE r.customer_id = $2::bigint
      AND r.deleted_utc IS NULL
      AND EXISTS (SELECT FROM customers s WHERE s.id = $2::bigint AND isReached(s.site_id, $1::bigint[], 'counted'))
      AND true
    ORDER BY 1
    LIMIT 101
  ) w
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
SELECT r.id, r.key::text AS value
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
    LIMIT 101
  ) w
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM scheduled_orders t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id
    LIMIT 101
  ) w
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM scheduled_orders t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id
    LIMIT 21
  ) w
) r
ORDER BY r.key, r.id
LIMIT 21;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
SELECT r.id, r.key::text AS value
FROM (
  SELECT w.id, w.key
  FROM eachSite($1::bigint[])
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM scheduled_orders t
    WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
    ORDER BY t.id DESC
    LIMIT 101
  ) w
) r
ORDER BY r.key DESC, r.id DESC
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
SELECT r.id, r.key::text AS value
FROM (
  SELECT x.id, x.key
  FROM (
    SELECT DISTINCT n.id
    FROM (
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT o.id AS id
        FROM customers r
        LEFT JOIN LATERAL (
          SELECT o.id FROM scheduled_orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
        ) o ON true
        WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN LATERAL (
        SELECT o.id AS id
        FROM customers r
        LEFT JOIN LATERAL (
          SELECT o.id FROM scheduled_orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
        ) o ON true
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
        SELECT o.id AS id
        FROM customers r
        LEFT JOIN LATERAL (
          SELECT o.id FROM scheduled_orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
        ) o ON true
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
    FROM scheduled_orders t
    WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
    OFFSET 0
  ) x
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
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
        FROM scheduled_orders r
        WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::varchar
      ) r
    ) n
  ) f
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM scheduled_orders t
    WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
    OFFSET 0
  ) x
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
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
        FROM scheduled_orders r
        WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.status = 'Active'
      ) r
    ) n
  ) f
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM scheduled_orders t
    WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
    OFFSET 0
  ) x
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
SELECT r.id, r.key::text AS value
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
          AND t.next_occurrence_utc < $2::timestamptz
          AND t.next_occurrence_utc IS NOT NULL
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN unnest('{Pending,Paused}'::varchar[]) AS part (status)
      CROSS JOIN LATERAL (
        SELECT t.id AS id
        FROM scheduled_orders t
        WHERE t.site_id = site.id
          AND t.deleted_utc IS NULL
          AND t.status <> 'Active'
          AND t.status = part.status
          AND coalesce(t.next_occurrence_utc, 'infinity') < $3::timestamptz
          AND t.next_occurrence_utc IS NOT NULL
      ) r
    ) n
  ) f
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM scheduled_orders t
    WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
    OFFSET 0
  ) x
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders
SELECT r.id, r.key::text AS value
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
          AND t.next_occurrence_utc >= $2::timestamptz
          AND t.next_occurrence_utc IS NOT NULL
      ) r
      UNION ALL
      SELECT r.id
      FROM eachSite($1::bigint[])
      CROSS JOIN unnest('{Pending,Paused}'::varchar[]) AS part (status)
      CROSS JOIN LATERAL (
        SELECT t.id AS id
        FROM scheduled_orders t
        WHERE t.site_id = site.id
          AND t.deleted_utc IS NULL
          AND t.status <> 'Active'
          AND t.status = part.status
          AND coalesce(t.next_occurrence_utc, 'infinity') >= $3::timestamptz
          AND t.next_occurrence_utc IS NOT NULL
      ) r
    ) n
  ) f
  CROSS JOIN LATERAL (
    SELECT t.id, t.id AS key
    FROM scheduled_orders t
    WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
    OFFSET 0
  ) x
) r
ORDER BY r.key, r.id
LIMIT 101;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders/Count
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.id AS key
    FROM (
      SELECT i.scheduled_order_id AS id
      FROM scheduled_order_items i
      CROSS JOIN LATERAL (
        SELECT t.id, t.id AS key
        FROM scheduled_orders t
        WHERE t.id = i.scheduled_order_id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
        OFFSET 0
      ) x
      WHERE i.product_id = $2::bigint
        AND i.deleted_utc IS NULL
        AND EXISTS (SELECT FROM products s WHERE s.id = $2::bigint AND isReached(s.site_id, $1::bigint[], 'counted'))
        AND NOT EXISTS (
          SELECT
          FROM scheduled_order_items e
          WHERE e.scheduled_order_id = i.scheduled_order_id
            AND e.product_id = i.product_id
            AND e.deleted_utc IS NULL
            AND e.id < i.id
          OFFSET 0
        )
      ORDER BY 1
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders/Count
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.id AS key
    FROM (
      SELECT r.id AS id
      FROM scheduled_orders r
      CROSS JOIN LATERAL (
        SELECT t.id, t.id AS key
        FROM scheduled_orders t
        WHERE t.id = r.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
        OFFSET 0
      ) x
      WHERE r.customer_id = $2::bigint
        AND r.deleted_utc IS NULL
        AND EXISTS (SELECT FROM customers s WHERE s.id = $2::bigint AND isReached(s.site_id, $1::bigint[], 'counted'))
        AND true
      ORDER BY 1
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders/Count
SELECT count(*) AS count
FROM (
  SELECT
  FROM (
    SELECT w.id, w.key
    FROM eachSite($1::bigint[])
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM scheduled_orders t
      WHERE t.site_id = site.id AND t.deleted_utc IS NULL AND t.site_id = site.id AND t.deleted_utc IS NULL
      ORDER BY t.id
      LIMIT 10001
    ) w
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders/Count
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
          SELECT o.id AS id
          FROM customers r
          LEFT JOIN LATERAL (
            SELECT o.id FROM scheduled_orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
          ) o ON true
          WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::text
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN LATERAL (
          SELECT o.id AS id
          FROM customers r
          LEFT JOIN LATERAL (
            SELECT o.id FROM scheduled_orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
          ) o ON true
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
          SELECT o.id AS id
          FROM customers r
          LEFT JOIN LATERAL (
            SELECT o.id FROM scheduled_orders o WHERE o.customer_id = r.id AND o.deleted_utc IS NULL OFFSET 0
          ) o ON true
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
      FROM scheduled_orders t
      WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders/Count
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
          FROM scheduled_orders r
          WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = $2::varchar
        ) r
      ) n
    ) f
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM scheduled_orders t
      WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders/Count
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
          FROM scheduled_orders r
          WHERE r.site_id = site.id AND r.deleted_utc IS NULL AND r.status = 'Active'
        ) r
      ) n
    ) f
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM scheduled_orders t
      WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders/Count
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
            AND t.next_occurrence_utc < $2::timestamptz
            AND t.next_occurrence_utc IS NOT NULL
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN unnest('{Pending,Paused}'::varchar[]) AS part (status)
        CROSS JOIN LATERAL (
          SELECT t.id AS id
          FROM scheduled_orders t
          WHERE t.site_id = site.id
            AND t.deleted_utc IS NULL
            AND t.status <> 'Active'
            AND t.status = part.status
            AND coalesce(t.next_occurrence_utc, 'infinity') < $3::timestamptz
            AND t.next_occurrence_utc IS NOT NULL
        ) r
      ) n
    ) f
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM scheduled_orders t
      WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) r
  LIMIT 10001
) c;

-- libs/records/src/query/filtered-list.ts
-- for GET /api/ScheduledOrders/Count
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
            AND t.next_occurrence_utc >= $2::timestamptz
            AND t.next_occurrence_utc IS NOT NULL
        ) r
        UNION ALL
        SELECT r.id
        FROM eachSite($1::bigint[])
        CROSS JOIN unnest('{Pending,Paused}'::varchar[]) AS part (status)
        CROSS JOIN LATERAL (
          SELECT t.id AS id
          FROM scheduled_orders t
          WHERE t.site_id = site.id
            AND t.deleted_utc IS NULL
            AND t.status <> 'Active'
            AND t.status = part.status
            AND coalesce(t.next_occurrence_utc, 'infinity') >= $3::timestamptz
            AND t.next_occurrence_utc IS NOT NULL
        ) r
      ) n
    ) f
    CROSS JOIN LATERAL (
      SELECT t.id, t.id AS key
      FROM scheduled_orders t
      WHERE t.id = f.id AND isOfList(t.site_id, $1::bigint[]) AND t.deleted_utc IS NULL
      OFFSET 0
    ) x
  ) r
  LIMIT 10001
) c;

-- libs/records/src/rows.ts
-- for POST /api/ScheduledOrders
INSERT INTO scheduled_orders AS x (
  site_id,
  customer_id,
  payment_method_type,
  payment_method_customer_id,
  payment_method_id,
  payment_method_description,
  shipping_first_name,
  shipping_last_name,
  shipping_street1,
  shipping_street2,
  shipping_city,
  shipping_state,
  shipping_postcode,
  shipping_country,
  status,
  frequency_type,
  frequency,
  schedule_anchor_utc,
  replaced_occurrence_utc,
  process_requested_utc,
  next_occurrence_utc,
  currency_iso,
  cycles,
  shipping_total,
  shipping_total_fixed,
  tax_total,
  tax_total_fixed,
  total,
  external_id
)
VALUES (
  $1,
  $2,
  $3,
  $4,
  $5,
  $6,
  $7,
  $8,
  $9,
  $10,
  $11,
  $12,
  $13,
  $14,
  $15,
  $16,
  $17,
  $18,
  $19,
  $20,
  $21,
  $22,
  $23,
  $24,
  $25,
  $26,
  $27,
  $28,
  $29
)
RETURNING x.id;

-- libs/records/src/rows.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cancel
UPDATE scheduled_orders AS x
SET status = $2,
  next_occurrence_utc = $3,
  replaced_occurrence_utc = $4,
  cancelled_utc = $5,
  cancel_reason = $6,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/rows.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Process
UPDATE scheduled_orders AS x
SET status = $2,
  process_requested_utc = $3,
  next_occurrence_utc = $4,
  replaced_occurrence_utc = $5,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/rows.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Reactivate
UPDATE scheduled_orders AS x
SET cancelled_utc = $2,
  cancel_reason = $3,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/rows.ts
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Skip
UPDATE scheduled_orders AS x
SET next_occurrence_utc = $2,
  replaced_occurrence_utc = $3,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/rows.ts
-- for PUT /api/ScheduledOrders/{scheduledOrderId}
UPDATE scheduled_orders AS x
SET next_occurrence_utc = $2,
  frequency_type = $3,
  frequency = $4,
  schedule_anchor_utc = $5,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/rows.ts
-- for PUT /api/ScheduledOrders/{scheduledOrderId}
UPDATE scheduled_orders AS x
SET status = $2, updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/rows.ts
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc
UPDATE scheduled_orders AS x
SET next_occurrence_utc = $2,
  schedule_anchor_utc = $3,
  replaced_occurrence_utc = $4,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/rows.ts
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/Terms
UPDATE scheduled_orders AS x
SET external_id = $2,
  note = $3,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1
RETURNING x.id;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  CASE
    WHEN (
      SELECT count(*)
      FROM (
        SELECT 1 FROM scheduled_order_items i WHERE i.scheduled_order_id = x.id AND i.deleted_utc IS NULL LIMIT 501
      ) i
    ) <= 500 THEN scheduledOrderView.json(x)::text
    END AS json
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/ActionLogs
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  CASE
    WHEN (
      SELECT coalesce(sum(l.bytes), 0)
      FROM (
        SELECT coalesce(
          pg_column_size(l.previous_scheduled_order), 0
        ) + coalesce(pg_column_size(l.new_scheduled_order), 0) AS bytes
        FROM action_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
    ) <= 262144 THEN CASE
    WHEN (
      SELECT coalesce(sum(l.bytes), 0)
      FROM (
        SELECT coalesce(
          octet_length(l.previous_scheduled_order::text), 0
        ) + coalesce(octet_length(l.new_scheduled_order::text), 0) AS bytes
        FROM action_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
    )
    <= 1048576 THEN (
      SELECT coalesce(json_agg(l.json ORDER BY l.id DESC), '[]'::json)::text
      FROM (
        SELECT l.id, actionLogView.whole.json(l) AS json
        FROM action_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
    )
    END
    END AS json,
  x.created_utc - interval '1 month' AS begins_utc,
  x.created_utc - interval '1 month' >= $3
    OR EXISTS (
      SELECT 1
      FROM (
        SELECT 1
        FROM action_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
      OFFSET 19
    ) AS is_whole
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Cycles
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  (
    SELECT coalesce(json_agg(c.json ORDER BY c.cycle DESC), '[]'::json)::text
    FROM (
      SELECT c.cycle, cycleView.json(c) AS json
      FROM (
        SELECT l.*
        FROM processing_cycles l
        WHERE l.scheduled_order_id = x.id
        UNION ALL
        SELECT r.*
        FROM archived_cycles a
        CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
        WHERE x.archived_cycle IS NOT NULL AND a.scheduled_order_id = x.id
      ) c
      ORDER BY c.cycle DESC
      OFFSET $3::bigint
      LIMIT 100
    ) c
  ) AS json,
  EXISTS (
    SELECT 1
    FROM (
      SELECT l.*
      FROM processing_cycles l
      WHERE l.scheduled_order_id = x.id
      UNION ALL
      SELECT r.*
      FROM archived_cycles a
      CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
      WHERE x.archived_cycle IS NOT NULL AND a.scheduled_order_id = x.id
    ) c
    OFFSET $3::bigint + 100
  ) AS more
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Explain
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  x.site_id,
  x.customer_id,
  (
    SELECT json_build_object(
      'cycle', c.cycle,
      'state', c.state,
      'currencyIso', c.currency_iso,
      'frozen', c.frozen,
      'ratesVersion', c.rates_version,
      'pricesMixed', c.prices_mixed,
      'orderCycles', c.order_cycles,
      'fixedTotals', c.fixed_totals,
      'unitPrices', c.unit_prices,
      'atUtc', extract(epoch FROM coalesce(c.occurred_utc, c.started_utc, c.created_utc)) * 1000
    )
    FROM (
      SELECT l.*
      FROM processing_cycles l
      WHERE l.scheduled_order_id = x.id
      UNION ALL
      SELECT r.*
      FROM archived_cycles a
      CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
      WHERE x.archived_cycle IS NOT NULL AND a.scheduled_order_id = x.id
    ) c
    WHERE c.cycle = $3::bigint
  ) AS cycle,
  (
    SELECT json_build_object(
      'customerId', a.customer_id,
      'subtotal', a.subtotal::text,
      'shippingTotal', a.shipping_total::text,
      'taxTotal', a.tax_total::text,
      'total', a.total::text,
      'shippingCountry', a.shipping_country,
      'shippingState', a.shipping_state,
      'shippingCity', a.shipping_city,
      'shippingPostcode', a.shipping_postcode,
      'changedUtc',
      (
        SELECT extract(epoch FROM max(utc)) * 1000
        FROM (
          SELECT a.updated_utc AS utc, a.created_utc AS since
          UNION ALL
          SELECT i.updated_utc, a.created_utc
          FROM order_items i
          WHERE i.order_id = a.id
        ) s
        WHERE utc > since
      ),
      'lines',
      (
        SELECT json_agg(
          json_build_object(
            'productId', i.product_id, 'quantity', i.quantity, 'amount', i.subtotal::text, 'taxTotal', i.tax_total::text
          )
          ORDER BY i.id
        )
        FROM order_items i
        WHERE i.order_id = a.id
      )
    )
    FROM orders a
    WHERE a.scheduled_order_id = x.id AND a.cycle = $3::bigint
  ) AS written
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Accept
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Link
-- for POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Retry
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  EXISTS (
    SELECT
    FROM (
      SELECT l.*
      FROM processing_cycles l
      WHERE l.scheduled_order_id = x.id
      UNION ALL
      SELECT r.*
      FROM archived_cycles a
      CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
      WHERE x.archived_cycle IS NOT NULL AND a.scheduled_order_id = x.id
    ) c
    WHERE c.cycle = $3::bigint
  ) AS is_there,
  (
    SELECT coalesce(
      (SELECT pushView.json(p) FROM order_pushes p WHERE p.site_id = x.site_id AND p.order_id = o.id),
      json_build_object(
        'SiteId', x.site_id,
        'ScheduledOrderId', x.id,
        'Cycle', $3::bigint,
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
    )::text
    FROM (SELECT) one
    LEFT JOIN orders o ON o.scheduled_order_id = x.id AND o.cycle = $3::bigint
  ) AS json
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/ErrorLog
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  CASE
    WHEN (
      SELECT coalesce(sum(l.bytes), 0)
      FROM (
        SELECT coalesce(pg_column_size(l.entity), 0) AS bytes
        FROM error_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
    ) <= 262144 THEN CASE
    WHEN (SELECT coalesce(sum(l.bytes), 0) FROM (SELECT coalesce(octet_length(l.entity::text), 0) AS bytes FROM error_logs l WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz ORDER BY l.id DESC LIMIT 20) l) <= 1048576 THEN (
      SELECT coalesce(json_agg(l.json ORDER BY l.id DESC), '[]'::json)::text
      FROM (
        SELECT l.id, errorLogView.whole.json(l) AS json
        FROM error_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
    )
    END
    END AS json,
  x.created_utc - interval '1 month' AS begins_utc,
  x.created_utc - interval '1 month' >= $3
    OR EXISTS (
      SELECT 1
      FROM (
        SELECT 1
        FROM error_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
      OFFSET 19
    ) AS is_whole
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/EventLogs
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  CASE
    WHEN (
      SELECT coalesce(sum(l.bytes), 0)
      FROM (
        SELECT coalesce(pg_column_size(l.scheduled_order), 0) AS bytes
        FROM event_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
    ) <= 262144 THEN CASE
    WHEN (SELECT coalesce(sum(l.bytes), 0) FROM (SELECT coalesce(octet_length(l.scheduled_order::text), 0) AS bytes FROM event_logs l WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz ORDER BY l.id DESC LIMIT 20) l) <= 1048576 THEN (
      SELECT coalesce(json_agg(l.json ORDER BY l.id DESC), '[]'::json)::text
      FROM (
        SELECT l.id, eventLogView.whole.json(l) AS json
        FROM event_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
    )
    END
    END AS json,
  x.created_utc - interval '1 month' AS begins_utc,
  x.created_utc - interval '1 month' >= $3
    OR EXISTS (
      SELECT 1
      FROM (
        SELECT 1
        FROM event_logs l
        WHERE l.scheduled_order_id = x.id AND l.created_utc >= $3::timestamptz
        ORDER BY l.id DESC
        LIMIT 20
      ) l
      OFFSET 19
    ) AS is_whole
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Quote
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Upcoming
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  x.id,
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
  (
    CASE
      WHEN x.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = x.site_id)
      ELSE clock_timestamp()
      END
  )::timestamptz(3) AS now
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Explain
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  x.id
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Terms
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  x.external_id,
  x.cancelled_utc,
  x.cancel_reason,
  x.note
FROM scheduled_orders x
WHERE x.id = $1 AND x.deleted_utc IS NULL;

-- libs/records/src/site-scoped.service.ts
-- for GET /api/ScheduledOrders/{scheduledOrderId}/Timeline
SELECT isReached(x.site_id, $2::bigint[])
  AND (($2::bigint[])[4] IS NULL OR x.customer_id = ($2::bigint[])[4]) AS reached,
  x.created_utc - interval '1 month' AS begins_utc
FROM scheduled_orders x
WHERE x.id = $1;

-- libs/records/src/site-scoped.service.ts
-- for PUT /api/ScheduledOrders/{scheduledOrderId}/Terms
SELECT id
FROM scheduled_orders
WHERE site_id = $1 AND external_id = $2 AND deleted_utc IS NULL AND id IS DISTINCT FROM $3;
