import type { LeasedCycle } from '../../cycle/cycle.js';

/**
 * A gateway must not be idle while the next charges are prepared: this share of the concurrency is frozen ahead and
 * waits to be sent.
 */
const AHEAD = 0.5;
/**
 * Where charges take longer, none is frozen ahead: when this worker dies, every frozen attempt must be looked up as if
 * it had been sent.
 */
const QUICK_MS = 1_000;
/** Those that are frozen ahead last for so long at least, while the next ones are loaded and frozen. */
const PREPARED_WITHIN_MS = 50;

/**
 * The queue of one payment integration: the cycles of a site that wait for a type of gateway. It limits how many are in
 * flight at once. When the integration was refused, it lets one cycle through as a probe, as a half-open circuit
 * breaker does. Cycles without a gateway have neither limit nor probe.
 */
export class IntegrationQueue {
  /** To be charged: none of these is frozen yet. */
  private readonly unsent: LeasedCycle[] = [];
  /** To be looked up: these may have been sent before. */
  private readonly inDoubt: LeasedCycle[] = [];
  private inFlight = 0;
  /** The integration was refused, or orders wait for it. */
  private isRefused = false;
  /** It has not answered with its present credentials yet. */
  private isUntested = false;
  /** How long the latest charge took, from the freeze to the answer. */
  private latestMs = Infinity;
  private isUnlimited: boolean;

  constructor(
    readonly siteId: number,
    private readonly concurrency: number,
    private readonly hasGateway: boolean,
    private readonly mayCharge: () => boolean,
  ) {
    this.isUnlimited = !hasGateway;
  }

  push(cycle: LeasedCycle): void {
    (cycle.state === 'Claimed' ? this.unsent : this.inDoubt).push(cycle);
  }

  /**
   * The cycles that may go on now, first in, first out. In-doubt cycles come first: their answer is overdue. Their
   * look-ups count against the same limit of calls at once. `mostPriced`: at most so many that are priced first.
   */
  take(limit: number, mostPriced = limit): LeasedCycle[] {
    if (this.unsent.length + this.inDoubt.length === 0 || !this.mayCharge()) return [];
    const lookedUp = this.takeFrom(this.inDoubt, limit, this.concurrency);
    const charged = this.takeFrom(
      this.unsent,
      Math.min(limit - lookedUp.length, mostPriced),
      this.onlyProbes ? 1 : this.concurrency + this.ahead,
    );
    return [...lookedUp, ...charged];
  }

  /**
   * Whether cycles should go on now. Where the gateway has enough to do with those that are frozen ahead, room for more
   * gathers first: a batch of every few orders would cost a commit each.
   */
  get isReady(): boolean {
    if (this.unsent.length + this.inDoubt.length === 0 || !this.mayCharge()) return false;
    if (this.isUnlimited || (this.inDoubt.length > 0 && this.inFlight < this.concurrency)) return true;
    if (this.unsent.length === 0) return false;
    return this.onlyProbes ? this.inFlight === 0 : this.roomAhead >= this.smallestBatch;
  }

  private get smallestBatch(): number {
    const inTheMeantime = (PREPARED_WITHIN_MS * (this.concurrency + this.ahead)) / this.latestMs;
    return Math.max(1, Math.floor(this.ahead - inTheMeantime));
  }

  /** How many new cycles may go on at once, past an empty queue. */
  get roomAtOnce(): number {
    const isWaiting = this.unsent.length + this.inDoubt.length > 0;
    if (isWaiting || this.onlyProbes || !this.mayCharge()) return 0;
    return this.isUnlimited ? Infinity : this.roomAhead;
  }

  /** A new cycle that was never in the queue takes its place in flight, if there is room. `leave` gives it back. */
  enter(): boolean {
    if (this.roomAtOnce <= 0) return false;
    this.inFlight += 1;
    return true;
  }

  private get roomAhead(): number {
    return this.concurrency + this.ahead - this.inFlight;
  }

  private get ahead(): number {
    return this.latestMs < QUICK_MS ? Math.floor(this.concurrency * AHEAD) : 0;
  }

  private takeFrom(queue: LeasedCycle[], limit: number, most: number): LeasedCycle[] {
    const room = this.isUnlimited ? limit : Math.min(limit, most - this.inFlight);
    const taken = queue.splice(0, Math.max(0, room));
    this.inFlight += taken.length;
    return taken;
  }

  /**
   * The integration has not answered with these credentials yet: of the cycles that were taken, one may go on, unless
   * another is in flight.
   * @returns that one; the others are back at the head of the queue.
   */
  probe(taken: readonly LeasedCycle[]): LeasedCycle[] {
    this.isUntested = true;
    const going = this.inFlight > taken.length ? [] : taken.slice(0, 1);
    const others = taken.slice(going.length);
    this.unsent.unshift(...others);
    this.inFlight -= others.length;
    return going;
  }

  /** A cycle that was taken has its outcome. */
  leave(): void {
    this.inFlight -= 1;
  }

  /** How long a charge took, from the freeze to the answer. */
  chargeTook(ms: number): void {
    this.latestMs = ms;
  }

  /** Whether there is a gateway that limits calls: the sandbox has none. */
  setLimited(isLimited: boolean): void {
    this.isUnlimited = !isLimited || !this.hasGateway;
  }

  /** The integration was refused, or an order has been waiting for it. */
  markRefused(): void {
    this.isRefused = this.hasGateway;
  }

  /** A charge was answered. @returns whether orders may be waiting for that. */
  markWorking(): boolean {
    const wasRefused = this.isRefused;
    this.isRefused = this.isUntested = false;
    return wasRefused;
  }

  /** Removes and returns all cycles that were not sent. */
  drainUnsent(): LeasedCycle[] {
    return this.unsent.splice(0);
  }

  drainInDoubt(): LeasedCycle[] {
    return this.inDoubt.splice(0);
  }

  /** Whether it can be forgotten: it is empty, and its integration works. */
  get isIdle(): boolean {
    return this.unsent.length + this.inDoubt.length + this.inFlight === 0 && !this.isRefused;
  }

  private get onlyProbes(): boolean {
    return this.isRefused || this.isUntested;
  }
}
