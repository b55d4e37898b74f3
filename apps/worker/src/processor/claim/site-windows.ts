import type { Settings } from '#libs/platform';
import type { LeasedCycle } from '../cycle/cycle.js';

const QUICK_MS = 2_000;
const SLOW_MS = 5_000;
/** A site's window begins at twice the gateway's concurrency: enough to keep its queue busy. */
const WINDOW_PER_CONCURRENCY = 2;
/** Where the gateways' concurrency is small, it begins at a batch, but at no more than this. */
const LARGEST_BATCH_WINDOW = 50;
const LARGEST_WINDOW = 10_000;

interface SiteWindow {
  leased: number;
  /** How many cycles of the site may be in progress at once. */
  window: number;
  /** Cycles that ended quickly since the window grew. */
  quick: number;
  shrunkAt: number;
}

/**
 * Limits how many cycles of each site a worker has in progress. A site whose charges are slow fills its window and
 * waits, without delaying the others. Where charges are quick, the window doubles, as in TCP.
 */
export class SiteWindows {
  private readonly sites = new Map<number, SiteWindow>();
  private readonly full = new Set<number>();

  constructor(
    private readonly smallest: number,
    private readonly largest: number,
  ) {}

  /** With the windows that fit the worker's settings. */
  static fromSettings({
    gatewayConcurrency,
    claimBatch,
  }: Pick<Settings, 'gatewayConcurrency' | 'claimBatch'>): SiteWindows {
    return new SiteWindows(
      Math.max(gatewayConcurrency * WINDOW_PER_CONCURRENCY, Math.min(claimBatch, LARGEST_BATCH_WINDOW)),
      LARGEST_WINDOW,
    );
  }

  /** Sites that get no more cycles until some of their cycles have ended. */
  get saturated(): readonly number[] {
    return [...this.full];
  }

  room(siteId: number): number {
    const site = this.sites.get(siteId);
    return site ? Math.max(0, site.window - site.leased) : this.smallest;
  }

  add(cycles: readonly LeasedCycle[]): void {
    for (const { siteId } of cycles) {
      const site = this.siteOf(siteId);
      site.leased += 1;
      if (site.leased >= site.window) this.full.add(siteId);
    }
  }

  /** @returns whether a site that had no room has some again. */
  remove(cycles: readonly LeasedCycle[], now: number): boolean {
    for (const { siteId, claimedAt } of cycles) {
      const site = this.siteOf(siteId);
      site.leased -= 1;
      const tookMs = now - claimedAt;
      if (tookMs < QUICK_MS) site.quick += 1;
      else if (tookMs > SLOW_MS && now - site.shrunkAt > SLOW_MS) {
        site.window = Math.max(this.smallest, site.window >> 1);
        site.shrunkAt = now;
        site.quick = 0;
        if (site.leased >= site.window) this.full.add(siteId);
      }
      if (site.quick >= site.window && site.window < this.largest) {
        site.quick -= site.window;
        site.window = Math.min(this.largest, site.window * 2);
      }
    }
    return this.release();
  }

  private release(): boolean {
    let released = false;
    for (const siteId of this.full) {
      const site = this.siteOf(siteId);
      if (site.leased > site.window / 2) continue;
      this.full.delete(siteId);
      released = true;
    }
    return released;
  }

  private siteOf(siteId: number): SiteWindow {
    let site = this.sites.get(siteId);
    if (!site) {
      site = { leased: 0, window: this.smallest, quick: 0, shrunkAt: 0 };
      this.sites.set(siteId, site);
    }
    return site;
  }
}
