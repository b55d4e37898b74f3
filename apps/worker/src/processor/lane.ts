import type { HeldCycle } from './cycle.js';

/** A gateway must not stand idle while the next charges are prepared: so many of those under way wait, frozen, for their turn to be sent. */
const AHEAD = 0.5;
/** Where charges take longer none is frozen ahead: it would go out although its order is paused meanwhile. */
const QUICK_MS = 1_000;

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
  private isQuick = false;

  constructor(
    private readonly width: number,
    { hasGateway }: { hasGateway: boolean },
  ) {
    this.unbounded = !hasGateway;
  }

  /** What may be sent now, in the order in which it was claimed. */
  take(limit: number): HeldCycle[] {
    const wide = this.isQuick ? this.width + Math.floor(this.width * AHEAD) : this.width;
    const width = this.inDoubt ? 1 : this.unbounded ? Infinity : wide;
    const taken = this.queue.splice(0, Math.max(0, Math.min(limit, width - this.underWay)));
    this.underWay += taken.length;
    return taken;
  }

  /** A charge was answered so long after it was frozen. */
  answered(tookMs: number): void {
    this.isQuick = tookMs < QUICK_MS;
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
