import type { PaymentMethodType } from '#libs/gateways';
import type { LeasedCycle } from '../cycle.js';
import { integrationKey } from '../prepare/loader.js';
import { IntegrationQueue } from './integration-queue.js';

/** The queues of all integrations that have cycles waiting or in flight. */
export class IntegrationQueues {
  private readonly queues = new Map<string, IntegrationQueue>();

  /** `concurrency`: calls in flight at once per integration. `mayCharge`: whether cycles of a site may go to this type of gateway now. */
  constructor(
    private readonly concurrency: number,
    private readonly mayCharge: (siteId: number, type: PaymentMethodType | null) => boolean,
  ) {}

  of({ siteId, paymentMethodType }: LeasedCycle): IntegrationQueue {
    const key = integrationKey(siteId, paymentMethodType);
    let queue = this.queues.get(key);
    if (!queue) {
      queue = new IntegrationQueue(this.concurrency, paymentMethodType !== null, () =>
        this.mayCharge(siteId, paymentMethodType),
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
   * Up to `limit` cycles, from all queues together, when one of them is ready. A queue that had its turn goes to the end, so that none waits for
   * another's backlog.
   */
  take(limit: number): LeasedCycle[] {
    const taken: LeasedCycle[] = [];
    this.forgetIdle();
    const queues = [...this.queues];
    if (!queues.some(([, queue]) => queue.isReady)) return taken;
    for (const [key, queue] of queues) {
      const some = queue.take(limit - taken.length);
      if (some.length === 0) continue;
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
