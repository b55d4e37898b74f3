import Stripe from 'stripe';
import type { ReadPage } from '../charge-lists/paging.js';
import type { Since } from '../charge-lists/since.js';
import type { FoundCharge } from '../payment-gateway.js';
import { isoAmount } from './amounts.js';
import { idOf } from './id-of.js';
import { namedIn } from './intents.js';
import type { StripeApi } from './stripe-api.js';

const PAGE = 100;

/**
 * The charges of scheduled orders that were refunded or disputed since then, by their PaymentIntents, whenever they
 * were charged. A restricted key may charge and lack the permission to read these lists: it learns nothing of them.
 * @throws the other errors of `StripeApi`.
 */
export async function givenBackSince(
  api: StripeApi,
  since: Since,
  asking: string,
  read: ReadPage,
): Promise<Map<string, FoundCharge>> {
  const found = new Map<string, FoundCharge>();
  for (const list of ['refunds', 'disputes'] as const) {
    try {
      for await (const charge of chargesOf(api, list, since, read)) {
        const charged = foundIn(charge, asking);
        if (charged !== null) found.set(charged.transactionId, charged);
      }
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    }
  }
  return found;
}

async function* chargesOf(
  api: StripeApi,
  list: 'refunds' | 'disputes',
  since: Since,
  read: ReadPage,
): AsyncGenerator<Stripe.Charge, void> {
  for (let after: string | undefined; ;) {
    const form = after === undefined ? { limit: PAGE } : { limit: PAGE, starting_after: after };
    const page = await read(() => api.givenBack(list, form));
    const young = page.data.filter(({ created }) => since.includes(created * 1_000));
    for (const { charge } of young) if (typeof charge === 'object' && charge !== null) yield charge;
    if (!page.has_more || young.length < page.data.length) return;
    after = page.data.at(-1)!.id;
  }
}

/** A charge has the metadata of its PaymentIntent. */
function foundIn(charge: Stripe.Charge, asking: string): FoundCharge | null {
  const named = namedIn(charge.metadata, asking);
  const transactionId = idOf(charge.payment_intent);
  if (named === null || transactionId === null) return null;
  const currencyIso = charge.currency.toUpperCase();
  return {
    ...named,
    transactionId,
    isCharged: charge.captured,
    gatewayCustomerId: idOf(charge.customer),
    amount: isoAmount(charge.amount_captured, currencyIso),
    currencyIso,
    chargedUtc: new Date(charge.created * 1_000),
    refunded: isoAmount(charge.amount_refunded, currencyIso),
    isVoided: false,
    isDisputed: charge.disputed,
  };
}

/**
 * Whether all of a PaymentIntent's money went back. A restricted key that may charge, but not read charges, cannot
 * tell: then it counts as kept.
 * @throws the other errors of `StripeApi`.
 */
export async function isRefunded(api: StripeApi, intentId: string): Promise<boolean> {
  try {
    const { data } = await api.charges({ payment_intent: intentId, limit: 100 });
    const paid = data.filter(({ captured }) => captured);
    return paid.length > 0 && paid.every(({ amount_refunded, amount_captured }) => amount_refunded >= amount_captured);
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return false;
    throw error;
  }
}
