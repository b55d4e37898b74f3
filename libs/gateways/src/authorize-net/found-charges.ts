import { readOnce } from '../charge-lists/paging.js';
import { Since } from '../charge-lists/since.js';
import type { ChargeQuery, FoundCharge } from '../payment-gateway.js';
import { accountTransactions } from './account-transactions.js';
import type { AuthorizeNetClient } from './client.js';
import { foundCharge, isDisputed, isVoided } from './found-charge.js';
import { outcomeOfSearch } from './look-up.js';
import { NOT_FOUND } from './reasons.js';
import { Refunds } from './refunds.js';
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
  async *pages(query: ChargeQuery): AsyncGenerator<Page, void> {
    const { agoMs, marginMs, gatewayCustomerId, installation } = query;
    const since = new Since(this.client.clock, agoMs, marginMs);
    if (gatewayCustomerId === undefined) return yield* this.ofAccount(since, query);
    try {
      for await (const page of this.lists.ofCustomer(gatewayCustomerId, since))
        yield page
          .filter(isYoung(since))
          .flatMap((transaction) => listOf(foundCharge(transaction, installation)))
          .map((charge) => ({ ...charge, gatewayCustomerId }));
    } catch (error) {
      if (!(error instanceof Unanswered) || error.message !== NOT_FOUND) throw error;
      // A deleted profile lists nothing, although its transactions are in the account's lists.
      for await (const page of this.ofAccount(since, { agoMs, installation }))
        yield page.filter((found) => mayBeOf(gatewayCustomerId, found));
    }
  }

  private async *ofAccount(since: Since, query: ChargeQuery): AsyncGenerator<Page, void> {
    const { installation, paging, givenBack } = query;
    const read = paging?.reader(outcomeOfSearch) ?? readOnce;
    const refunds = givenBack ? new Refunds(this.client, installation, read) : null;
    const chargesIn = (transaction: TransactionSummary, isRecent: boolean): Page => {
      // Within a day of the charge, its batch shows what became of it meanwhile.
      const isChanged = refunds !== null && (isVoided(transaction) || isDisputed(transaction));
      const isListed = isRecent || isChanged;
      return isListed ? listOf(foundCharge(transaction, installation)) : [];
    };
    const concerns = (transaction: TransactionSummary, isRecent: boolean) =>
      chargesIn(transaction, isRecent).length > 0 || (isRecent && refunds?.isOf(transaction) === true);
    const lists = new TransactionLists(this.client, read);
    for await (const page of accountTransactions(lists, since, concerns, paging)) {
      if (refunds !== null) {
        const charges = page.flatMap((transaction) => chargesIn(transaction, true));
        yield await refunds.with(charges, page);
        continue;
      }
      // Whose it is decides whether it may be recorded. The client limits how many calls for details are in flight.
      const named = await Promise.all(page.map((transaction) => lists.withProfile(transaction)));
      yield named.flatMap((transaction) => listOf(foundCharge(transaction, installation)));
    }
  }
}

const isYoung =
  (since: Since) =>
  ({ submitTimeUTC }: TransactionSummary): boolean =>
    since.includes(Date.parse(submitTimeUTC));

const listOf = (found: FoundCharge | null): Page => (found === null ? [] : [found]);

/** An account may not say whose its transactions are. */
function mayBeOf(customer: string, { gatewayCustomerId }: FoundCharge): boolean {
  return gatewayCustomerId === null || Number(gatewayCustomerId) === Number(customer);
}
