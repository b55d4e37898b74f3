import { Inject, Injectable } from '@nestjs/common';
import type { PaymentMethodType } from '#libs/gateways';
import type { Settings } from '#libs/platform';
import { integrationKey } from '../../../gateways/integrations.js';
import { SETTINGS } from '../../../tokens.js';
import type { LeasedCycle } from '../../cycle/cycle.js';
import { PricingTurns } from '../../prepare/pricing-turns.js';
import { Reconciler } from '../../reconcile/reconciler.js';
import { IntegrationQueue } from './integration-queue.js';

/** The queues of all integrations that have cycles waiting or in flight. */
@Injectable()
export class IntegrationQueues {
  private readonly queues = new Map<string, IntegrationQueue>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'gatewayConcurrency'>,
    @Inject(Reconciler) private readonly reconciler: Pick<Reconciler, 'mayCharge'>,
    private readonly turns: PricingTurns,
  ) {}

  for({ siteId, paymentMethodType }: LeasedCycle): IntegrationQueue {
    const key = integrationKey(siteId, paymentMethodType);
    let queue = this.queues.get(key);
    if (!queue) {
      queue = new IntegrationQueue(siteId, this.settings.gatewayConcurrency, paymentMethodType !== null, () =>
        this.reconciler.mayCharge(siteId, paymentMethodType),
      );
      this.queues.set(key, queue);
    }
    return queue;
  }

  /** The queue, if anything is in it. */
  find(siteId: number, type: PaymentMethodType): IntegrationQueue | undefined {
    return this.queues.get(integrationKey(siteId, type));
  }

  /**
   * Up to `limit` cycles, from all queues together, when one of them is ready. A queue that had its turn goes to the
   * end, so that none waits for another's backlog. Of orders that take long to price, it takes a turn (`PricingTurns`).
   */
  take(limit: number): LeasedCycle[] {
    const taken: LeasedCycle[] = [];
    this.forgetIdle();
    const queues = [...this.queues];
    if (!queues.some(([, queue]) => queue.isReady)) return taken;
    if (this.turns.hasSlow) queues.sort(([, a], [, b]) => this.turns.usedBy(a.siteId) - this.turns.usedBy(b.siteId));
    const turn = this.turns.begin(taken);
    for (const [key, queue] of queues) {
      const some = queue.take(limit - taken.length, turn.room(queue.siteId));
      if (some.length === 0) continue;
      turn.took(queue.siteId, some.filter(({ state }) => state === 'Claimed').length);
      taken.push(...some);
      this.queues.delete(key);
      this.queues.set(key, queue);
    }
    return taken;
  }

  private forgetIdle(): void {
    for (const [key, queue] of this.queues) if (queue.isIdle) this.queues.delete(key);
  }

  drainUnsent(): LeasedCycle[] {
    return [...this.queues.values()].flatMap((queue) => queue.drainUnsent());
  }

  drainInDoubt(): LeasedCycle[] {
    return [...this.queues.values()].flatMap((queue) => queue.drainInDoubt());
  }
}
