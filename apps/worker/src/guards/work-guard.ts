import { Injectable } from '@nestjs/common';
import type { KnownDatabase } from '#libs/entities';
import { DeploymentGuard } from './deployment-guard.js';
import { VersionGuard } from './version-guard.js';

/** Whether this worker may work with this database: as its version, and as the database that it should be. */
@Injectable()
export class WorkGuard {
  constructor(
    private readonly version: VersionGuard,
    private readonly deployment: DeploymentGuard,
  ) {}

  /** Asked before every round; false for a copy. */
  async mayWork(): Promise<boolean> {
    return (await this.version.mayWork()) && (await this.deployment.mayCharge());
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
    return this.version.refusal ?? this.deployment.refusal;
  }

  /** A statement failed: it may be another database now. */
  trouble(isOtherDatabase: boolean): void {
    if (isOtherDatabase) this.deployment.distrust();
    else this.deployment.lookAgain();
  }
}
