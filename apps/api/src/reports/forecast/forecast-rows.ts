import { Rejected } from '#libs/rules';

/** A row needs about 60 bytes until it is sent. */
export const MOST_ROWS = 500_000;

const PAGE_BITS = 13;
const PAGE = 2 ** PAGE_BITS;

/** What a row is of; the product and the currency by their numbers in `Names`, and 0 where rows are not of one. */
export interface RowKey {
  /** Days after the first one of the range. */
  readonly day: number;
  readonly product: number;
  readonly currency: number;
}

/** What is added up in a row. Whole numbers; one above 2^53 − 1 is not exact, and refused in the end. */
export interface RowSums {
  readonly orders: number;
  readonly units: number;
  readonly unitsAtRisk: number;
  readonly amount: number;
}

/** Rows side by side, in typed arrays: objects would need several times the memory. */
class Page {
  readonly day = new Int16Array(PAGE);
  readonly product = new Int32Array(PAGE);
  readonly currency = new Int16Array(PAGE);
  readonly orders = new Float64Array(PAGE);
  readonly units = new Float64Array(PAGE);
  readonly unitsAtRisk = new Float64Array(PAGE);
  readonly amount = new Float64Array(PAGE);
}

/** The rows of a forecast, found by what they are of: a hash table with linear probing. */
export class ForecastRows {
  size = 0;
  private readonly pages: Page[] = [];
  /** The number of the row + 1; 0 is free. At most half of them are taken. */
  private slots = new Int32Array(1024);

  /** @throws Rejected when the forecast has too many rows. */
  add(day: number, product: number, currency: number, sums: RowSums): void {
    const row = this.rowOf(day, product, currency);
    const [page, at] = [this.pages[row >>> PAGE_BITS]!, row & (PAGE - 1)];
    page.orders[at]! += sums.orders;
    page.units[at]! += sums.units;
    page.unitsAtRisk[at]! += sums.unitsAtRisk;
    page.amount[at]! += sums.amount;
  }

  key(row: number): RowKey {
    const [page, at] = [this.pages[row >>> PAGE_BITS]!, row & (PAGE - 1)];
    return { day: page.day[at]!, product: page.product[at]!, currency: page.currency[at]! };
  }

  sums(row: number): RowSums {
    const [page, at] = [this.pages[row >>> PAGE_BITS]!, row & (PAGE - 1)];
    return {
      orders: page.orders[at]!,
      units: page.units[at]!,
      unitsAtRisk: page.unitsAtRisk[at]!,
      amount: page.amount[at]!,
    };
  }

  private rowOf(day: number, product: number, currency: number): number {
    const slot = this.slotOf(day, product, currency);
    const taken = this.slots[slot]!;
    if (taken !== 0) return taken - 1;
    if (this.size === MOST_ROWS) throw tooManyRows();
    const row = this.size++;
    const at = row & (PAGE - 1);
    if (at === 0) this.pages.push(new Page());
    const page = this.pages.at(-1)!;
    page.day[at] = day;
    page.product[at] = product;
    page.currency[at] = currency;
    this.slots[slot] = row + 1;
    if (2 * this.size > this.slots.length) this.grow();
    return row;
  }

  /** The slot of the row, or the free one where it belongs. */
  private slotOf(day: number, product: number, currency: number): number {
    const mask = this.slots.length - 1;
    for (let slot = hashOf(day, product, currency) & mask; ; slot = (slot + 1) & mask) {
      const taken = this.slots[slot]!;
      if (taken === 0) return slot;
      const [page, at] = [this.pages[(taken - 1) >>> PAGE_BITS]!, (taken - 1) & (PAGE - 1)];
      if (page.day[at] === day && page.product[at] === product && page.currency[at] === currency) return slot;
    }
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    for (let row = 0; row < this.size; row++) {
      const { day, product, currency } = this.key(row);
      this.slots[this.slotOf(day, product, currency)] = row + 1;
    }
  }
}

function hashOf(day: number, product: number, currency: number): number {
  const mixed =
    Math.imul(product + 1, 0x9e3779b1) ^ Math.imul(day + 1, 0x85ebca6b) ^ Math.imul(currency + 1, 0xc2b2ae35);
  return mixed ^ (mixed >>> 15);
}

const tooManyRows = () =>
  new Rejected([
    { field: 'By', message: `gives more than ${MOST_ROWS} rows: ask for fewer days at a time, or for another By.` },
  ]);
