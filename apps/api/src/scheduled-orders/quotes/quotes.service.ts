import { Injectable } from '@nestjs/common';
import { businessNowSql, ScheduledOrder } from '#libs/entities';
import { readReceiver } from '#libs/ledger';
import { type Caller, columnList, Database, entityOf } from '#libs/records';
import { frequencyRule, minCyclesOf, type Quote, quote, upcoming } from '#libs/rules';
import { Calculations } from '../../http/load/calculations.js';
import type { ItemWithProduct } from '../items/item-rules.js';
import { itemsOf } from '../items/order-items.js';
import { storedCountryProblem } from '../order-country.js';
import { type Pricing, pricingFor, pricingForQuote } from '../order-rates.js';
import { ScheduledOrdersService } from '../scheduled-orders.service.js';
import { PaymentProblems } from './payment-problems.js';
import { pushProblems } from './push-problems.js';
import { quoteJson } from './quote-json.js';

interface Priceable {
  readonly order: ScheduledOrder;
  readonly items: readonly ItemWithProduct[];
  readonly pricing: Pricing;
  readonly now: Date;
}

/** What an order costs and when it falls due, calculated by the same functions as in processing (decisions.md §12). */
@Injectable()
export class QuotesService {
  constructor(
    private readonly database: Database,
    private readonly orders: ScheduledOrdersService,
    private readonly payment: PaymentProblems,
    private readonly calculations: Calculations,
  ) {}

  /** What it would cost now, and why. */
  async quote(caller: Caller, id: number): Promise<string> {
    const { order, items, pricing } = await this.read(caller, id, pricingForQuote);
    const quoted = await this.calculations.run(caller, () =>
      quote({ ...order, items, taxExempt: pricing.taxExempt }, pricing.rates),
    );
    const [ofCountry, ofPayment, receiver] = await Promise.all([
      storedCountryProblem(this.database, order),
      this.payment.ofOrder(order, quoted.total),
      readReceiver(this.database, order.siteId),
    ]);
    const ofPush = pushProblems(receiver, items);
    const problems = [...quoted.problems, ...ofCountry, ...ofPayment, ...ofPush];
    return this.calculations.run(caller, () => quoteJson(quoted, problems));
  }

  /** Its next `count` occurrences, each with what it would cost by then; the first one is NextOccurrenceUtc. */
  async upcoming(caller: Caller, id: number, count: number): Promise<string> {
    const { order, items, pricing, now } = await this.read(caller, id, pricingFor);
    const [rule, first] = [frequencyRule(order), order.nextOccurrenceUtc];
    if (rule === null || first === null) return '[]';
    const { scheduleAnchorUtc: anchor, replacedOccurrenceUtc: replaced } = order;
    const instants = upcoming({ rule, anchor, first, replaced, now, count });
    const { rates, taxExempt } = pricing;
    const thresholds = minCyclesOf(rates);
    const occurrences: object[] = [];
    let totals = NOTHING;
    for (const [index, instant] of instants.entries()) {
      const cycles = Math.min(order.cycles + index, Number.MAX_SAFE_INTEGER);
      // Nothing else in a price depends on how often the order was processed.
      const isAnotherPrice = index === 0 || thresholds.includes(cycles);
      if (isAnotherPrice && items.length > 0)
        totals = await this.calculations.run(caller, () => quote({ ...order, cycles, items, taxExempt }, rates));
      const { shippingTotal, taxTotal, total } = totals;
      const OccurrenceUtc = instant.toISOString();
      occurrences.push({
        OccurrenceUtc,
        Cycles: cycles,
        ShippingTotal: shippingTotal,
        TaxTotal: taxTotal,
        Total: total,
      });
    }
    return JSON.stringify(occurrences);
  }

  /** Without a lock: a quote must not delay changes or processing of the order. */
  private async read(caller: Caller, id: number, readPricing: typeof pricingFor): Promise<Priceable> {
    const columns = `${columnList(ScheduledOrder, 'x')}, (${businessNowSql('x', 'clock_timestamp()')})::timestamptz(3) AS now`;
    const row = await this.orders.selectOne<{ now: Date }>(caller, id, { name: 'row', columns });
    const order = entityOf(ScheduledOrder, row);
    return this.database.write(async (tx) => {
      const [items, pricing] = await Promise.all([itemsOf(tx, id), readPricing(tx, order)]);
      return { order, items, pricing, now: row.now };
    });
  }
}

/** An order without items costs nothing (decisions.md §12). */
const NOTHING: Pick<Quote, 'shippingTotal' | 'taxTotal' | 'total'> = { shippingTotal: 0, taxTotal: 0, total: 0 };
