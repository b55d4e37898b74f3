import type { ChargeQuery, FoundCharge } from '../payment-gateway.js';
import { Since } from '../since.js';
import { minorUnits } from './amounts.js';
import type { AuthorizeNetClient } from './client.js';
import { parseInvoiceNumber } from './invoice-number.js';
import { CHARGED_STATUSES, NOT_CHARGED_STATUSES, NOT_FOUND, REFUND_STATUSES } from './reasons.js';
import { hasFailed, TransactionLists, Unanswered } from './transaction-lists.js';
import type { TransactionSummary } from './wire.js';

type Page = readonly FoundCharge[];

/** Lists the charges of scheduled orders in a merchant account, settled or not. Only ids are kept between pages, and few of them. */
export class FoundCharges {
  private readonly lists: TransactionLists;

  constructor(private readonly client: AuthorizeNetClient) {
    this.lists = new TransactionLists(client);
  }

  /** @throws Unanswered, NotReadWhole, and the client's errors. */
  async *pages({ agoMs, gatewayCustomerId }: ChargeQuery): AsyncGenerator<Page, void> {
    const since = new Since(this.client.clock, agoMs);
    if (gatewayCustomerId === undefined) return yield* this.ofAccount(since);
    try {
      for await (const page of this.lists.ofCustomer(gatewayCustomerId, since)) yield foundIn(page, since);
    } catch (error) {
      if (!(error instanceof Unanswered) || error.message !== NOT_FOUND) throw error;
      // A deleted profile lists nothing, although its transactions are in the account's lists.
      for await (const page of this.ofAccount(since)) yield page.filter((found) => mayBeOf(gatewayCustomerId, found));
    }
  }

  /**
   * Reads the unsettled transactions first, then the batches. So a transaction that is settled in between is in both lists, and never in none. To
   * report none twice, it keeps only the ids of unsettled transactions and of those in failed batches: all ids of an account would be too many.
   */
  private async *ofAccount(since: Since): AsyncGenerator<Page, void> {
    const seen = new Set<string>();
    const unseen = (page: Page) => page.filter(({ transactionId }) => !seen.has(transactionId));
    const keep = (page: Page) => page.forEach(({ transactionId }) => seen.add(transactionId));
    for await (const transactions of this.lists.unsettled(since)) {
      const page = unseen(foundIn(transactions, since));
      keep(page);
      yield page;
    }
    for (const batch of await this.lists.batches(since.range!)) {
      for await (const transactions of this.lists.ofBatch(batch.batchId)) {
        const page = unseen(foundIn(transactions, since));
        if (hasFailed(batch)) keep(page);
        yield page;
      }
    }
  }
}

function foundIn(transactions: readonly TransactionSummary[], since: Since): Page {
  return transactions
    .filter(({ submitTimeUTC }) => since.includes(Date.parse(submitTimeUTC)))
    .flatMap((transaction) => foundCharge(transaction) ?? []);
}

/** A refund is a separate transaction; the refunded charge has its own entry. */
function foundCharge(transaction: TransactionSummary): FoundCharge | null {
  const { transactionStatus: status, transId, submitTimeUTC, settleAmount, profile } = transaction;
  const named = parseInvoiceNumber(transaction.invoiceNumber);
  if (!named || NOT_CHARGED_STATUSES.has(status) || REFUND_STATUSES.has(status)) return null;
  const customer = profile?.customerProfileId;
  return {
    ...named,
    transactionId: transId,
    isCharged: CHARGED_STATUSES.has(status),
    siteId: null,
    dueUtc: null,
    installation: null,
    gatewayCustomerId: customer === undefined ? null : String(customer),
    amount: minorUnits(settleAmount ?? 0),
    currencyIso: null,
    chargedUtc: new Date(submitTimeUTC),
  };
}

/** A list may lack the customer. */
function mayBeOf(customer: string, { gatewayCustomerId }: FoundCharge): boolean {
  return gatewayCustomerId === null || Number(gatewayCustomerId) === Number(customer);
}
