import type { KnownDatabase } from '#libs/entities';
import { leaveClock, stepClock, type StepRow } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';

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
  step(processed: number): Promise<StepRow | null> {
    const claimant = { worker: this.worker, leaseMs: this.leaseMs, known: this.database.known };
    return stepClock(this.pool, claimant, this.siteId, processed);
  }

  /** Any worker may lead from now on. @param processed cycles since the last step. */
  async leave(processed: number): Promise<void> {
    await leaveClock(this.pool, this.worker, this.siteId, processed);
  }
}
