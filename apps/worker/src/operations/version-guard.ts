import type pg from 'pg';
import type { Logger } from '#libs/config';
import { MINIMUM_VERSION, outdatedBecause } from '#libs/entities';

/** Checks before every round whether the database still allows this version of the worker (docs/operations.md, New versions). */
export class VersionGuard {
  /** A sentence while it does not allow it. */
  refusal: string | null = null;

  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly log: Logger,
  ) {}

  async mayWork(): Promise<boolean> {
    const { rows } = await this.pool.query<{ minimum: number }>(MINIMUM_VERSION.text);
    const refusal = outdatedBecause(rows[0]!.minimum);
    if (refusal !== null && this.refusal === null) this.log.error(`${refusal} Nothing is claimed.`);
    if (refusal === null && this.refusal !== null) this.log.info('The database allows this version again.');
    this.refusal = refusal;
    return refusal === null;
  }
}
