-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql

-- apps/api/src/webhooks/webhook-deliveries.service.ts
-- for GET /api/WebhookDelivery/{webhookDeliveryId}
-- for POST /api/WebhookDelivery/{webhookDeliveryId}/Resend
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
  x.webhook_endpoint_id AS endpoint_id,
  (
    SELECT row_to_json(resource)
    FROM (
      SELECT x.id AS "Id",
        x.site_id AS "SiteId",
        x.webhook_endpoint_id AS "WebhookEndpointId",
        'evt_' || x.event_id AS "EventId",
        x.event_type AS "EventType",
        x.sequence AS "Sequence",
        x.scheduled_order_id AS "ScheduledOrderId",
        x.state AS "State",
        x.tries AS "Tries",
        to_char(x.next_attempt_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NextAttemptUtc",
        to_char(x.finished_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "FinishedUtc",
        to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
        x.body AS "Body",
        x.attempts AS "Attempts"
    ) resource
  )::text AS json
FROM webhook_deliveries x
WHERE x.id = $1;

-- apps/api/src/webhooks/webhook-deliveries.service.ts
-- for POST /api/WebhookDelivery/{webhookDeliveryId}/Resend
SELECT pg_notify('scheduled_orders_events', '');

-- apps/api/src/webhooks/webhook-deliveries.service.ts
-- for POST /api/WebhookDelivery/{webhookDeliveryId}/Resend
SELECT status FROM webhook_endpoints WHERE id = $1 AND deleted_utc IS NULL;

-- apps/api/src/webhooks/webhook-deliveries.service.ts
-- for POST /api/WebhookDelivery/{webhookDeliveryId}/Resend
UPDATE webhook_deliveries x
SET state = 'Waiting', tries = 0, ordered = false, next_attempt_utc = now(), finished_utc = NULL
WHERE x.id = $1
RETURNING (
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.webhook_endpoint_id AS "WebhookEndpointId",
      'evt_' || x.event_id AS "EventId",
      x.event_type AS "EventType",
      x.sequence AS "Sequence",
      x.scheduled_order_id AS "ScheduledOrderId",
      x.state AS "State",
      x.tries AS "Tries",
      to_char(x.next_attempt_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NextAttemptUtc",
      to_char(x.finished_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "FinishedUtc",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      x.body AS "Body",
      x.attempts AS "Attempts"
  ) resource
)::text AS json;
