import { csvHead, csvLines, Statement } from '#libs/platform';
import type { Pieces } from '#libs/records';
import { Rejected } from '#libs/rules';
import { DAY_MS, dayOf } from '../days.js';
import type { ReportDatabase } from '../report-database.js';
import type { ForecastQuery } from './forecast-query.js';
import type { ForecastRows, RowSums } from './forecast-rows.js';
import type { ForecastSums } from './forecast-sums.js';
import { rowsInOrder } from './row-order.js';

/** Rows that are sent together, with the products that are read for them. */
export const ROWS_OF_PIECE = 1_000;

const COLUMNS = [
  'Day',
  'ProductId',
  'Sku',
  'Title',
  'Orders',
  'Units',
  'UnitsAtRisk',
  'Amount',
  'CurrencyIso',
  'RunsOutOn',
] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string | number | null>>;

interface ProductRow {
  readonly id: number;
  readonly sku: string | null;
  readonly title: string | null;
}

/** pk_products. $1 ids of products of the forecast's own site. */
const PRODUCTS = Statement.named(`SELECT p.id, p.sku, p.title FROM products p WHERE p.id = ANY ($1::bigint[])`);

/** The rows of a forecast as they are answered, piece by piece. */
export class ForecastAnswer {
  constructor(
    private readonly database: ReportDatabase,
    private readonly sums: ForecastSums,
    private readonly query: Pick<ForecastQuery, 'by' | 'withAmounts' | 'isCsv'>,
    private readonly now: Date,
  ) {}

  /** @throws Rejected when a sum is too large for a number of JSON. Before anything is sent. */
  pieces(): Pieces {
    assertExact(this.sums.rows);
    return this.query.isCsv ? this.csv() : this.json();
  }

  private async *json(): Pieces {
    const { orders, occurrences, leftOut } = this.sums;
    const head = { AsOfUtc: this.now, Orders: orders, Occurrences: occurrences };
    let before = `${JSON.stringify(head).slice(0, -1)},"Rows":[`;
    for await (const rows of this.rows()) {
      yield before + rows.map((row) => JSON.stringify(row)).join(',');
      before = ',';
    }
    yield `${this.sums.rows.size === 0 ? before : ''}],"LeftOut":${JSON.stringify(leftOut)}}`;
  }

  private async *csv(): Pieces {
    yield csvHead(COLUMNS);
    for await (const rows of this.rows()) {
      yield csvLines(rows.map((row) => COLUMNS.map((column) => JSON.stringify(row[column]))));
    }
  }

  private async *rows(): AsyncGenerator<Row[], void> {
    const { products, currencies, rows } = this.sums;
    const ranks = { products: products.ranks(), currencies: currencies.ranks() };
    for (const piece of rowsInOrder(rows, ranks, ROWS_OF_PIECE)) {
      const ids = this.query.by === 'Day' ? [] : piece.map((row) => products.values[rows.key(row).product]!);
      const read = ids.length === 0 ? [] : await this.database.execute<ProductRow>(PRODUCTS, [[...new Set(ids)]]);
      const productOf = new Map(read.map((product) => [product.id, product]));
      yield piece.map((row) => this.row(row, productOf));
    }
  }

  private row(row: number, productOf: ReadonlyMap<number, ProductRow>): Row {
    const { rows, products, currencies, stock } = this.sums;
    const { by, withAmounts } = this.query;
    const { day, product, currency } = rows.key(row);
    const { orders, units, unitsAtRisk, amount } = rows.sums(row);
    const productId = by === 'Day' ? null : products.values[product]!;
    const { sku = null, title = null } = (productId === null ? undefined : productOf.get(productId)) ?? {};
    return {
      Day: by === 'Product' ? null : this.day(day),
      ProductId: productId,
      Sku: sku,
      Title: title,
      Orders: orders,
      Units: units,
      UnitsAtRisk: unitsAtRisk,
      Amount: withAmounts ? amount : null,
      CurrencyIso: withAmounts ? currencies.values[currency]! : null,
      RunsOutOn: by === 'Product' ? this.day(stock.runsOutOn(product)) : null,
    };
  }

  private day(day: number | null): string | null {
    return day === null ? null : dayOf(new Date(this.sums.firstDayMs + day * DAY_MS));
  }
}

const EXACT_SUMS = ['units', 'amount'] as const satisfies readonly (keyof RowSums)[];

function assertExact(rows: ForecastRows): void {
  for (let row = 0; row < rows.size; row++) {
    const sums = rows.sums(row);
    if (EXACT_SUMS.every((name) => sums[name] <= Number.MAX_SAFE_INTEGER)) continue;
    throw new Rejected([
      {
        field: 'To',
        message: `makes a sum above the largest number, ${Number.MAX_SAFE_INTEGER}: ask for fewer days at a time.`,
      },
    ]);
  }
}
