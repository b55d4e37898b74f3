import { aheadSql, backSql } from '#libs/entities';
import { putBackCycles, putBackProbes, putBackPushes } from '#libs/ledger';
import type { ConnectionPool, Logger, Settings } from '#libs/platform';
import { type Chore, RowChore } from './row-chore.js';

/**
 * All that waits at an endpoint is sent now; what waits for its turn of an `Ordered` endpoint has no time. The
 * endpoints are locked first, as by everything that changes a queue. pk_webhook_endpoints, ix_webhook_deliveries_due.
 * $1 limit.
 */
const PUT_BACK_WEBHOOKS = `WITH ahead AS MATERIALIZED (
  SELECT e.id FROM webhook_endpoints e
  WHERE ${aheadSql('e.written_utc')}
  ORDER BY e.id LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
), deliveries AS (
  UPDATE webhook_deliveries d SET next_attempt_utc = now()
  FROM ahead a WHERE d.webhook_endpoint_id = a.id AND d.next_attempt_utc > now()
)
UPDATE webhook_endpoints e SET failing_since_utc = ${backSql('e.failing_since_utc')}, not_before_utc = ${backSql('e.not_before_utc')},
  next_due_utc = ${backSql('e.next_due_utc')}
FROM ahead a WHERE e.id = a.id
RETURNING 1`;

/**
 * What was charged in the last day is compared again: nobody knows since when the clock was ahead.
 * pk_integration_audits (few rows). $1 limit.
 */
const PUT_BACK_AUDITS = `UPDATE integration_audits a SET checked_until_utc = least(a.checked_until_utc, now() - interval '24 hours'),
  sent_utc = ${backSql('a.sent_utc')}, audited_utc = ${backSql('a.audited_utc')}, lease_until_utc = ${backSql('a.lease_until_utc')},
  next_audit_utc = CASE WHEN a.next_audit_utc < 'infinity' THEN least(a.next_audit_utc, now()) ELSE 'infinity' END
WHERE a.payment_integration_id IN (SELECT p.payment_integration_id FROM integration_audits p WHERE ${aheadSql('p.written_utc')}
  ORDER BY p.payment_integration_id LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`;

/** Chore[]: the injection token of `putBackChores`, which the clock's guard and the housekeeping share. */
export const PUT_BACK = Symbol('put back');

/**
 * What was put off while the database's clock was ahead: nobody would take it up before that time. Each row that was
 * written then has a stamp from the future. What was written longer ago than the clock was ahead has none, and comes
 * late by as much.
 */
export const putBackChores = (pool: ConnectionPool, { claimLeaseMs }: Settings, log: Logger): Chore[] => [
  new RowChore(pool, log, 'cycles that a wrong clock has put off', (_, most) =>
    putBackCycles(pool, most, claimLeaseMs),
  ),
  new RowChore(pool, log, 'probes that a wrong clock has put off', putBackProbes),
  new RowChore(pool, log, 'audits that a wrong clock has put off', PUT_BACK_AUDITS),
  new RowChore(pool, log, 'pushes that a wrong clock has put off', putBackPushes),
  new RowChore(pool, log, 'webhooks that a wrong clock has put off', PUT_BACK_WEBHOOKS),
];
