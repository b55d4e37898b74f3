import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '#libs/config';
import { CLOCKS, LEAD_CLOCKS, RENEW_CLOCKS } from '#libs/cycles';
import { isOtherDatabase } from '#libs/database';
import type { KnownDatabase } from '#libs/entities';
import { reach } from '../../failpoints.js';
import { Alarm } from '../../operations/alarm.js';
import type { Wakes } from '../charge/wakes.js';
import type { SiteClaims } from '../claim/claims.js';
import type { LeasedCycle } from '../cycle.js';
import type { ClaimingParts } from '../processor.js';
import type { Recorded } from '../record/recorder.js';
import { LeasedBySite } from './leased-by-site.js';
import { onlyReal } from './only-real.js';
import { SiteClock, type Step } from './site-clock.js';

/** Sites whose clocks one worker leads at once. */
const SITES_AT_ONCE = 4;
/** A site is looked at again after this while a request has its orders locked, or another worker its cycles. */
const BUSY_PAUSE_MS = 100;
const RENEWALS_PER_LEASE = 3;
const CHECK_EVERY_MS = 1_000;
/** After trouble with a site, or while nothing may be charged. */
const TROUBLE_PAUSE_MS = 5_000;
/** The latest look for leases of dead workers, while there is a test clock. */
const LONGEST_LOOK_MS = 60_000;

/** Announces what is within its notice by the clock of a simulated site. */
interface Announcer {
  announceAt(siteId: number, presentUtc: Date): Promise<void>;
}

/**
 * Leads the clocks of simulated sites: everything that is due at a clock's present is processed, by the same steps as real orders; then, during an
 * Advance, the clock moves to what comes next (docs/testing.md). One worker leads a site, under a lease by the real clock.
 */
export class Simulation {
  private readonly leased = new LeasedBySite();
  /** The sites that this worker leads, until there is nothing more to do. */
  private readonly led = new Map<number, Promise<void>>();
  private look: Promise<void> | null = null;
  private isAskedAgain = false;
  private mayChargeUntil = -Infinity;
  private isStopped = false;
  private readonly alarm = new Alarm(() => this.wake());
  /** Sites that are left alone for a while, and until when. */
  private readonly troubled = new Map<number, number>();
  private renewal: NodeJS.Timeout | null = null;

  private readonly leaseMs: number;
  private readonly batch: number;

  constructor(
    private readonly worker: string,
    { claimLeaseMs, claimBatch }: Pick<Settings, 'claimLeaseMs' | 'claimBatch'>,
    private readonly upcoming: Announcer,
    private readonly known: () => KnownDatabase,
    private readonly parts: ClaimingParts & { readonly wakes: Wakes },
  ) {
    this.leaseMs = claimLeaseMs;
    this.batch = claimBatch;
  }

  /** From now on it looks by itself, too. */
  start(): void {
    this.alarm.start();
    this.wake();
  }

  /** Call it with what was recorded, or left to others. @returns what is of real sites. */
  finished(recorded: Recorded, cycles: readonly LeasedCycle[]): ReturnType<typeof onlyReal> {
    this.leased.remove(cycles);
    return onlyReal(recorded, cycles);
  }

  /** Looks for sites that have something to do. */
  wake(): void {
    if (this.isStopped) return;
    if (this.look) {
      this.isAskedAgain = true;
      return;
    }
    this.isAskedAgain = false;
    this.look = this.lookOnce().finally(() => {
      this.look = null;
      if (this.isAskedAgain) this.wake();
    });
  }

  /** Until no site has anything to do. */
  async drain(): Promise<void> {
    this.wake();
    while (this.look !== null || this.led.size > 0) await Promise.all([this.look, ...this.led.values()]);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.alarm.stop();
    await this.look;
    await Promise.all(this.led.values());
  }

  private async lookOnce(): Promise<void> {
    const { pool, mayCharge } = this.parts;
    try {
      const { clocks, expires_in_ms: ms } = await this.count();
      if (clocks === 0 || this.isStopped) return;
      // A leader that dies is not heard of: its lease runs out.
      this.alarm.setIn(ms === null ? LONGEST_LOOK_MS : Math.min(Math.max(Number(ms), BUSY_PAUSE_MS), LONGEST_LOOK_MS));
      const others = [...this.leftAlone(), ...this.led.keys()];
      const room = SITES_AT_ONCE - this.led.size;
      if (room === 0 || !(await mayCharge())) return;
      const { generation, lsn } = this.known();
      const values = [this.worker, this.leaseMs, generation, lsn, room, others];
      const sites = await pool.execute<{ site_id: string }>(LEAD_CLOCKS, values);
      for (const { site_id } of sites) this.begin(Number(site_id));
    } catch (error) {
      this.parts.onTrouble(isOtherDatabase(error));
      this.parts.log.debug({ err: error }, 'Test clocks could not be looked at.');
      this.alarm.setIn(LONGEST_LOOK_MS);
    }
  }

