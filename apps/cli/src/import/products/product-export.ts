import type { Transaction } from '#libs/platform';
import { EXIT_DATA, Refusal } from '../../refusal.js';
import type { Cells } from '../cells.js';
import { Tally } from '../report.js';
import type { FileKind, OnRefused } from '../stage.js';
import { englishColumns, otherLanguageFault } from './column-names.js';
import { createStage } from './merge.js';
import { fieldsIn, productRow } from './product-row.js';

export interface ProductsImport {
  readonly path: string;
  readonly siteId: number;
  /** Shipping class for virtual products without one. */
  readonly virtualShippingClass?: string | undefined;
  /** Decides which sale prices are valid now. */
  readonly now: Date;
  readonly onRefused: OnRefused;
  /** Nothing is written. */
  readonly dryRun?: boolean | undefined;
}

/** A WooCommerce product export, and what was noted when it was read. */
export class ProductExport implements FileKind {
  readonly name = 'WooCommerce product export';
  readonly required = ['ID'];
  readonly columnsOf = englishColumns;
  readonly remarks = new Tally();
  readonly notCarriedOver = new Tally();
  /** Fields of a product that the file has columns of. */
  fields: readonly string[] = [];

  constructor(
    private readonly tx: Transaction,
    private readonly request: ProductsImport,
  ) {}

  async prepare(columns: readonly string[]) {
    const { path } = this.request;
    const known = fieldsIn(columns);
    if (known.length === 0) throw new Refusal(`${path} has no column of a product besides its ID.`, EXIT_DATA);
    const fault = otherLanguageFault(columns);
    if (fault !== null) throw new Refusal(`${path} is not a ${this.name}: ${fault}`, EXIT_DATA);
    this.fields = known.map(({ name }) => name);
    await createStage(this.tx, this.fields);
    const lost = leftBehind(columns);
    return (cells: Cells, line: number) => {
      const reading = { ...this.request, remarks: [] as string[] };
      const row = productRow(known, cells, line, reading);
      for (const remark of reading.remarks) this.remarks.add(remark);
      for (const column of lost(cells)) this.notCarriedOver.add(column);
      return [row];
    };
  }
}

/** Columns that are read; names of measures have a unit. */
const READ =
  /^(ID|Type|SKU|Name|Published|Short description|Description|Date sale price (starts|ends)|Tax (status|class)|In stock\?|Stock|Backorders allowed\?|(Weight|Length|Width|Height)(\s*\(.*\))?|Sale price|Regular price|Shipping class|Images|Parent)$/i;

/** Default values of cells, with which no information is lost. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'is featured?': '0',
  'visibility in catalog': 'visible',
  'sold individually?': '0',
  'allow customer reviews?': '1',
  position: '0',
};

/** The columns that cannot be imported, each with a test whether a row has information in it. */
export function leftBehind(columns: readonly string[]): (cells: Cells) => string[] {
  const lost = columns.filter((column) => column !== '' && !READ.test(column));
  return (cells) =>
    lost.filter((column) => {
      const cell = cells(column) ?? '';
      return cell !== '' && cell !== DEFAULTS[column.toLowerCase()];
    });
}
