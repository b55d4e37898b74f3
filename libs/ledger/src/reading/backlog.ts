import type { SqlExecutor } from '#libs/platform';
import { IS_UNCOMPARED } from '../deployment/required-reconciliation.js';
import { DUE } from '../statements/claim.sql.js';

/** An order that is held keeps its due date: no worker can do anything about it. uq_processing_cycles_open. */
const OVERDUE = `${DUE}
    AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open AND c.held_for IS NOT NULL)`;

/**
 * ix_scheduled_orders_due, ix_processing_cycles_next_attempt, ix_integration_waits_next_probe,
 * ix_payment_differences_holding. `uncompared` and `audit_age_seconds` look at integrations, `open_differences` at
 * differences: there are few of them compared with orders. A worker that cannot compare puts it off again and again: so
 * the age counts from the latest comparison, also while the next one is not due.
 */
const BACKLOG = `SELECT
  (SELECT count(*) FROM scheduled_orders o WHERE ${OVERDUE}) AS due,
  coalesce((SELECT extract(epoch FROM now() - min(o.next_occurrence_utc)) FROM scheduled_orders o WHERE ${OVERDUE}), 0)::float8 AS oldest_seconds,
  (SELECT count(*) FROM payment_integrations i WHERE i.deleted_utc IS NULL AND ${IS_UNCOMPARED}) AS uncompared,
  (SELECT count(*) FROM payment_differences d WHERE d.state = 'Open') AS open_differences,
  (SELECT count(*) FROM payment_differences d WHERE d.holds) AS holding_differences,
  coalesce((SELECT extract(epoch FROM now() - min(coalesce(a.audited_utc, a.next_audit_utc))) FROM integration_audits a
    JOIN payment_integrations i ON i.id = a.payment_integration_id
    WHERE i.deleted_utc IS NULL AND coalesce(a.audited_utc, a.next_audit_utc) <= now()), 0)::float8 AS audit_age_seconds,
  (SELECT count(*) FROM integration_waits w
   WHERE w.next_probe_utc IS NOT NULL AND NOT w.simulated AND w.waiting_since_utc IS NOT NULL) AS integration_waits,
  count(*) FILTER (WHERE c.state = 'Retrying') AS retrying,
  count(*) FILTER (WHERE c.state = 'Waiting') AS waiting,
  count(*) FILTER (WHERE c.state = 'Unknown') AS unknown,
  count(*) FILTER (WHERE c.state = 'Unknown' AND c.retries_exhausted OR c.resolution = 'NeedsReview') AS needs_person
FROM processing_cycles c WHERE c.open AND c.next_attempt_utc IS NOT NULL AND NOT c.simulated`;

/** What waits in the whole database, without simulated sites. */
export interface Backlog {
  readonly due: number;
  readonly oldestSeconds: number;
  readonly uncompared: number;
  readonly openDifferences: number;
  readonly holdingDifferences: number;
  readonly auditAgeSeconds: number;
  readonly integrationWaits: number;
  readonly retrying: number;
  readonly waiting: number;
  readonly unknown: number;
  readonly needsPerson: number;
}

export async function readBacklog(pool: SqlExecutor): Promise<Backlog> {
  return (await pool.execute<Backlog>(BACKLOG))[0]!;
}
