import type { SqlExecutor } from '#libs/platform';
import { shownInstant } from '#libs/rules';
import { allCyclesSql } from '../reading/archive.js';

/** A transaction that pays another occurrence than the one that it was named for. */
export interface PaidElsewhere {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  /** A sentence for the shop, with both occurrences by their dates. */
  readonly message: string;
}

/**
 * The Order of the same site and gateway that a transaction has paid. Where the Order does not know its transaction,
 * the ledger of its scheduled order does. pk_processing_cycles, uq_orders_transaction, pk_archived_cycles. $1 order id,
 * $2 cycle, $3 transaction id.
 */
const PAID_BY = `SELECT paid.*, c.due_utc AS for_utc
FROM processing_cycles c JOIN scheduled_orders o ON o.id = c.scheduled_order_id
CROSS JOIN LATERAL (
  SELECT p.scheduled_order_id, p.cycle, (SELECT l.due_utc FROM scheduled_orders s CROSS JOIN LATERAL ${allCyclesSql('s')} l
    WHERE s.id = p.scheduled_order_id AND l.cycle = p.cycle) AS due_utc
  FROM orders p
  WHERE p.site_id = c.site_id AND p.payment_method_type = c.payment_method_type AND p.gateway_transaction_id = $3
    AND (p.scheduled_order_id <> c.scheduled_order_id OR p.cycle <> c.cycle)
  UNION ALL
  SELECT l.scheduled_order_id, l.cycle, l.due_utc FROM ${allCyclesSql('o')} l
  WHERE l.state = 'Completed' AND l.payment_method_type = c.payment_method_type AND l.gateway_transaction_id = $3
    AND l.cycle <> c.cycle
  LIMIT 1) paid
WHERE c.scheduled_order_id = $1 AND c.cycle = $2`;

/** What a transaction has paid already, so that it cannot pay this cycle; null: nothing else. */
export async function paidElsewhere(
  database: SqlExecutor,
  scheduledOrderId: number,
  cycle: number,
  transactionId: string,
): Promise<PaidElsewhere | null> {
  const [row] = await database.execute<{
    scheduledOrderId: number;
    cycle: number;
    dueUtc: Date | null;
    forUtc: Date;
  }>(PAID_BY, [scheduledOrderId, cycle, transactionId]);
  if (!row) return null;
  const paid = row.dueUtc === null ? `cycle ${row.cycle}` : `the occurrence of ${shownInstant(row.dueUtc)}`;
  return {
    scheduledOrderId: row.scheduledOrderId,
    cycle: row.cycle,
    message:
      `The transaction ${transactionId} has paid for ${paid} of scheduled order ${row.scheduledOrderId}, so it cannot also pay for ` +
      `the occurrence of ${shownInstant(row.forUtc)} of scheduled order ${scheduledOrderId}.`,
  };
}
