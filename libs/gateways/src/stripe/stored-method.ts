import Stripe from 'stripe';
import type { StoredMethod } from '../payment-gateway.js';
import { idOf } from './id-of.js';
import { outcomeOfSearch } from './intent-search.js';
import type { StripeApi } from './stripe-api.js';

type Failed = ReturnType<typeof outcomeOfSearch>;

/**
 * Whether a customer has this payment method. Ids of the older forms, `card_…` and `src_…`, are payment methods too.
 */
export async function findMethod(api: StripeApi, customer: string, id: string): Promise<StoredMethod> {
  try {
    const { customer: owner } = await api.paymentMethod(id);
    const ownerId = idOf(owner);
    if (ownerId === customer) return { kind: 'stored' };
    const message =
      ownerId === null
        ? `The card ${id} is no longer attached to a customer.`
        : `The card ${id} belongs to another customer than ${customer}.`;
    return { kind: 'missing', message };
  } catch (error) {
    if (isMissing(error)) return { kind: 'missing', message: `The account has no card ${id}.` };
    return permitted(error, 'payment methods', outcomeOfSearch(error));
  }
}

/** The failure of a list of payments. */
export const outcomeOfPaymentList = (error: unknown): Failed => permitted(error, 'charges', outcomeOfSearch(error));

const isMissing = (error: unknown) => error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';

/** A restricted key may charge and still lack a permission that only moving a shop needs. */
function permitted(error: unknown, what: string, outcome: Failed): Failed {
  if (!(error instanceof Stripe.errors.StripePermissionError)) return outcome;
  return { kind: 'refused', message: `The restricted key may not read ${what}: give it that permission.` };
}
