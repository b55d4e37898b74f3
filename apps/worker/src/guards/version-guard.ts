import { Inject, Injectable } from '@nestjs/common';
import { MINIMUM_VERSION, outdatedBecause } from '#libs/entities';
import { ConnectionPool, type Logger } from '#libs/platform';
import { LOG } from '../tokens.js';

/**
 * Checks before every round whether the database still allows this version of the worker (docs/operations.md, New
 * versions).
 */
@Injectable()
export class VersionGuard {
  /** A sentence while it does not allow it. */
  refusal: string | null = null;
  private checking: Promise<boolean> | null = null;

  constructor(
    private readonly pool: ConnectionPool,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Processor and dispatcher ask at the same time: they share one check. */
  mayWork(): Promise<boolean> {
    this.checking ??= this.check().finally(() => (this.checking = null));
    return this.checking;
  }

  private async check(): Promise<boolean> {
    const [row] = await this.pool.execute<{ minimum: number }>(MINIMUM_VERSION.text);
    const refusal = outdatedBecause(row!.minimum);
    if (refusal !== null && this.refusal === null) this.log.error(`${refusal} Nothing is claimed.`);
    if (refusal === null && this.refusal !== null) this.log.info('The database allows this version again.');
    this.refusal = refusal;
    return refusal === null;
  }
}
