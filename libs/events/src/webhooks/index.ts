export { bodyOf } from './body.js';
export { patternFault } from './event-type-patterns.js';
export {
  BREAKER_FAILURES,
  deliveriesSql,
  DELIVERY_COLUMNS,
  isFailingSql,
  LOCK_ENDPOINT,
  LOOK_AGAIN,
  nextDueSql,
  queueChanged,
} from './queue.sql.js';
export { webhookDeliveryDetailsView, webhookDeliveryView, webhookEndpointView } from './views.js';
export {
  decryptSigningSecrets,
  keyOf,
  livingPreviousSql,
  type Message,
  newWebhookSecret,
  signedHeaders,
  type SigningSecrets,
} from './signature.js';
