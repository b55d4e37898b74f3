import { Rejected } from '#libs/rules';

/** Units of a product on a day that are remembered, of all products: 4 bytes each. */
const MOST_CELLS = 8_000_000;
const LARGEST_UINT32 = 2 ** 32 - 1;

interface Use {
  readonly stock: number;
  /** Before the first day of the range. */
  before: number;
  /** By day of the range. Doubles where a day has too many units for 32 bits. */
  units: Uint32Array | Float64Array;
}

/** How many units of the products with a number as their stock are used, day by day. */
export class StockUse {
  private readonly uses = new Map<number, Use>();

  constructor(private readonly days: number) {}

  /**
   * Products are named by their numbers. `stock` is null where it is no number: its days are not remembered.
   * @throws Rejected when too many products have a stock.
   */
  hasStock(product: number, stock: number | null): boolean {
    if (stock === null) return false;
    if (this.uses.has(product)) return true;
    if ((this.uses.size + 1) * this.days > MOST_CELLS) throw tooManyStocks(this.uses.size + 1, this.days);
    this.uses.set(product, { stock, before: 0, units: new Uint32Array(this.days) });
    return true;
  }

  addBefore(product: number, units: number): void {
    this.uses.get(product)!.before += units;
  }

  add(product: number, day: number, units: number): void {
    const use = this.uses.get(product)!;
    const sum = use.units[day]! + units;
    if (sum > LARGEST_UINT32 && use.units instanceof Uint32Array) use.units = Float64Array.from(use.units);
    use.units[day] = sum;
  }

  /** The first day of the range by the end of which more units are used than are there; null where there is none. */
  runsOutOn(product: number): number | null {
    const use = this.uses.get(product);
    if (use === undefined) return null;
    let used = use.before;
    const day = use.units.findIndex((units) => (used += units) > use.stock);
    return day === -1 ? null : day;
  }
}

const tooManyStocks = (products: number, days: number) =>
  new Rejected([
    {
      field: 'To',
      message: `makes ${days} days of at least ${products} products with a stock: ask for fewer days at a time, or for By=ProductDay.`,
    },
  ]);
