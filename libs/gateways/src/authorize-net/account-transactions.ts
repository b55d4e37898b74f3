import type { Paging } from '../charge-lists/paging.js';
import type { Since } from '../charge-lists/since.js';
import { hasFailed, type TransactionLists } from './transaction-lists.js';
import type { TransactionSummary } from './wire.js';

/**
 * Every transaction of the account since then, each once. It reads the unsettled ones first, then the batches. So a
 * transaction that is settled in between is in both lists, and never in none. To report none twice, it keeps only the
 * ids of unsettled transactions and of those in failed batches: all ids of an account would be too many. A cursor
 * enters the settled batches alone, whose content does not change any more: the unsettled list moves while it is read,
 * and a failed batch has no fixed place, so both are read anew (a batch that was settled since was in the unsettled
 * list before). `concerns`: which transactions are passed on; of those of a batch that was settled since then, some may
 * have been submitted before (`isYoung`). @throws Unanswered, NotReadWhole, and the client's errors.
 */
export async function* accountTransactions(
  lists: TransactionLists,
  since: Since,
  concerns: (transaction: TransactionSummary, isYoung: boolean) => boolean,
  paging?: Paging,
): AsyncGenerator<readonly TransactionSummary[], void> {
  const seen = new Set<string>();
  const unseen = (transactions: readonly TransactionSummary[]) =>
    transactions.filter(
      (transaction) =>
        concerns(transaction, since.includes(Date.parse(transaction.submitTimeUTC))) && !seen.has(transaction.transId),
    );
  const keep = (transactions: readonly TransactionSummary[]) =>
    transactions.forEach(({ transId }) => seen.add(transId));
  for await (const transactions of lists.unsettled(since)) {
    const page = unseen(transactions);
    keep(page);
    yield page;
  }
  const batches = await lists.batches(since.range!);
  const [resumed, pages] = placeOf(paging?.cursor ?? null);
  const ended = batches.findIndex(({ batchId }) => batchId === resumed);
  for (const [at, batch] of batches.entries()) {
    if (at < ended && !hasFailed(batch)) continue;
    let page = at === ended ? pages : 0;
    for await (const transactions of lists.ofBatch(batch.batchId, page + 1)) {
      page += 1;
      const found = unseen(transactions);
      if (hasFailed(batch)) keep(found);
      else if (paging) paging.cursor = `${batch.batchId}/${page}`;
      yield found;
    }
  }
}

/** The batch of a cursor, and how many of its pages have been read. */
function placeOf(cursor: string | null): readonly [batchId: string | undefined, pages: number] {
  const [batchId, pages] = cursor?.split('/') ?? [];
  return [batchId, Number(pages ?? 0)];
}
