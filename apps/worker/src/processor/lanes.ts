import type { HeldCycle } from './cycle.js';
import { Lane } from './lane.js';
import { integrationKey } from './load.js';

/** The lanes of all sites and kinds of gateway that have something in line or under way. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  /** `width`: calls under way at once per integration. */
  constructor(private readonly width: number) {}

  of({ siteId, paymentMethodType }: HeldCycle): Lane {
    const key = integrationKey(siteId, paymentMethodType);
    let lane = this.lanes.get(key);
    if (!lane) {
      lane = new Lane(this.width, paymentMethodType !== null);
      this.lanes.set(key, lane);
    }
    return lane;
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
