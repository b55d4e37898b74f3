import type { Transaction } from '#libs/platform';

/** The same country, state, class and priority. */
const BESIDE = `a.country = b.country AND a.state = b.state AND a.priority = b.priority
  AND coalesce(a.tax_class, '') = coalesce(b.tax_class, '')`;

/**
 * The ways in which a rate's place lies inside another's that also names a city or postcode, each by equalities, so
 * that hashing finds it.
 */
const INSIDE = [
  `b.city IN (a.city, '*') AND b.postcode IS NULL AND (a.postcode IS NOT NULL OR a.city <> b.city)`,
  `b.city = '*' AND a.city <> '*' AND b.postcode = a.postcode`,
  `b.city IN (a.city, '*') AND b.postcode = left(a.postcode, prefix) || '*' AND prefix < length(a.postcode)`,
];

/**
 * How many rates lie inside another of their priority, class and state, both with a city or postcode. WooCommerce takes
 * the first of them by the number of their places, then by their order; here the more specific one applies
 * (decisions.md §8, Tax).
 */
export async function otherSpecificity(tx: Transaction): Promise<number> {
  const meeting = INSIDE.map(
    (inside) =>
      `SELECT a.ctid AS rate FROM staged AS a ${inside.includes('prefix') ? 'CROSS JOIN generate_series(1, 12) AS prefix ' : ''}
       JOIN staged AS b ON ${BESIDE} AND ${inside} AND a.ctid <> b.ctid AND a.rate <> b.rate`,
  );
  const [row] = await tx.execute<{ rows: number }>(
    `SELECT count(DISTINCT rate)::integer AS rows FROM (${meeting.join(' UNION ALL ')}) AS meetings`,
  );
  return row!.rows;
}
