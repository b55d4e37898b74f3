import pg from 'pg';
import type { Logger } from '#libs/config';
import { DUE_CHANNEL } from '#libs/ledger';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Hears of orders that fall due at once or soon. Where LISTEN is not to be had, as behind a transaction pooler, the timer and the cron
 * find them, a little later.
 */
export class DueSignal {
  private client: pg.Client | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private retry: NodeJS.Timeout | null = null;
  private isClosed = false;

  /** `announced`: with the time of the due order, in milliseconds since 1970. */
  constructor(
    private readonly databaseUrl: string,
    private readonly log: Logger,
    private readonly announced: (dueAtMs: number) => void,
  ) {}

  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      application_name: 'scheduled-orders-worker-listen',
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
      keepAlive: true,
    });
    client.on('error', () => undefined);
    client.on('end', () => this.reopen());
    client.on('notification', ({ payload }) => this.announced(Number(payload)));
    this.client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${DUE_CHANNEL}`);
      this.pauseMs = FIRST_PAUSE_MS;
      // Whatever was announced while nobody listened.
      this.announced(0);
    } catch (error) {
      this.log.debug({ err: error }, 'Announcements of due orders cannot be heard for the moment.');
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
    if (this.isClosed || this.retry) return;
    this.retry = setTimeout(() => {
      this.retry = null;
      void this.open();
    }, this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
