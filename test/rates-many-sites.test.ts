import type { ConnectionPool } from '#libs/platform';
import { RATE_VERSIONS, RATES_OF_PLACES, RATES_OF_SITES } from '#libs/records';
import { placeKeys } from '#libs/rules';
import { createPool } from '../apps/worker/src/database/pool.js';
import { useDatabase } from './support/database.js';
import { given } from './support/given.js';
import { explain, nodesOf, type PlanNode } from './support/sql/query-plan.js';

const SITES = 400;
const address = { shippingCountry: 'US', shippingState: 'CA', shippingCity: 'Oakland', shippingPostcode: '94607' };
const KEYS = placeKeys(address).join('\n');
/** A plan that passes the rates of the batch for each site, or those of all sites, passes thousands. */
const ROWS_PER_SITE = 60;

/** The rows that a node of a plan has given or passed over. */
function rowsOf(node: PlanNode): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': unjoined = 0 } = node;
  return (node['Actual Rows'] + filtered + unjoined) * node['Actual Loops'];
}

/** Rows, not times: they repeat. */
describe('what a worker reads of the rates of many sites', () => {
  const database = useDatabase();
  let pool: ConnectionPool;
  let siteIds: number[];

  beforeAll(async () => {
    pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    const { userId } = await given(database).merchant();
    const sites = await database.query<{ id: string }>(
      `INSERT INTO sites (user_id, name, url, type, email)
       SELECT $1, 'Shop ' || n, 'https://shop' || n || '.example', 'WooCommerce', 'owner@shop.example' FROM generate_series(1, $2::int) n
       RETURNING id`,
      [userId, SITES],
    );
    siteIds = sites.map(({ id }) => Number(id));
    const rates = {
      shipping_rates: `('US', NULL), ('US', 'CA'), ('US', 'CA')`,
      tax_rates: `('US', NULL), ('US', 'CA')`,
    };
    for (const [table, places] of Object.entries(rates)) {
      await database.query(
        `INSERT INTO ${table} (site_id, country, state) SELECT s, p.* FROM unnest($1::bigint[]) s CROSS JOIN (VALUES ${places}) p`,
        [siteIds],
      );
    }
  });
  afterAll(() => pool.end());

  const rowsPerSite = async (text: string, count: number, second: string | null, most: number) => {
    const values = [siteIds.slice(0, count), Array(count).fill(second), most];
    const ofPool = { query: (sql: string, given: unknown[]) => pool.execute(sql, given) };
    const { plan } = await explain(ofPool, text, values);
    return nodesOf(plan).reduce((rows, node) => rows + rowsOf(node), 0) / count;
  };

  test.each([
    ['their versions and numbers', RATE_VERSIONS, null, 2_001],
    ['the rates of sites', RATES_OF_SITES, null, 10_000],
    ['the rates of places', RATES_OF_PLACES, KEYS, 10_000],
  ])('passes a few rows for each, however many there are: %s', async (_, text, second, most) => {
    for (const first of ['SELECT', 'ANALYZE']) {
      await database.query(first);
      for (const count of [1, SITES / 10, SITES]) {
        const rows = await rowsPerSite(text, count, second, most);
        expect({ first, count, rows, isFew: rows < ROWS_PER_SITE }).toMatchObject({ isFew: true });
      }
    }
  });
});
