import type { Since } from '../since.js';
import { hasFailed, type TransactionLists } from './transaction-lists.js';
import type { TransactionSummary } from './wire.js';

/**
 * Every transaction of the account since then, each once. It reads the unsettled ones first, then the batches. So a transaction that is settled in
 * between is in both lists, and never in none. To report none twice, it keeps only the ids of unsettled transactions and of those in failed batches:
 * all ids of an account would be too many. `concerns`: which transactions are passed on. @throws Unanswered, NotReadWhole, and the client's errors.
 */
export async function* accountTransactions(
  lists: TransactionLists,
  since: Since,
  concerns: (transaction: TransactionSummary) => boolean,
): AsyncGenerator<readonly TransactionSummary[], void> {
  const seen = new Set<string>();
  const unseen = (transactions: readonly TransactionSummary[]) =>
    transactions.filter(
      (transaction) =>
        since.includes(Date.parse(transaction.submitTimeUTC)) &&
        concerns(transaction) &&
        !seen.has(transaction.transId),
    );
  const keep = (transactions: readonly TransactionSummary[]) =>
    transactions.forEach(({ transId }) => seen.add(transId));
  for await (const transactions of lists.unsettled(since)) {
    const page = unseen(transactions);
    keep(page);
    yield page;
  }
  for (const batch of await lists.batches(since.range!)) {
    for await (const transactions of lists.ofBatch(batch.batchId)) {
      const page = unseen(transactions);
      if (hasFailed(batch)) keep(page);
      yield page;
    }
  }
}
