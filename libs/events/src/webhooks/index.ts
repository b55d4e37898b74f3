export { bodyOf } from './body.js';
export { patternFault } from './event-type-patterns.js';
export { isFailingSql } from './failing.js';
export {
  BREAKER_FAILURES,
  deliveriesSql,
  DELIVERY_COLUMNS,
  LOCK_ENDPOINT,
  LOOK_AGAIN,
  nextDueSql,
} from './queue.sql.js';
export { queueChanged } from './queue-changed.js';
export { webhookDeliveryDetailsView, webhookDeliveryView, webhookEndpointView } from './views.js';
export { keyOf, newWebhookSecret } from './secret.js';
export { decryptSigningSecrets, livingPreviousSql, type SigningSecrets } from './signing-secrets.js';
export { type Message, signedHeaders } from './signature.js';
