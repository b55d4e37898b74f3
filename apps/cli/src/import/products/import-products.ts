import type { DataSource } from 'typeorm';
import { EXIT_DATA, Refusal } from '../../refusal.js';
import { checkSite } from '../site-of-import.js';
import { refuseTwins, stageFile, type FileKind, type OnRefused } from '../stage.js';
import { Tally } from '../tally.js';
import { importing } from '../transaction.js';
import { englishColumns, otherLanguageFault } from './column-names.js';
import { leftBehind } from './left-behind.js';
import { createStage, inheritFromParents, mergeProducts } from './merge.js';
import { fieldsIn, productRow } from './product-row.js';

export interface ProductsImport {
  readonly path: string;
  readonly siteId: number;
  /** Shipping class of virtual products that have none of their own. */
  readonly virtualShippingClass?: string;
  /** Tells which sale prices are in force. */
  readonly now: Date;
  readonly onRefused: OnRefused;
  /** Nothing is written. */
  readonly dryRun?: boolean;
}

/**
 * Takes the products of a WooCommerce product export into a site, by their ids in the shop: new ones are created, those
 * that differ updated. All in one transaction: an interrupted import leaves nothing.
 * @throws Refusal when the file is not what it should be.
 */
export function importProducts(database: DataSource, request: ProductsImport) {
  const { path, siteId, onRefused, dryRun = false } = request;
  return importing(database, dryRun, async (tx) => {
    await checkSite(tx, siteId);
    const [remarks, notCarriedOver] = [new Tally(), new Tally()];
    let fields: string[] = [];
    const kind: FileKind = {
      name: 'WooCommerce product export',
      required: ['ID'],
      columnsOf: englishColumns,
      async prepare(columns) {
        const known = fieldsIn(columns);
        if (known.length === 0) throw new Refusal(`${path} has no column of a product besides its ID.`, EXIT_DATA);
        const fault = otherLanguageFault(columns);
        if (fault !== null) throw new Refusal(`${path} is no ${kind.name}: ${fault}`, EXIT_DATA);
        fields = known.map(({ name }) => name);
        await createStage(tx, fields);
        const lost = leftBehind(columns);
        return (cells, line) => {
          const reading = { ...request, remarks: [] as string[] };
          const row = productRow(known, cells, line, reading);
          for (const remark of reading.remarks) remarks.add(remark);
          for (const column of lost(cells)) notCarriedOver.add(column);
          return [row];
        };
      },
    };
    const { read, refused } = await stageFile(tx, path, kind, onRefused);
    const twins = await refuseTwins(tx, ['external_id'], 'the same ID', onRefused);
    remarks.add('VariationsWithoutParent', await inheritFromParents(tx, siteId, fields));
    const { created, updated } = await mergeProducts(tx, siteId, fields);
    return {
      SiteId: siteId,
      Read: read,
      Created: created,
      Updated: updated,
      Unchanged: read - refused - twins - created - updated,
      Refused: refused + twins,
      NotCarriedOver: notCarriedOver.toJSON(),
      Remarks: remarks.toJSON(),
    };
  });
}
