import type { Logger } from '#libs/config';
import { PUT_BACK_CYCLES, PUT_BACK_PROBES } from '#libs/cycles';
import type { ConnectionPool } from '#libs/database';
import { nextDueSql } from '#libs/webhooks';
import { ExpiredRows } from './expired-rows.js';

/** Longer than a webhook's try is ever put off: a day, and a tenth. */
const LONGEST_PAUSE = `interval '27 hours'`;
const hasLate = (endpoint: string): string =>
  `EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_endpoint_id = ${endpoint} AND d.next_attempt_utc > now() + ${LONGEST_PAUSE})`;

/** Their endpoints are locked first, as by everything that changes a queue. ix_webhook_deliveries_due. $1 limit. */
const PUT_BACK_DELIVERIES = `WITH late AS MATERIALIZED (
  SELECT e.id FROM webhook_endpoints e
  WHERE ${hasLate('e.id')}
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
  WHERE (a.not_before_utc > now() + ${LONGEST_PAUSE} OR a.next_due_utc > now() + ${LONGEST_PAUSE}) AND NOT ${hasLate('a.id')}
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
