import type { Transaction } from '#libs/platform';

/** Workers listen here; the payload is the id of an order. */
export const STOPPED_CHANNEL = 'scheduled_orders_stopped';

/**
 * Writes a stop into the open cycles of these orders that were, or may have been, sent. Nothing more is sent for them,
 * even when the order is active again (decisions.md §9). Workers read the stop as the last step before a sending; a
 * notification tells the worker that is about to send. The orders must be locked. uq_processing_cycles_open.
 */
export async function stopCycles(tx: Transaction, scheduledOrderIds: readonly number[]): Promise<void> {
  await tx.execute(
    `WITH stopped AS (
       UPDATE processing_cycles SET stopped_utc = coalesce(stopped_utc, clock_timestamp()), updated_utc = now()
       WHERE scheduled_order_id = ANY($2::bigint[]) AND open AND state IN ('Charging', 'Unknown')
       RETURNING scheduled_order_id, state)
     SELECT pg_notify($1, scheduled_order_id::text) FROM stopped WHERE state = 'Charging'`,
    [STOPPED_CHANNEL, scheduledOrderIds],
  );
}
