import type { Logger } from '#libs/config';
import type { ConnectionPool } from '#libs/database';
import { nextDueSql } from '#libs/webhooks';
import { ExpiredRows } from './expired-rows.js';

/** Longer than clocks drift, and than a transaction of a worker takes. */
const DRIFT = `interval '1 minute'`;
/** Longer than a probe is ever put off. */
const LONGEST_PROBE = `interval '1 day'`;
/** Longer than a webhook's try is ever put off: a day, and a tenth. */
const LONGEST_PAUSE = `interval '27 hours'`;

const back = (column: string): string => `CASE WHEN ${column} > now() THEN now() ELSE ${column} END`;

/**
 * Open cycles that were written while the database's clock was ahead, as their stamp shows: they are tried, or looked up, now. A lease begins anew: a
 * worker that is alive renews it, that of a dead one runs out. Reads every open cycle. uq_processing_cycles_open. $1 limit, $2 lease ms.
 */
const PUT_BACK_CYCLES = `WITH ahead AS (
  SELECT c.scheduled_order_id, c.cycle FROM processing_cycles c
  WHERE c.open AND c.updated_utc > now() + ${DRIFT}
  ORDER BY c.scheduled_order_id LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE processing_cycles c SET updated_utc = now(), started_utc = ${back('c.started_utc')},
  lease_until_utc = CASE WHEN c.lease_until_utc IS NOT NULL THEN now() + $2 * interval '1 millisecond' END,
  next_attempt_utc = CASE WHEN c.simulated THEN c.next_attempt_utc ELSE ${back('c.next_attempt_utc')} END,
  waiting_since_utc = CASE WHEN c.simulated THEN c.waiting_since_utc ELSE ${back('c.waiting_since_utc')} END
FROM ahead a WHERE c.scheduled_order_id = a.scheduled_order_id AND c.cycle = a.cycle
RETURNING 1`;

/** pk_integration_waits (few rows). $1 limit. */
const PUT_BACK_PROBES = `UPDATE integration_waits w SET next_probe_utc = now() WHERE (w.site_id, w.payment_method_type) IN (
  SELECT a.site_id, a.payment_method_type FROM integration_waits a
  WHERE NOT a.simulated AND a.next_probe_utc > now() + ${LONGEST_PROBE}
  ORDER BY a.site_id, a.payment_method_type LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`;

/** Their endpoints are locked first, as by everything that changes a queue. ix_webhook_deliveries_due. $1 limit. */
const PUT_BACK_DELIVERIES = `WITH late AS MATERIALIZED (
  SELECT e.id FROM webhook_endpoints e
  WHERE EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc > now() + ${LONGEST_PAUSE})
  ORDER BY e.id LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE webhook_deliveries d SET next_attempt_utc = now()
FROM late WHERE d.webhook_endpoint_id = late.id AND d.next_attempt_utc > now() + ${LONGEST_PAUSE}
RETURNING 1`;

/** After PUT_BACK_DELIVERIES: an endpoint is due when the first of its deliveries is. pk_webhook_endpoints. $1 limit. */
const PUT_BACK_ENDPOINTS = `UPDATE webhook_endpoints e SET not_before_utc = least(e.not_before_utc, now()), next_due_utc = ${nextDueSql('least(e.not_before_utc, now())')}
WHERE e.id IN (
  SELECT a.id FROM webhook_endpoints a
  WHERE a.not_before_utc > now() + ${LONGEST_PAUSE} OR a.next_due_utc > now() + ${LONGEST_PAUSE}
  ORDER BY a.id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING 1`;

/** Whatever was put off by the database's clock while it was ahead: nobody would take it up before that time. */
export const putBack = (pool: ConnectionPool, claimLeaseMs: number, log: Logger): ExpiredRows[] => [
  new ExpiredRows(pool, log, 'cycles that a wrong clock has put off', async (_, most) => {
    const changed = await pool.execute(PUT_BACK_CYCLES, [most, claimLeaseMs]);
    return changed.length;
  }),
  new ExpiredRows(pool, log, 'probes that a wrong clock has put off', PUT_BACK_PROBES),
  new ExpiredRows(pool, log, 'webhook deliveries that a wrong clock has put off', PUT_BACK_DELIVERIES),
  new ExpiredRows(pool, log, 'webhook endpoints that a wrong clock has put off', PUT_BACK_ENDPOINTS),
];
