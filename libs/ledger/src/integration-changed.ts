import { businessNowSql, siteClockSql } from '#libs/entities';
import type { Transaction } from '#libs/platform';
import { FAILURE_CODES } from '#libs/rules';
import { notifySql } from './notify.js';

/**
 * Call it in the transaction that creates, changes, verifies or deletes a payment integration of a site. One of the
 * orders that wait for the integration (or for its look-up) probes it at once. When that succeeds, its worker wakes the
 * others (decisions.md §9, code 1003). What another account was asked about in vain is looked up at once.
 */
export async function integrationChanged(
  tx: Transaction,
  siteId: number,
  paymentMethodType: 'GatewayOne' | 'GatewayTwo',
): Promise<void> {
  await tx.execute(
    // ix_processing_cycles_waiting, pk_integration_waits
    `INSERT INTO integration_waits AS w (site_id, payment_method_type, waiting_since_utc, next_probe_utc)
     SELECT s.id, $2::varchar, s.now_utc, s.now_utc
     FROM (SELECT s.id, coalesce(${siteClockSql('s.id')}, now()) AS now_utc FROM sites s WHERE s.id = $1::bigint) s
     WHERE EXISTS (SELECT 1 FROM processing_cycles c WHERE c.open AND c.waiting_since_utc IS NOT NULL AND c.site_id = $1::bigint
       AND c.payment_method_type = $2::varchar)
     ON CONFLICT (site_id, payment_method_type) DO UPDATE
     SET waiting_since_utc = coalesce(w.waiting_since_utc, excluded.waiting_since_utc), next_probe_utc = excluded.next_probe_utc`,
    [siteId, paymentMethodType],
  );
  // Those that wait for a probe are left to it; a worker that has one asks by itself. ix_processing_cycles_failure
  await tx.execute(
    `UPDATE processing_cycles c SET next_attempt_utc = ${businessNowSql('c')}, updated_utc = now()
     FROM (
       SELECT u.scheduled_order_id, u.cycle FROM processing_cycles u
       WHERE u.site_id = $1 AND u.open AND u.failure_code IN (${FAILURE_CODES.GatewayCommunicationFailed.code}, ${FAILURE_CODES.Unknown.code})
         AND u.state = 'Unknown' AND u.payment_method_type = $2 AND u.resolution IS NULL AND u.worker IS NULL
       ORDER BY u.scheduled_order_id
       FOR NO KEY UPDATE SKIP LOCKED) unknown
     WHERE c.scheduled_order_id = unknown.scheduled_order_id AND c.cycle = unknown.cycle`,
    [siteId, paymentMethodType],
  );
  // Another account's charges have not been compared with the ledger (a database that went back in time).
  // pk_integration_reconciliations
  await tx.execute(
    `DELETE FROM integration_reconciliations r USING payment_integrations i
     WHERE r.payment_integration_id = i.id AND i.site_id = $1 AND i.payment_method_type = $2`,
    [siteId, paymentMethodType],
  );
  // pk_sites
  await tx.execute(`SELECT ${notifySql('s.simulated')} FROM sites s WHERE s.id = $1`, [siteId]);
}
