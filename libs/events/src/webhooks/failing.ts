/**
 * SQL: whether nothing was delivered to the endpoint called `alias` since its first failure, and no person has disabled
 * it since.
 */
export const isFailingSql = (alias: string): string =>
  `${alias}.deleted_utc IS NULL AND ${alias}.failing_since_utc IS NOT NULL AND (${alias}.status = 'Enabled' OR ${alias}.disabled_reason IS NOT NULL)`;
