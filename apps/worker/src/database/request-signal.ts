import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { EVENTS_CHANNEL } from '#libs/events';
import { CLOCKS_CHANNEL, DUE_CHANNEL, SHOPS_CHANNEL, STOPPED_CHANNEL } from '#libs/ledger';
import { createClient, type Logger, type Settings, WORKER_LISTENERS } from '#libs/platform';
import { LOG, SETTINGS } from '../tokens.js';
import { WorkerEvents } from '../worker-events.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const LONGEST_ANSWER_MS = 10_000;

/**
 * Listens for orders that fall due now or soon, and for those that must not be charged any more. Transaction-mode
 * poolers do not support LISTEN: with them, the timer and the cron find due orders a little later, and only the check
 * before sending stops a frozen charge.
 */
@Injectable()
export class RequestSignal {
  private client: pg.Client | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private retry: NodeJS.Timeout | null = null;
  private isClosed = false;
  /** Whether notifications are heard at the moment. */
  isListening = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOG) private readonly log: Logger,
    private readonly events: WorkerEvents,
  ) {}

  async open(): Promise<void> {
    const { databaseUrl: url, databasePooler: pooler, workerRoles } = this.settings;
    if (pooler === 'transaction') return;
    const client = createClient({
      url,
      pooler,
      applicationName: `${WORKER_LISTENERS} ${workerRoles.join(',')}`,
      longestAnswerMs: LONGEST_ANSWER_MS,
    });
    client.on('end', () => this.reopen());
    client.on('notification', ({ channel, payload }) => {
      if (channel === DUE_CHANNEL) this.events.emit('due', Number(payload));
      else if (channel === CLOCKS_CHANNEL) this.events.emit('clocks');
      else if (channel === EVENTS_CHANNEL) this.events.emit('committed');
      else if (channel === SHOPS_CHANNEL) this.events.emit('shops');
      else this.events.emit('stopped', Number(payload));
    });
    this.client = client;
    try {
      await client.connect();
      await client.query(
        [DUE_CHANNEL, STOPPED_CHANNEL, EVENTS_CHANNEL, CLOCKS_CHANNEL, SHOPS_CHANNEL]
          .map((channel) => `LISTEN ${channel}`)
          .join('; '),
      );
      this.pauseMs = FIRST_PAUSE_MS;
      this.isListening = true;
      this.events.emit('listening');
    } catch (error) {
      this.log.debug({ err: error }, 'The worker cannot listen for notifications at the moment.');
      await client.end().catch(() => undefined);
      this.reopen();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.retry) clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }

  private reopen(): void {
    this.isListening = false;
    if (this.isClosed || this.retry) return;
    this.retry = setTimeout(() => {
      this.retry = null;
      void this.open();
    }, this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
