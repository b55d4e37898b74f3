import type pg from 'pg';
import type { Logger } from '#libs/config';
import { isLost } from '#libs/database';

/** Months of logs that have a partition before they begin. */
const MONTHS_AHEAD = 3;
const DAY_MS = 86_400_000;

/** Keeps the partitions of the logs: next months' are made, months beyond LOG_RETENTION are dropped; at start and daily. */
export class LogPartitions {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly retentionMonths: number | undefined,
    private readonly log: Logger,
  ) {}

  start(): void {
    void this.keep();
    this.timer = setInterval(() => void this.keep(), DAY_MS);
    this.timer.unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Entries are never lost for want of a partition: they go to the log's rest meanwhile. */
  async keep(): Promise<void> {
    try {
      await this.pool.query(`SELECT ensure_log_partitions($1)`, [MONTHS_AHEAD]);
      if (this.retentionMonths === undefined) return;
      const { rows } = await this.pool.query<{ dropped: number }>(`SELECT drop_log_partitions($1) AS dropped`, [
        this.retentionMonths,
      ]);
      const { dropped } = rows[0]!;
      if (dropped > 0) this.log.info({ partitions: dropped }, 'Logs beyond LOG_RETENTION were dropped.');
    } catch (error) {
      if (!isLost(error)) this.log.warn({ err: error }, 'The partitions of the logs could not be kept.');
    }
  }
}
