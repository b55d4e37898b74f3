import { Injectable } from '@nestjs/common';
import type { Charge, PaymentGateway } from '#libs/gateways';
import { DatabaseClock } from '../../database/clock.js';
import type { Blocked } from '../cycle/blocked.js';
import type { Integration } from '../cycle/cycle.js';
import { FoundCharges } from './found-charges.js';
import { Placer } from './placer.js';

/** `found`: a charge needs its place in the ledger. Nothing may be sent before. */
export type Earlier = { readonly kind: 'none' } | { readonly kind: 'found' } | Blocked;

/** Looks for charges of orders that are so long overdue that their gateway would not recognise a repetition. */
@Injectable()
export class OverdueCheck {
  constructor(
    private readonly found: FoundCharges,
    private readonly clock: DatabaseClock,
    private readonly placer: Placer,
  ) {}

  /** Looks for charges of this order since its last recorded outcome. Nothing is sent. */
  async find(
    charge: Charge,
    settledUntilUtc: Date,
    integration: Integration,
    gateway: PaymentGateway,
  ): Promise<Earlier> {
    const { siteId, scheduledOrderId, installation, gatewayCustomerId } = charge;
    const { id: paymentIntegrationId, credentials } = integration;
    const origin = { paymentIntegrationId, paymentMethodType: credentials.type, siteId, sureUntilUtc: null };
    const agoMs = Math.max(0, this.clock.now().getTime() - settledUntilUtc.getTime());
    const answer = await gateway.listCharges({ agoMs, installation, gatewayCustomerId }, async (charges) => {
      const ofOrder = charges.filter((one) => one.scheduledOrderId === scheduledOrderId);
      await this.found.keep(origin, ofOrder);
    });
    if (answer.kind !== 'listed') return answer;
    const unplaced = await this.found.unplacedAmong([scheduledOrderId]);
    if (unplaced.size === 0) return { kind: 'none' };
    this.placer.begin();
    return { kind: 'found' };
  }
}
