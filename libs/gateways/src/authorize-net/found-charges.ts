import type { Paging } from '../paging.js';
import type { ChargeQuery, FoundCharge } from '../payment-gateway.js';
import { Since } from '../since.js';
import { accountTransactions } from './account-transactions.js';
import { minorUnits } from './amounts.js';
import type { AuthorizeNetClient } from './client.js';
import { namedIn } from './invoice-number.js';
import { outcomeOfSearch } from './look-up.js';
import { CHARGED_STATUSES, NOT_FOUND, tookMoney } from './reasons.js';
import { TransactionLists, Unanswered } from './transaction-lists.js';
import type { TransactionSummary } from './wire.js';

type Page = readonly FoundCharge[];

/** Lists the charges of scheduled orders in a merchant account, settled or not. */
export class FoundCharges {
  private readonly lists: TransactionLists;

  constructor(private readonly client: AuthorizeNetClient) {
    this.lists = new TransactionLists(client);
  }

  /** @throws Unanswered, NotReadWhole, and the client's errors. */
  async *pages({ agoMs, gatewayCustomerId, installation, paging }: ChargeQuery): AsyncGenerator<Page, void> {
    const since = new Since(this.client.clock, agoMs);
    if (gatewayCustomerId === undefined) return yield* this.ofAccount(since, installation, paging);
    try {
      for await (const page of this.lists.ofCustomer(gatewayCustomerId, since))
        yield foundIn(page, since, installation);
    } catch (error) {
      if (!(error instanceof Unanswered) || error.message !== NOT_FOUND) throw error;
      // A deleted profile lists nothing, although its transactions are in the account's lists.
      for await (const page of this.ofAccount(since, installation))
        yield page.filter((found) => mayBeOf(gatewayCustomerId, found));
    }
  }

  private async *ofAccount(since: Since, installation: string, paging?: Paging): AsyncGenerator<Page, void> {
    const isFound = (transaction: TransactionSummary) => foundCharge(transaction, installation) !== null;
    const lists = paging ? new TransactionLists(this.client, paging.reader(outcomeOfSearch)) : this.lists;
    for await (const page of accountTransactions(lists, since, isFound, paging))
      yield foundIn(page, since, installation);
  }
}

function foundIn(transactions: readonly TransactionSummary[], since: Since, installation: string): Page {
  return transactions
    .filter(({ submitTimeUTC }) => since.includes(Date.parse(submitTimeUTC)))
    .flatMap((transaction) => foundCharge(transaction, installation) ?? []);
}

function foundCharge(transaction: TransactionSummary, installation: string): FoundCharge | null {
  const { transactionStatus: status, transId, submitTimeUTC, settleAmount, profile } = transaction;
  const named = namedIn(transaction, installation);
  if (!named || !tookMoney(status)) return null;
  const customer = profile?.customerProfileId;
  return {
    ...named,
    transactionId: transId,
    isCharged: CHARGED_STATUSES.has(status),
    siteId: null,
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
