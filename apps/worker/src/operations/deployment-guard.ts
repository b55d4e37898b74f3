import type pg from 'pg';
import type { Logger } from '#libs/config';
import { type Deployment, readDeployment } from '#libs/ledger';

const RECHECK_MS = 60_000;

/** Whether the database is the one that this worker may charge for; asked before every round (docs/processing.md). */
export class DeploymentGuard {
  private deployment: Deployment | null = null;
  private checkedAt = -Infinity;
  private said: string | null = null;

  constructor(
    private readonly pool: pg.Pool,
    private readonly configuredId: string | undefined,
    private readonly log: Logger,
    private readonly changed: (mayCharge: boolean) => void,
  ) {}

  async mayCharge(): Promise<boolean> {
    if (this.deployment?.refusal === null && performance.now() - this.checkedAt < RECHECK_MS) return true;
    const query = async (sql: string, parameters?: unknown[]) =>
      (await this.pool.query<Record<string, unknown>>(sql, parameters)).rows;
    this.deployment = await readDeployment(query, this.configuredId);
    this.checkedAt = performance.now();
    const { refusal } = this.deployment;
    if (refusal !== null && refusal !== this.said) this.log.error(refusal);
    if (refusal === null && this.said !== null) this.log.info('This database may be charged from again.');
    this.said = refusal;
    this.changed(refusal === null);
    return refusal === null;
  }

  get refusal(): string | null {
    return this.deployment?.refusal ?? null;
  }

  get keyPrefix(): string {
    return this.deployment!.keyPrefix;
  }

  get adoptedUtc(): Date | null {
    return this.deployment?.adoptedUtc ?? null;
  }
}
