import type { SqlExecutor } from '#libs/database';

/**
 * The database's clock. Between two readings, this machine's monotonic clock counts the time. So a machine whose own clock is a day off processes
 * nothing early or late.
 */
export class DatabaseClock {
  private readUtcMs = 0;
  private readAt = 0;

  /** @returns its time. */
  async read(database: SqlExecutor): Promise<Date> {
    const [row] = await database.execute<{ now: Date }>(`SELECT now() AS now`);
    const { now } = row!;
    this.readUtcMs = now.getTime();
    this.readAt = performance.now();
    return now;
  }

  now(): Date {
    return new Date(this.readUtcMs + Math.floor(performance.now() - this.readAt));
  }
}
