import type { Transaction } from '#libs/platform';
import { written } from '../written.js';

/**
 * The fields that a variation takes from its parent when its own are empty, as in WooCommerce. Its prices are its own.
 */
const INHERITED = ['sku', 'description', 'length', 'width', 'height', 'weight', 'shipping_class', 'image_url'];

/** Fields in which `parent` means the parent's value; without a parent it means empty. */
const PARENTS_WORD = ['tax_class', 'stock_level'];

const PRICES = new Set(['price', 'sale_price']);

/** Makes a temporary table with the columns that the file can fill. */
export async function createStage(tx: Transaction, fields: readonly string[]): Promise<void> {
  const columns = fields.map((field) => `${field} ${PRICES.has(field) ? 'numeric(15,4)' : 'text'}`);
  await tx.execute(
    `CREATE TEMPORARY TABLE staged (
       line integer, external_id text, parent_id text, parent_sku text, orphan boolean, ${columns.join(', ')}
     ) ON COMMIT DROP`,
  );
}

function inheritance(fields: readonly string[]): string[] {
  const taken = INHERITED.filter((field) => fields.includes(field)).map(
    (field) => `${field} = coalesce(staged.${field}, parent.${field})`,
  );
  for (const field of fields.filter((name) => PARENTS_WORD.includes(name))) {
    taken.push(`${field} = CASE staged.${field} WHEN 'parent' THEN parent.${field} ELSE staged.${field} END`);
  }
  if (fields.includes('availability')) {
    taken.push(
      `availability = CASE parent.availability WHEN 'Unavailable' THEN 'Unavailable' ELSE coalesce(staged.availability, parent.availability) END`,
    );
  }
  return taken;
}

/**
 * Fills in the values that variations take from their parents: parents anywhere in the file, else stored ones.
 * @returns how many variations have no parent in the file or in the database.
 */
export async function inheritFromParents(tx: Transaction, siteId: number, fields: readonly string[]): Promise<number> {
  const hasSku = fields.includes('sku');
  for (const column of ['external_id', ...(hasSku ? ['sku'] : [])])
    await tx.execute(`CREATE INDEX ON staged (${column})`);
  await tx.execute('ANALYZE staged');
  const sources = [
    { table: 'staged', where: 'parent.parent_id IS NULL AND parent.parent_sku IS NULL', parameters: [], hasSku },
    {
      table: 'products',
      where: 'parent.site_id = $1 AND parent.deleted_utc IS NULL',
      parameters: [siteId],
      hasSku: true,
    },
  ];
  for (const source of sources) {
    // Two statements, not one with OR: each finds its parents by an index.
    const links = [
      'parent.external_id = staged.parent_id',
      ...(source.hasSku ? ['parent.sku = staged.parent_sku'] : []),
    ];
    for (const link of links) {
      await tx.execute(
        `UPDATE staged SET ${[...inheritance(fields), 'orphan = false'].join(', ')}
         FROM ${source.table} AS parent
         WHERE ${source.where} AND ${link} AND staged.orphan AND parent.external_id IS DISTINCT FROM staged.external_id`,
        source.parameters,
      );
    }
  }
  const [row] = await tx.execute<{ orphans: number }>(`SELECT count(*)::integer AS orphans FROM staged WHERE orphan`);
  for (const field of fields.filter((name) => PARENTS_WORD.includes(name))) {
    await tx.execute(`UPDATE staged SET ${field} = NULL WHERE ${field} = 'parent'`);
  }
  return row!.orphans;
}

export interface Merged {
  readonly created: number;
  readonly updated: number;
}

/** Writes new and different rows; equal rows are not touched (uq_products_external_id). */
export async function mergeProducts(tx: Transaction, siteId: number, fields: readonly string[]): Promise<Merged> {
  const list = (prefix: string) => fields.map((field) => `${prefix}.${field}`).join(', ');
  const updated = await written(
    tx,
    `UPDATE products SET ${fields.map((field) => `${field} = staged.${field}`).join(', ')}, updated_utc = now()
       FROM staged
       WHERE products.site_id = $1 AND products.external_id = staged.external_id AND products.deleted_utc IS NULL
         AND (${list('products')}) IS DISTINCT FROM (${list('staged')})`,
    [siteId],
  );
  const created = await written(
    tx,
    `INSERT INTO products (site_id, external_id, ${fields.join(', ')})
       SELECT $1, external_id, ${fields.join(', ')} FROM staged
       WHERE NOT EXISTS (
         SELECT FROM products WHERE site_id = $1 AND external_id = staged.external_id AND deleted_utc IS NULL)
       ORDER BY line`,
    [siteId],
  );
  return { created, updated };
}
