import { type ConnectionPool, isLost, type Logger } from '#libs/platform';

/** A part of the housekeeping. It logs its own errors. */
export interface Chore {
  run(): Promise<void>;
  /** Nothing more is begun. */
  stop(): void;
}

/** The most rows that one statement changes. */
const CHUNK = 1_000;

/** Changes at most `most` rows. @returns how many. */
export type ChangeSome = (pool: ConnectionPool, most: number) => Promise<number>;

/** Deletes rows that have expired, or puts right those that a wrong clock has written. */
export class RowChore implements Chore {
  private isStopped = false;

  /**
   * @param what for the log: `access tokens`.
   * @param statement deletes or changes some of them, at most `$1`, and returns a row for each; or does it in a
   * transaction and returns how many.
   */
  constructor(
    private readonly pool: ConnectionPool,
    private readonly log: Logger,
    private readonly what: string,
    private readonly statement: string | ChangeSome,
  ) {}

  stop(): void {
    this.isStopped = true;
  }

  /** Repeats until none is left. */
  async run(): Promise<void> {
    try {
      for (let changed = 1; changed > 0 && !this.isStopped;) {
        changed = await this.changeSome();
      }
    } catch (error) {
      if (!isLost(error)) this.log.warn({ err: error }, `The housekeeping of ${this.what} failed.`);
    }
  }

  private async changeSome(): Promise<number> {
    const { pool, statement } = this;
    return typeof statement === 'string' ? (await pool.execute(statement, [CHUNK])).length : statement(pool, CHUNK);
  }
}
