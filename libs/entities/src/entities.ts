export { AccessToken } from './accounts/access-token.entity.js';
export { ApiKey, ApiKeySite } from './accounts/api-key.entities.js';
export { ArchivedCycles } from './orders/archived-cycles.entity.js';
export { Customer } from './accounts/customer.entity.js';
export { Deployment, MinimumVersion, WriteProbeRow } from './deployment.entities.js';
export {
  IntegrationAudit,
  IntegrationReconciliation,
  RequiredReconciliation,
} from './payments/reconciliation.entities.js';
export { FoundCharge } from './payments/found-charge.entity.js';
export { GatewayCustomer, PaymentMethod } from './payments/payment-method.entities.js';
export { IdempotencyKey } from './accounts/idempotency-key.entity.js';
export { ActionLog, ErrorLog, EventLog } from './events/log.entities.js';
export { IntegrationWait } from './payments/integration-wait.entity.js';
export { KnownNetwork, LoginAttempt } from './accounts/login.entities.js';
export { LimitedCall } from './accounts/limited-call.entity.js';
export { MigratedSubscription } from './orders/migrated-subscription.entity.js';
export { Order, OrderItem } from './orders/order.entities.js';
export { OrderPush } from './orders/order-push.entity.js';
export { OutboxEvent } from './events/outbox.entity.js';
export { PaymentDifference } from './payments/payment-difference.entity.js';
export { PaymentIntegration } from './payments/payment-integration.entity.js';
export { PriceHistory, PriceInsertions } from './catalog/price-history.entities.js';
export { ProcessingCycle } from './orders/processing-cycle.entity.js';
export { Product } from './catalog/product.entity.js';
export { RateVersion, ShippingRate, TaxRate } from './catalog/rate.entities.js';
export { ScheduledOrder, ScheduledOrderItem } from './orders/scheduled-order.entities.js';
export { Site } from './accounts/site.entity.js';
export { SiteSettings } from './accounts/site-settings.entity.js';
export { ProductImport, ShopHintRow, ShopRead } from './accounts/shop-read.entities.js';
export { SiteShop } from './accounts/site-shop.entity.js';
export { TestClock } from './accounts/test-clock.entity.js';
export { UpcomingLook, UpcomingNotice } from './orders/upcoming.entities.js';
export { User } from './accounts/user.entity.js';
export { WebhookDelivery, WebhookEndpoint, WebhookFanOut } from './events/webhook.entities.js';
