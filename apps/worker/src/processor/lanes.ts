import type { PaymentMethodType } from '#libs/gateways';
import type { HeldCycle } from './cycle.js';
import { Lane } from './lane.js';
import { integrationKey } from './load.js';

/** The lanes of all sites and kinds of gateway that have something in line or under way. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  /** `width`: calls under way at once per integration. `mayGo`: whether a site's cycles may go to this type of gateway now. */
  constructor(
    private readonly width: number,
    private readonly mayGo: (siteId: number, type: PaymentMethodType | null) => boolean,
  ) {}

  of({ siteId, paymentMethodType }: HeldCycle): Lane {
    const key = integrationKey(siteId, paymentMethodType);
    let lane = this.lanes.get(key);
    if (!lane) {
      lane = new Lane(this.width, paymentMethodType !== null, () => this.mayGo(siteId, paymentMethodType));
      this.lanes.set(key, lane);
    }
    return lane;
  }

  /** The lane, if anything is in it. */
  find(siteId: number, type: PaymentMethodType): Lane | undefined {
    return this.lanes.get(integrationKey(siteId, type));
  }

  /** Whatever there is room for, from all lanes together. One that had its turn goes to the end: none waits for another's backlog. */
  take(limit: number): HeldCycle[] {
    const taken: HeldCycle[] = [];
    for (const [key, lane] of [...this.lanes]) {
      const some = lane.take(limit - taken.length);
      taken.push(...some);
      if (lane.isOver || some.length > 0) this.lanes.delete(key);
      if (some.length > 0) this.lanes.set(key, lane);
    }
    return taken;
  }

  drainUnsent(): HeldCycle[] {
    return [...this.lanes.values()].flatMap((lane) => lane.drainUnsent());
  }

  drainSent(): HeldCycle[] {
    return [...this.lanes.values()].flatMap((lane) => lane.drainSent());
  }
}
