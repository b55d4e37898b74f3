import { allCyclesSql } from '#libs/cycles';
import type { SqlExecutor } from '#libs/database';
import type { AccountPayment } from '#libs/gateways';

/** Archived ones too. pk_scheduled_orders, pk_processing_cycles, pk_archived_cycles. $1 order ids, $2 the number of a cycle of each. */
const CYCLES = `SELECT c.scheduled_order_id AS id, c.cycle, c.open, c.gateway_transaction_id AS "transactionId"
FROM unnest($1::bigint[], $2::bigint[]) AS named (id, cycle)
JOIN scheduled_orders o ON o.id = named.id
JOIN LATERAL ${allCyclesSql('o')} c ON c.cycle = named.cycle`;

interface Cycle {
  readonly id: string;
  readonly cycle: string;
  readonly open: boolean;
  readonly transactionId: string | null;
}

/**
 * Those of the payments that this database did not charge. What a payment names is not enough: another installation of this service, for example one
 * for trials, may have charged in the same account.
 */
export async function paymentsOfOthers(
  database: SqlExecutor,
  payments: readonly AccountPayment[],
): Promise<readonly AccountPayment[]> {
  const named = payments.flatMap(({ cycle }) => cycle ?? []);
  if (named.length === 0) return payments;
  const rows = await database.execute<Cycle>(CYCLES, [
    named.map(({ scheduledOrderId }) => scheduledOrderId),
    named.map(({ cycle }) => cycle),
  ]);
  const known = new Map(rows.map((row) => [`${row.id}/${row.cycle}`, row]));
  return payments.filter(({ cycle, transactionId }) => {
    const own = cycle && known.get(`${cycle.scheduledOrderId}/${cycle.cycle}`);
    return !own || !(own.open || own.transactionId === transactionId);
  });
}
