import type { Logger } from '#libs/config';
import { isLost, type SqlExecutor } from '#libs/database';

const HOUR_MS = 3_600_000;
/** The most rows that one statement deletes. */
const CHUNK = 1_000;

/** Deletes rows that have expired, at start and every hour. */
export class ExpiredRows {
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;

  /**
   * @param what for the log: `access tokens`.
   * @param statement deletes some of them, at most `$1`, and returns a row for each.
   */
  constructor(
    private readonly pool: SqlExecutor,
    private readonly log: Logger,
    private readonly what: string,
    private readonly statement: string,
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
        deleted = (await this.pool.execute(this.statement, [CHUNK])).length;
      }
    } catch (error) {
      if (!isLost(error)) this.log.warn({ err: error }, `Expired ${this.what} could not be deleted.`);
    }
  }
}
