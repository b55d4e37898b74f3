import { Injectable } from '@nestjs/common';
import { type Charge, Gateways } from '#libs/gateways';
import { heldFailure } from '#libs/ledger';
import { DatabaseClock } from '../../database/clock.js';
import { GatewayClocks } from '../../gateways/gateway-clocks.js';
import type { Attempt, Integration, LeasedCycle } from '../cycle/cycle.js';
import type { Charged, Outcome } from '../cycle/outcome.js';
import { OverdueCheck } from '../reconcile/overdue-check.js';
import { asInDoubt, FOR_A_PERSON, type NotNone, paid, refusal } from './answers.js';
import { EarlierAttempts } from './earlier-attempts.js';
import { SendGate } from './send-gate.js';

/**
 * Sends charges. No transaction is open during a call, and the attempt has been written to the database before. What
 * may have been sent already is looked up instead (`LookUp`).
 */
@Injectable()
export class Charger {
  constructor(
    private readonly gateways: Gateways,
    private readonly gate: SendGate,
    private readonly overdueCheck: OverdueCheck,
    private readonly earlierAttempts: EarlierAttempts,
    private readonly clock: DatabaseClock,
    private readonly clocks: GatewayClocks,
  ) {}

  /** Sends a frozen attempt for the first time. */
  async charge(attempt: Attempt): Promise<Charged> {
    const { cycle, order, quote, leftOut, integration } = attempt;
    const basis = { order, quote, leftOut };
    if (integration === null)
      return { outcome: { kind: 'completed', transactionId: null, chargedAmount: null, basis } };
    // When a worker was suspended past its lease, another one owns the cycle, and looks the charge up first.
    const maySend = () => this.gate.maySend(cycle, integration.id);
    try {
      const gateway = this.gateways.for(integration.id, integration.credentials);
      await this.clocks.askAgain(integration.id, gateway);
      if (!(await maySend())) return { outcome: this.unsent(cycle, integration) };
      const charge = this.chargeOf(attempt);
      if (attempt.isOverdue) {
        const earlier = await this.overdueCheck.find(charge, order.settledUntilUtc, integration, gateway);
        if (earlier.kind !== 'none') return unsentBecause(earlier);
      }
      const before = await this.earlierAttempts.lookUp(cycle, integration);
      if (before.kind === 'charged') return { outcome: paid(before.answer, charge, basis, before.foundAt).outcome };
      if (before.kind === 'undecidable') return { outcome: FOR_A_PERSON };
      if (before.kind === 'givenBack') return { outcome: { kind: 'givenBack', answer: before } };
      if (before.kind !== 'none') return unsentBecause(before);
      const answer = await gateway.charge(charge, maySend);
      if (answer.kind === 'postponed' && !(await maySend())) return { outcome: this.unsent(cycle, integration) };
      return answer.kind === 'succeeded'
        ? paid(answer, charge, basis)
        : { outcome: { kind: 'charge', answer }, refused: refusal(answer) };
    } catch (thrown) {
      // Adapters do not throw for what a gateway did. So this is a bug in this service, and the charge may have been
      // sent.
      return { outcome: { kind: 'unrecorded', transactionId: null, thrown } };
    }
  }

  /** For an attempt that was not sent and that this worker may no longer send. */
  private unsent({ isStopped, heldBy }: LeasedCycle, { id }: Integration): Outcome {
    if (isStopped) return { kind: 'stopped' };
    if (heldBy !== null) return { kind: 'failure', failure: heldFailure(heldBy) };
    return { kind: 'postponed', delayMs: this.gate.pauseMs(id) };
  }

  private chargeOf({ cycle, order, amount, idempotencyKey, installation }: Attempt): Charge {
    return {
      idempotencyKey,
      siteId: cycle.siteId,
      scheduledOrderId: cycle.scheduledOrderId,
      attempt: cycle.attempt,
      dueUtc: cycle.dueUtc,
      installation,
      amount,
      currencyIso: order.currencyIso,
      gatewayCustomerId: order.paymentMethodCustomerId!,
      gatewayPaymentId: order.paymentMethodId!,
      startedUtc: this.clock.now(),
    };
  }
}

/** Nothing was sent, and no attempt is used up. The next try looks the charge up again before it sends. */
function unsentBecause(earlier: NotNone): Charged {
  if (earlier.kind === 'refused') return { outcome: { kind: 'charge', answer: earlier }, refused: earlier.message };
  const reason = earlier.kind === 'found' ? {} : { reason: earlier.message };
  const endsWait = earlier.kind === 'mayArrive';
  return { outcome: { kind: 'postponed', delayMs: asInDoubt(earlier).retryAfterMs, ...reason, endsWait } };
}
