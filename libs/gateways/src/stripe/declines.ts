import type { ChargeOutcome } from '../payment-gateway.js';

/**
 * Decline codes that no retry can turn into a success: the card is lost, stolen, unknown or permanently blocked for
 * this merchant. From docs.stripe.com/declines/codes and the codes that Stripe's own Smart Retries never repeat.
 * `expired_card` is not among them: schemes renew a stored card's date in place. Every code that is not listed is soft.
 */
const HARD = new Set([
  'card_not_supported',
  'currency_not_supported',
  'do_not_try_again',
  'highest_risk_level',
  'incorrect_number',
  'invalid_account',
  'invalid_number',
  'lost_card',
  'merchant_blacklist',
  'no_account',
  'account_closed',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'security_violation',
  'stolen_card',
  'stop_payment_order',
  'testmode_decline',
  'transaction_not_allowed',
  'live_mode_test_card',
]);

/**
 * The customer has to confirm the payment with the bank. Retried like a soft decline, so that the customer has time to
 * act.
 */
const CUSTOMER_MUST_ACT = new Set([
  'authentication_required',
  'payment_intent_action_required',
  'payment_intent_authentication_failure',
]);

export const CUSTOMER_MUST_ACT_MESSAGE =
  'The card asks the customer to confirm this payment. Please confirm it with your bank or use another card.';

/** What Stripe says about a declined payment, in an error or in a PaymentIntent's `last_payment_error`. */
export interface DeclineFacts {
  readonly code?: string;
  readonly decline_code?: string;
  readonly advice_code?: string;
  readonly message?: string;
}

export function declined(facts: DeclineFacts): Extract<ChargeOutcome, { kind: 'declined' }> {
  const codes = [facts.code, facts.decline_code].filter((code) => code !== undefined && code !== '');
  const detail = [...codes, facts.advice_code].filter(Boolean).join(', ');
  if (codes.some((code) => CUSTOMER_MUST_ACT.has(code!))) {
    return { kind: 'declined', hard: false, message: CUSTOMER_MUST_ACT_MESSAGE, detail };
  }
  const hard = facts.advice_code === 'do_not_try_again' || codes.some((code) => HARD.has(code!));
  return { kind: 'declined', hard, message: facts.message || 'The card was declined.', detail };
}
