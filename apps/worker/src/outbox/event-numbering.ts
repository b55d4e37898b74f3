import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#libs/config';
import { type ConnectionPool, isLost } from '#libs/database';
import { numberEvents } from '#libs/outbox';

/** How late an event is numbered when no notification comes: behind a transaction-mode pooler, or when another worker was numbering. */
const TICK_MS = 1_000;
/** With `--once`: how long to wait for another process that is numbering. */
const BUSY_PAUSE_MS = 50;
const MOST_PAUSES = 200;

/** Gives committed events their public numbers. Overlapping calls are one; other workers do the same, one at a time. */
export class EventNumbering {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isAskedAgain = false;
  private isStopped = false;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly log: Logger,
    /** Events were numbered, or another process is doing it. */
    private readonly onNumbered: () => void,
  ) {}

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

  /** Numbers everything that is committed (`--once`). */
  async drain(): Promise<void> {
    for (let pauses = 0; pauses < MOST_PAUSES;) {
      const { more, isBusy } = await numberEvents(this.pool);
      if (isBusy) {
        pauses++;
        await pause(BUSY_PAUSE_MS);
      } else if (!more) return;
    }
  }

  private async run(): Promise<void> {
    try {
      for (let isMore = true; isMore && !this.isStopped;) {
        const { count, more, isBusy } = await numberEvents(this.pool);
        isMore = more;
        if (count > 0 || isBusy) this.onNumbered();
      }
    } catch (error) {
      // The rows stay as they are: the next tick numbers them.
      if (!isLost(error)) this.log.warn({ err: error }, 'Events could not be numbered.');
    }
  }
}
