import { Inject, Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../database/clock.js';
import type { LeasedCycle } from '../cycle/cycle.js';
import { Claims, type Share } from './claims.js';
import { DueFloor } from './due-floor.js';
import { SiteWindows } from './site-windows.js';
import { FROM_THE_START, type Watermark } from './watermark.js';

/** The list of due sites is read again after so many batches, unless reading it takes long. */
const BATCHES_PER_LIST = 5;
const LIST_COST_FACTOR = 20;

interface DueSite {
  readonly siteId: number;
  after: Watermark;
}

/**
 * Decides what to claim next. While a batch takes all due orders, they are claimed in the order in which they fell due.
 * When more than a batch is due, or a site has as many cycles in progress as it may have, the sites take turns: none
 * waits for another's backlog, and each gets its oldest orders first.
 */
@Injectable()
export class SiteTurns {
  /** The last occurrence that was claimed in order; null when the next claim begins a look of its own. */
  private watermark: Watermark | null = null;
  private isBacklog = false;
  private sites: DueSite[] = [];
  private batchesSinceList = Infinity;
  private listReadAt = -Infinity;
  private listCostMs = 0;

  constructor(
    private readonly claims: Claims,
    private readonly windows: SiteWindows,
    private readonly floor: DueFloor,
    @Inject(DatabaseClock) private readonly clock: Pick<DatabaseClock, 'now'>,
  ) {}

  /** Cycles whose next try has come, but for sites that have as many in progress as they may have. */
  again(limit: number): Promise<LeasedCycle[]> {
    return this.claims.again(limit, this.windows.saturated);
  }

  /** The next batch of due orders; empty when none may be claimed now. */
  async due(limit: number): Promise<LeasedCycle[]> {
    const claimed = await this.claim(limit);
    this.floor.found(claimed.map(({ dueUtc }) => dueUtc));
    return claimed;
  }

  private async claim(limit: number): Promise<LeasedCycle[]> {
    if (!this.isBacklog && this.windows.saturated.length === 0) {
      const claimed = await this.inOrder(limit);
      this.isBacklog = claimed.length === limit;
      return claimed;
    }
    await this.listSites();
    if (this.sites.length === 1 && this.windows.saturated.length === 0) {
      this.batchesSinceList += 1;
      const claimed = await this.inOrder(limit);
      this.isBacklog = claimed.length === limit;
      return claimed;
    }
    return this.inTurns(limit);
  }

  private async inOrder(limit: number): Promise<LeasedCycle[]> {
    if (this.watermark !== null) {
      const claimed = await this.claims.due(limit, this.watermark);
      this.watermark = claimed.length > 0 ? latest(claimed, this.watermark) : null;
      if (claimed.length > 0) return claimed;
    }
    const look = this.floor.begin(this.clock.now());
    const claimed = await this.claims.due(limit, look.from);
    if (claimed.length > 0) this.watermark = latest(claimed, look.from);
    else this.floor.foundNothing(look);
    return claimed;
  }

  /**
   * Tries site after site until one has due orders. At the end of the list it is read once more, from the start of each
   * site.
   */
  private async inTurns(limit: number): Promise<LeasedCycle[]> {
    let isFresh = false;
    for (;;) {
      const shares = this.nextShares(limit);
      if (shares.length > 0) {
        this.batchesSinceList += 1;
        const claimed = await this.claims.shares(shares);
        this.moveOn(shares, claimed);
        if (claimed.length > 0) return claimed;
      } else if (isFresh) {
        this.isBacklog = false;
        return [];
      } else {
        this.sites = [];
        await this.listSites(true);
        isFresh = true;
      }
    }
  }

  private nextShares(limit: number): Share[] {
    const open = this.sites.filter(({ siteId }) => this.windows.room(siteId) > 0);
    const shares: Share[] = [];
    let left = limit;
    for (const [index, site] of open.entries()) {
      if (left === 0) break;
      const take = Math.min(Math.ceil(left / (open.length - index)), this.windows.room(site.siteId));
      shares.push({ siteId: site.siteId, take, after: site.after });
      left -= take;
    }
    return shares;
  }

  /** Served sites go to the end of the list; those with fewer orders than their share have no more. */
  private moveOn(shares: readonly Share[], claimed: readonly LeasedCycle[]): void {
    const bySite = new Map<number, LeasedCycle[]>();
    for (const cycle of claimed) {
      const known = bySite.get(cycle.siteId);
      if (known) known.push(cycle);
      else bySite.set(cycle.siteId, [cycle]);
    }
    const served = new Map(shares.map((share) => [share.siteId, share]));
    const rest = this.sites.filter(({ siteId }) => !served.has(siteId));
    for (const site of this.sites) {
      const share = served.get(site.siteId);
      const got = bySite.get(site.siteId) ?? [];
      if (!share || got.length < share.take) continue;
      site.after = latest(got, site.after);
      rest.push(site);
    }
    this.sites = rest;
  }

  private async listSites(isNeeded = false): Promise<void> {
    const now = performance.now();
    const isOld =
      this.batchesSinceList >= BATCHES_PER_LIST && now - this.listReadAt >= this.listCostMs * LIST_COST_FACTOR;
    if (!isOld && !isNeeded) return;
    const known = new Map(this.sites.map((site) => [site.siteId, site]));
    const siteIds = await this.claims.dueSites();
    this.sites = siteIds.map((siteId) => known.get(siteId) ?? { siteId, after: FROM_THE_START });
    this.listReadAt = performance.now();
    this.listCostMs = this.listReadAt - now;
    this.batchesSinceList = 0;
  }
}

/** The latest of `watermark` and the occurrences of `claimed`. */
function latest(claimed: readonly LeasedCycle[], watermark: Watermark): Watermark {
  return claimed.reduce<Watermark>(
    (furthest, { dueUtc, scheduledOrderId }) =>
      dueUtc > furthest.dueUtc || (+dueUtc === +furthest.dueUtc && scheduledOrderId > furthest.scheduledOrderId)
        ? { dueUtc, scheduledOrderId }
        : furthest,
    watermark,
  );
}
