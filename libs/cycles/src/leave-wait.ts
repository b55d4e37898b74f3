import type { Transaction } from '#libs/database';
import { DUE_CHANNEL } from './notify-due.js';

/**
 * After an order, locked in this transaction, is to be paid through another gateway, or not at all: a cycle that waits for its integration
 * is tried at once, for its turn to probe it may be far away.
 */
export async function leaveWait(tx: Transaction, scheduledOrderId: number): Promise<void> {
  await tx.execute(
    // uq_processing_cycles_open
    `WITH woken AS (
       UPDATE processing_cycles SET next_attempt_utc = now(), updated_utc = now()
       WHERE scheduled_order_id = $1 AND open AND state = 'Waiting' AND waiting_since_utc IS NOT NULL AND next_attempt_utc > now()
       RETURNING 1
     )
     SELECT pg_notify('${DUE_CHANNEL}', '0') FROM woken`,
    [scheduledOrderId],
  );
}
