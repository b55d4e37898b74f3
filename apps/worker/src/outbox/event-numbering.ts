import { setTimeout as pause } from 'node:timers/promises';
import type { KnownDatabase } from '#libs/entities';
import { hasUnnumbered, type Numbered, numberEvents } from '#libs/events';
import { causeOf, type ConnectionPool, isOtherDatabase, isPassing, type Logger } from '#libs/platform';
import { databaseTrouble } from '../operations/database-trouble.js';

/**
 * How late an event is numbered when no notification comes: behind a transaction-mode pooler, or when another worker
 * was numbering.
 */
const TICK_MS = 1_000;
/** With `--once`: how long to wait for another process that is numbering. */
const BUSY_PAUSE_MS = 50;
const MOST_PAUSES = 200;
/** Another transaction may be in the way so often in succession; then it is told. */
const MOST_PASSING = 10;
const STANDS_STILL = {
  lost: 'events get no numbers until it can.',
  other: 'events get no numbers until it has been checked.',
};

export interface EventNumberingParts {
  readonly pool: ConnectionPool;
  readonly log: Logger;
  /** Whether this worker may work with this database; false for a copy. */
  readonly mayNumber: () => Promise<boolean>;
  readonly known: () => KnownDatabase;
  /** A statement failed: it may be another database now. */
  readonly onTrouble: (isOtherDatabase: boolean) => void;
  /** Events were numbered, or another process is doing it. */
  readonly onNumbered: () => void;
}

/** Gives committed events their public numbers. Overlapping calls are one; other workers do the same, one at a time. */
export class EventNumbering {
  /** Why events could not be numbered, as it was logged; null when they could. */
  trouble: string | null = null;
  private failures = 0;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isAskedAgain = false;
  private isStopped = false;

  constructor(private readonly parts: EventNumberingParts) {}

  start(): void {
    this.timer = setInterval(() => this.wake(), TICK_MS);
    this.wake();
  }

  /** Events may have been committed. */
  wake(): void {
    if (this.isStopped) return;
    if (this.running) {
      this.isAskedAgain = true;
      return;
    }
    this.running = this.run().finally(() => {
      this.running = null;
      if (!this.isAskedAgain) return;
      this.isAskedAgain = false;
      this.wake();
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.running;
  }

  /**
   * Numbers everything that is committed (`--once`). Nothing while the database may not be worked with. @returns how
   * many it has numbered.
   */
  async drain(): Promise<number> {
    let count = 0;
    for (let pauses = 0; pauses < MOST_PAUSES;) {
      const numbered = await this.numberSome();
      count += numbered?.count ?? 0;
      if (numbered?.isBusy) {
        pauses++;
        await pause(BUSY_PAUSE_MS);
      } else if (!numbered?.more) break;
    }
    return count;
  }

  private async run(): Promise<void> {
    try {
      for (let isMore = true; isMore && !this.isStopped;) {
        const numbered = await this.numberSome();
        isMore = numbered?.more ?? false;
        if (numbered !== null && (numbered.count > 0 || numbered.isBusy)) this.parts.onNumbered();
      }
      this.failures = 0;
      this.trouble = null;
    } catch (error) {
      // The rows stay as they are: the next tick numbers them.
      this.explain(error);
    }
  }

  /** @returns null when there is nothing to number, or this worker may not do it. */
  private async numberSome(): Promise<Numbered | null> {
    const { pool, mayNumber, known } = this.parts;
    if (!(await hasUnnumbered(pool)) || !(await mayNumber())) return null;
    return numberEvents(pool, known());
  }

  /** Logs a reason once, even when every tick fails for it. */
  private explain(error: unknown): void {
    const { log, onTrouble } = this.parts;
    onTrouble(isOtherDatabase(error));
    if (isPassing(error) && ++this.failures < MOST_PASSING) return;
    const ofDatabase = databaseTrouble(error, STANDS_STILL);
    const sentence = ofDatabase ?? 'Events could not be numbered: nobody is told of them until they can.';
    if (sentence === this.trouble) return;
    this.trouble = sentence;
    log.warn(ofDatabase === null ? { err: error } : causeOf(error), sentence);
  }
}
