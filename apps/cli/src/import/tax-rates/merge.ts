import type { Transaction } from '#libs/platform';
import { written } from '../written.js';

const PLACE_AND_CLASS = ['country', 'state', 'city', 'postcode', 'tax_class'];

/** The columns that identify a rate: location, class and priority. Its name is a label, as in WooCommerce. */
export const KEY = [...PLACE_AND_CLASS, 'priority'];

/** The columns that a row sets. */
const VALUES = ['name', 'rate', 'is_compound', 'priority', 'applies_to_shipping'];

export async function createStage(tx: Transaction): Promise<void> {
  await tx.execute(
    `CREATE TEMPORARY TABLE staged (
       line integer, country text, state text, city text, postcode text, tax_class text, name text,
       rate numeric(17,6), is_compound boolean, priority integer, applies_to_shipping boolean
     ) ON COMMIT DROP`,
  );
}

const STAGED = `(SELECT *, ctid AS place,
    priority = min(priority) OVER (PARTITION BY ${PLACE_AND_CLASS.join(', ')}, name) AS is_first FROM staged) AS s`;

const same = (columns: readonly string[]) =>
  columns.map((column) => `coalesce(r.${column}, '') = coalesce(s.${column}, '')`).join(' AND ');

/** A rate that was stored before rates had priorities is the first of its name. */
const IS_STORED = `r.site_id = $1 AND r.deleted_utc IS NULL AND ${same(PLACE_AND_CLASS)}
  AND (r.priority = s.priority OR (r.priority IS NULL AND s.is_first AND ${same(['name'])}))`;

export interface Merged {
  readonly rates: number;
  readonly created: number;
  readonly updated: number;
  readonly taxedShipping: number;
}

const listed = (row: string) => VALUES.map((column) => `${row}.${column}`).join(', ');

/** Writes new and different rates, in WooCommerce's order of priority. */
export async function mergeTaxRates(tx: Transaction, siteId: number): Promise<Merged> {
  const [staged] = await tx.execute<{ rates: number; taxedShipping: number }>(
    `SELECT count(*)::integer AS rates, count(*) FILTER (WHERE applies_to_shipping)::integer AS "taxedShipping" FROM staged`,
  );
  const updated = await written(
    tx,
    `UPDATE tax_rates AS r SET ${VALUES.map((column) => `${column} = s.${column}`).join(', ')}, updated_utc = now()
       FROM ${STAGED} WHERE ${IS_STORED} AND (${listed('r')}) IS DISTINCT FROM (${listed('s')})`,
    [siteId],
  );
  const created = await written(
    tx,
    `INSERT INTO tax_rates (site_id, ${PLACE_AND_CLASS.join(', ')}, ${VALUES.join(', ')})
       SELECT $1, ${PLACE_AND_CLASS.join(', ')}, ${VALUES.join(', ')} FROM ${STAGED}
       WHERE NOT EXISTS (SELECT FROM tax_rates AS r WHERE ${IS_STORED})
       ORDER BY priority, line, place`,
    [siteId],
  );
  return { ...staged!, created, updated };
}
