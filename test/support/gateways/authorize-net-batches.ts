const DAY_MS = 24 * 60 * 60 * 1_000;

/** What a settlement moves. */
export interface Settleable {
  readonly account: string;
  readonly submittedMs: number;
  status: string;
  settled: boolean;
}

export interface Batch<T> {
  readonly batchId: string;
  readonly account: string;
  readonly settledMs: number;
  state: 'settledSuccessfully' | 'settlementError';
  readonly transactions: readonly T[];
}

/**
 * The daily settlement: what was captured before it leaves the unsettled list for a batch. What is held for review
 * stays.
 */
export class Batches<T extends Settleable> {
  private readonly batches: Batch<T>[] = [];
  private nextMs = Date.now() + DAY_MS;

  /** Does what fell due until `nowMs`: once a day, counted from the start. */
  settleDue(transactions: Iterable<T>, nowMs: number): void {
    for (; this.nextMs <= nowMs; this.nextMs += DAY_MS) this.settle(transactions, this.nextMs, 'settledSuccessfully');
  }

  settle(transactions: Iterable<T>, atMs: number, state: Batch<T>['state']): void {
    const byAccount = new Map<string, T[]>();
    for (const transaction of transactions) {
      if (transaction.settled || transaction.submittedMs > atMs || transaction.status === 'FDSPendingReview') continue;
      transaction.settled = true;
      if (transaction.status === 'capturedPendingSettlement') {
        transaction.status = state === 'settlementError' ? 'settlementError' : 'settledSuccessfully';
      }
      if (transaction.status === 'refundPendingSettlement') transaction.status = 'refundSettledSuccessfully';
      byAccount.set(transaction.account, [...(byAccount.get(transaction.account) ?? []), transaction]);
    }
    for (const [account, ofAccount] of byAccount) {
      const batchId = String(700_000 + this.batches.length);
      this.batches.push({ batchId, account, settledMs: atMs, state, transactions: ofAccount });
    }
  }

  /**
   * As the gateway's support does with a batch that failed: its transactions are unsettled again, and it stays in the
   * list.
   */
  reset(): void {
    for (const { transactions } of this.batches.filter(({ state }) => state === 'settlementError')) {
      for (const transaction of transactions) {
        transaction.settled = false;
        if (transaction.status === 'settlementError') transaction.status = 'capturedPendingSettlement';
      }
    }
  }

  between(account: string, fromMs: number, toMs: number): Batch<T>[] {
    return this.batches.filter((one) => one.account === account && one.settledMs >= fromMs && one.settledMs <= toMs);
  }

  find(account: string, batchId: string): Batch<T> | undefined {
    return this.batches.find((one) => one.account === account && one.batchId === batchId);
  }
}

/** Why the gateway would not take these settlement dates: both or none, in order, at most 31 days apart. */
export function spanFault(first: unknown, last: unknown): string | null {
  if ((first === undefined) !== (last === undefined)) return 'Both settlement dates are required.';
  const spanMs = Date.parse(String(last)) - Date.parse(String(first));
  if (spanMs < 0) return 'The first settlement date is after the last.';
  return spanMs > 31 * DAY_MS ? 'The settlement dates are more than 31 days apart.' : null;
}
