import type { Transaction } from '#libs/platform';

/** pk_archived_cycles. $1 order ids. */
const DELETE_ARCHIVED = `DELETE FROM archived_cycles WHERE scheduled_order_id = ANY ($1::bigint[])`;

/** pk_processing_cycles. $1 order ids. */
const DELETE = `DELETE FROM processing_cycles WHERE scheduled_order_id = ANY ($1::bigint[])`;

/**
 * All that the ledger and its archive have of orders of a simulated site, which are deleted in the same transaction.
 */
export async function deleteCycles(tx: Transaction, scheduledOrderIds: readonly string[]): Promise<void> {
  await tx.execute(DELETE_ARCHIVED, [scheduledOrderIds]);
  await tx.execute(DELETE, [scheduledOrderIds]);
}
