export * from './entities.js';
export { businessNowSql, occurredSql, siteClockSql } from './business-time.js';
export { API_KEY_ACCESS, type ApiKeyAccess } from './api-key.entity.js';
export { checkTables, closedTablesBecause, tablesElsewhere } from './closed-tables.js';
export { createDataSource, type DataSourceSettings, openDataSource, poolOf } from './data-source.js';
export { DIFFERENCE_STATES, type DifferenceState, SETTLED_AS, type SettledAs } from './payment-difference.entity.js';
export type { MissingCard } from './integration-wait.entity.js';
export {
  MIGRATED,
  MINIMUM_VERSION,
  NEWEST_MIGRATION,
  NOT_MIGRATED,
  outdatedBecause,
  SCHEMA_VERSION,
  type SchemaState,
  unusableSchemaBecause,
} from './migrated.js';
export { columnOf } from './naming.js';
export { CYCLE_STATES, type CycleState } from './processing-cycle.entity.js';
export { Row } from './row.js';
export { here, type KnownDatabase } from './same-database.js';
export { SiteRow } from './site-row.js';
export { UPCOMING_NOTICE_DAYS } from './site-settings.entity.js';
export { TEST_CLOCK_STATES, type TestClockState } from './test-clock.entity.js';
export { DELIVERY_STATES, type DeliveryState, type WebhookAttempt } from './webhook-delivery.entity.js';
export { aheadSql, backSql } from './wrong-clock.js';
export { schemaMetrics } from './schema-metrics.js';
