import { eachSite, isOfList, type Reach } from '../access/reach-sql.js';

/** Which records are in a list. */
export interface Keys {
  readonly owner: number | Reach | string;
  /**
   * The ids of the list: SQL with `$1` (the owner), `$2` (ids after this one), `$3` (up to this one), `$4` (at most so
   * many), in order of id.
   */
  readonly sql: string;
  /** SQL: whether the row called `alias`, whose id was found before, is still in the list of `owner` (also SQL). */
  readonly holds: (alias: string, owner: string) => string;
}

/** SQL: whether the row called `alias` belongs to the customer `customerId` (also SQL). */
export type OwnedBy = (alias: string, customerId: string) => string;

/**
 * The rows of `table` for which `holds` is true; it must find them with an index that begins with the owner and ends
 * with the id.
 */
export function keysOf(table: string, owner: Keys['owner'], holds: Keys['holds']): Keys {
  return {
    owner,
    sql: `SELECT t.id FROM ${table} t WHERE ${holds('t', '$1')} AND t.id > $2 AND t.id <= $3 ORDER BY t.id LIMIT $4`,
    holds,
  };
}

/** Rows of one customer that are not deleted (`ix_<table>_customer`). */
export const keysOfCustomer = (table: string, ownedBy: OwnedBy, customerId: number): Keys =>
  keysOf(table, customerId, (alias, owner) => `${ownedBy(alias, `${owner}::bigint`)} AND ${alias}.deleted_utc IS NULL`);

/**
 * Rows of the sites of a list that are not deleted, or others that are `wanted`: SQL. The rows of each site are in
 * order of id already (`ix_<table>_site`), so the cost is a look-up per site, and the rows between `$2` and `$3`.
 */
export function keysOfSites(
  table: string,
  reach: Reach,
  wanted = (alias: string) => `${alias}.deleted_utc IS NULL`,
): Keys {
  return {
    owner: reach,
    sql: `SELECT k.id FROM ${eachSite('$1::bigint[]')} CROSS JOIN LATERAL (
        SELECT t.id FROM ${table} t WHERE t.site_id = site.id AND t.id > $2 AND t.id <= $3 AND ${wanted('t')} ORDER BY t.id LIMIT $4) k
      ORDER BY k.id LIMIT $4`,
    holds: (alias, owner) => `${isOfList(`${alias}.site_id`, `${owner}::bigint[]`)} AND ${wanted(alias)}`,
  };
}
