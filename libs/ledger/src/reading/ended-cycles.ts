import { endedUtcSql } from '../statements/archive.sql.js';

/**
 * SQL: whether the cycle called `c` has failed, and not only been ended by a request before anything failed; or was
 * skipped.
 */
const IS_SHOWN = `(c.state = 'Skipped' OR c.state = 'Failed' AND c.failure_code IS NOT NULL)`;

const within = (utc: string, from: string, to: string) => `${utc} >= ${from} AND ${utc} < ${to}`;

const COLUMNS = `c.scheduled_order_id, c.state, c.currency_iso, ${endedUtcSql('c')} AS ended_utc`;

/**
 * SQL: the cycles of a site that failed or were skipped from one instant to before another, in the ledger or in the
 * archive; a row type. The arguments are SQL, too. ix_processing_cycles_ended, ix_archived_cycles_ended.
 */
export const endedCyclesSql = (
  siteId: string,
  from: string,
  to: string,
): string => `(SELECT ${COLUMNS} FROM processing_cycles c
    WHERE c.site_id = ${siteId} AND NOT c.open AND (c.ended_utc IS NOT NULL OR c.failure_code IS NOT NULL OR c.order_id IS NULL)
      AND ${within(endedUtcSql('c'), from, to)} AND ${IS_SHOWN}
    UNION ALL SELECT ${COLUMNS} FROM archived_cycles a CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) c
    WHERE a.site_id = ${siteId} AND a.last_ended_utc >= ${from} AND a.first_ended_utc < ${to}
      AND ${within(endedUtcSql('c'), from, to)} AND ${IS_SHOWN})`;
