import type { Logger } from '#libs/config';
import { type ConnectionPool, isLost } from '#libs/database';
import { NO_RATES } from '#libs/rules';
import { instants, numbers, texts } from '../database/array-literal.js';
import { integrationKey, type Loader } from '../processor/prepare/loader.js';
import { ANNOUNCE, FIND_UPCOMING } from './upcoming.sql.js';
import { upcomingFacts } from './upcoming-facts.js';

const ROUND_MS = 60_000;
const BATCH = 500;

/** An occurrence that is to be announced. */
interface Upcoming {
  readonly siteId: number;
  readonly scheduledOrderId: number;
  readonly occurrenceUtc: Date;
}

interface FoundRow {
  site_id: string;
  id: string;
  next_occurrence_utc: Date;
}

/** Announces the next occurrences of the orders of sites that listen, some days before (docs/events.md). Every worker does it; each is told once. */
export class UpcomingNotices {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly loader: Loader,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.begin(), ROUND_MS);
    this.begin();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.running;
  }

  /** Announces all that is within its notice. */
  async round(): Promise<void> {
    try {
      // A batch in which nothing could be announced is locked or was changed just now: the next round finds it.
      for (let count = BATCH; count > 0 && !this.isStopped;) count = await this.batch();
    } catch (error) {
      if (!isLost(error)) this.log.warn({ err: error }, 'Upcoming occurrences could not be announced.');
    }
  }

  private begin(): void {
    this.running ??= this.round().finally(() => {
      this.running = null;
    });
  }

  /** @returns how many were announced. */
  private async batch(): Promise<number> {
    const rows = await this.pool.execute<FoundRow>(FIND_UPCOMING, [BATCH]);
    if (rows.length === 0) return 0;
    const found = rows.map((row): Upcoming => ({
      siteId: Number(row.site_id),
      scheduledOrderId: Number(row.id),
      occurrenceUtc: row.next_occurrence_utc,
    }));
    const priced = await this.price(found);
    const announced = await this.pool.execute(ANNOUNCE, [
      numbers(priced.map(({ id }) => id)),
      texts(priced.map(({ version }) => version)),
      instants(priced.map(({ facts }) => facts.OccurrenceUtc)),
      texts(priced.map(({ facts }) => JSON.stringify(facts))),
    ]);
    return announced.length;
  }

  private async price(found: readonly Upcoming[]) {
    const siteIds = [...new Set(found.map(({ siteId }) => siteId))];
    const loaded = await this.loader.load(
      found.map(({ scheduledOrderId }) => scheduledOrderId),
      siteIds,
    );
    const priced = [];
    for await (const { cycles, batch } of this.loader.rated(found, loaded)) {
      for (const { siteId, scheduledOrderId, occurrenceUtc } of cycles) {
        const order = batch.orders.get(scheduledOrderId);
        if (order === undefined) continue;
        const rates = batch.rates.get(siteId) ?? NO_RATES;
        const hasIntegration = batch.integrations.has(integrationKey(siteId, order.paymentMethodType));
        const facts = upcomingFacts(order, occurrenceUtc, rates, hasIntegration);
        priced.push({ id: order.id, version: order.version, facts });
      }
    }
    return priced;
  }
}
