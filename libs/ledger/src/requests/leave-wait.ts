import { businessNowSql } from '#libs/entities';
import type { Transaction } from '#libs/platform';
import { notifySql } from '../notify.js';

/**
 * Call it when an order (locked in this transaction) gets another gateway or none. A cycle that waits for the old
 * integration is tried at once, because its turn to probe may be far away.
 */
export async function leaveWait(tx: Transaction, scheduledOrderId: number): Promise<void> {
  await tx.execute(
    // uq_processing_cycles_open
    `WITH woken AS (
       UPDATE processing_cycles c SET next_attempt_utc = ${businessNowSql('c')}, updated_utc = now()
       WHERE scheduled_order_id = $1 AND open AND state = 'Waiting' AND waiting_since_utc IS NOT NULL
         AND next_attempt_utc > ${businessNowSql('c')}
       RETURNING c.simulated
     )
     SELECT ${notifySql('woken.simulated')} FROM woken`,
    [scheduledOrderId],
  );
}
