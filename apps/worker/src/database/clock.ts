import type { SqlExecutor } from '#libs/database';

/** What drift, a slow answer and a clock that is set little by little explain. More is a jump. */
export const JUMP_MS = 60_000;

/** A time, and when it was read by the monotonic clock. */
class Reading {
  constructor(
    private readonly utcMs: number,
    readonly at: number,
  ) {}

  get nowMs(): number {
    return this.utcMs + Math.floor(performance.now() - this.at);
  }

  agreesWith(utcMs: number): boolean {
    return Math.abs(this.nowMs - utcMs) <= JUMP_MS;
  }
}

/**
 * The database's clock. Between two readings, this machine's monotonic clock counts the time. So a machine whose own clock is a day off processes
 * nothing early or late. A clock that has jumped against the monotonic clock is not believed before somebody else confirms it: until then `now` goes on
 * from the last reading before the jump.
 */
export class DatabaseClock {
  private believed: Reading | null = null;
  private jumped: Reading | null = null;

  /** @returns its time, as it is shown. */
  async read(database: SqlExecutor): Promise<Date> {
    const [row] = await database.execute<{ now: Date }>(`SELECT now() AS now`);
    const { now } = row!;
    const utcMs = now.getTime();
    if (this.believed === null || this.believed.agreesWith(utcMs)) {
      this.believed = new Reading(utcMs, performance.now());
      this.jumped = null;
    } else if (this.jumped?.agreesWith(utcMs) !== true) this.jumped = new Reading(utcMs, performance.now());
    return now;
  }

  now(): Date {
    return new Date(this.believed?.nowMs ?? 0);
  }

  get isBelieved(): boolean {
    return this.jumped === null;
  }

  /** How long the clock has gone on steadily since it jumped. */
  get steadyMs(): number {
    return this.jumped === null ? Infinity : performance.now() - this.jumped.at;
  }

  /** What it shows since it jumped. */
  get shownMs(): number {
    return (this.jumped ?? this.believed)?.nowMs ?? 0;
  }

  /** The jump set it right, or its machine was suspended. */
  believe(): void {
    this.believed = this.jumped ?? this.believed;
    this.jumped = null;
  }
}
