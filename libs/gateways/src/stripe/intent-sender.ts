import Stripe from 'stripe';
import type { Charge, ChargeOutcome } from '../payment-gateway.js';
import { isOpen, type Metadata, outcomeOfIntent } from './intents.js';
import type { AccountMode } from './mode.js';
import { isIdleConnection, outcomeOfError, UNCERTAIN } from './outcomes.js';

/** Sends PaymentIntents, and cancels those that stay open. `amount` is in Stripe's units. */
export class IntentSender {
  constructor(
    private readonly stripe: Stripe,
    private readonly mode: AccountMode,
  ) {}

  /**
   * When an idle connection was closed by the gateway, the request is repeated once with the same key. The failure itself says nothing about the
   * charge.
   */
  async send(charge: Charge, amount: number, metadata: Metadata): Promise<ChargeOutcome> {
    try {
      return await this.sendOnce(charge, amount, metadata);
    } catch (error) {
      const lost = outcomeOfError(error);
      if (!isIdleConnection(error)) return lost;
      const again = await this.sendOnce(charge, amount, metadata).catch(outcomeOfError);
      return again.kind === 'succeeded' || again.kind === 'unknown' ? again : lost;
    }
  }

  private async sendOnce(charge: Charge, amount: number, metadata: Metadata): Promise<ChargeOutcome> {
    try {
      const intent = await this.stripe.paymentIntents.create(
        {
          amount,
          currency: charge.currencyIso.toLowerCase(),
          customer: charge.gatewayCustomerId,
          payment_method: charge.gatewayPaymentId,
          confirm: true,
          off_session: true,
          error_on_requires_action: true,
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          description: `Scheduled order ${charge.scheduledOrderId}, cycle ${charge.cycle}`,
          metadata,
        },
        { idempotencyKey: charge.idempotencyKey },
      );
      return await this.conclude(intent);
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
      const cancelled = await this.stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
      return outcomeOfIntent(cancelled);
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
