import { Since } from '../charge-lists/since.js';
import type { AccountPayment, PaymentQuery } from '../payment-gateway.js';
import { accountTransactions } from './account-transactions.js';
import { minorUnits } from './amounts.js';
import type { AuthorizeNetClient } from './client.js';
import { namedIn } from './invoice-number.js';
import { CHARGED_STATUSES, tookMoney } from './reasons.js';
import { TransactionLists } from './transaction-lists.js';
import type { TransactionSummary } from './wire.js';

/**
 * The payments of an account. Where a list does not say whose card a transaction charged, its details are asked: a
 * renewal of the old shop must not be taken for a purchase without a customer. @throws Unanswered, NotReadWhole, and
 * the client's errors.
 */
export async function* accountPayments(
  client: AuthorizeNetClient,
  { agoMs, installation }: PaymentQuery,
): AsyncGenerator<readonly AccountPayment[], void> {
  const since = new Since(client.clock, agoMs);
  const lists = new TransactionLists(client);
  const isPayment = ({ transactionStatus }: TransactionSummary, isYoung: boolean) =>
    isYoung && tookMoney(transactionStatus);
  for await (const page of accountTransactions(lists, since, isPayment)) {
    // The client limits how many of these calls are in flight.
    yield await Promise.all(
      page.map(async (transaction) => paymentOf(await lists.withProfile(transaction), installation)),
    );
  }
}

function paymentOf(transaction: TransactionSummary, asking: string): AccountPayment {
  const { profile } = transaction;
  return {
    transactionId: transaction.transId,
    isCharged: CHARGED_STATUSES.has(transaction.transactionStatus),
    gatewayCustomerId: textOf(profile?.customerProfileId),
    gatewayPaymentId: textOf(profile?.customerPaymentProfileId),
    amount: minorUnits(transaction.settleAmount ?? 0),
    currencyIso: null,
    chargedUtc: new Date(transaction.submitTimeUTC),
    named: namedIn(transaction, asking),
  };
}

const textOf = (id: number | string | undefined): string | null => (id === undefined ? null : String(id));