  /** What cannot be done now is not tried again at once, whoever wakes; the alarm wakes for the first of it. */
  private leftAlone(): number[] {
    const nowMs = performance.now();
    for (const [siteId, until] of this.troubled) if (nowMs >= until) this.troubled.delete(siteId);
    if (this.troubled.size > 0) this.alarm.setIn(Math.min(...this.troubled.values()) - nowMs + 1);
    return [...this.troubled.keys()];
  }

  private begin(siteId: number): void {
    const done = this.lead(siteId).then((isDone) => {
      this.led.delete(siteId);
      if (this.led.size === 0 && this.renewal) {
        clearInterval(this.renewal);
        this.renewal = null;
      }
      if (!isDone) this.troubled.set(siteId, performance.now() + TROUBLE_PAUSE_MS);
      // There is room for another one.
      this.wake();
    });
    this.led.set(siteId, done);
    this.renewal ??= setInterval(() => void this.renew(), this.leaseMs / RENEWALS_PER_LEASE);
  }

  private async renew(): Promise<void> {
    const values = [this.leaseMs, this.worker, [...this.led.keys()]];
    await this.parts.pool.execute(RENEW_CLOCKS, values).catch(() => undefined);
  }

  /** @returns false when it ended before there was nothing more to do. */
  private async lead(siteId: number): Promise<boolean> {
    const { pool, claims, log } = this.parts;
    const clock = new SiteClock(pool, this.worker, this.leaseMs, this.known, siteId);
    try {
      return await this.follow(clock, claims.ofSite(siteId));
    } catch (error) {
      this.parts.onTrouble(isOtherDatabase(error));
      log.warn({ err: error, siteId }, 'The orders of a simulated site could not be processed.');
      return false;
    } finally {
      await this.leased.none(siteId);
      await clock.leave().catch(() => undefined);
    }
  }

  /** Step by step, until nothing is due and the clock stands. */
  private async follow(clock: SiteClock, claims: SiteClaims): Promise<boolean> {
    let processed = 0;
    while (!this.isStopped && this.parts.mayClaimDue() && (await this.mayStillCharge())) {
      const step = await clock.step(processed);
      if (step === null) return true;
      processed = await this.process(step, claims);
      await this.leased.none(clock.siteId);
      // What waited for an integration that works again is due at this step's present, not at the next one's.
      await this.parts.wakes.endOf(clock.siteId);
      if (step.listens) await this.upcoming.announceAt(clock.siteId, step.presentUtc);
      const isDue = step.hasDue || step.hasAgain || step.hasProbe || step.hasExpired;
      if (!isDue && !step.isBusy && !step.advances) return true;
      if (processed === 0 && (isDue || step.isBusy)) await pause(BUSY_PAUSE_MS);
    }
    return this.isStopped;
  }

  /** Asked once a second: steps are short. Every statement checks the database by itself. */
  private async mayStillCharge(): Promise<boolean> {
    if (performance.now() < this.mayChargeUntil) return true;
    const may = await this.parts.mayCharge();
    if (may) this.mayChargeUntil = performance.now() + CHECK_EVERY_MS;
    return may;
  }

  /** @returns how many cycles it has claimed. */
  private async process(step: Step, claims: SiteClaims): Promise<number> {
    let count = 0;
    if (step.hasExpired) count += await this.claimAll(claims.takeOver);
    if (step.hasProbe) count += await this.claimAll(claims.probes);
    if (step.hasAgain) count += await this.claimAll(claims.again);
    if (step.hasDue) count += await this.claimAll(claims.due);
    return count;
  }

  /** Claims while simulated cycles in hand are few: at most a batch for each site that it leads, so that real orders always find room. */
  private async claimAll(claim: SiteClaims[keyof SiteClaims]): Promise<number> {
    const { pipeline, batches, onClaimed } = this.parts;
    let count = 0;
    for (let isMore = true; isMore && !this.isStopped;) {
      const room = await this.leased.room(this.batch);
      await pipeline.until(() => pipeline.busy < batches() || this.isStopped);
      if (this.isStopped) break;
      const claimed = await claim(room);
      const { length } = claimed;
      isMore = length === room;
      if (length > 0) reach('after-claim');
      this.leased.add(claimed);
      pipeline.take(claimed);
      if (length > 0) onClaimed(claimed);
      count += length;
    }
    return count;
  }

  private async count(): Promise<{ clocks: number; expires_in_ms: string | null }> {
    const [row] = await this.parts.pool.execute<{ clocks: number; expires_in_ms: string | null }>(CLOCKS, [
      this.worker,
    ]);
    return row!;
  }
}
