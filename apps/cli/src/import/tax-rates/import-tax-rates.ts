import type { ConnectionPool } from '#libs/database';
import { checkSite } from '../site-of-import.js';
import { refuseTwins, stageFile, type FileKind, type OnRefused } from '../stage.js';
import { Tally } from '../tally.js';
import { collisions, createStage, KEY, mergeTaxRates } from './merge.js';
import { taxRateRows } from './tax-rate-rows.js';

export interface TaxRatesImport {
  readonly path: string;
  readonly siteId: number;
  readonly onRefused: OnRefused;
}

/**
 * Imports a WooCommerce tax-rate export into a site. Rates are matched by location, class and name: new ones are created, different ones are updated.
 * It is one transaction.
 * @throws Refusal when the file is not such an export.
 */
export function importTaxRates(database: ConnectionPool, { path, siteId, onRefused }: TaxRatesImport) {
  return database.transaction(async (tx) => {
    await checkSite(tx, siteId);
    const kind: FileKind = {
      name: 'WooCommerce tax-rate export',
      required: ['Country code', 'Rate %', 'Tax name'],
      async prepare() {
        await createStage(tx);
        return taxRateRows;
      },
    };
    const { read, refused } = await stageFile(tx, path, kind, onRefused);
    await tx.execute('ANALYZE staged');
    const twins = await refuseTwins(tx, KEY, 'the same place, class and name', onRefused);
    const met = await collisions(tx);
    const { rates, created, updated, taxedShipping } = await mergeTaxRates(tx, siteId);
    const remarks = new Tally();
    remarks.add('TaxedShipping', taxedShipping);
    remarks.add('SamePriority', met.samePriority);
    remarks.add('OtherPriority', met.otherPriority);
    return {
      SiteId: siteId,
      Read: read,
      Rates: rates,
      Created: created,
      Updated: updated,
      Unchanged: rates - created - updated,
      Refused: refused + twins,
      NotCarriedOver: {},
      Remarks: remarks.toJSON(),
    };
  });
}
