import type { ConnectionPool } from '#libs/platform';
import { checkSite } from '../site-of-import.js';
import { refuseTwins, stageFile } from '../stage.js';
import { importing } from '../transaction.js';
import { inheritFromParents, mergeProducts } from './merge.js';
import { ProductExport, type ProductsImport } from './product-export.js';

/**
 * Imports a WooCommerce product export into a site. Products are matched by their ids in the shop: new ones are
 * created, different ones are updated. It is one transaction: an interrupted import leaves nothing.
 * @throws Refusal when the file is not such an export.
 */
export function importProducts(database: ConnectionPool, request: ProductsImport) {
  const { path, siteId, onRefused, dryRun = false } = request;
  return importing(database, dryRun, async (tx) => {
    await checkSite(tx, siteId);
    const file = new ProductExport(tx, request);
    const { read, refused } = await stageFile(tx, path, file, onRefused);
    const twins = await refuseTwins(tx, ['external_id'], 'the same ID', onRefused);
    file.remarks.add('VariationsWithoutParent', await inheritFromParents(tx, siteId, file.fields));
    const { created, updated } = await mergeProducts(tx, siteId, file.fields);
    return {
      SiteId: siteId,
      Read: read,
      Created: created,
      Updated: updated,
      Unchanged: read - refused - twins - created - updated,
      Refused: refused + twins,
      NotCarriedOver: file.notCarriedOver.toJSON(),
      Remarks: file.remarks.toJSON(),
    };
  });
}
