import { Inject, Injectable } from '@nestjs/common';
import { ConnectionPool, type Settings } from '#libs/platform';
import { DatabaseClock } from '../database/clock.js';
import { SETTINGS } from '../tokens.js';
import { Claims } from './claim/claims.js';
import { DueFloor } from './claim/due-floor.js';
import { Permission } from './claim/permission.js';
import { SiteTurns } from './claim/site-turns.js';
import { Intake } from './intake.js';

/** How often a long round looks for everything else that is due, besides its backlog. */
const LOOK_AGAIN_MS = 1_000;

/** What a round does: it claims all that is due. `Rounds` knows when there is one. */
@Injectable()
export class Processor {
  private readonly leaseMs: number;
  private takeOverAt = 0;

  constructor(
    @Inject(SETTINGS) { claimLeaseMs }: Settings,
    private readonly pool: ConnectionPool,
    private readonly clock: DatabaseClock,
    private readonly permission: Permission,
    private readonly claims: Claims,
    private readonly turns: SiteTurns,
    private readonly floor: DueFloor,
    private readonly intake: Intake,
  ) {
    this.leaseMs = claimLeaseMs;
  }

  /**
   * A round, unless one look shows that nothing has fallen due since the last one, and nothing was left by it. @returns
   * as `round`.
   */
  async tick(): Promise<number> {
    const { date } = this.floor;
    if (date === null || performance.now() >= this.takeOverAt || !(await this.permission.mayCharge()))
      return this.round();
    const nextDueInMs = await this.claims.leftDueInMs(date);
    return nextDueInMs !== null && nextDueInMs <= 0 ? this.round() : this.nextLookMs(nextDueInMs);
  }

  /**
   * Claims until nothing more is due. Once a second it begins anew, whatever the backlog is: leases of dead workers,
   * then probes; after them, in turn, a batch of tries and a batch of due orders.
   * @returns after how many milliseconds the next round begins at the latest, even without a notification.
   */
  async round(): Promise<number> {
    const { claims, turns, clock, intake } = this;
    intake.begin();
    let [hasTries, hasDue] = [true, true];
    let [lookAt, lookedUtc] = [-Infinity, clock.now()];
    while ((hasTries || hasDue) && !intake.isStopped) {
      if (performance.now() >= lookAt) {
        // This comes before any gateway call, because the gateway's clock is compared with this one.
        lookedUtc = await clock.read(this.pool);
        if (!(await this.permission.mayCharge())) return Infinity;
        await this.takeOver();
        await intake.claimAll((limit) => claims.probes(limit));
        [hasTries, hasDue] = [true, this.permission.mayClaimDue];
        lookAt = performance.now() + LOOK_AGAIN_MS;
      }
      if (hasTries) hasTries = (await intake.claim((limit) => turns.again(limit))) > 0;
      if (hasDue) hasDue = (await intake.claim((limit) => turns.due(limit))) > 0;
    }
    // Orders that fell due after this round's last look may be leased, or were not seen.
    return this.nextLookMs(await claims.nextDueInMs(lookedUtc));
  }

  /** Takes over leases of dead workers. It looks for them when one may have run out. */
  private async takeOver(): Promise<void> {
    if (performance.now() < this.takeOverAt) return;
    await this.intake.claimAll((limit) => this.claims.takeOver(limit));
    const nextMs = (await this.claims.nextExpiryInMs()) ?? this.leaseMs;
    // Leases that have run out already could not be taken over (no room, or the row is locked), or have only just run
    // out.
    this.takeOverAt = performance.now() + (nextMs <= 0 ? LOOK_AGAIN_MS : Math.min(nextMs, this.leaseMs));
  }

  private nextLookMs(nextDueInMs: number | null): number {
    return Math.min(nextDueInMs ?? Infinity, this.takeOverAt - performance.now(), this.floor.sweepInMs);
  }
}
