import { RATES_FOR_ADDRESS } from '#libs/records';
import { placeKeys } from '#libs/rules';
import { useDatabase } from './support/database.js';
import { given } from './support/given.js';
import { pagesOf, PLAN_MODES, planOf } from './support/sql/query-plan.js';

const RATES = 40_000;
const address = { shippingCountry: 'US', shippingState: 'CA', shippingCity: 'City 7', shippingPostcode: '00007' };
const keys = placeKeys(address);

/** Pages, not times: they repeat. Read whole, the rates of the site are more than a thousand pages. */
describe('the rates for one address, of a site with 40,000', () => {
  const database = useDatabase();
  let siteId: number;

  beforeAll(async () => {
    ({ siteId } = await given(database).merchant());
    await database.query('ALTER TABLE tax_rates SET (autovacuum_enabled = off)');
    for (const table of ['tax_rates', 'shipping_rates']) {
      await database.query(
        `INSERT INTO ${table} (site_id, country, state, city, postcode)
         SELECT $1, 'US', 'CA', 'City ' || n % 5000, lpad(n::text, 5, '0') FROM generate_series(1, $2::int) n`,
        [siteId, RATES],
      );
    }
  });

  test.each([
    ['before the tables have statistics', null],
    ['once they have', 'ANALYZE'],
  ])('cost a few pages %s, however they are planned', async (_, first) => {
    if (first !== null) await database.query(first);
    for (const mode of PLAN_MODES) {
      const plan = await planOf(database, RATES_FOR_ADDRESS.text, [siteId, keys], mode);
      expect(pagesOf(plan)).toBeLessThan(200);
    }
  });
});
