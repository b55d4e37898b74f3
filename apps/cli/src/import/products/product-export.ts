import type { Transaction } from '#libs/platform';
import { EXIT_DATA, Refusal } from '../../refusal.js';
import type { Cells } from '../cells.js';
import type { FileKind, OnRefused } from '../stage.js';
import { Tally } from '../tally.js';
import { englishColumns, otherLanguageFault } from './column-names.js';
import { leftBehind } from './left-behind.js';
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
