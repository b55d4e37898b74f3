-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/webhooks/webhook-deliveries.service.ts
-- for GET /api/WebhookDelivery/{webhookDeliveryId}
-- for POST /api/WebhookDelivery/{webhookDeliveryId}/Resend
SELECT isReached(x.site_id, $2::bigint[]) AS reached,
  x.webhook_endpoint_id AS endpoint_id,
  webhookDeliveryDetailsView.json(x)::text AS json
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
RETURNING webhookDeliveryDetailsView.json(x)::text AS json;
