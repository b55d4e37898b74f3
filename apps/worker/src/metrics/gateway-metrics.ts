import { Histogram, type Registry } from 'prom-client';
import { CALL_OUTCOMES, type CallOutcome, PAYMENT_METHOD_TYPES, type PaymentMethodType } from '#libs/gateways';
import type { ChargedThrough, Outcome } from '../processor/cycle/outcome.js';

const CHARGE_OUTCOMES = ['charged', 'declined', 'refused', 'unchargeable', 'unavailable', 'unknown'] as const;
type ChargeOutcomeLabel = (typeof CHARGE_OUTCOMES)[number];

const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * How long the gateways take, by gateway and outcome. Every series exists from the start, so that the first failure is
 * an increase.
 */
export class GatewayMetrics {
  private readonly charges: Histogram<'gateway' | 'outcome'>;
  private readonly requests: Histogram<'gateway' | 'outcome'>;

  constructor(registry: Registry) {
    const common = { labelNames: ['gateway', 'outcome'] as const, buckets: BUCKETS, registers: [registry] };
    this.charges = new Histogram({
      name: 'scheduled_orders_charge_seconds',
      help: `Time from sending a charge to its answer. Outcomes: ${CHARGE_OUTCOMES.join(', ')}.`,
      ...common,
    });
    this.requests = new Histogram({
      name: 'scheduled_orders_gateway_request_seconds',
      help: `Time of one request of this worker to a gateway (charges, look-ups and lists), after its wait in the queue. Outcomes: ${CALL_OUTCOMES.join(', ')}.`,
      ...common,
    });
    for (const gateway of PAYMENT_METHOD_TYPES) {
      for (const outcome of CHARGE_OUTCOMES) this.charges.zero({ gateway, outcome });
      for (const outcome of CALL_OUTCOMES) this.requests.zero({ gateway, outcome });
    }
  }

  /** The first sending of an attempt. */
  charged(gateway: ChargedThrough, outcome: Outcome, seconds: number): void {
    this.charges.observe({ gateway, outcome: labelOf(outcome) }, seconds);
  }

  requested(gateway: PaymentMethodType, outcome: CallOutcome, seconds: number): void {
    this.requests.observe({ gateway, outcome }, seconds);
  }
}

/** What cannot be recorded may have been charged. */
function labelOf(outcome: Outcome): ChargeOutcomeLabel {
  if (outcome.kind === 'completed') return 'charged';
  if (outcome.kind !== 'charge' || outcome.answer.kind === 'postponed') return 'unknown';
  return outcome.answer.kind;
}
