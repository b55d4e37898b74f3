import { type SqlExecutor, Statement } from '#libs/platform';
import { Forbidden, NotFound, Rejected } from '../errors.js';
import type { Caller } from './caller.js';
import { eachSite, isReached, type Reach } from './reach-sql.js';

/** The most sites that a message names. */
const MOST_NAMED = 20;

/** $1 site, $2 reach. */
const REACHES = Statement.named(`SELECT ${isReached('$1::bigint', '$2::bigint[]')} AS reached`);

/** The first sites of a list, and how many there are. $1 reach. */
const FIRST_SITES = Statement.named(
  `SELECT site.id, count(*) OVER ()::int AS count FROM ${eachSite('$1::bigint[]')} ORDER BY site.id LIMIT ${MOST_NAMED}`,
);

/**
 * A Merchant token reaches all sites of the account, an API key its own sites, a Customer token only its customer's
 * records (decisions.md §3).
 * @param reached what the statement that read the record has found.
 * @throws Forbidden.
 */
export async function assertReach(
  database: SqlExecutor,
  caller: Caller,
  { reached }: { readonly reached: boolean },
  record: string,
): Promise<void> {
  if (!reached) throw await outOfReach(database, caller, record);
}

/**
 * For a site that is only named: one statement. @throws Forbidden when the caller does not reach it, or there is none.
 */
export async function assertSite(database: SqlExecutor, caller: Caller, siteId: number): Promise<void> {
  const [row] = await database.execute<{ reached: boolean }>(REACHES, [siteId, caller.reach]);
  await assertReach(database, caller, row!, `Site ${siteId}`);
}

/** pk_sites. $1 site, $2 reach. */
const SITE_IN_PATH = Statement.named(
  `SELECT ${isReached('s.id', '$2::bigint[]')} AS reached FROM sites s WHERE s.id = $1`,
);

/** The same for one that a path names. @throws NotFound when there is none. Forbidden. */
export async function assertSiteInPath(database: SqlExecutor, caller: Caller, siteId: number): Promise<void> {
  const [site] = await database.execute<{ reached: boolean }>(SITE_IN_PATH, [siteId, caller.reach]);
  if (site === undefined) throw new NotFound(`There is no Site ${siteId}.`);
  await assertReach(database, caller, site, `Site ${siteId}`);
}

/** The error for a record that is not the caller's. An API key does not learn which other sites its account has. */
async function outOfReach(database: SqlExecutor, caller: Caller, record: string): Promise<Forbidden> {
  const { customerId, keyAccess, reach } = caller;
  if (customerId !== null) return ofOtherCustomer(customerId, record);
  if (keyAccess === null) return new Forbidden(`${record} belongs to another account.`);
  const { count, named } = await firstSites(database, reach);
  const sites = `${count === 1 ? 'site' : 'the sites'} ${named}`;
  return new Forbidden(`${record} cannot be reached with this API key, which is limited to ${sites}.`);
}

/** The error for a record that is not of the customer of a Customer token. */
export const ofOtherCustomer = (customerId: number, record: string): Forbidden =>
  new Forbidden(`${record} cannot be reached with this token, which is limited to customer ${customerId}.`);

/**
 * The site of a new record: the named one, or the only one that counts (decisions.md §2).
 * @throws Rejected when there are several to choose from, or none. Forbidden for a site that the caller does not reach.
 */
export async function chooseSite(database: SqlExecutor, caller: Caller, siteId: number | undefined): Promise<number> {
  if (siteId !== undefined) {
    await assertSite(database, caller, siteId);
    return siteId;
  }
  const { first, count, named } = await firstSites(database, caller.reach);
  if (count === 1) return first!;
  const message =
    count === 0
      ? 'The account has no site yet: create one first.'
      : `is required, because ${caller.keyAccess === null ? 'the account has' : 'this API key reaches'} several sites: ${named}.`;
  throw new Rejected([{ field: 'SiteId', message }]);
}

async function firstSites(database: SqlExecutor, reach: Reach) {
  const rows = await database.execute<{ id: number; count: number }>(FIRST_SITES, [reach]);
  const [count, ids] = [rows[0]?.count ?? 0, rows.map(({ id }) => id)];
  const more = count > ids.length ? ` and ${count - ids.length} more` : '';
  return { first: ids[0], count, named: ids.join(', ') + more };
}
