import type Stripe from 'stripe';
import type { Since } from '../charge-lists/since.js';
import type { AccountPayment } from '../payment-gateway.js';
import { isoAmount } from './amounts.js';
import { idOf } from './id-of.js';
import { namedIn } from './intents.js';
import type { StripeApi } from './stripe-api.js';

const PAGE = 100;

/**
 * The payments of an account, newest first. They are read as Stripe's Charges, because every PaymentIntent that took
 * money has one, and so has what an older plugin of a shop charged without a PaymentIntent. @throws the errors of
 * `StripeApi`.
 */
export async function* paymentPages(
  api: StripeApi,
  since: Since,
  asking: string,
): AsyncGenerator<readonly AccountPayment[], void> {
  let after: string | undefined;
  for (;;) {
    const page = await api.charges(after === undefined ? { limit: PAGE } : { limit: PAGE, starting_after: after });
    const young = page.data.filter(({ created }) => since.includes(created * 1_000));
    yield young.filter(({ status }) => status !== 'failed').map((charge) => paymentOf(charge, asking));
    if (!page.has_more || young.length < page.data.length) return;
    after = page.data.at(-1)!.id;
  }
}

/** A charge of a PaymentIntent is known by the PaymentIntent, as in the ledger. */
function paymentOf(charge: Stripe.Charge, asking: string): AccountPayment {
  const { customer, metadata, currency } = charge;
  const intent = idOf(charge.payment_intent);
  return {
    transactionId: intent ?? charge.id,
    isCharged: charge.status === 'succeeded' && charge.captured,
    gatewayCustomerId: idOf(customer),
    gatewayPaymentId: charge.payment_method ?? null,
    amount: isoAmount(charge.amount_captured || charge.amount, currency.toUpperCase()),
    currencyIso: currency.toUpperCase(),
    chargedUtc: new Date(charge.created * 1_000),
    named: namedIn(metadata, asking),
  };
}
