import Stripe from 'stripe';
import type { StripeApi } from './stripe-api.js';

/**
 * Whether all of a PaymentIntent's money went back. A restricted key that may charge, but not read charges, cannot tell: then it counts as kept.
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
