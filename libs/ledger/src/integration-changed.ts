import type { EntityManager } from 'typeorm';
import { DUE_CHANNEL } from './notify-due.js';

/** The first ones probe; when a charge shows that the integration works, its worker wakes the rest. */
const WOKEN_AT_ONCE = 100;

/**
 * After a payment integration of a site was created, changed or verified, in that transaction: the orders that wait for it (and
 * those whose outcome it must tell) are tried at once (decisions.md §9, code 1003).
 */
export async function integrationChanged(
  tx: EntityManager,
  siteId: number,
  paymentMethodType: 'GatewayOne' | 'GatewayTwo',
): Promise<void> {
  await tx.query(
    // ix_processing_cycles_next_attempt
    `UPDATE processing_cycles SET next_attempt_utc = now(), updated_utc = now()
     WHERE (scheduled_order_id, cycle) IN (
       SELECT scheduled_order_id, cycle FROM processing_cycles
       WHERE open AND next_attempt_utc > now() AND site_id = $1 AND payment_method_type = $2 AND failure_code = 1003
       ORDER BY next_attempt_utc, scheduled_order_id
       LIMIT ${WOKEN_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED)`,
    [siteId, paymentMethodType],
  );
  await tx.query(`SELECT pg_notify('${DUE_CHANNEL}', '0')`);
}
