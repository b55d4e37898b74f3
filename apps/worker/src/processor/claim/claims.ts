import { Inject, Injectable } from '@nestjs/common';
import {
  claimAgain,
  claimAgainSimulated,
  type Claimant,
  type ClaimedRow,
  claimProbes,
  claimProbesSimulated,
  leftDueInMs,
  lockDue,
  lockDueSimulated,
  lockShares,
  nextDueInMs,
  nextExpiryInMs,
  readDueSites,
  takeOver,
  takeOverSimulated,
} from '#libs/ledger';
import { ConnectionPool, type Settings } from '#libs/platform';
import { DatabaseClock } from '../../database/clock.js';
import { DeploymentGuard } from '../../guards/deployment-guard.js';
import { SETTINGS, WORKER_ID } from '../../tokens.js';
import { type LeasedCycle, leasedCycleOf } from '../cycle/cycle.js';
import { tracedClaim } from '../cycle/traces.js';
import { AtOnce } from './at-once.js';
import { DueClaims } from './due-claims.js';
import type { Watermark } from './watermark.js';

/** The part of a batch that one site may get. */
export interface Share {
  readonly siteId: number;
  readonly take: number;
  readonly after: Watermark;
}

/** The claims of one simulated site. */
export type SiteClaims = Readonly<
  Record<'due' | 'again' | 'probes' | 'takeOver', (limit: number) => Promise<LeasedCycle[]>>
>;

/**
 * How far the database's clock may be ahead of what is believed: its readings are seconds old at most, and an answer
 * takes its time.
 */
const SLOW_ANSWER_MS = 10_000;

/** The claims of a worker. Each is a transaction of its own. */
@Injectable()
export class Claims {
  private readonly leaseMs: number;
  private readonly dueClaims: DueClaims;

  constructor(
    private readonly pool: ConnectionPool,
    @Inject(WORKER_ID) private readonly worker: string,
    @Inject(SETTINGS) { claimLeaseMs }: Pick<Settings, 'claimLeaseMs'>,
    @Inject(DeploymentGuard) private readonly guard: Pick<DeploymentGuard, 'known'>,
    @Inject(AtOnce) atOnce: AtOnce | null = null,
    /** The database's clock as it was believed last; null: it is not watched. */
    @Inject(DatabaseClock) private readonly clock: Pick<DatabaseClock, 'now'> | null = null,
  ) {
    this.leaseMs = claimLeaseMs;
    const now = clock && (() => clock.now());
    this.dueClaims = new DueClaims(pool, worker, claimLeaseMs, () => guard.known, atOnce, now);
  }

  due(limit: number, after: Watermark): Promise<LeasedCycle[]> {
    return this.dueClaims.begin((tx, locking) => lockDue(tx, locking, limit, after));
  }

  shares(shares: readonly Share[]): Promise<LeasedCycle[]> {
    const rows = shares.map(({ siteId, take, after }) => ({
      site_id: siteId,
      take,
      after_utc: after.dueUtc,
      after_id: after.scheduledOrderId,
    }));
    return this.dueClaims.begin((tx, locking) => lockShares(tx, locking, rows));
  }

  again(limit: number, exceptSites: readonly number[]): Promise<LeasedCycle[]> {
    return this.claim((claimant) => claimAgain(this.pool, claimant, limit, exceptSites));
  }

  /** One waiting cycle of each integration that is to be probed now. */
  probes(limit: number): Promise<LeasedCycle[]> {
    return this.claim((claimant) => claimProbes(this.pool, claimant, limit));
  }

  takeOver(limit: number): Promise<LeasedCycle[]> {
    return this.claim((claimant) => takeOver(this.pool, claimant, limit));
  }

  /** The same of a simulated site, whose clock this worker leads. */
  ofSite(siteId: number): SiteClaims {
    const { pool, worker } = this;
    return {
      due: (limit) => this.dueClaims.begin((tx, locking) => lockDueSimulated(tx, locking, { limit, siteId, worker })),
      again: (limit) => this.claim((claimant) => claimAgainSimulated(pool, claimant, limit, siteId)),
      probes: (limit) => this.claim((claimant) => claimProbesSimulated(pool, claimant, limit, siteId)),
      takeOver: (limit) => this.claim((claimant) => takeOverSimulated(pool, claimant, limit, siteId)),
    };
  }

  dueSites(): Promise<number[]> {
    return readDueSites(this.pool);
  }

  /**
   * Milliseconds until the next order, try or probe after `lookedUtc`; negative when it is due already, null when there
   * is none.
   */
  nextDueInMs(lookedUtc: Date): Promise<number | null> {
    return nextDueInMs(this.pool, lookedUtc);
  }

  /**
   * The same for the next order after `floor`, and for any try or probe: 0 or less when something may be left to claim.
   */
  leftDueInMs(floor: Date): Promise<number | null> {
    return leftDueInMs(this.pool, floor);
  }

  /** Milliseconds until a lease of another worker may run out; null when there is none. */
  nextExpiryInMs(): Promise<number | null> {
    return nextExpiryInMs(this.pool, this.worker);
  }

  private get latestUtc(): Date | null {
    return this.clock && new Date(this.clock.now().getTime() + SLOW_ANSWER_MS);
  }

  private claim(claim: (claimant: Claimant) => Promise<ClaimedRow[]>): Promise<LeasedCycle[]> {
    return tracedClaim(async () => {
      // The lease counts from before the statement. So the lease in the database lasts at least as long as here.
      const claimedAt = performance.now();
      const { worker, leaseMs, latestUtc } = this;
      const rows = await claim({ worker, leaseMs, known: this.guard.known, latestUtc });
      return rows.map((row) => leasedCycleOf(row, claimedAt, this.leaseMs));
    });
  }
}
