/**
 * What a caller reaches, as one parameter of a statement: the sites of an account, those of an API key, or a single
 * site; the other two are null. The last one is the customer of a Customer token.
 */
export type Reach = readonly [
  account: number | null,
  apiKey: number | null,
  site: number | null,
  customer: number | null,
];

export const reachOfSite = (siteId: number): Reach => [null, null, siteId, null];

/** Where no site is named, those of an account that have a test clock do not count. */
type Which = 'all' | 'counted';

/**
 * SQL: the ids of the sites in a reach, which is SQL, too: the only place that decides which sites a caller reaches
 * (decisions.md §3). ix_sites_user or pk_sites, pk_api_key_sites.
 */
const sitesInReach = (reach: string, which: Which): string =>
  `SELECT a.id FROM sites a WHERE a.user_id = (${reach})[1]${which === 'counted' ? ' AND NOT a.simulated' : ''}
    UNION ALL SELECT k.site_id FROM api_key_sites k WHERE k.api_key_id = (${reach})[2]
    UNION ALL SELECT (${reach})[3] WHERE (${reach})[3] IS NOT NULL`;

/**
 * SQL: whether a site is in a reach: one look-up, however many sites there are. `OFFSET 0` keeps PostgreSQL from
 * reading them all.
 */
export const isReached = (site: string, reach: string, which: Which = 'all'): string =>
  `EXISTS (SELECT FROM (${sitesInReach(reach, which)}) r (id) WHERE r.id = ${site} OFFSET 0)`;

/** SQL: the sites of a list, one by one: an item of a FROM clause. PostgreSQL plans alike however many they are. */
export const eachSite = (reach: string, which: Which = 'counted'): string =>
  `unnest(ARRAY(${sitesInReach(reach, which)})) AS site (id)`;

/**
 * SQL: the same as `isReached` for each of many rows of a list: its sites are read once. `IS TRUE` keeps PostgreSQL
 * from joining them.
 */
export const isOfList = (site: string, reach: string): string =>
  `(${site} IN (${sitesInReach(reach, 'counted')})) IS TRUE`;
