-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql

-- apps/worker/src/database/clock.ts
-- for a worker
SELECT now() AS now;

-- apps/worker/src/guards/row-chore.ts
-- for a worker
UPDATE integration_audits a
SET checked_until_utc = least(a.checked_until_utc, now() - interval '24 hours'),
  sent_utc = (SELECT CASE WHEN a.sent_utc > now() THEN now() ELSE a.sent_utc END),
  audited_utc = (SELECT CASE WHEN a.audited_utc > now() THEN now() ELSE a.audited_utc END),
  lease_until_utc = (SELECT CASE WHEN a.lease_until_utc > now() THEN now() ELSE a.lease_until_utc END),
  next_audit_utc = CASE WHEN a.next_audit_utc < 'infinity' THEN least(a.next_audit_utc, now()) ELSE 'infinity' END
WHERE a.payment_integration_id IN (
  SELECT p.payment_integration_id
  FROM integration_audits p
  WHERE p.written_utc > now() + interval '1 minute'
  ORDER BY p.payment_integration_id
  LIMIT $1
  FOR UPDATE SKIP LOCKED
)
RETURNING 1;

-- apps/worker/src/guards/row-chore.ts
-- for a worker
WITH ahead AS MATERIALIZED (
  SELECT e.id
  FROM webhook_endpoints e
  WHERE e.written_utc > now() + interval '1 minute'
  ORDER BY e.id
  LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
),
deliveries AS (
  UPDATE webhook_deliveries d
  SET next_attempt_utc = now()
  FROM ahead a
  WHERE d.webhook_endpoint_id = a.id AND d.next_attempt_utc > now()
)
UPDATE webhook_endpoints e
SET failing_since_utc = (SELECT CASE WHEN e.failing_since_utc > now() THEN now() ELSE e.failing_since_utc END),
  not_before_utc = (SELECT CASE WHEN e.not_before_utc > now() THEN now() ELSE e.not_before_utc END),
  next_due_utc = (SELECT CASE WHEN e.next_due_utc > now() THEN now() ELSE e.next_due_utc END)
FROM ahead a
WHERE e.id = a.id
RETURNING 1;

-- apps/worker/src/guards/work-guard.ts
-- for a worker
SELECT schema_version AS minimum FROM minimum_version;

-- libs/events/src/outbox/number-events.ts
-- for a worker
SELECT EXISTS (SELECT 1 FROM outbox x WHERE x.sequence IS NULL) AS found;

-- libs/events/src/outbox/number-events.ts
-- for a worker
SELECT pg_try_advisory_xact_lock(hashtextextended('outbox', 0)) AS taken WHERE assert_same_database($1, $2, 1);

-- libs/events/src/outbox/number-events.ts
-- for a worker
SELECT setval('outbox_sequence_seq', m.sequence)
FROM (SELECT max(x.sequence) AS sequence FROM outbox x WHERE x.sequence IS NOT NULL) m, outbox_sequence_seq s
WHERE m.sequence > s.last_value;

-- libs/events/src/outbox/number-events.ts
-- for a worker
WITH next AS MATERIALIZED (
  SELECT n.place, nextval('outbox_sequence_seq') AS sequence
  FROM (SELECT x.ctid AS place FROM outbox x WHERE x.sequence IS NULL ORDER BY x.id LIMIT $1) n
),
numbered AS (UPDATE outbox x SET sequence = next.sequence FROM next WHERE x.ctid = next.place RETURNING 1)
SELECT count(*)::int AS count
FROM numbered;

-- libs/ledger/src/deployment/deployment.ts
-- for a worker
-- for deployment:adopt
SELECT 1 FROM required_reconciliations LIMIT 1;

-- libs/ledger/src/deployment/deployment.ts
-- for a worker
-- for deployment:adopt
UPDATE deployment d
SET seen_utc = now(), timeline = h.timeline
FROM database_here() h
WHERE d.system_identifier = h.system_identifier
  AND d.database_identity = h.database_identity
  AND (d.timeline IS NULL OR d.timeline = h.timeline)
  AND (
    d.seen_utc IS NULL
      OR d.seen_utc < now() - interval '10 seconds'
      OR d.seen_utc > now() + interval '1 minute'
      OR d.timeline IS NULL
  );

