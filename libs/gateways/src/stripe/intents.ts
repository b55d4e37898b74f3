import type Stripe from 'stripe';
import { dueSecond, dueText } from '../occurrence.js';
import type { Charge, FoundCharge, LookUpOutcome } from '../payment-gateway.js';
import { isoAmount } from './amounts.js';
import { CUSTOMER_MUST_ACT_MESSAGE, declined } from './declines.js';
import { idOf } from './id-of.js';

export type Metadata = Readonly<Record<string, string>>;

/** The metadata that name a PaymentIntent's installation, order, occurrence and attempt. */
export function metadataOf(charge: Charge): Metadata {
  const { siteId, scheduledOrderId, attempt, installation } = charge;
  return {
    site_id: String(siteId),
    scheduled_order_id: String(scheduledOrderId),
    due_utc: dueText(charge),
    attempt: String(attempt),
    installation,
  };
}

/** Whether it was sent for the occurrence that is charged. */
export function isOfOccurrence({ metadata }: Stripe.PaymentIntent, charge: Charge): boolean {
  if (metadata.scheduled_order_id !== String(charge.scheduledOrderId)) return false;
  const dueUtc = dueOf(metadata);
  if (dueUtc === null || metadata.installation !== charge.installation) return false;
  return dueSecond({ dueUtc }) === dueSecond(charge);
}

/** A whole second, whatever stands there: the merchant can edit metadata. */
function dueOf({ due_utc }: Metadata): Date | null {
  const dueMs = Date.parse(due_utc ?? '');
  return Number.isNaN(dueMs) ? null : new Date(Math.floor(dueMs / 1_000) * 1_000);
}

export function isOfAttempt(intent: Stripe.PaymentIntent, charge: Charge): boolean {
  return isOfOccurrence(intent, charge) && intent.metadata.attempt === String(charge.attempt);
}

/** Neither charged nor finally failed: it could still be completed. */
export function isOpen({ status, last_payment_error }: Stripe.PaymentIntent): boolean {
  if (status === 'requires_payment_method') return last_payment_error === null;
  return status === 'requires_action' || status === 'requires_confirmation';
}

/** The meaning of a PaymentIntent's state for its charge. An open one counts as abandoned (see `isOpen`). */
export function outcomeOfIntent(
  intent: Stripe.PaymentIntent,
): Extract<LookUpOutcome, { kind: 'succeeded' | 'declined' | 'unknown' }> {
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'succeeded', transactionId: intent.id };
    case 'canceled':
      if (intent.cancellation_reason === 'abandoned' || intent.last_payment_error) break;
      return { kind: 'declined', hard: true, message: 'The payment was cancelled.', detail: `${intent.id} canceled` };
    case 'requires_payment_method':
    case 'requires_action':
    case 'requires_confirmation':
      break;
    case 'processing':
    case 'requires_capture':
    default: // an unknown state, or not a PaymentIntent
      return {
        kind: 'unknown',
        repeatable: false,
        message: 'The payment gateway is still processing the payment.',
        detail: `status ${String(intent.status)}`,
        ...(typeof intent.id === 'string' ? { transactionId: intent.id } : {}),
      };
  }
  if (intent.last_payment_error) return declined(intent.last_payment_error);
  return { kind: 'declined', hard: false, message: CUSTOMER_MUST_ACT_MESSAGE, detail: `${intent.id} ${intent.status}` };
}

/** The charged amount of a PaymentIntent that succeeded, in minor units. */
export function chargedAmount(intent: Stripe.PaymentIntent): number {
  return isoAmount(intent.amount_received || intent.amount, intent.currency.toUpperCase());
}

/**
 * The PaymentIntents of one occurrence, those that show most first: charges, those that may become a charge, then a
 * failure of this attempt.
 */
export function byWhatTheyTell(intents: readonly Stripe.PaymentIntent[], charge: Charge): Stripe.PaymentIntent[] {
  const ranked = ['succeeded', 'processing', 'requires_capture'].map((status) =>
    intents.filter((intent) => intent.status === status),
  );
  const failed = intents.filter((intent) => !ranked.flat().includes(intent) && isOfAttempt(intent, charge));
  return [...ranked.flat(), ...failed];
}

const UNDECIDED: ReadonlySet<string> = new Set(['processing', 'requires_capture']);

type Named = Pick<FoundCharge, 'scheduledOrderId' | 'attempt' | 'dueUtc' | 'cycle' | 'siteId' | 'installation'>;

/**
 * What metadata name; null: no occurrence of a scheduled order. An old form names the number of a cycle: `parseOlder`
 * says why. `asking`: the installation that asks.
 */
export function namedIn(metadata: Metadata, asking: string): Named | null {
  const [scheduledOrderId, attempt] = [metadata.scheduled_order_id, metadata.attempt].map(positiveInteger);
  const [dueUtc, cycle] = [dueOf(metadata), positiveInteger(metadata.cycle)];
  if (!scheduledOrderId || !attempt || (dueUtc === null && cycle === null)) return null;
  const { installation } = metadata;
  return {
    scheduledOrderId,
    attempt,
    dueUtc,
    cycle,
    siteId: positiveInteger(metadata.site_id),
    installation: installation === undefined ? 'unnamed' : installation === asking ? 'this' : 'other',
  };
}

/** A PaymentIntent of a scheduled order that took money, or still may by itself; null: any other. */
export function foundCharge(intent: Stripe.PaymentIntent, asking: string): FoundCharge | null {
  const isCharged = intent.status === 'succeeded';
  const named = namedIn(intent.metadata, asking);
  if (!(isCharged || UNDECIDED.has(intent.status)) || named === null) return null;
  return {
    ...named,
    transactionId: intent.id,
    isCharged,
    gatewayCustomerId: idOf(intent.customer),
    amount: chargedAmount(intent),
    currencyIso: intent.currency.toUpperCase(),
    chargedUtc: new Date(intent.created * 1_000),
    refunded: 0,
    isVoided: false,
    isDisputed: false,
  };
}

/** The merchant can edit metadata. A value that is not a valid number becomes null. */
function positiveInteger(text: string | undefined): number | null {
  const number = /^[1-9]\d*$/.test(text ?? '') ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}
