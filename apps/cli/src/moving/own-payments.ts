import type { AccountPayment } from '#libs/gateways';
import { allCyclesSql } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';

/**
 * Archived ones too. pk_scheduled_orders, pk_processing_cycles, pk_archived_cycles. For each: $1 order ids, $2 the
 * second of an occurrence.
 */
const CYCLES = `SELECT named.n, c.open, c.gateway_transaction_id AS "transactionId"
FROM unnest($1::bigint[], $2::timestamptz[]) WITH ORDINALITY AS named (id, due_utc, n)
JOIN scheduled_orders o ON o.id = named.id
JOIN LATERAL ${allCyclesSql('o')} c ON date_trunc('second', c.due_utc) = named.due_utc`;

interface Cycle {
  /** The position of the payment, from 1. */
  readonly n: number;
  readonly open: boolean;
  readonly transactionId: string | null;
}

/**
 * Those of the payments that this database did not charge. What a payment names is not enough: another installation of
 * this service, for example one for trials, may have charged in the same account.
 */
export async function paymentsOfOthers(
  database: SqlExecutor,
  payments: readonly AccountPayment[],
): Promise<readonly AccountPayment[]> {
  const own = payments.filter(({ named }) => named?.installation === 'this');
  if (own.length === 0) return payments;
  const rows = await database.execute<Cycle>(CYCLES, [
    own.map(({ named }) => named!.scheduledOrderId),
    own.map(({ named }) => named!.dueUtc?.toISOString() ?? null),
  ]);
  const known = rows.flatMap(({ n, open, transactionId }) => {
    const payment = own[n - 1]!;
    return open || transactionId === payment.transactionId ? payment : [];
  });
  return payments.filter((payment) => !known.includes(payment));
}
