import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { StepRow } from '#libs/ledger';
import type { Settings } from '#libs/platform';
import { Contention } from '../../database/contention.js';
import { reach } from '../../failpoints.js';
import { UpcomingNotices } from '../../outbox/upcoming-notices.js';
import { SETTINGS } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { BusyBatches } from '../charge/busy-batches.js';
import { CyclePipeline } from '../charge/cycle-pipeline.js';
import { Wakes } from '../charge/integrations/wakes.js';
import type { SiteClaims } from '../claim/claims.js';
import { Permission } from '../claim/permission.js';
import { LeasedBySite } from './leased-by-site.js';
import type { SiteClock } from './site-clock.js';

/** A worker leads a site for so long at a time: then those that have waited longer have their turn. */
const TURN_MS = 2_000;
/**
 * How often an occurrence is announced again that a request has locked, before the clock moves on without its notice.
 */
const MOST_ANNOUNCEMENTS = 10;
/** A site is looked at again after this while a request has its orders locked, or another worker its cycles. */
const BUSY_PAUSE_MS = 100;
/** Whether anything may be charged is looked at once a second: steps are short. */
const CHECK_EVERY_MS = 1_000;

/** What the turns of a worker share. */
@Injectable()
export class TurnParts {
  isStopped = false;
  /** The most simulated cycles in hand. */
  readonly batch: number;
  private mayChargeUntil = -Infinity;

  constructor(
    @Inject(SETTINGS) { claimBatch }: Settings,
    readonly permission: Permission,
    readonly pipeline: CyclePipeline,
    readonly busy: BusyBatches,
    readonly contention: Contention,
    readonly wakes: Wakes,
    readonly upcoming: UpcomingNotices,
    readonly leased: LeasedBySite,
    readonly events: WorkerEvents,
  ) {
    this.batch = claimBatch;
  }

  /** Every statement checks the database by itself, too. */
  async mayCharge(): Promise<boolean> {
    if (performance.now() < this.mayChargeUntil) return true;
    const may = await this.permission.mayCharge();
    if (may) this.mayChargeUntil = performance.now() + CHECK_EVERY_MS;
    return may;
  }
}

/** Leads the clock of one site, step by step, for a while. */
export class Turn {
  /** Cycles that it has claimed since the last step of the clock, which counts them. */
  uncounted = 0;
  private endMs = Infinity;

  constructor(
    private readonly clock: SiteClock,
    private readonly claims: SiteClaims,
    private readonly parts: TurnParts,
  ) {}

  /**
   * Until nothing is due and the clock stands, or the turn is over.
   * @param announcedUtc the clock's present, when its site listens: the worker that led it before may have died between
   * a step and its notices.
   * @returns false when nothing may be charged now, or a notice could not be given: then the site is left alone for a
   * while.
   */
  async take(announcedUtc: Date | null): Promise<boolean> {
    const { parts, clock } = this;
    let isAnnounced = announcedUtc === null || (await this.announce(announcedUtc));
    this.endMs = performance.now() + TURN_MS;
    while (!parts.isStopped && parts.permission.mayClaimDue && (await parts.mayCharge())) {
      const step = await clock.step(this.uncounted);
      this.uncounted = 0;
      if (step === null) return true;
      if (this.isOver()) return isAnnounced;
      await this.process(step);
      await parts.leased.none(clock.siteId);
      // What waited for an integration that works again is due at this step's present, not at the next one's.
      await parts.wakes.endOf(clock.siteId);
      isAnnounced = !step.listens || (await this.announce(step.presentUtc));
      const isDue = step.hasDue || step.hasAgain || step.hasProbe || step.hasExpired;
      if (!isDue && !step.isBusy && !step.advances) return isAnnounced;
      if (this.uncounted === 0 && (isDue || step.isBusy)) await pause(BUSY_PAUSE_MS);
    }
    return parts.isStopped;
  }

  private isOver(): boolean {
    return performance.now() >= this.endMs;
  }

  /** Before the clock moves on: what a request has locked for a moment is waited for. */
  private async announce(presentUtc: Date): Promise<boolean> {
    const { parts } = this;
    for (let tries = 0; tries < MOST_ANNOUNCEMENTS && !parts.isStopped; tries++) {
      if (await parts.upcoming.announceAt(this.clock.siteId, presentUtc)) return true;
      await pause(BUSY_PAUSE_MS);
    }
    return false;
  }

  private async process(step: StepRow): Promise<void> {
    const { claims } = this;
    if (step.hasExpired) await this.claimAll(claims.takeOver);
    if (step.hasProbe) await this.claimAll(claims.probes);
    if (step.hasAgain) await this.claimAll(claims.again);
    if (step.hasDue) await this.claimAll(claims.due);
  }

  /**
   * Claims while simulated cycles in hand are few: at most a batch for each site that it leads, so that real orders
   * always find room.
   */
  private async claimAll(claim: SiteClaims[keyof SiteClaims]): Promise<void> {
    const { parts } = this;
    const { pipeline, busy, contention, leased, batch, events } = parts;
    for (let isMore = true; isMore && !parts.isStopped && !this.isOver();) {
      const room = await leased.room(batch);
      await busy.until(() => busy.count < contention.batches || parts.isStopped);
      if (parts.isStopped) break;
      const claimed = await claim(room);
      const { length } = claimed;
      isMore = length === room;
      if (length > 0) reach('after-claim');
      leased.add(claimed);
      pipeline.take(claimed);
      if (length > 0) events.emit('claimed', claimed);
      this.uncounted += length;
    }
  }
}
