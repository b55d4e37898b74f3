import { type BeforeApplicationShutdown, Inject, Injectable, Optional } from '@nestjs/common';
import { Gateways } from '#libs/gateways';
import type { Settings } from '#libs/platform';
import { RequestSignal } from './database/request-signal.js';
import { Dispatcher } from './dispatcher/dispatcher.js';
import { ClockGuard } from './guards/clock-guard.js';
import { Housekeeping } from './housekeeping/housekeeping.js';
import { EventNumbering } from './outbox/event-numbering.js';
import { UpcomingNotices } from './outbox/upcoming-notices.js';
import { Audit } from './processor/audit/audit.js';
import { ProcessorRole } from './processor/processor-role.js';
import { Pushes } from './pushes/pushes.js';
import { ReadBack } from './read-back/read-back.js';
import { SETTINGS } from './tokens.js';
import { within } from './within.js';

/** The life cycle of one worker: it starts, processes all that is due, and stops. */
@Injectable()
export class Worker implements BeforeApplicationShutdown {
  private readonly isProcessor: boolean;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly signal: RequestSignal,
    private readonly processor: ProcessorRole,
    private readonly upcoming: UpcomingNotices,
    private readonly audit: Audit,
    private readonly numbering: EventNumbering,
    private readonly housekeeping: Housekeeping,
    private readonly gateways: Gateways,
    private readonly clockGuard: ClockGuard,
    /** Without the role (WORKER_ROLES) there is none; the same with pushes. */
    @Optional() private readonly dispatcher?: Dispatcher,
    @Optional() private readonly pushes?: Pushes,
    @Optional() private readonly readBack?: ReadBack,
  ) {
    this.isProcessor = settings.workerRoles.includes('processor');
    if (!this.isProcessor) processor.rest();
  }

  /** Processes until the application is shut down. */
  start(): void {
    this.housekeeping.start();
    this.numbering.start();
    void this.signal.open();
    this.dispatcher?.start();
    this.pushes?.start();
    this.readBack?.start();
    if (!this.isProcessor) return;
    this.upcoming.start();
    this.audit.start();
    this.processor.start();
  }

  /** The cron calls this. Overlapping calls are one. */
  async tick(): Promise<void> {
    if (this.isProcessor) await this.processor.tick();
  }

  /**
   * Processes all due orders, pushes them into their shops, then sends all webhooks that are due (`--once`). @returns
   * false when a last round met an error, or a clock that may be wrong; the log says which.
   */
  async drain(): Promise<boolean> {
    const isDone = await this.drainAll();
    return isDone && !this.clockGuard.isWaiting;
  }

  private async drainAll(): Promise<boolean> {
    if (this.isProcessor && !(await this.processor.drain())) return false;
    const isPushed = (await this.pushes?.drain()) ?? true;
    await this.readBack?.drain();
    await this.numbering.drain();
    // An order whose date has moved is found by its event.
    if (this.isProcessor) {
      await this.upcoming.round();
      await this.audit.round();
    }
    await this.numbering.drain();
    let isSent = await this.send();
    // What became of a webhook may be an event itself.
    while (isSent && (await this.numbering.drain()) > 0) isSent = await this.send();
    return isSent && isPushed;
  }

  private async send(): Promise<boolean> {
    return this.dispatcher === undefined || (await this.dispatcher.drain());
  }

  /**
   * Sends nothing more, releases the cycles that were not sent, and waits for the others, but no longer than the grace
   * period. Another worker then looks up what is still unanswered.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.gateways.close();
    this.processor.close();
    let isDone = false;
    try {
      isDone = await within(this.settings.shutdownGraceMs, this.finish());
    } finally {
      // After a fault, too: no lease is renewed any more.
      if (!isDone) await this.processor.giveBack();
    }
  }

  /** All parts stop at the same time, whatever one of them waits for: from now on nothing more is claimed or sent. */
  private async finish(): Promise<void> {
    const parts = [
      this.processor.stop().then(() => this.numbering.stop()),
      this.dispatcher?.stop() ?? Promise.resolve(),
      this.pushes?.stop() ?? Promise.resolve(),
      this.readBack?.stop() ?? Promise.resolve(),
      this.housekeeping.stop(),
      this.audit.stop(),
      this.upcoming.stop(),
    ];
    void this.signal.close();
    await Promise.all(parts);
  }
}
