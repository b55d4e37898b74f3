import type Stripe from 'stripe';
import type { Charge, FoundCharge, LookUpOutcome } from '../payment-gateway.js';
import { isoAmount } from './amounts.js';
import { CUSTOMER_MUST_ACT_MESSAGE, declined } from './declines.js';

export type Metadata = Readonly<Record<string, string>>;

/** How a PaymentIntent says whose it is, and which occurrence it pays for. */
export function metadataOf(charge: Charge): Metadata {
  const { dueUtc, installation } = charge;
  return { ...olderMetadataOf(charge), due_utc: dueUtc.toISOString(), installation };
}

/** As versions before this one sent it: the occurrence was not named. */
export function olderMetadataOf({ siteId, scheduledOrderId, cycle, attempt }: Charge): Metadata {
  return {
    site_id: String(siteId),
    scheduled_order_id: String(scheduledOrderId),
    cycle: String(cycle),
    attempt: String(attempt),
  };
}

export function isOfCycle(intent: Stripe.PaymentIntent, charge: Charge): boolean {
  return (
    intent.metadata.scheduled_order_id === String(charge.scheduledOrderId) &&
    intent.metadata.cycle === String(charge.cycle)
  );
}

/** Not those of earlier versions, which do not say; nor those of a copy of this database from before its first worker started. */
export function namesInstallation({ metadata }: Stripe.PaymentIntent, { installation }: Charge): boolean {
  return metadata.installation === installation;
}

function isOfAttempt(intent: Stripe.PaymentIntent, charge: Charge): boolean {
  return isOfCycle(intent, charge) && intent.metadata.attempt === String(charge.attempt);
}

/** Neither charged nor failed for good: somebody could still complete it. */
export function isOpen({ status, last_payment_error }: Stripe.PaymentIntent): boolean {
  if (status === 'requires_payment_method') return last_payment_error === null;
  return status === 'requires_action' || status === 'requires_confirmation';
}

/** What a PaymentIntent's state means for its charge; an open one counts as abandoned (see `isOpen`). */
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
    default: // a state that this version does not know, or no PaymentIntent at all
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

/** What a PaymentIntent that succeeded took, in minor units. */
export function chargedAmount(intent: Stripe.PaymentIntent): number {
  return isoAmount(intent.amount_received || intent.amount, intent.currency.toUpperCase());
}

/** Of the PaymentIntents of one cycle the one that tells most: a charge, one that may become one, this attempt's own failure. */
export function mostTelling(
  intents: readonly Stripe.PaymentIntent[],
  charge: Charge,
): Stripe.PaymentIntent | undefined {
  const ranked = ['succeeded', 'processing', 'requires_capture'].flatMap((status) =>
    intents.filter((intent) => intent.status === status),
  );
  return ranked[0] ?? intents.find((intent) => isOfAttempt(intent, charge));
}

const UNDECIDED: ReadonlySet<string> = new Set(['processing', 'requires_capture']);

/** A PaymentIntent of a scheduled order that took money, or still may by itself; null: any other. */
export function foundCharge(intent: Stripe.PaymentIntent): FoundCharge | null {
  const isCharged = intent.status === 'succeeded';
  const { metadata, customer } = intent;
  const numbers = [metadata.scheduled_order_id, metadata.cycle, metadata.attempt].map(positiveInteger);
  const [scheduledOrderId, cycle, attempt] = numbers;
  if (!(isCharged || UNDECIDED.has(intent.status)) || !scheduledOrderId || !cycle || !attempt) return null;
  const dueMs = Date.parse(metadata.due_utc ?? '');
  return {
    transactionId: intent.id,
    isCharged,
    scheduledOrderId,
    cycle,
    attempt,
    siteId: positiveInteger(metadata.site_id),
    dueUtc: Number.isNaN(dueMs) ? null : new Date(dueMs),
    installation: metadata.installation ?? null,
    gatewayCustomerId: typeof customer === 'object' ? (customer?.id ?? null) : customer,
    amount: chargedAmount(intent),
    currencyIso: intent.currency.toUpperCase(),
    chargedUtc: new Date(intent.created * 1_000),
  };
}

/** Metadata is the merchant's to edit: what is no number of ours is null. */
function positiveInteger(text: string | undefined): number | null {
  const number = /^[1-9]\d*$/.test(text ?? '') ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}
