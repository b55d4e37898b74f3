/**
 * Business time in SQL: the present of the site's orders. For real sites it is the database's clock, for simulated ones
 * their own (test_clocks). Leases, timeouts, tokens and the gateways' windows are machine time: always `now()`.
 */

/** SQL: the clock of a simulated site; null for a real one. pk_test_clocks. */
export const siteClockSql = (siteId: string): string =>
  `(SELECT k.now_utc FROM test_clocks k WHERE k.site_id = ${siteId})`;

/** SQL: the present of a row that has `site_id` and `simulated`. A real row reads no clock but `real`. */
export const businessNowSql = (alias: string, real = 'now()'): string =>
  `CASE WHEN ${alias}.simulated THEN ${siteClockSql(`${alias}.site_id`)} ELSE ${real} END`;

/** SQL: when it happened to a simulated row; null for a real one, whose stamps say it. */
export const occurredSql = (alias: string): string =>
  `CASE WHEN ${alias}.simulated THEN ${siteClockSql(`${alias}.site_id`)} END`;

/**
 * What was written while the database's clock was ahead: each table that has times to come has a stamp of its last
 * write.
 */

/**
 * SQL: whether a row was written while the database's clock was ahead, as its stamp shows. A minute: more than clocks
 * drift.
 */
export const aheadSql = (stamp: string): string => `${stamp} > now() + interval '1 minute'`;

/** SQL: a time that is not to come any more, as the new value of an UPDATE (a sub-select: deploy/citus/README.md). */
export const backSql = (column: string): string => `(SELECT CASE WHEN ${column} > now() THEN now() ELSE ${column} END)`;
