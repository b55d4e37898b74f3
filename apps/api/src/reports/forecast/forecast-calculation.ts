import { RateLoader, type RatesOfBatch } from '#libs/records';
import { type CompiledRates, type CountryProblem, minCyclesOf, type Quote } from '#libs/rules';
import type { Receiver } from '#libs/shops';
import type { LeftOutReason } from '../../contract/insight/forecast.dto.js';
import { storedCountryProblems } from '../../scheduled-orders/order-country.js';
import { isAtRisk, type PaymentProblemsOf } from '../at-risk.js';
import { isPriced, quoteAt, stretchesOf } from '../order-prices.js';
import { type Due, dueIn, heldBecause, type OrderSchedule, readSchedules } from '../order-schedules.js';
import { type PricedOrder, readPricedOrders } from '../priced-orders.js';
import { inTurns, type ReportDatabase } from '../report-database.js';
import type { Turns } from '../turns.js';
import type { ForecastQuery } from './forecast-query.js';
import { ForecastSums } from './forecast-sums.js';
import { assertOccurrences } from './occurrence-bound.js';

/** Few enough that most of their objects are garbage before they are moved to where it is collected seldom. */
const ORDERS_AT_ONCE = 250;

/** Rates are in memory for one forecast only: fewer than a worker keeps. */
const RATE_LIMITS = { site: 2_000, portion: 5_000, cached: 5_000 };

/** The site that a forecast is of, and when. */
export interface ForecastOf {
  readonly siteId: number;
  readonly now: Date;
  readonly payment: PaymentProblemsOf;
  readonly receiver: Receiver | null;
}

/** An order that falls due, in the range or before it. */
interface DueOrder {
  readonly schedule: OrderSchedule;
  readonly due: Due;
}

/**
 * Adds up every occurrence of a site's orders in a range. Orders are read in chunks by id, each in a statement of its
 * own: no transaction stays open, and an order that is changed in the meantime counts as it is when it is read.
 */
export class ForecastCalculation {
  private readonly database: ReportDatabase;
  private readonly sums: ForecastSums;
  private readonly rates: RateLoader;
  private knownRates: RatesOfBatch = new Map();
  private thresholds: { readonly rates: CompiledRates; readonly minCycles: readonly number[] } | null = null;

  constructor(
    database: ReportDatabase,
    private readonly context: ForecastOf,
    private readonly query: ForecastQuery,
    private readonly turns: Turns,
  ) {
    this.database = inTurns(database, turns);
    this.sums = new ForecastSums(query.range, query, turns);
    this.rates = new RateLoader(this.database, RATE_LIMITS);
  }

  /** @throws Rejected when there are too many occurrences or rows. The signal's reason when the client has gone. */
  async sum(): Promise<ForecastSums> {
    const { database, context, query, turns } = this;
    await assertOccurrences(database, context.siteId, query.range, context.now, turns);
    for await (const schedules of this.chunks()) {
      const dueOrders = await this.due(schedules);
      const byId = new Map(dueOrders.map((one) => [one.schedule.id, one]));
      const isPushed = context.receiver !== null;
      const parts = readPricedOrders((read) => read(), database, [...byId.keys()], isPushed);
      for await (const orders of parts) await this.addOrders(orders, byId);
    }
    return this.sums;
  }

  /** The next chunk is read while one is calculated. */
  private async *chunks(): AsyncGenerator<OrderSchedule[], void> {
    const read = (after: number) => {
      const reading = readSchedules(this.database, this.context.siteId, after, ORDERS_AT_ONCE);
      reading.catch(() => undefined); // thrown when it is waited for
      return reading;
    };
    let chunk = await read(0);
    while (chunk.length > 0) {
      const next = read(chunk.at(-1)!.id);
      yield chunk;
      chunk = await next;
    }
  }

  /** Those that are processed in the range, or use stock before it; the others are left out. */
  private async due(schedules: readonly OrderSchedule[]): Promise<DueOrder[]> {
    const { context, query, sums, turns } = this;
    const found: DueOrder[] = [];
    for (const schedule of schedules) {
      if (turns.isDue()) await turns.pass();
      const held = heldBecause(schedule);
      const due = held === null ? dueIn(schedule, query.range, context.now) : null;
      if (due === null || due.first === due.end) sums.leftOut.count(held ?? 'NotInRange');
      if (due !== null && (due.first < due.end || (query.by === 'Product' && due.first > 0)))
        found.push({ schedule, due });
    }
    return found;
  }

  private async addOrders(orders: readonly PricedOrder[], byId: ReadonlyMap<number, DueOrder>): Promise<void> {
    if (orders.length === 0) return;
    const { siteId } = this.context;
    await this.knowRates();
    const countries = orders.map(({ shippingCountry }) => shippingCountry);
    const ofCountry = await storedCountryProblems(this.database, siteId, countries);
    const shipped = orders.map((order) => ({ siteId, to: order, order }));
    for await (const portion of this.rates.portions(shipped, this.knownRates)) {
      for (const { order } of portion.orders) {
        if (this.turns.isDue()) await this.turns.pass();
        await this.addOrder(order, byId.get(order.id)!, portion.rates.get(siteId)!, ofCountry);
      }
    }
  }

  /**
   * Rates that were read once stay the same to the end of the forecast; those of a site with many are read by place.
   */
  private async knowRates(): Promise<void> {
    const { siteId } = this.context;
    const known = this.knownRates.get(siteId);
    if (known === undefined || !('version' in known)) this.knownRates = await this.rates.begin([siteId]);
  }

  private async addOrder(
    order: PricedOrder,
    { schedule: { cycles }, due }: DueOrder,
    rates: CompiledRates,
    ofCountry: ReadonlyMap<string | null, CountryProblem>,
  ): Promise<void> {
    const { sums, query, context } = this;
    const isInRange = due.first < due.end;
    const now = quoteAt(order, cycles, rates);
    const without = leftOutOf(now);
    if (without !== null && isInRange) sums.leftOut.count(without);
    if (now === null || (without !== null && without !== 'UnavailableItems')) return;
    const counted = sums.counted(
      order.items,
      now,
      isAtRisk(order, now, { ofPayment: context.payment, receiver: context.receiver, ofCountry }),
    );
    sums.addBefore(counted, due.first);
    if (!isInRange) return;
    sums.orders++;
    const thresholds = query.withAmounts ? this.thresholdsOf(rates) : [];
    for (const stretch of stretchesOf(order, cycles, due, rates, thresholds, now)) {
      if (!isPriced(stretch)) return sums.leftOut.count('NotPriceable');
      await sums.add(counted, due, stretch);
    }
  }

  private thresholdsOf(rates: CompiledRates): readonly number[] {
    if (this.thresholds?.rates !== rates) this.thresholds = { rates, minCycles: minCyclesOf(rates) };
    return this.thresholds.minCycles;
  }
}

/** What processing would leave out of an order now: all of it, or some of its items. */
function leftOutOf(quoted: Quote | null): LeftOutReason | null {
  if (quoted === null) return 'NotPriceable';
  const nothing = quoted.problems.find(({ name }) => name === 'EmptyScheduledOrder' || name === 'NoItemsToShip');
  if (nothing !== undefined) return nothing.name as LeftOutReason;
  return quoted.lines.every(({ available }) => available) ? null : 'UnavailableItems';
}
