import type { HeldCycle } from './cycle.js';

/**
 * The way of one site's charges through one kind of gateway: what waits to be charged, how much may be under way at once, and whether the
 * integration is in doubt, so that one order probes it and not all.
 */
export class Lane {
  readonly queue: HeldCycle[] = [];
  underWay = 0;
  /** The integration was refused, or its orders have been waiting for it: one probes. */
  inDoubt = false;
  private unbounded: boolean;

  constructor(
    private readonly width: number,
    { hasGateway }: { hasGateway: boolean },
  ) {
    this.unbounded = !hasGateway;
  }

  /** What may be sent now, in the order in which it was claimed. */
  take(limit: number): HeldCycle[] {
    const width = this.inDoubt ? 1 : this.unbounded ? Infinity : this.width;
    const taken = this.queue.splice(0, Math.max(0, Math.min(limit, width - this.underWay)));
    this.underWay += taken.length;
    return taken;
  }

  /** Nothing behind it counts calls: the sandbox. */
  unbind(): void {
    this.unbounded = true;
  }

  /** All that has not been sent. */
  drain(): HeldCycle[] {
    return this.queue.splice(0);
  }

  get isIdle(): boolean {
    return this.queue.length === 0 && this.underWay === 0;
  }
}
