import { newWebhookSecret, setListening } from '#libs/events';
import type { TestDatabase } from '../support/database.js';
import { answers, type Received, WebhookReceiver } from '../support/events/webhook-receiver.js';
import type { Random } from '../support/random.js';
import { vault } from '../support/worker.js';
import type { Shop } from './shops.js';
import type { Tally } from './tally.js';

/** Of all shops every so many has an endpoint; every second of these is `Ordered`. */
const EVERY = 5;
const RATE_PER_SECOND = 100;
/** Of each hundred requests so many are answered 500, or not at all. */
const REFUSED = 5;
const DROPPED = 5;
/** In the end nobody waits for the next try of a schedule. */
const HASTEN_EVERY_MS = 5_000;

/** A body, and when it came first. */
export interface ReceivedBody {
  readonly body: string;
  readonly firstMs: number;
}

/** The receiver of the events of some shops: it refuses at times, and remembers everything. */
export class Webhooks {
  readonly siteIds: number[] = [];
  /** By id: the different bodies that came under it, the earliest first. One, where nothing was lost. */
  readonly received = new Map<string, ReceivedBody[]>();
  private isRefusing = true;
  private hastenedMs = 0;

  private constructor(
    private readonly receiver: WebhookReceiver,
    private readonly random: Random,
    private readonly tally: Tally,
  ) {
    receiver.always = (reply, received) => {
      this.take(received);
      const percent = this.isRefusing ? this.random.between(0, 100) : 100;
      if (percent < DROPPED) reply.destroy();
      else answers(percent < DROPPED + REFUSED ? 500 : 204)(reply, received);
      receiver.received.length = 0;
    };
  }

  static async start(random: Random, tally: Tally): Promise<Webhooks> {
    return new Webhooks(await WebhookReceiver.start(), random, tally);
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }

  /** Before anything happens: every event of these shops has to arrive. */
  async open(database: TestDatabase, shops: readonly Shop[]): Promise<void> {
    for (const { siteId } of shops.filter((_, index) => index % EVERY === 1)) {
      const id = this.siteIds.push(siteId);
      const secret = vault.encrypt(newWebhookSecret(), { table: 'webhook_endpoints', column: 'secret', row: [id] });
      await database.query(
        `INSERT INTO webhook_endpoints (id, site_id, url, secret, ordered, rate_per_second) VALUES ($1, $2, $3, $4, $5, $6)`,
        [id, siteId, this.receiver.url, secret, id % 2 === 0, RATE_PER_SECOND],
      );
      await database.pool.transaction((tx) => setListening(tx, siteId));
    }
  }

  /** From now on everything is answered 204. */
  calm(): void {
    this.isRefusing = false;
  }

  /** What waits for a later try, or for the lease of a worker that is dead, is due now. */
  async hasten(database: TestDatabase): Promise<void> {
    if (performance.now() - this.hastenedMs < HASTEN_EVERY_MS) return;
    this.hastenedMs = performance.now();
    await database.query(
      `UPDATE webhook_deliveries SET next_attempt_utc = now() WHERE next_attempt_utc > now() + interval '1 second'`,
    );
    await database.query(
      `UPDATE webhook_endpoints SET not_before_utc = NULL, next_due_utc = now() WHERE next_due_utc > now() + interval '1 second'`,
    );
  }

  private take({ id, body }: Received): void {
    const received = this.received.get(id) ?? [];
    this.tally.add(received.length === 0 ? 'events' : 'sent again');
    if (!received.some((one) => one.body === body)) received.push({ body, firstMs: Date.now() });
    this.received.set(id, received);
  }
}
