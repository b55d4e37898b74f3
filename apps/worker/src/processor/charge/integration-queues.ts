import type { PaymentMethodType } from '#libs/gateways';
import type { LeasedCycle } from '../cycle.js';
import { IntegrationQueue } from './integration-queue.js';
import { integrationKey } from '../prepare/loader.js';

/** The lanes of all sites and kinds of gateway that have something in line or under way. */
export class IntegrationQueues {
  private readonly lanes = new Map<string, IntegrationQueue>();

  /** `width`: calls under way at once per integration. `mayGo`: whether a site's cycles may go to this type of gateway now. */
  constructor(
    private readonly width: number,
    private readonly mayGo: (siteId: number, type: PaymentMethodType | null) => boolean,
  ) {}

  of({ siteId, paymentMethodType }: LeasedCycle): IntegrationQueue {
    const key = integrationKey(siteId, paymentMethodType);
    let lane = this.lanes.get(key);
    if (!lane) {
      lane = new IntegrationQueue(this.width, paymentMethodType !== null, () => this.mayGo(siteId, paymentMethodType));
      this.lanes.set(key, lane);
    }
    return lane;
  }

  /** The lane, if anything is in it. */
  find(siteId: number, type: PaymentMethodType): IntegrationQueue | undefined {
    return this.lanes.get(integrationKey(siteId, type));
  }

  /** Whatever there is room for, from all lanes together. One that had its turn goes to the end: none waits for another's backlog. */
  take(limit: number): LeasedCycle[] {
    const taken: LeasedCycle[] = [];
    for (const [key, lane] of [...this.lanes]) {
      const some = lane.take(limit - taken.length);
      taken.push(...some);
      if (lane.isOver || some.length > 0) this.lanes.delete(key);
      if (some.length > 0) this.lanes.set(key, lane);
    }
    return taken;
  }

  drainUnsent(): LeasedCycle[] {
    return [...this.lanes.values()].flatMap((lane) => lane.drainUnsent());
  }

  drainSent(): LeasedCycle[] {
    return [...this.lanes.values()].flatMap((lane) => lane.drainSent());
  }
}
