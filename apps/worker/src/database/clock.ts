import type { SqlExecutor } from '#libs/database';

/**
 * The database's clock, between two looks at it carried on by this machine's monotonic one: a machine whose own clock is a day
 * off processes nothing early or late.
 */
export class DatabaseClock {
  private readUtcMs = 0;
  private readAt = 0;

  /** @returns what it says. */
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
