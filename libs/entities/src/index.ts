export * from './entities.js';
export { aheadSql, backSql, businessNowSql, occurredSql, siteClockSql } from './business-time.js';
export { API_KEY_ACCESS, type ApiKeyAccess } from './accounts/api-key.entities.js';
export { checkTables, closedTablesBecause, tablesElsewhere } from './closed-tables.js';
export { createDataSource, type DataSourceSettings, openDataSource } from './data-source.js';
export {
  DIFFERENCE_STATES,
  type DifferenceState,
  SETTLED_AS,
  type SettledAs,
} from './payments/payment-difference.entity.js';
export type { MissingCard } from './payments/integration-wait.entity.js';
export {
  here,
  type KnownDatabase,
  MIGRATED,
  MIGRATION_NAMES,
  MINIMUM_VERSION,
  NEWEST_MIGRATION,
  NOT_MIGRATED,
  outdatedBecause,
  SCHEMA_VERSION,
  type SchemaState,
  unusableSchemaBecause,
} from './migrated.js';
export { columnsOf, type EntityClass, type EntityReference, referringTables, tableOf } from './table/described.js';
export { columnOf } from './table/naming.js';
export { CYCLE_STATES, type CycleState } from './orders/processing-cycle.entity.js';
export { ENDS_IN_SHOP, PUSH_STATES, type PushState } from './orders/order-push.entity.js';
export { Row } from './table/row.js';
export { SiteRow } from './table/site-row.js';
export { IMPORT_STATES } from './accounts/shop-read.entities.js';
export { REFUNDS_IN, SHOP_STATES, type ShopState, TAX_DIFFERENCES } from './accounts/site-shop.entity.js';
export { UPCOMING_NOTICE_DAYS } from './accounts/site-settings.entity.js';
export { TEST_CLOCK_STATES, type TestClockState } from './accounts/test-clock.entity.js';
export { DELIVERY_STATES, type DeliveryState, type WebhookAttempt } from './events/webhook.entities.js';
export { schemaMetrics } from './schema-metrics.js';
