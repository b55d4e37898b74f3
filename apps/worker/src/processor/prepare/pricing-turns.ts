import { Injectable } from '@nestjs/common';
import type { LeasedCycle } from '../cycle/cycle.js';

/** How long one batch may price, in ms of processor time. Its last order may exceed it. */
const TURN_MS = 150;
/** A site whose orders take longer than this, in the mean of a batch, is slow to price. */
const SLOW_MS = 2;
/** All shares are halved when one has reached this: what an account used long ago does not count. */
const MOST_USED_MS = 10_000;

/** Cycles that are taken from their queues together, and how many more of slow sites they may have. */
export interface Turn {
  /** How many cycles of this site may be priced in it. */
  room(siteId: number): number;
  took(siteId: number, cycles: number): void;
}

/**
 * Shares the processor, on which all orders are priced one after the other, by account. Almost all orders are priced at
 * once. Of sites whose orders take long, because they have hundreds of lines and tax rates, only as many are taken as
 * fit into a turn, first those of the account that has used least. One batch at a time has any of them, so that others'
 * orders wait for such a turn, not for all of them.
 */
@Injectable()
export class PricingTurns {
  /** Of slow sites: ms for an order. */
  private readonly costs = new Map<number, number>();
  /**
   * Slow once. The first orders that a process prices take long; so a site is slow when it was so twice, or when orders
   * of it were left.
   */
  private readonly suspects = new Set<number>();
  /** Of slow sites. */
  private readonly accounts = new Map<number, number>();
  /** By account, or by site (negative) until its account is known. */
  private readonly used = new Map<number, number>();
  private slowBatch: readonly LeasedCycle[] | null = null;

  /** What the account of a slow site has used, in ms; 0 for all others. */
  usedBy(siteId: number): number {
    return this.costs.has(siteId) ? (this.used.get(this.owner(siteId)) ?? 0) : 0;
  }

  get hasSlow(): boolean {
    return this.costs.size > 0;
  }

  /** `batch`: receives the cycles. `ended` must be called for it. */
  begin(batch: readonly LeasedCycle[]): Turn {
    let leftMs = TURN_MS;
    return {
      room: (siteId) => {
        const cost = this.costs.get(siteId);
        if (cost === undefined) return Infinity;
        if (this.slowBatch === null) return Math.max(1, Math.floor(leftMs / cost));
        return this.slowBatch === batch ? Math.floor(leftMs / cost) : 0;
      },
      took: (siteId, cycles) => {
        const cost = this.costs.get(siteId);
        if (cost === undefined || cycles === 0) return;
        this.slowBatch = batch;
        leftMs -= cycles * cost;
      },
    };
  }

  /**
   * How many cycles of this site may be priced in the transaction that begins them, which locks their orders meanwhile.
   */
  roomAtOnce(siteId: number): number {
    const cost = this.costs.get(siteId);
    return cost === undefined ? Infinity : Math.floor(TURN_MS / cost);
  }

  ended(batch: readonly LeasedCycle[]): void {
    if (this.slowBatch === batch) this.slowBatch = null;
  }

  /** Remembers what orders of these sites cost. Sites of which none was priced count as slow, until one is. */
  learn(time: Pick<PricingTime, 'bySite'>, left: readonly LeasedCycle[]): void {
    for (const { siteId } of left) if (!time.bySite.has(siteId)) this.costs.set(siteId, TURN_MS);
    for (const [siteId, { ms, orders }] of time.bySite) {
      const cost = ms / orders;
      if (cost < SLOW_MS) {
        for (const known of [this.costs, this.suspects, this.accounts]) known.delete(siteId);
        continue;
      }
      const isSure = this.suspects.has(siteId) || left.some((cycle) => cycle.siteId === siteId);
      this.suspects.add(siteId);
      if (!isSure) continue;
      this.costs.set(siteId, cost);
      this.charge(this.owner(siteId), ms);
    }
  }

  /** Slow sites whose account is not known yet. */
  get withoutAccount(): number[] {
    return [...this.costs.keys()].filter((siteId) => !this.accounts.has(siteId));
  }

  belongs(siteId: number, accountId: number): void {
    this.accounts.set(siteId, accountId);
  }

  private owner(siteId: number): number {
    return this.accounts.get(siteId) ?? -siteId;
  }

  private charge(owner: number, ms: number): void {
    const used = (this.used.get(owner) ?? 0) + ms;
    this.used.set(owner, used);
    if (used < MOST_USED_MS) return;
    for (const [one, before] of this.used) {
      if (before < 1) this.used.delete(one);
      else this.used.set(one, before / 2);
    }
  }
}

/** Processor time by site. The clock on the wall would count what other processes of a busy machine take. */
export class PricingTime {
  readonly bySite = new Map<number, { readonly ms: number; readonly orders: number }>();
  private totalMs = 0;

  /** Nothing more is to be priced in this turn. */
  get isOver(): boolean {
    return this.totalMs >= TURN_MS;
  }

  measure<T>(siteId: number, price: () => T): T {
    const before = process.cpuUsage();
    const priced = price();
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1_000;
    const site = this.bySite.get(siteId) ?? { ms: 0, orders: 0 };
    this.bySite.set(siteId, { ms: site.ms + ms, orders: site.orders + 1 });
    this.totalMs += ms;
    return priced;
  }
}
