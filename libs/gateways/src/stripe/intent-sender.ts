import Stripe from 'stripe';
import { descriptionOf } from '../occurrence.js';
import type { Charge, ChargeOutcome, MaySend } from '../payment-gateway.js';
import type { Form } from './form.js';
import { isOpen, type Metadata, outcomeOfIntent } from './intents.js';
import type { AccountMode } from './mode.js';
import { isIdleConnection, outcomeOfError, UNCERTAIN } from './outcomes.js';
import type { StripeApi } from './stripe-api.js';

/** `amount`: in Stripe's units. */
export interface Payment {
  readonly charge: Charge;
  readonly amount: number;
  readonly metadata: Metadata;
}

/** Sends PaymentIntents, and cancels those that stay open. */
export class IntentSender {
  constructor(
    private readonly api: StripeApi,
    private readonly mode: AccountMode,
  ) {}

  /**
   * When an idle connection was closed by the gateway, the request is repeated once with the same key. The failure
   * itself says nothing about the charge.
   */
  async send(payment: Payment, maySend?: MaySend): Promise<ChargeOutcome> {
    try {
      return await this.sendOnce(payment, maySend);
    } catch (error) {
      const lost = outcomeOfError(error);
      if (!isIdleConnection(error)) return lost;
      const again = await this.sendOnce(payment, maySend).catch(outcomeOfError);
      return again.kind === 'succeeded' || again.kind === 'unknown' ? again : lost;
    }
  }

  private async sendOnce({ charge, amount, metadata }: Payment, maySend?: MaySend): Promise<ChargeOutcome> {
    try {
      const form = formOf(charge, amount, metadata);
      return await this.conclude(await this.api.createIntent(form, charge.idempotencyKey, maySend));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) this.mode.see(error.payment_intent?.livemode);
      throw error;
    }
  }

  /** Cancels an intent that could still be completed, before it counts as declined. */
  async conclude(intent: Stripe.PaymentIntent) {
    const outcome = outcomeOfIntent(intent);
    const refusal = this.mode.see(intent.livemode);
    if (outcome.kind === 'succeeded' && refusal) return { ...outcome, integrationRefused: refusal.message };
    if (outcome.kind !== 'declined' || !isOpen(intent)) return outcome;
    try {
      return outcomeOfIntent(await this.api.cancelIntent(intent.id));
    } catch {
      return stillOpen(intent);
    }
  }
}

/** It could not be cancelled, perhaps because it succeeded in the meantime. */
function stillOpen({ id, status }: Stripe.PaymentIntent): Extract<ChargeOutcome, { kind: 'unknown' }> {
  return {
    kind: 'unknown',
    repeatable: false,
    message: UNCERTAIN,
    detail: `${id} is still ${status}`,
    transactionId: id,
  };
}

/** An off-session PaymentIntent that is confirmed at once, or fails. */
function formOf(charge: Charge, amount: number, metadata: Metadata): Form {
  const form: Record<string, string | number | boolean> = {
    amount,
    currency: charge.currencyIso.toLowerCase(),
    customer: charge.gatewayCustomerId,
    payment_method: charge.gatewayPaymentId,
    confirm: true,
    off_session: true,
    error_on_requires_action: true,
    'automatic_payment_methods[enabled]': true,
    'automatic_payment_methods[allow_redirects]': 'never',
    description: descriptionOf(charge),
  };
  for (const [name, value] of Object.entries(metadata)) form[`metadata[${name}]`] = value;
  return form;
}
