import Stripe from 'stripe';
import type { ChargeOutcome } from '../payment-gateway.js';
import { AnswerLost, NotSent } from '../throttle/exchange.js';
import { restMs } from '../throttle/retry-after.js';
import { CallDeferred } from '../throttle/throttled-client.js';
import { declined } from './declines.js';

export const UNCERTAIN = 'It is not certain yet whether the payment went through.';
const UNREACHABLE = 'The payment gateway cannot be reached.';
const REFUSED = 'The payment gateway refuses the credentials of the payment integration.';
const NOT_PERMITTED = 'The key of the payment integration is not permitted to create and read payments.';

/** Request faults that lie in the amount or its currency: 1005. */
const UNCHARGEABLE_CODES = new Set(['amount_too_small', 'amount_too_large', 'invalid_charge_amount']);
const UNCHARGEABLE_PARAMS = new Set(['amount', 'currency']);

/** With `resource_missing`: the account has no such customer or card. */
const MISSING_PARAMS = new Set(['customer', 'payment_method']);

/** Request errors that the merchant's account causes, not the order. */
const ACCOUNT_CODES = new Set([
  'account_invalid',
  'api_key_expired',
  'platform_api_key_expired',
  'secret_key_required',
  'testmode_charges_only',
  'livemode_mismatch',
]);

export type Failure = Exclude<ChargeOutcome, { kind: 'succeeded' }>;

/**
 * The meaning of an error of `StripeApi` for its charge. A 5xx is not a decline, and the same key always repeats it:
 * only a look-up helps. 429 and authentication errors come before the gateway does anything.
 *
 * An `idempotency_error` (the key was used with other parameters) refuses this sending, not the charge. It shows that
 * an earlier sending with this key arrived. That sending may have charged, or may have failed before there was a
 * PaymentIntent. So the outcome is neither a decline nor "not charged" but unknown, and `duplicate`: the gateway has
 * the key.
 */
export function outcomeOfError(error: unknown): Failure {
  if (error instanceof CallDeferred)
    return { kind: 'postponed', message: UNREACHABLE, retryAfterMs: error.retryAfterMs };
  if (error instanceof NotSent) return { kind: 'unavailable', message: UNREACHABLE, detail: error.message };
  if (error instanceof AnswerLost) {
    return { kind: 'unknown', repeatable: true, message: UNCERTAIN, detail: error.message };
  }
  if (!(error instanceof Stripe.errors.StripeError)) {
    return {
      kind: 'unknown',
      repeatable: false,
      message: UNCERTAIN,
      detail: 'an answer that does not come from Stripe',
    };
  }
  const detail = detailOf(error);
  if (error instanceof Stripe.errors.StripeCardError) return { ...declined(error), detail };
  if (error instanceof Stripe.errors.StripeRateLimitError) {
    const retryAfterMs = restMs(error.headers?.['retry-after']);
    return { kind: 'unavailable', message: 'The payment gateway is busy.', detail, retryAfterMs };
  }
  if (error instanceof Stripe.errors.StripeAuthenticationError || ACCOUNT_CODES.has(error.code ?? '')) {
    return { kind: 'refused', message: REFUSED, detail };
  }
  if (error instanceof Stripe.errors.StripePermissionError) return { kind: 'refused', message: NOT_PERMITTED, detail };
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return outcomeOfInvalidRequest(error, detail);
  const replayed = error.headers?.['idempotent-replayed'] === 'true' ? { replayed: true as const } : {};
  const isInUse = error.statusCode === 409;
  const duplicate =
    error instanceof Stripe.errors.StripeIdempotencyError && !isInUse ? { duplicate: true as const } : {};
  return { kind: 'unknown', repeatable: isInUse, message: UNCERTAIN, detail, ...replayed, ...duplicate };
}

export function isIdleConnection(error: unknown): boolean {
  return error instanceof AnswerLost && error.idleConnection;
}

function outcomeOfInvalidRequest(error: Stripe.errors.StripeInvalidRequestError, detail: string): Failure {
  if (UNCHARGEABLE_CODES.has(error.code ?? '') || UNCHARGEABLE_PARAMS.has(error.param ?? '')) {
    return { kind: 'unchargeable', message: 'The payment gateway cannot take this amount in this currency.', detail };
  }
  const isMissing = error.code === 'resource_missing' && MISSING_PARAMS.has(error.param ?? '');
  return {
    kind: 'declined',
    hard: true,
    ...(isMissing ? { missing: true as const } : {}),
    message: 'The payment gateway does not accept this payment method.',
    detail,
  };
}

/** For the shop's error log. It leaves out messages about credentials, because they repeat parts of them. */
function detailOf(error: Stripe.errors.StripeError): string {
  const aboutCredentials = error.statusCode === 401 || error.statusCode === 403;
  const parts = [
    error.statusCode && `HTTP ${error.statusCode}`,
    error.code,
    error.decline_code,
    error.advice_code,
    error.param,
    aboutCredentials ? undefined : error.message,
    error.requestId,
  ];
  return parts.filter(Boolean).join(', ');
}
