import type pg from 'pg';
import type { Logger } from '#libs/config';
import { isLost } from '#libs/database';

const HOUR_MS = 3_600_000;
/** Tokens that are deleted in one statement. */
const CHUNK = 1_000;

/**
 * By `ix_access_tokens_expires` and `ix_access_tokens_parent`. A day after its end no request is under way that names it, and log entries keep
 * tokens whole. One that others were made from stays as long as they do: their family can be revoked by its id.
 */
const DELETE_EXPIRED = `DELETE FROM access_tokens WHERE id IN (
  SELECT t.id FROM access_tokens t WHERE t.expires_utc < now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM access_tokens child WHERE child.parent_id = t.id)
  ORDER BY t.expires_utc LIMIT $1 FOR UPDATE SKIP LOCKED)`;

/** Deletes access tokens that have expired, at start and every hour. */
export class ExpiredTokens {
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly log: Logger,
  ) {}

  start(): void {
    void this.delete();
    this.timer = setInterval(() => void this.delete(), HOUR_MS);
    this.timer.unref();
  }

  stop(): void {
    this.isStopped = true;
    if (this.timer) clearInterval(this.timer);
  }

  /** Until none is left: what was made from others goes before them. */
  async delete(): Promise<void> {
    try {
      for (let deleted = 1; deleted > 0 && !this.isStopped;) {
        deleted = (await this.pool.query(DELETE_EXPIRED, [CHUNK])).rowCount ?? 0;
      }
    } catch (error) {
      if (!isLost(error)) this.log.warn({ err: error }, 'Expired access tokens could not be deleted.');
    }
  }
}
