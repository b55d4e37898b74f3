import type pg from 'pg';

/**
 * The database's clock. Between two readings, this machine's monotonic clock counts the time. So a machine whose own clock is a day off processes
 * nothing early or late.
 */
export class DatabaseClock {
  private readUtcMs = 0;
  private readAt = 0;

  /** @returns its time. */
  async read(database: Pick<pg.Pool, 'query'>): Promise<Date> {
    const { rows } = await database.query<{ now: Date }>(`SELECT now() AS now`);
    const { now } = rows[0]!;
    this.readUtcMs = now.getTime();
    this.readAt = performance.now();
    return now;
  }

  now(): Date {
    return new Date(this.readUtcMs + Math.floor(performance.now() - this.readAt));
  }
}
