import type { LeasedCycle } from '../cycle.js';

/** A gateway must not stand idle while the next charges are prepared: so many of those under way wait, frozen, for their turn to be sent. */
const AHEAD = 0.5;
/** Where charges take longer none is frozen ahead: what is frozen is settled as if it had been sent when this worker dies. */
const QUICK_MS = 1_000;

/**
 * The way of one site's cycles through one kind of gateway: what waits, how much may be under way at once, and whether the integration is in
 * doubt, so that one order probes it and not all. Where there is no gateway there is nothing to bound, nor to doubt.
 */
export class IntegrationQueue {
  /** To be charged: nothing of these is frozen. */
  private readonly unsent: LeasedCycle[] = [];
  /** To be asked about: what may have been sent before. */
  private readonly sent: LeasedCycle[] = [];
  private underWay = 0;
  /** The integration was refused, or its orders have been waiting for it. */
  private isRefused = false;
  /** It has not answered yet with its present credentials. */
  private isUntested = false;
  private isQuick = false;
  private isUnbounded: boolean;

  constructor(
    private readonly width: number,
    private readonly hasGateway: boolean,
    private readonly mayGo: () => boolean,
  ) {
    this.isUnbounded = !hasGateway;
  }

  push(cycle: LeasedCycle): void {
    (cycle.state === 'Claimed' ? this.unsent : this.sent).push(cycle);
  }

  /**
   * What may go on now, in the order in which it came: first what was sent before, for its answer is due already, and the calls that it takes
   * are of the same number that the gateway allows at once.
   */
  take(limit: number): LeasedCycle[] {
    if (this.unsent.length + this.sent.length === 0 || !this.mayGo()) return [];
    const ahead = this.isQuick ? Math.floor(this.width * AHEAD) : 0;
    const asked = this.takeFrom(this.sent, limit, this.width);
    const charged = this.takeFrom(this.unsent, limit - asked.length, this.inDoubt ? 1 : this.width + ahead);
    return [...asked, ...charged];
  }

  private takeFrom(line: LeasedCycle[], limit: number, width: number): LeasedCycle[] {
    const room = this.isUnbounded ? limit : Math.min(limit, width - this.underWay);
    const taken = line.splice(0, Math.max(0, room));
    this.underWay += taken.length;
    return taken;
  }

  /**
   * Of these, taken to be charged with an integration that has not answered yet, one may go on, unless something else is under way.
   * @returns it; the others are at the head of the line again.
   */
  probe(taken: readonly LeasedCycle[]): LeasedCycle[] {
    this.isUntested = true;
    const going = this.underWay > taken.length ? [] : taken.slice(0, 1);
    const others = taken.slice(going.length);
    this.unsent.unshift(...others);
    this.underWay -= others.length;
    return going;
  }

  /** One that was taken has gone its way. */
  leave(): void {
    this.underWay -= 1;
  }

  /** A charge came back so long after it was frozen. */
  tookMs(ms: number): void {
    this.isQuick = ms < QUICK_MS;
  }

  /** Nothing behind it counts calls: the sandbox. */
  unbind(): void {
    this.isUnbounded = true;
  }

  /** The integration was refused, or an order has been waiting for it. */
  doubt(): void {
    this.isRefused = this.hasGateway;
  }

  /** A charge was answered. @returns whether orders may be waiting for that. */
  trust(): boolean {
    const wasRefused = this.isRefused;
    this.isRefused = this.isUntested = false;
    return wasRefused;
  }

  /** All that nothing was sent of. */
  drainUnsent(): LeasedCycle[] {
    return this.unsent.splice(0);
  }

  drainSent(): LeasedCycle[] {
    return this.sent.splice(0);
  }

  /** Whether nothing is left to know of it. */
  get isOver(): boolean {
    return this.unsent.length + this.sent.length + this.underWay === 0 && !this.isRefused;
  }

  private get inDoubt(): boolean {
    return this.isRefused || this.isUntested;
  }
}
