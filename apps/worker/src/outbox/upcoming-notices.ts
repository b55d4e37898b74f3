import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionPool, instants, isLost, type Logger, numbers, texts } from '#libs/platform';
import { NO_RATES } from '#libs/rules';
import { integrationKey } from '../gateways/integrations.js';
import { WorkGuard } from '../guards/work-guard.js';
import { Loader } from '../processor/prepare/loader.js';
import { LOG } from '../tokens.js';
import { ANNOUNCE } from './upcoming.sql.js';
import { upcomingFacts } from './upcoming-facts.js';
import { type Upcoming, upcomingAt, UpcomingLook } from './upcoming-look.js';

const ROUND_MS = 60_000;
/** With several workers, the first whose turn comes after this looks, and the others do not. */
const PAUSE_MS = 50_000;
/** What was missed is announced once more after this. A request has an order locked for a moment only. */
const AGAIN_MS = 1_000;
/** More that were missed are left to the next look. */
const MOST_AGAIN = 500;

/**
 * Announces the next occurrences of the orders of sites that listen, some days before (docs/events.md). One worker at a
 * time does it; each is told once.
 */
@Injectable()
export class UpcomingNotices {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly loader: Loader,
    private readonly guard: WorkGuard,
    @Inject(LOG) private readonly log: Logger,
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

  /**
   * Announces all that has come within its notice since the last look. Nothing while the database may not be worked
   * with.
   * @param pauseMs nothing is done so soon after that.
   */
  async round(pauseMs = 0): Promise<void> {
    try {
      if (!(await this.guard.mayWork())) return;
      const look = await UpcomingLook.begin(this.pool, pauseMs);
      if (look !== null) await this.follow(look);
    } catch (error) {
      if (!isLost(error)) this.log.warn({ err: error }, 'Upcoming occurrences could not be announced.');
    }
  }

  /**
   * Announces what is within its notice by the clock of a simulated site. @returns false when a request has some of it
   * locked.
   */
  async announceAt(siteId: number, presentUtc: Date): Promise<boolean> {
    let isAll = true;
    for await (const found of upcomingAt(this.pool, siteId, presentUtc)) {
      if ((await this.announce(found)).length > 0) isAll = false;
    }
    return isAll;
  }

  private begin(): void {
    this.running ??= this.round(PAUSE_MS).finally(() => {
      this.running = null;
    });
  }

  private async follow(look: UpcomingLook): Promise<void> {
    let isWhole = false;
    try {
      const missed: Upcoming[] = [];
      for await (const found of look.found()) {
        const left = await this.announce(found);
        if (missed.length <= MOST_AGAIN) missed.push(...left);
        if (this.isStopped) return;
      }
      isWhole = missed.length === 0 || (await this.announceAgain(missed));
    } finally {
      await (isWhole ? look.end() : look.giveUp());
    }
  }

  /** @returns whether all are announced now. */
  private async announceAgain(missed: readonly Upcoming[]): Promise<boolean> {
    if (missed.length > MOST_AGAIN) return false;
    await pause(AGAIN_MS);
    return !this.isStopped && (await this.announce(missed)).length === 0;
  }

  /** @returns those that could not be announced: they are locked, or were changed just now. */
  private async announce(found: readonly Upcoming[]): Promise<Upcoming[]> {
    const priced = await this.price(found);
    const announced = await this.pool.execute<{ scheduledOrderId: number }>(ANNOUNCE, [
      numbers(priced.map(({ id }) => id)),
      texts(priced.map(({ version }) => version)),
      instants(priced.map(({ facts }) => facts.OccurrenceUtc)),
      texts(priced.map(({ facts }) => JSON.stringify(facts))),
    ]);
    const announcedIds = new Set(announced.map((row) => row.scheduledOrderId));
    return found.filter(({ scheduledOrderId }) => !announcedIds.has(scheduledOrderId));
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
