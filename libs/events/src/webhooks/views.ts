import { WebhookDelivery, WebhookEndpoint } from '#libs/entities';
import { view } from '#libs/records';

/** Without its secrets: these have a route of their own. */
export const webhookEndpointView = view(WebhookEndpoint, 'webhook_endpoints', [
  'id',
  'siteId',
  'url',
  'description',
  'eventTypes',
  'payload',
  'ordered',
  'ratePerSecond',
  'status',
  'disabledReason',
  'failingSinceUtc',
  'createdUtc',
  'updatedUtc',
]);

const DELIVERY_FIELDS = [
  'id',
  'siteId',
  'webhookEndpointId',
  { name: 'EventId', sql: (alias: string) => `'evt_' || ${alias}.event_id` },
  'eventType',
  'sequence',
  'scheduledOrderId',
  'state',
  'tries',
  'nextAttemptUtc',
  'finishedUtc',
  'createdUtc',
] as const;

export const webhookDeliveryView = view(WebhookDelivery, 'webhook_deliveries', DELIVERY_FIELDS);

/** With what was sent, and every try that is kept. */
export const webhookDeliveryDetailsView = view(WebhookDelivery, 'webhook_deliveries', [
  ...DELIVERY_FIELDS,
  'body',
  'attempts',
]);
