import type { Logger } from '#libs/config';
import { type ConnectionPool, isLost } from '#libs/database';

const HOUR_MS = 3_600_000;
/** The most rows that one statement deletes. */
const CHUNK = 1_000;

/** Deletes at most `most` rows. @returns how many. */
export type DeleteSome = (pool: ConnectionPool, most: number) => Promise<number>;

/** Deletes rows that have expired, at start and every hour. */
export class ExpiredRows {
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;

  /**
   * @param what for the log: `access tokens`.
   * @param statement deletes some of them, at most `$1`, and returns a row for each; or does it in a transaction and returns how many.
   */
  constructor(
    private readonly pool: ConnectionPool,
    private readonly log: Logger,
    private readonly what: string,
    private readonly statement: string | DeleteSome,
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

  /** Repeats until none is left. */
  private async delete(): Promise<void> {
    try {
      for (let deleted = 1; deleted > 0 && !this.isStopped;) {
        deleted = await this.deleteSome();
      }
    } catch (error) {
      if (!isLost(error)) this.log.warn({ err: error }, `Expired ${this.what} could not be deleted.`);
    }
  }

  private async deleteSome(): Promise<number> {
    const { pool, statement } = this;
    return typeof statement === 'string' ? (await pool.execute(statement, [CHUNK])).length : statement(pool, CHUNK);
  }
}
