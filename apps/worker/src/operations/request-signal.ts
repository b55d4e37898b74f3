import type pg from 'pg';
import { EVENTS_CHANNEL } from '#libs/events';
import { CLOCKS_CHANNEL, DUE_CHANNEL, STOPPED_CHANNEL } from '#libs/ledger';
import { createClient, type Logger, type PoolerMode, WORKER_LISTENERS } from '#libs/platform';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const LONGEST_ANSWER_MS = 10_000;

/** Callbacks for what requests did to orders. */
export interface RequestListener {
  /** An order falls due at this time, in milliseconds since 1970. */
  due(atMs: number): void;
  /** A test clock was asked to move, or a simulated order is due. */
  clocks(): void;
  /** An order was paused or deleted while a worker was about to charge it. */
  stopped(scheduledOrderId: number): void;
  /** Events for the outside were committed, or deliveries of them are due. */
  events(): void;
  /** Notifications from before now may have been missed. */
  listening(): void;
}

/**
 * Listens for orders that fall due now or soon, and for those that must not be charged any more. Transaction-mode
 * poolers do not support LISTEN: with them, the timer and the cron find due orders a little later, and only the check
 * before sending stops a frozen charge.
 */
export class RequestSignal {
  private client: pg.Client | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private retry: NodeJS.Timeout | null = null;
  private isClosed = false;
  /** Whether notifications are heard at the moment. */
  isListening = false;

  constructor(
    private readonly database: { readonly databaseUrl: string; readonly databasePooler: PoolerMode },
    private readonly log: Logger,
    private readonly listener: RequestListener,
  ) {}

  async open(): Promise<void> {
    const { databaseUrl: url, databasePooler: pooler } = this.database;
    if (pooler === 'transaction') return;
    const client = createClient({
      url,
      pooler,
      applicationName: WORKER_LISTENERS,
      longestAnswerMs: LONGEST_ANSWER_MS,
    });
    client.on('end', () => this.reopen());
    client.on('notification', ({ channel, payload }) => {
      if (channel === DUE_CHANNEL) this.listener.due(Number(payload));
      else if (channel === CLOCKS_CHANNEL) this.listener.clocks();
      else if (channel === EVENTS_CHANNEL) this.listener.events();
      else this.listener.stopped(Number(payload));
    });
    this.client = client;
    try {
      await client.connect();
      await client.query(
        [DUE_CHANNEL, STOPPED_CHANNEL, EVENTS_CHANNEL, CLOCKS_CHANNEL].map((channel) => `LISTEN ${channel}`).join('; '),
      );
      this.pauseMs = FIRST_PAUSE_MS;
      this.isListening = true;
      this.listener.listening();
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
