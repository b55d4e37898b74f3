import { Inject, Injectable } from '@nestjs/common';
import { countClocks, leadClocks, type LedRow, renewClocks } from '#libs/ledger';
import { ConnectionPool, isOtherDatabase, type Logger, type Settings } from '#libs/platform';
import { Alarm } from '../../alarm.js';
import { WorkGuard } from '../../guards/work-guard.js';
import { LOG, SETTINGS, WORKER_ID } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { Claims } from '../claim/claims.js';
import { SiteClock } from './site-clock.js';
import { Turn, TurnParts } from './turn.js';

/** Sites whose clocks one worker leads at once. */
const SITES_AT_ONCE = 4;
const RENEWALS_PER_LEASE = 3;
/** After trouble with a site, or while nothing may be charged. */
const TROUBLE_PAUSE_MS = 5_000;
/** The soonest and the latest look for leases of dead workers, while there is a test clock. */
const SOONEST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 60_000;

/**
 * Leads the clocks of simulated sites: everything that is due at a clock's present is processed, by the same steps as
 * real orders; then, during an Advance, the clock moves to what comes next (docs/testing.md). One worker leads a site,
 * under a lease by the real clock.
 */
@Injectable()
export class Simulation {
  /** The sites that this worker leads, until there is nothing more to do. */
  private readonly led = new Map<number, Promise<void>>();
  private look: Promise<void> | null = null;
  private runsAgain = false;
  private readonly alarm = new Alarm(() => this.wake());
  /** Sites that are left alone for a while, and until when. */
  private readonly troubled = new Map<number, number>();
  private renewal: NodeJS.Timeout | null = null;

  private readonly leaseMs: number;

  constructor(
    private readonly pool: ConnectionPool,
    @Inject(WORKER_ID) private readonly worker: string,
    @Inject(SETTINGS) { claimLeaseMs }: Settings,
    private readonly claims: Claims,
    private readonly guard: WorkGuard,
    private readonly turns: TurnParts,
    events: WorkerEvents,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.leaseMs = claimLeaseMs;
    for (const name of ['clocks', 'listening', 'placed', 'recordingAgain'] as const) events.on(name, () => this.wake());
    events.on('left', (_, cycles) => turns.leased.remove(cycles));
  }

  /** From now on it looks by itself, too. */
  start(): void {
    this.alarm.start();
    this.wake();
  }

  /** Looks for sites that have something to do. */
  wake(): void {
    if (this.turns.isStopped) return;
    if (this.look) {
      this.runsAgain = true;
      return;
    }
    this.runsAgain = false;
    this.look = this.lookOnce().finally(() => {
      this.look = null;
      if (this.runsAgain) this.wake();
    });
  }

  /** Until no site has anything to do. */
  async drain(): Promise<void> {
    this.wake();
    while (this.look !== null || this.led.size > 0) await Promise.all([this.look, ...this.led.values()]);
  }

  async stop(): Promise<void> {
    this.turns.isStopped = true;
    this.alarm.stop();
    await this.look;
    await Promise.all(this.led.values());
  }

  private async lookOnce(): Promise<void> {
    const { pool } = this;
    try {
      const { clocks, expiresInMs: ms } = await countClocks(pool, this.worker);
      if (clocks === 0 || this.turns.isStopped) return;
      // A leader that dies is not heard of: its lease runs out.
      this.alarm.setIn(ms === null ? LONGEST_LOOK_MS : Math.min(Math.max(ms, SOONEST_LOOK_MS), LONGEST_LOOK_MS));
      const others = [...this.leftAlone(), ...this.led.keys()];
      const room = SITES_AT_ONCE - this.led.size;
      if (room === 0 || !(await this.turns.permission.mayCharge())) return;
      const claimant = { worker: this.worker, leaseMs: this.leaseMs, known: this.guard.known };
      for (const led of await leadClocks(pool, claimant, room, others)) this.begin(led);
    } catch (error) {
      this.guard.trouble(isOtherDatabase(error));
      this.log.debug({ err: error }, 'Test clocks could not be looked at.');
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

  private begin(led: LedRow): void {
    const { siteId } = led;
    const done = this.lead(siteId, led).then((isDone) => {
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
    const { worker, leaseMs } = this;
    await renewClocks(this.pool, { worker, leaseMs }, [...this.led.keys()]).catch(() => undefined);
  }

  /** For one turn. @returns false when the site is to be left alone for a while. */
  private async lead(siteId: number, { presentUtc, listens }: LedRow): Promise<boolean> {
    const { pool, claims, log } = this;
    const clock = new SiteClock(pool, this.worker, this.leaseMs, this.guard, siteId);
    const turn = new Turn(clock, claims.ofSite(siteId), this.turns);
    try {
      return await turn.take(listens ? presentUtc : null);
    } catch (error) {
      this.guard.trouble(isOtherDatabase(error));
      log.warn({ err: error, siteId }, 'The orders of a simulated site could not be processed.');
      return false;
    } finally {
      await this.turns.leased.none(siteId);
      await clock.leave(turn.uncounted).catch(() => undefined);
    }
  }
}
