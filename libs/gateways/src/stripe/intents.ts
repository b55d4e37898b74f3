import type Stripe from 'stripe';
import type { Charge, FoundCharge, LookUpOutcome } from '../payment-gateway.js';
import { isoAmount } from './amounts.js';
import { CUSTOMER_MUST_ACT_MESSAGE, declined } from './declines.js';
import { idOf } from './id-of.js';

export type Metadata = Readonly<Record<string, string>>;

/** The metadata that name the order, the installation and the paid occurrence of a PaymentIntent. */
export function metadataOf(charge: Charge): Metadata {
  const { dueUtc, installation } = charge;
  return { ...olderMetadataOf(charge), due_utc: dueUtc.toISOString(), installation };
}

/** The metadata of earlier versions, which did not name the occurrence. */
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

/** Earlier versions did not name it, and a copy of this database from before its first worker started has another name. */
export function namesInstallation({ metadata }: Stripe.PaymentIntent, { installation }: Charge): boolean {
  return metadata.installation === installation;
}

function isOfAttempt(intent: Stripe.PaymentIntent, charge: Charge): boolean {
  return isOfCycle(intent, charge) && intent.metadata.attempt === String(charge.attempt);
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

/** The PaymentIntent of one cycle that shows most: a charge, else one that may become a charge, else a failure of this attempt. */
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
    gatewayCustomerId: idOf(customer),
    amount: chargedAmount(intent),
    currencyIso: intent.currency.toUpperCase(),
    chargedUtc: new Date(intent.created * 1_000),
  };
}

/** The merchant can edit metadata. A value that is not a valid number becomes null. */
export function positiveInteger(text: string | undefined): number | null {
  const number = /^[1-9]\d*$/.test(text ?? '') ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}
