import { FROM_THE_START, type Watermark } from './watermark.js';

const TIMES = {
  /** Longer than a worker has an order locked that it claims, or a request: claims step over locked orders. */
  settledMs: 3_000,
  /** An order that became due behind the floor unheard is found after this time at the latest. */
  sweepEveryMs: 60_000,
};

/** A search for due orders, from a date on. */
export interface Look {
  readonly from: Watermark;
  /** The database's clock, read before. */
  readonly utc: Date;
  /** The same on the monotonic clock. */
  readonly at: number;
}

/**
 * The date before which no order is left to claim, so that claims need not begin at the head of the index: the entries
 * of processed orders lie dead there until the next vacuum, and those of orders that wait for something stay. It rises
 * when two looks, some seconds apart, have found nothing before it. It falls when an order may be due again behind it,
 * which the database's triggers notify of. And it counts for a minute at most: then a look begins at the head again (a
 * sweep).
 */
export class DueFloor {
  private floor = FROM_THE_START;
  /** The latest look; null when an order may have become due behind it. */
  private latest: Look | null = null;
  /** A look that has found nothing, with nothing found before its time since then. */
  private candidate: Look | null = null;
  private sweptAt = -Infinity;

  /** `isHeard`: whether notifications arrive. While they do not, every look begins at the head. */
  constructor(
    private readonly isHeard: () => boolean,
    private readonly times: Readonly<typeof TIMES> = TIMES,
  ) {}

  /** No order due before this date is left; null while that is not known, or is to be made sure of again. */
  get date(): Date | null {
    const isKnown =
      this.isHeard() && this.floor !== FROM_THE_START && performance.now() - this.sweptAt < this.times.sweepEveryMs;
    return isKnown ? this.floor.dueUtc : null;
  }

  /** Milliseconds until a look is to begin at the head again; Infinity while every look does. */
  get sweepInMs(): number {
    return this.date === null ? Infinity : this.sweptAt + this.times.sweepEveryMs - performance.now();
  }

  /** `utc`: the database's clock. When it was put back, orders could fall due behind the floor. */
  begin(utc: Date): Look {
    if (utc < this.floor.dueUtc) this.reset();
    this.latest = { from: this.date === null ? FROM_THE_START : this.floor, utc, at: performance.now() };
    return this.latest;
  }

  /** `look` has found nothing that could be claimed. */
  foundNothing(look: Look): void {
    if (look !== this.latest) return;
    if (look.from === FROM_THE_START) this.sweptAt = look.at;
    if (this.candidate === null) this.candidate = look;
    else if (look.at - this.candidate.at >= this.times.settledMs) {
      this.floor = { dueUtc: this.candidate.utc, scheduledOrderId: 0 };
      this.candidate = look;
    }
  }

  /**
   * Orders that were due at these times have been claimed. What a look has left before, it may have left because it was
   * locked.
   */
  found(dueUtc: readonly Date[]): void {
    const { candidate } = this;
    if (candidate !== null && dueUtc.some((date) => date <= candidate.utc)) this.candidate = null;
  }

  /** An order may have become due behind the floor, or behind a look that is under way. */
  reset(): void {
    this.floor = FROM_THE_START;
    this.latest = null;
    this.candidate = null;
  }
}
