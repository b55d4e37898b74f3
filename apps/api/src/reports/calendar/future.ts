import { Injectable } from '@nestjs/common';
import { readReceiver } from '#libs/ledger';
import { RateLoader } from '#libs/records';
import { minCyclesOf, NO_RATES } from '#libs/rules';
import type { Receiver } from '#libs/shops';
import { storedCountryProblems } from '../../scheduled-orders/order-country.js';
import { PaymentProblems } from '../../scheduled-orders/quotes/payment-problems.js';
import { isAtRisk, type PaymentProblemsOf } from '../at-risk.js';
import type { DateRange } from '../days.js';
import { quoteAt, stretchesOf } from '../order-prices.js';
import { readPricedOrders } from '../priced-orders.js';
import { inTurns, type ReportDatabase } from '../report-database.js';
import type { Turns } from '../turns.js';
import type { CalendarDays } from './calendar-days.js';
import { dueOrders, type Occurrences } from './due-orders.js';

/** What falls due on a site, and when it is counted. */
interface Ahead {
  readonly siteId: number;
  readonly range: DateRange;
  readonly now: Date;
  readonly turns: Turns;
}

/** Few: what is in memory for long is expensive to clear away. */
const PRICED_AT_ONCE = 100;

/** Orders, and the occurrences of these and others. */
interface DueOrders {
  readonly ids: readonly number[];
  readonly occurrences: Occurrences;
}

interface Pricing {
  readonly database: ReportDatabase;
  readonly rates: RateLoader;
  readonly ofPayment: PaymentProblemsOf;
  readonly receiver: Receiver | null;
}

/**
 * What the schedules of a site's Active orders say: some orders are in memory at a time, and rates are compiled once.
 */
@Injectable()
export class Future {
  constructor(private readonly payment: PaymentProblems) {}

  async add(days: CalendarDays, reads: ReportDatabase, ahead: Ahead): Promise<void> {
    const { siteId, range, now, turns } = ahead;
    const database = inTurns(reads, turns);
    const [ofPayment, receiver] = [await this.payment.ofSite(siteId), await readReceiver(database, siteId)];
    const pricing = { database, rates: new RateLoader(database), ofPayment, receiver };
    for await (const occurrences of dueOrders(database, siteId, range, now)) {
      const ids = [...occurrences.keys()];
      for (let from = 0; from < ids.length; from += PRICED_AT_ONCE) {
        await addOrders(days, ahead, pricing, { ids: ids.slice(from, from + PRICED_AT_ONCE), occurrences });
      }
    }
  }
}

async function addOrders(
  days: CalendarDays,
  { siteId, turns }: Ahead,
  { database, rates, ofPayment, receiver }: Pricing,
  { ids, occurrences }: DueOrders,
): Promise<void> {
  const known = await rates.begin([siteId]);
  for await (const orders of readPricedOrders((work) => work(), database, ids, receiver !== null)) {
    const countries = orders.map(({ shippingCountry }) => shippingCountry);
    const ofCountry = await storedCountryProblems(database, siteId, countries);
    const shipped = orders.map((order) => ({ siteId, to: order, order }));
    for await (const portion of rates.portions(shipped, known)) {
      const compiled = portion.rates.get(siteId) ?? NO_RATES;
      const thresholds = minCyclesOf(compiled);
      for (const { order } of portion.orders) {
        if (turns.isDue()) await turns.pass();
        const { cycles, currencyIso, items } = order;
        const due = occurrences.get(order.id)!;
        const present = quoteAt(order, cycles, compiled);
        const atRisk = isAtRisk(order, present, { ofPayment, receiver, ofCountry }) ? 1 : 0;
        for (const { first, end, quoted } of stretchesOf(order, cycles, due, compiled, thresholds, present)) {
          if (turns.isDue()) await turns.pass();
          // An order without items costs nothing (decisions.md §12).
          const total = BigInt(items.length === 0 ? 0 : (quoted?.total ?? 0));
          for (let index = first; index < end; index++) {
            const day = days.dayOf(new Date(due.at(index)), currencyIso);
            day.due++;
            day.atRisk += atRisk;
            day.total += total;
          }
        }
      }
    }
  }
}