-- libs/ledger/src/deployment/deployment.ts
-- for deployment:adopt
UPDATE deployment
SET deployment_id = $1,
  system_identifier = h.system_identifier,
  database_identity = h.database_identity,
  adopted_utc = now()
FROM database_here() h
RETURNING adopted_utc AS "adoptedUtc";

-- libs/ledger/src/deployment/required-reconciliation.ts
-- for deployment:adopt
SELECT advance_ids($1);

-- libs/ledger/src/deployment/required-reconciliation.ts
-- for deployment:adopt
WITH before AS (
  SELECT coalesce(
    d.seen_utc, (SELECT o.created_utc FROM orders o ORDER BY o.id DESC LIMIT 1), now() - interval '30 days'
  ) AS cut_off_utc
  FROM deployment d
),
raised AS (
  UPDATE deployment d
  SET generation = greatest(d.generation + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint),
    timeline = h.timeline,
    seen_utc = now()
  FROM database_here() h
  WHERE d.generation = $1
  RETURNING d.generation
)
INSERT INTO required_reconciliations (generation, cause, cut_off_utc)
SELECT r.generation, $2, b.cut_off_utc
FROM raised r, before b;

-- libs/ledger/src/differences/resolve.ts
-- for cycles:resolve
SELECT c.state
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
WHERE o.id = $1 AND c.cycle = $2;

