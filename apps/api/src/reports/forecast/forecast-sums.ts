import { type QuotableItem, type Quote, stockUnits } from '#libs/rules';
import { LEFT_OUT_REASONS, type LeftOutReason } from '../../contract/insight/forecast.dto.js';
import { type DateRange, DAY_MS, startOfDay } from '../days.js';
import type { PricedStretch } from '../order-prices.js';
import type { Due } from '../order-schedules.js';
import type { Turns } from '../turns.js';
import type { ForecastQuery } from './forecast-query.js';
import { ForecastRows } from './forecast-rows.js';
import { Numbered } from './numbered.js';
import { MOST_OCCURRENCES, tooManyOccurrences } from './occurrence-bound.js';
import { StockUse } from './stock-use.js';

/** What an occurrence of an order brings of one product. */
interface Goods {
  readonly product: number;
  readonly units: number;
  readonly hasStock: boolean;
}

/** An order as its occurrences are added up. */
export interface CountedOrder {
  readonly goods: readonly Goods[];
  /** Of all products. */
  readonly units: number;
  readonly isAtRisk: boolean;
  readonly currencyIso: string;
}

/** Where rows are not of a product, or not of a currency. */
const ALL = 0;

/** The figures of a forecast while it is calculated. */
export class ForecastSums {
  orders = 0;
  occurrences = 0;
  readonly leftOut = new LeftOut();
  readonly rows = new ForecastRows();
  readonly products = new Numbered<number>();
  readonly currencies = new Numbered<string>();
  readonly stock: StockUse;
  readonly firstDayMs: number;

  constructor(
    readonly range: DateRange,
    private readonly query: Pick<ForecastQuery, 'by' | 'withAmounts'>,
    private readonly turns: Turns,
  ) {
    this.firstDayMs = startOfDay(range.from).getTime();
    this.stock = new StockUse(this.dayOf(range.to.getTime() - 1) + 1);
  }

  /** What an order brings at each occurrence: unavailable items are left out, and several of one product are one. */
  counted(
    items: readonly QuotableItem[],
    { lines, currencyIso }: Pick<Quote, 'lines' | 'currencyIso'>,
    isAtRisk: boolean,
  ): CountedOrder {
    const unitsOf = new Map<number, number>();
    const stockOf = new Map<number, number | null>();
    for (const [index, { productId, available, quantity }] of lines.entries()) {
      if (!available) continue;
      unitsOf.set(productId, (unitsOf.get(productId) ?? 0) + quantity);
      stockOf.set(productId, stockUnits(items[index]!.product));
    }
    const goods: Goods[] = [];
    let all = 0;
    for (const [productId, units] of unitsOf) {
      all += units;
      if (this.query.by === 'Day') continue;
      const product = this.products.numberOf(productId);
      const hasStock = this.query.by === 'Product' && this.stock.hasStock(product, stockOf.get(productId)!);
      goods.push({ product, units, hasStock });
    }
    return { goods, units: all, isAtRisk, currencyIso };
  }

  /** Units of occurrences before the range, for the stock that is left. */
  addBefore({ goods }: CountedOrder, occurrences: number): void {
    for (const { product, units, hasStock } of goods) {
      if (hasStock) this.stock.addBefore(product, units * occurrences);
    }
  }

  /** @throws Rejected when there are too many occurrences or rows. */
  async add(order: CountedOrder, due: Due, stretch: PricedStretch): Promise<void> {
    this.occurrences += stretch.end - stretch.first;
    if (this.occurrences > MOST_OCCURRENCES) throw tooManyOccurrences();
    if (this.query.by === 'Day') await this.addDays(order, due, stretch);
    else await this.addProducts(order, due, stretch);
  }

  private async addDays({ units, isAtRisk, currencyIso }: CountedOrder, due: Due, stretch: PricedStretch) {
    const { first, end, quoted } = stretch;
    const unitsAtRisk = isAtRisk ? units : 0;
    const sums = { orders: 1, units, unitsAtRisk, amount: this.query.withAmounts ? quoted.total : 0 };
    const currency = this.currencyOf(currencyIso);
    for (let index = first; index < end; index++) {
      this.rows.add(this.dayOf(due.at(index)), ALL, currency, sums);
      if (this.turns.isDue()) await this.turns.pass();
    }
  }

  private async addProducts({ goods, isAtRisk, currencyIso }: CountedOrder, due: Due, stretch: PricedStretch) {
    const { first, end, quoted } = stretch;
    const isByDay = this.query.by === 'ProductDay';
    const times = isByDay ? 1 : end - first;
    const amounts = this.query.withAmounts ? amountsOf(quoted) : null;
    const currency = this.currencyOf(currencyIso);
    for (const { product, units, hasStock } of goods) {
      const amount = amounts?.get(this.products.values[product]!) ?? 0;
      const unitsAtRisk = isAtRisk ? times * units : 0;
      const sums = { orders: times, units: times * units, unitsAtRisk, amount: times * amount };
      if (!isByDay) this.rows.add(0, product, currency, sums);
      for (let index = first; (isByDay || hasStock) && index < end; index++) {
        const day = this.dayOf(due.at(index));
        if (isByDay) this.rows.add(day, product, currency, sums);
        else this.stock.add(product, day, units);
        if (this.turns.isDue()) await this.turns.pass();
      }
    }
  }

  private currencyOf(iso: string): number {
    return this.query.withAmounts ? this.currencies.numberOf(iso) : ALL;
  }

  private dayOf(instantMs: number): number {
    return Math.floor((instantMs - this.firstDayMs) / DAY_MS);
  }
}

/** The lines of each product, without tax; minor units. */
function amountsOf({ lines }: Quote): ReadonlyMap<number, number> {
  const amounts = new Map<number, number>();
  for (const { productId, amount } of lines) amounts.set(productId, (amounts.get(productId) ?? 0) + amount);
  return amounts;
}

/** Orders counted by the reason why they are left out. */
export class LeftOut {
  private readonly counts = new Map<LeftOutReason, number>();

  count(reason: LeftOutReason): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }

  toJSON(): readonly { readonly Reason: LeftOutReason; readonly Orders: number }[] {
    return LEFT_OUT_REASONS.flatMap((reason) => {
      const orders = this.counts.get(reason);
      return orders === undefined ? [] : { Reason: reason, Orders: orders };
    });
  }
}
