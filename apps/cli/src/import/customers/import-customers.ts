import type { ConnectionPool, Transaction } from '#libs/platform';
import { EXIT_DATA, Refusal } from '../../refusal.js';
import type { Cells } from '../cells.js';
import { Tally } from '../report.js';
import { checkSite } from '../site-of-import.js';
import { type FileKind, type OnRefused, refuseTwins, stageFile } from '../stage.js';
import { importing } from '../transaction.js';
import { columnKeys, furtherColumns, identityFault } from './column-names.js';
import { customerRow, fieldsIn } from './customer-row.js';
import { createStage, findStored, mergeCustomers } from './merge.js';

export interface CustomersImport {
  readonly path: string;
  readonly siteId: number;
  readonly onRefused: OnRefused;
  /** Nothing is written. */
  readonly dryRun?: boolean | undefined;
}

/** A customer export, and what was noted when it was read. */
class CustomerExport implements FileKind {
  readonly name = 'WooCommerce customer export';
  readonly required = [];
  readonly columnsOf = columnKeys;
  readonly notCarriedOver = new Tally();
  /** Fields of a customer that the file has columns of. */
  fields: readonly string[] = [];

  constructor(
    private readonly tx: Transaction,
    private readonly path: string,
  ) {}

  async prepare(columns: readonly string[]) {
    const fault = identityFault(columns);
    if (fault !== null) throw new Refusal(`${this.path} is not a ${this.name}: ${fault}`, EXIT_DATA);
    const known = fieldsIn(columns);
    this.fields = known.map(({ name }) => name);
    await createStage(this.tx, this.fields);
    const further = furtherColumns(columns);
    return (cells: Cells, line: number) => {
      const row = customerRow(known, cells, line);
      for (const column of further) if ((cells(column) ?? '') !== '') this.notCarriedOver.add(column);
      return [row];
    };
  }
}

/**
 * Imports a WooCommerce customer export into a site. Customers are matched by their ids in the shop, those without one
 * by their e-mail addresses: new ones are created, different ones are updated. It is one transaction: an interrupted
 * import leaves nothing.
 * @throws Refusal when the file is not such an export.
 */
export function importCustomers(
  database: ConnectionPool,
  { path, siteId, onRefused, dryRun = false }: CustomersImport,
) {
  return importing(database, dryRun, async (tx) => {
    await checkSite(tx, siteId);
    const file = new CustomerExport(tx, path);
    const { read, refused } = await stageFile(tx, path, file, onRefused);
    const twins = await refuseTwins(
      tx,
      [`coalesce(external_id, 'e-mail:' || lower(email))`],
      'the same customer_id, or e-mail address,',
      onRefused,
    );
    const ambiguous = await findStored(tx, siteId, onRefused);
    const { created, updated } = await mergeCustomers(tx, siteId, file.fields);
    const left = refused + twins + ambiguous;
    return {
      SiteId: siteId,
      Read: read,
      Created: created,
      Updated: updated,
      Unchanged: read - left - created - updated,
      Refused: left,
      NotCarriedOver: file.notCarriedOver.toJSON(),
      Remarks: {},
    };
  });
}
