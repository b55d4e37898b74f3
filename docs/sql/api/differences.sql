-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql

-- apps/api/src/payments/differences/differences.service.ts
-- for POST /api/Difference/{differenceId}/Settle
SELECT x.site_id,
  x.scheduled_order_id,
  x.state,
  (
    SELECT row_to_json(resource)
    FROM (
      SELECT x.id AS "Id",
        x.site_id AS "SiteId",
        x.kind AS "Kind",
        x.order_id AS "OrderId",
        x.scheduled_order_id AS "ScheduledOrderId",
        x.cycle AS "Cycle",
        x.payment_integration_id AS "PaymentIntegrationId",
        x.payment_method_type AS "PaymentMethodType",
        x.gateway_transaction_id AS "GatewayTransactionId",
        x.ours AS "Ours",
        x.theirs AS "Theirs",
        x.state AS "State",
        x.settled_as AS "As",
        x.settled_by AS "By",
        x.note AS "Note",
        to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
        to_char(x.settled_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "SettledUtc"
    ) resource
  )::text AS json,
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
FROM payment_differences x
WHERE x.id = $1
FOR UPDATE OF x;

-- apps/api/src/payments/differences/differences.service.ts
-- for POST /api/Difference/{differenceId}/Settle
SELECT x.site_id,
  x.scheduled_order_id,
  x.state,
  (
    SELECT row_to_json(resource)
    FROM (
      SELECT x.id AS "Id",
        x.site_id AS "SiteId",
        x.kind AS "Kind",
        x.order_id AS "OrderId",
        x.scheduled_order_id AS "ScheduledOrderId",
        x.cycle AS "Cycle",
        x.payment_integration_id AS "PaymentIntegrationId",
        x.payment_method_type AS "PaymentMethodType",
        x.gateway_transaction_id AS "GatewayTransactionId",
        x.ours AS "Ours",
        x.theirs AS "Theirs",
        x.state AS "State",
        x.settled_as AS "As",
        x.settled_by AS "By",
        x.note AS "Note",
        to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
        to_char(x.settled_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "SettledUtc"
    ) resource
  )::text AS json,
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
FROM payment_differences x
WHERE x.id = $1;