-- libs/ledger/src/differences/resolve.ts
-- for cycles:resolve
WITH named AS (
  SELECT i.id, i.payment_method_type
  FROM found_charges f
  JOIN payment_integrations i ON i.id = f.payment_integration_id
  WHERE f.scheduled_order_id = $1 AND f.transaction_id = $3 AND f.is_charged
  ORDER BY i.id DESC
  LIMIT 1
),
resolved AS (
  UPDATE processing_cycles c
  SET resolution = $5,
    gateway_transaction_id = coalesce($3, c.gateway_transaction_id),
    payment_integration_id = coalesce((SELECT n.id FROM named n), c.payment_integration_id),
    payment_method_type = coalesce((SELECT n.payment_method_type FROM named n), c.payment_method_type),
    past_attempts = CASE
      WHEN $3::text IS NULL THEN coalesce(c.past_attempts, '[]') || jsonb_build_object(
        'Attempt', c.attempt, 'SettledUtc', now()
      )
      ELSE c.past_attempts
      END,
    next_attempt_utc = CASE
      WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id)
      ELSE now()
      END,
    updated_utc = now()
  WHERE c.scheduled_order_id = $1 AND c.cycle = $2 AND c.state = 'Unknown' AND c.worker IS NULL
  RETURNING c.site_id,
    c.scheduled_order_id,
    c.cycle,
    c.simulated,
    'The occurrence of ' || to_char(
      c.due_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'
    ) || ' UTC ' || $6::text AS description
),
e AS (
  SELECT o.*,
    r.description AS error_description,
    json_build_object('Message', r.description, 'InnerExceptionInfo', null) AS exception_info
  FROM resolved r
  JOIN scheduled_orders o ON o.id = r.scheduled_order_id
),
logged AS (
  INSERT INTO error_logs (site_id, scheduled_order_id, description, exception_info, site, entity, occurred_utc)
  SELECT e.site_id,
    e.id,
    e.error_description,
    e.exception_info,
    (
      SELECT row_to_json(resource)
      FROM (
        SELECT s.id AS "Id",
          s.user_id AS "UserId",
          s.url AS "Url",
          s.type AS "Type",
          s.name AS "Name",
          s.email AS "Email",
          NULL AS "ApiKey1",
          NULL AS "ApiKey2",
          NULL AS "ApiKey3",
          s.currency_iso AS "CurrencyIso",
          to_char(s.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
          to_char(s.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
      ) resource
    ),
    (
      SELECT row_to_json(resource)
      FROM (
        SELECT e.id AS "Id",
          e.customer_id AS "CustomerId",
          (SELECT embedded.json FROM customers embedded WHERE embedded.id = e.customer_id) AS "Customer",
          to_char(e.last_occurrence_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "LastOccurrenceUtc",
          to_char(e.next_occurrence_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NextOccurrenceUtc",
          e.status AS "Status",
          e.frequency_type AS "FrequencyType",
          e.frequency AS "Frequency",
          e.cycles AS "Cycles",
          e.currency_iso AS "CurrencyIso",
          e.payment_method_type AS "PaymentMethodType",
          e.payment_method_customer_id AS "PaymentMethodCustomerId",
          e.payment_method_id AS "PaymentMethodId",
          e.payment_method_description AS "PaymentMethodDescription",
          e.shipping_total AS "ShippingTotal",
          e.tax_total AS "TaxTotal",
          e.total AS "Total",
          e.shipping_first_name AS "ShippingFirstName",
          e.shipping_last_name AS "ShippingLastName",
          e.shipping_street1 AS "ShippingStreet1",
          e.shipping_street2 AS "ShippingStreet2",
          e.shipping_city AS "ShippingCity",
          e.shipping_state AS "ShippingState",
          e.shipping_postcode AS "ShippingPostcode",
          e.shipping_country AS "ShippingCountry",
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
            WHERE i.scheduled_order_id = e.id AND i.deleted_utc IS NULL
          ) AS "ScheduledOrderItems",
          to_char(e.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
          to_char(e.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
      ) resource
    ),
    CASE WHEN e.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = e.site_id) END
  FROM e e
  JOIN sites s ON s.id = e.site_id
  WHERE e.exception_info IS NOT NULL
),
settled AS (
  UPDATE payment_differences d
  SET state = 'Settled',
    holds = false,
    settled_as = 'Resolved',
    settled_by = left($4, 255),
    note = left(r.description, 1000),
    settled_utc = now()
  FROM resolved r
  WHERE d.site_id = r.site_id
    AND d.scheduled_order_id = r.scheduled_order_id
    AND d.holds
    AND (
      d.gateway_transaction_id = $3
        OR d.cycle = r.cycle
        AND (
          d.kind = 'TransactionTwice'
            OR $3::text IS NULL
            AND EXISTS (
              SELECT
              FROM found_charges f
              WHERE f.payment_integration_id = d.payment_integration_id
                AND f.transaction_id = d.gateway_transaction_id
                AND f.state = 'Placed'
            )
        )
    )
)
SELECT CASE
  WHEN resolved.simulated THEN pg_notify('scheduled_orders_clocks', '')
  ELSE pg_notify('scheduled_orders_due', '0')
  END
FROM resolved;

-- libs/ledger/src/reading/stuck.ts
-- for cycles:stuck
SELECT json_build_object(
  'ScheduledOrderId', c.scheduled_order_id,
  'Cycle', c.cycle,
  'SiteId', c.site_id,
  'State', c.state,
  'Why',
  CASE
    WHEN c.resolution = 'Held' THEN 'A person must decide: run cycles:resolve, with the transaction if it paid this cycle, else as not charged.'
    WHEN c.state = 'Unknown'
    AND c.retries_exhausted THEN 'The service could not find out whether it was charged. Look at the gateway, then run cycles:resolve.'
    WHEN c.state = 'Unknown' THEN 'A worker is finding out whether it was charged.'
    WHEN c.held_for = 1010 THEN 'It is held: its shop cannot take the Order. Correct its products, or set PushAnyway of the Shop.'
    WHEN c.held_for IS NOT NULL THEN 'It is held: settle its difference (GET /api/Site/{id}/Differences), or Process the order.'
    WHEN c.state = 'Waiting' THEN 'It waits for its payment integration.'
    WHEN c.lease_until_utc < now() THEN 'Its worker is gone: the next one takes it over.'
    ELSE 'It waits for its next try.'
    END || coalesce(' ' || c.failure_message, ''),
  'FailureCode', c.failure_code,
  'DueUtc', c.due_utc,
  'Attempts', c.attempt,
  'LookUps', c.look_ups,
  'Amount', c.amount,
  'CurrencyIso', c.currency_iso,
  'GatewayTransactionId', c.gateway_transaction_id,
  'NextAttemptUtc',
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
    END
) AS cycle
FROM processing_cycles c
WHERE c.open
  AND NOT c.simulated
  AND (c.next_attempt_utc IS NOT NULL OR c.lease_until_utc < now())
  AND ($1::text IS NULL OR c.state = $1)
ORDER BY c.due_utc, c.scheduled_order_id
LIMIT $2;
