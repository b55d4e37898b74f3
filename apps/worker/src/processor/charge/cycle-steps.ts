import { Injectable } from '@nestjs/common';
import { isSandbox } from '#libs/gateways';
import { reach } from '../../failpoints.js';
import { WorkerEvents } from '../../worker-events.js';
import type { Attempt, LeasedCycle } from '../cycle/cycle.js';
import { isRefused, type Outcome, wasSent } from '../cycle/outcome.js';
import { tracedCharge, tracedStep } from '../cycle/traces.js';
import { Preparation } from '../prepare/preparation.js';
import { Charger } from './charger.js';
import { FinishedCycles } from './finished-cycles.js';
import { type InDoubtAttempt, InDoubtAttempts } from './in-doubt-attempts.js';
import { IntegrationHealth } from './integrations/integration-health.js';
import { IntegrationQueues } from './integrations/integration-queues.js';
import { TestedIntegrations } from './integrations/tested-integrations.js';
import { LookUp } from './look-up.js';

/**
 * The steps of cycles that were taken from their queues: load → price → freeze → charge. Those that may have been sent
 * before go another way: load → look up.
 */
@Injectable()
export class CycleSteps {
  constructor(
    private readonly queues: IntegrationQueues,
    private readonly tested: TestedIntegrations,
    private readonly preparation: Preparation,
    private readonly inDoubt: InDoubtAttempts,
    private readonly charger: Charger,
    private readonly lookUp: LookUp,
    private readonly health: IntegrationHealth,
    private readonly finished: FinishedCycles,
    private readonly events: WorkerEvents,
  ) {}

  /** Resolves when the charges are on their way. */
  async send(cycles: readonly LeasedCycle[]): Promise<void> {
    const { attempts, results, gatewayChanged, left, gone } = await tracedStep('prepare', cycles, () =>
      this.preparation.ready(cycles, (priced) => this.tested.admit(priced, this.queues)),
    );
    for (const { cycle, outcome } of results) {
      if (outcome.kind === 'failure' && outcome.failure.name === 'PaymentIntegrationNotFound')
        this.health.refused(cycle, outcome.failure.message);
      else this.health.inconclusive(cycle, outcome);
      this.finish(cycle, outcome);
    }
    for (const { cycle, paymentMethodType } of gatewayChanged) {
      this.health.gatewayChanged(cycle);
      this.queues.for(cycle).leave();
      cycle.paymentMethodType = paymentMethodType;
      this.queues.for(cycle).push(cycle);
    }
    for (const cycle of left) {
      this.queues.for(cycle).leave();
      this.queues.for(cycle).push(cycle);
    }
    this.lose(gone);
    for (const attempt of attempts) {
      if (attempt.integration) this.queues.for(attempt.cycle).setLimited(!isSandbox(attempt.integration.credentials));
      void this.charge(attempt);
    }
  }

  /** A frozen attempt, until it is answered. */
  async charge(attempt: Attempt): Promise<void> {
    const { cycle } = attempt;
    const sentAt = performance.now();
    const charged = await tracedCharge('charge', cycle, () => this.charger.charge(attempt));
    reach('after-charge');
    const tookMs = performance.now() - sentAt;
    if (attempt.integration && wasSent(charged.outcome)) {
      this.queues.for(cycle).chargeTook(tookMs);
      this.finished.chargeTook(tookMs);
      const { credentials } = attempt.integration;
      const gateway = isSandbox(credentials) ? 'Sandbox' : credentials.type;
      this.events.emit('charged', gateway, charged.outcome, tookMs / 1000);
      if (!isRefused(charged.outcome)) this.events.emit('sent', attempt.integration);
    }
    this.health.charged(attempt, charged);
    this.finish(cycle, charged.outcome);
  }

  /** Resolves when the look-ups are on their way. */
  async resolve(cycles: readonly LeasedCycle[]): Promise<void> {
    const { attempts, results } = await tracedStep('load in doubt', cycles, () => this.inDoubt.load(cycles));
    const found = new Set([...attempts, ...results].map(({ cycle }) => cycle));
    this.lose(cycles.filter((cycle) => !found.has(cycle)));
    for (const { cycle, outcome } of results) this.finish(cycle, outcome);
    for (const attempt of attempts) void this.resolveOne(attempt);
  }

  /** An integration that refuses a look-up refuses the next order as well. Only a charge shows that it works. */
  private async resolveOne(attempt: InDoubtAttempt): Promise<void> {
    const { cycle } = attempt;
    const { outcome, refused } = await tracedCharge('look up', cycle, () => this.lookUp.resolve(attempt));
    if (attempt.integration && !isRefused(outcome)) this.events.emit('sent', attempt.integration);
    if (refused) this.health.refused(cycle, refused);
    else this.health.resolved(cycle, outcome);
    this.finish(cycle, outcome);
  }

  private finish(cycle: LeasedCycle, outcome: Outcome): void {
    this.queues.for(cycle).leave();
    this.finished.add({ cycle, outcome });
    this.events.emit('placesFree');
  }

  private lose(cycles: readonly LeasedCycle[]): void {
    if (cycles.length === 0) return;
    for (const cycle of cycles) this.queues.for(cycle).leave();
    this.finished.lose(cycles);
  }
}
