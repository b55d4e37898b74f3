import type { EntityManager } from 'typeorm';

/** Workers listen here; the payload is the id of an order. */
export const STOPPED_CHANNEL = 'scheduled_orders_stopped';

/**
 * Tells the worker that is about to charge one of these orders not to, once the transaction has committed: what it has not sent yet
 * stays unsent. The orders are locked.
 */
export async function notifyStopped(tx: EntityManager, scheduledOrderIds: readonly number[]): Promise<void> {
  await tx.query(
    // uq_processing_cycles_open
    `SELECT pg_notify($1, scheduled_order_id::text) FROM processing_cycles
     WHERE scheduled_order_id = ANY($2::bigint[]) AND open AND state = 'Charging'`,
    [STOPPED_CHANNEL, scheduledOrderIds],
  );
}
