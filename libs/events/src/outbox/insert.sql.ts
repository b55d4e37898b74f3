import { siteClockSql } from '#libs/entities';
import { EVENTS_CHANNEL } from './number-events.js';

/**
 * SQL: whether the site of a row listens. `rows` is a relation with the `site_id` of all rows of the statement: the
 * sites are looked up once a statement, not once a row. ix_sites_listening.
 */
export const listensSql = (siteId: string, rows: string): string => `${siteId} = ANY (ARRAY (
    SELECT s.id FROM (SELECT DISTINCT r.site_id FROM ${rows} r) r JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL))`;

/**
 * SQL, for the RETURNING of an INSERT into the outbox or for a SELECT: wakes the workers when the transaction commits.
 * They number new events, and look at the queues of webhooks.
 */
export const WAKE_SQL = `pg_notify('${EVENTS_CHANNEL}', '')`;

export const OUTBOX_COLUMNS = `site_id, scheduled_order_id, type, log_id, facts, simulated_utc`;

/**
 * SQL, for a `WITH` of a request's statement: writes an event for each row of `rows` whose site listens. The rows have
 * the columns of `OUTBOX_COLUMNS`, but for `simulated_utc`; facts are jsonb.
 */
export const insertOutboxSql = (rows: string, returning = WAKE_SQL): string => `
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT w.site_id, w.scheduled_order_id, w.type, w.log_id, w.facts, ${siteClockSql('w.site_id')}
  FROM ${rows} w
  WHERE ${listensSql('w.site_id', rows)}
  RETURNING ${returning}`;
