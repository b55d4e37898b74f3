import type { Transaction } from '#libs/database';
import { written } from '../written.js';

/** The columns that identify a rate: location, class and name. */
export const KEY = ['country', 'state', 'city', 'postcode', 'tax_class', 'name'];

export async function createStage(tx: Transaction): Promise<void> {
  await tx.execute(
    `CREATE TEMPORARY TABLE staged (
       line integer, country text, state text, city text, postcode text, tax_class text, name text,
       rate numeric(17,6), is_compound boolean, priority integer, taxes_shipping boolean
     ) ON COMMIT DROP`,
  );
}

const sameKey = (left: string, right: string) =>
  KEY.map((column) => `coalesce(${left}.${column}, '') = coalesce(${right}.${column}, '')`).join(' AND ');

const INSIDE = 'coarse.country = fine.country AND coarse.state = fine.state';

/** The ways in which a rate's place can be inside another's. Each uses only equalities, so that PostgreSQL can hash. */
const AROUND = [
  `coarse.country IS NULL`,
  `coarse.country = fine.country AND coarse.state IS NULL AND fine.state IS NOT NULL`,
  `${INSIDE} AND coarse.city IS NULL AND fine.city IS NOT NULL`,
  `${INSIDE} AND coarse.city IN (fine.city, '*') AND coarse.postcode IS NULL AND (fine.postcode IS NOT NULL OR fine.city <> coarse.city)`,
  `${INSIDE} AND coarse.city = '*' AND fine.city <> '*' AND coarse.postcode = fine.postcode`,
  `${INSIDE} AND coarse.city IN (fine.city, '*') AND coarse.postcode = left(fine.postcode, prefix) || '*' AND prefix < length(fine.postcode)`,
];

export interface Collisions {
  readonly samePriority: number;
  readonly otherPriority: number;
}

/**
 * In WooCommerce the priority identifies a tax: of one priority the most specific rate applies, and different priorities add up. Here the name does
 * that (decisions.md §8). This counts the rates for which the two differ, because a rate of a larger place has another name with the same priority,
 * or the same name with another priority.
 */
export async function collisions(tx: Transaction): Promise<Collisions> {
  const meeting = AROUND.map(
    (around) =>
      `SELECT fine.ctid AS rate, fine.priority = coarse.priority AS same_priority
       FROM staged AS fine ${around.includes('prefix') ? 'CROSS JOIN generate_series(1, 12) AS prefix ' : ''}JOIN staged AS coarse ON ${around}
         AND coalesce(fine.tax_class, '') = coalesce(coarse.tax_class, '') AND fine.ctid <> coarse.ctid
       WHERE (fine.priority = coarse.priority) <> (coalesce(fine.name, '') = coalesce(coarse.name, ''))`,
  );
  const [counts] = await tx.execute<Collisions>(
    `SELECT count(DISTINCT rate) FILTER (WHERE same_priority)::integer AS "samePriority",
            count(DISTINCT rate) FILTER (WHERE NOT same_priority)::integer AS "otherPriority"
     FROM (${meeting.join(' UNION ALL ')}) AS meetings`,
  );
  return counts!;
}

export interface Merged {
  readonly rates: number;
  readonly created: number;
  readonly updated: number;
  readonly taxedShipping: number;
}

/** Writes new and different rates, in WooCommerce's order of priority, because compound rates apply in the order of ids. */
export async function mergeTaxRates(tx: Transaction, siteId: number): Promise<Merged> {
  const [staged] = await tx.execute<{ rates: number; taxedShipping: number }>(
    `SELECT count(*)::integer AS rates, count(*) FILTER (WHERE taxes_shipping)::integer AS "taxedShipping" FROM staged`,
  );
  const updated = await written(
    tx,
    `UPDATE tax_rates SET rate = staged.rate, is_compound = staged.is_compound, updated_utc = now()
       FROM staged
       WHERE tax_rates.site_id = $1 AND tax_rates.deleted_utc IS NULL AND ${sameKey('tax_rates', 'staged')}
         AND (tax_rates.rate, tax_rates.is_compound) IS DISTINCT FROM (staged.rate, staged.is_compound)`,
    [siteId],
  );
  const created = await written(
    tx,
    `INSERT INTO tax_rates (site_id, ${KEY.join(', ')}, rate, is_compound)
       SELECT $1, ${KEY.join(', ')}, rate, is_compound FROM staged
       WHERE NOT EXISTS (
         SELECT FROM tax_rates WHERE site_id = $1 AND deleted_utc IS NULL AND ${sameKey('tax_rates', 'staged')})
       ORDER BY priority, line`,
    [siteId],
  );
  return { ...staged!, created, updated };
}
