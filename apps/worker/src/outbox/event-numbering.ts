import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { hasUnnumbered, type Numbered, numberEvents } from '#libs/events';
import { causeOf, ConnectionPool, isOtherDatabase, isPassing, type Logger } from '#libs/platform';
import { databaseTrouble } from '../guards/database-trouble.js';
import { WorkGuard } from '../guards/work-guard.js';
import { Metrics } from '../metrics/metrics.js';
import { LOG } from '../tokens.js';
import { WorkerEvents } from '../worker-events.js';
import { NumberingMetrics } from './numbering-metrics.js';

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

/** Gives committed events their public numbers. Overlapping calls are one; other workers do the same, one at a time. */
@Injectable()
export class EventNumbering {
  /** Why events could not be numbered, as it was logged; null when they could. */
  trouble: string | null = null;
  private failures = 0;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private runsAgain = false;
  private isStopped = false;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly guard: WorkGuard,
    private readonly events: WorkerEvents,
    metrics: Metrics,
    @Inject(LOG) private readonly log: Logger,
  ) {
    metrics.also(new NumberingMetrics(pool, metrics.registry));
    events.on('committed', () => this.wake());
  }

  start(): void {
    this.timer = setInterval(() => this.wake(), TICK_MS);
    this.wake();
  }

  /** Events may have been committed. */
  wake(): void {
    if (this.isStopped) return;
    if (this.running) {
      this.runsAgain = true;
      return;
    }
    this.running = this.run().finally(() => {
      this.running = null;
      if (!this.runsAgain) return;
      this.runsAgain = false;
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
        if (numbered !== null && (numbered.count > 0 || numbered.isBusy)) this.events.emit('numbered');
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
    const { pool, guard } = this;
    if (!(await hasUnnumbered(pool)) || !(await guard.mayWork())) return null;
    return numberEvents(pool, guard.known);
  }

  /** Logs a reason once, even when every tick fails for it. */
  private explain(error: unknown): void {
    this.guard.trouble(isOtherDatabase(error));
    if (isPassing(error) && ++this.failures < MOST_PASSING) return;
    const ofDatabase = databaseTrouble(error, STANDS_STILL);
    const sentence = ofDatabase ?? 'Events could not be numbered: nobody is told of them until they can.';
    if (sentence === this.trouble) return;
    this.trouble = sentence;
    this.log.warn(ofDatabase === null ? { err: error } : causeOf(error), sentence);
  }
}
