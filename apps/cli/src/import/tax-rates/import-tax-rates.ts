import type { ConnectionPool, Transaction } from '#libs/platform';
import { EXIT_DATA, Refusal } from '../../refusal.js';
import { Tally } from '../report.js';
import { checkSite } from '../site-of-import.js';
import { type FileKind, type OnRefused, refuseTwins, stageFile } from '../stage.js';
import { importing } from '../transaction.js';
import { englishColumns, placesFault } from './column-names.js';
import { createStage, KEY, mergeTaxRates } from './merge.js';
import { otherSpecificity } from './specificity.js';
import { taxRateRows } from './tax-rate-rows.js';

export interface TaxRatesImport {
  readonly path: string;
  readonly siteId: number;
  readonly onRefused: OnRefused;
  /** Nothing is written. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Imports a WooCommerce tax-rate export into a site. Rates are matched by location, class and priority: new ones are
 * created, different ones are updated. It is one transaction.
 * @throws Refusal when the file is not such an export.
 */
export function importTaxRates(database: ConnectionPool, { path, siteId, onRefused, dryRun = false }: TaxRatesImport) {
  return importing(database, dryRun, async (tx) => {
    await checkSite(tx, siteId);
    const kind: FileKind = {
      name: 'WooCommerce tax-rate export',
      required: ['Country code', 'Rate %', 'Tax name'],
      columnsOf: englishColumns,
      async prepare(columns) {
        const fault = placesFault(columns);
        if (fault !== null) throw new Refusal(`${path} is not a ${kind.name}: ${fault}`, EXIT_DATA);
        await createStage(tx);
        return taxRateRows;
      },
    };
    const { read, refused } = await stageFile(tx, path, kind, onRefused);
    await tx.execute('ANALYZE staged');
    const twins = await refuseTwins(tx, KEY, 'the same place, class and priority', onRefused);
    await makeSettings(tx, siteId);
    const { rates, created, updated, taxedShipping } = await mergeTaxRates(tx, siteId);
    const remarks = new Tally();
    remarks.add('TaxedShipping', taxedShipping);
    remarks.add('OtherSpecificity', await otherSpecificity(tx));
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

/**
 * A shop that moves in is taxed as WooCommerce does unless told otherwise: shipping by rate, gross prices adjusted to
 * the address. One that has tax rates, or has set anything, is left as it is.
 */
async function makeSettings(tx: Transaction, siteId: number): Promise<void> {
  await tx.execute(
    `INSERT INTO site_settings (site_id, shipping_tax, gross_outside)
     SELECT $1, 'ByRate', 'Adjust'
     WHERE NOT EXISTS (SELECT FROM tax_rates WHERE site_id = $1 AND deleted_utc IS NULL) AND EXISTS (SELECT FROM staged)
     ON CONFLICT (site_id) DO NOTHING`,
    [siteId],
  );
}
