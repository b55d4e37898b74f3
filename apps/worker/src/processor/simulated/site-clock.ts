import type { KnownDatabase } from '#libs/entities';
import { leaveClock, stepClock } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';

/** Where a simulated site stands, after a step of its clock. */
export interface Step {
  readonly presentUtc: Date;
  /** An Advance goes on. */
  readonly advances: boolean;
  /** Cycles of it are leased: the clock stands. */
  readonly isBusy: boolean;
  /** Leases of dead workers have run out. */
  readonly hasExpired: boolean;
  readonly hasDue: boolean;
  readonly hasAgain: boolean;
  readonly hasProbe: boolean;
  readonly listens: boolean;
}

/** The clock of one simulated site, which this worker leads. */
export class SiteClock {
  constructor(
    private readonly pool: SqlExecutor,
    private readonly worker: string,
    private readonly leaseMs: number,
    private readonly database: { readonly known: KnownDatabase },
    readonly siteId: number,
  ) {}

  /** The next step, and a new lease. @returns null when another worker leads, or the site was deleted. */
  async step(processed: number): Promise<Step | null> {
    const claimant = { worker: this.worker, leaseMs: this.leaseMs, known: this.database.known };
    const row = await stepClock(this.pool, claimant, this.siteId, processed);
    if (row === null) return null;
    return {
      presentUtc: row.present_utc,
      advances: row.advances,
      isBusy: row.is_busy,
      hasExpired: row.has_expired,
      hasDue: row.has_due,
      hasAgain: row.has_again,
      hasProbe: row.has_probe,
      listens: row.listens,
    };
  }

  /** Any worker may lead from now on. @param processed cycles since the last step. */
  async leave(processed: number): Promise<void> {
    await leaveClock(this.pool, this.worker, this.siteId, processed);
  }
}
