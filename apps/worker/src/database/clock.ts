import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '#libs/platform';

/** What drift, a slow answer and a clock that is set little by little explain. More is a jump. */
export const JUMP_MS = 60_000;
/** Until the first reading this machine's own clock counts, which may be less right. */
const FIRST_MS = 3_600_000;

/** A time, and when it was read by the monotonic clock. */
class Reading {
  constructor(
    private readonly utcMs: number,
    readonly at: number,
  ) {}

  get nowMs(): number {
    return this.utcMs + Math.floor(performance.now() - this.at);
  }

  agreesWith(utcMs: number, withinMs = JUMP_MS): boolean {
    return Math.abs(this.nowMs - utcMs) <= withinMs;
  }
}

export const READ_CLOCK = `SELECT now() AS now`;

/**
 * The database's clock. Between two readings, this machine's monotonic clock counts the time. So a machine whose own
 * clock is a day off processes nothing early or late. A clock that has jumped against the monotonic clock is not
 * believed before somebody else confirms it: until then `now` goes on from the last reading before the jump. The first
 * reading is compared with this machine's clock: a process may begin while the database's is wrong.
 */
@Injectable()
export class DatabaseClock {
  private believed: Reading | null = null;
  private jumped: Reading | null = null;
  private isConfirmed = false;
  /** How often it has jumped. */
  jumps = 0;

  /** @returns its time, as it is shown. */
  async read(database: SqlExecutor): Promise<Date> {
    const [row] = await database.execute<{ now: Date }>(READ_CLOCK);
    const { now } = row!;
    const utcMs = now.getTime();
    this.believed ??= new Reading(Date.now(), performance.now());
    if (this.believed.agreesWith(utcMs, this.isConfirmed ? JUMP_MS : FIRST_MS)) {
      this.believed = new Reading(utcMs, performance.now());
      this.jumped = null;
      this.isConfirmed = true;
    } else if (this.jumped?.agreesWith(utcMs) !== true) {
      this.jumped = new Reading(utcMs, performance.now());
      this.jumps += 1;
    }
    return now;
  }

  now(): Date {
    return new Date(this.believed?.nowMs ?? 0);
  }

  get isBelieved(): boolean {
    return this.jumped === null;
  }

  /**
   * How long the clock has gone on steadily since it jumped; where it only differs from this machine's, that is not
   * known.
   */
  get steadyMs(): number {
    return this.jumped === null || !this.isConfirmed ? Infinity : performance.now() - this.jumped.at;
  }

  /** What it shows since it jumped. */
  get shownMs(): number {
    return (this.jumped ?? this.believed)?.nowMs ?? 0;
  }

  /** The jump set it right, or its machine was suspended. */
  believe(): void {
    this.believed = this.jumped ?? this.believed;
    this.jumped = null;
    this.isConfirmed = true;
  }
}
