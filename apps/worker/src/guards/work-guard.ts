import { Inject, Injectable } from '@nestjs/common';
import { type KnownDatabase, MINIMUM_VERSION, outdatedBecause } from '#libs/entities';
import { ConnectionPool, type Logger } from '#libs/platform';
import { LOG } from '../tokens.js';
import { DeploymentGuard } from './deployment-guard.js';

/**
 * Whether this worker may work with this database: the database still allows its version (docs/operations.md, New
 * versions), and is the one that it should be.
 */
@Injectable()
export class WorkGuard {
  /** A sentence while the database does not allow this version. */
  private outdated: string | null = null;
  private checking: Promise<boolean> | null = null;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly deployment: DeploymentGuard,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Asked before every round; false for a copy. Processor and dispatcher share one check. */
  async mayWork(): Promise<boolean> {
    this.checking ??= this.allowsVersion().finally(() => (this.checking = null));
    return (await this.checking) && (await this.deployment.mayCharge());
  }

  private async allowsVersion(): Promise<boolean> {
    const [row] = await this.pool.execute<{ minimum: number }>(MINIMUM_VERSION.text);
    const outdated = outdatedBecause(row!.minimum);
    if (outdated !== null && this.outdated === null) this.log.error(`${outdated} Nothing is claimed.`);
    if (outdated === null && this.outdated !== null) this.log.info('The database allows this version again.');
    this.outdated = outdated;
    return outdated === null;
  }

  /** The database as it was last seen. */
  get known(): KnownDatabase {
    return this.deployment.known;
  }

  /** The latest look allowed it, and nothing has cast doubt on that since. */
  get isTrusted(): boolean {
    return this.refusal === null && this.deployment.isTrusted;
  }

  /** Why the latest round could not begin; null when it could. */
  get refusal(): string | null {
    return this.outdated ?? this.deployment.refusal;
  }

  /** A statement failed: it may be another database now. */
  trouble(isOtherDatabase: boolean): void {
    if (isOtherDatabase) this.deployment.distrust();
    else this.deployment.lookAgain();
  }
}
