import { RateLoader } from '#libs/records';
import { type QuotableOrder, quote } from '#libs/rules';
import { useDatabase } from './support/database.js';
import { given, type GivenMerchant } from './support/given.js';

const database = useDatabase();
const sites: GivenMerchant[] = [];
beforeAll(async () => {
  for (let n = 0; n < 3; n++) sites.push(await given(database).merchant());
});

/** The versions of the three sites; 0 where there is none. */
async function versions(): Promise<number[]> {
  const rows = await database.query<{ site_id: string; version: string }>('SELECT site_id, version FROM rate_versions');
  return sites.map(({ siteId }) => Number(rows.find(({ site_id }) => Number(site_id) === siteId)?.version ?? 0));
}
/** How many rates each of the three has: as the triggers count them, and as they are. */
const counts = () =>
  database.query(
    `SELECT coalesce(v.rates, 0)::int AS counted, (SELECT count(*)::int FROM tax_rates r WHERE r.site_id = s.id AND deleted_utc IS NULL)
      + (SELECT count(*)::int FROM shipping_rates r WHERE r.site_id = s.id AND deleted_utc IS NULL) AS exact
    FROM sites s LEFT JOIN rate_versions v ON v.site_id = s.id WHERE s.id = ANY ($1) ORDER BY s.id`,
    [sites.map(({ siteId }) => siteId)],
  );
const id = (site: number) => sites[site]!.siteId;

describe.each(['shipping_rates', 'tax_rates'])('the version of the rates of a site, of %s', (table) => {
  beforeEach(async () => {
    await database.query(`DELETE FROM ${table}`);
    await database.query('DELETE FROM rate_versions');
  });

  it('rises once with a statement, however many rates it writes', async () => {
    await database.query(`INSERT INTO ${table} (site_id, country) SELECT $1, 'US' FROM generate_series(1, 100)`, [
      id(0),
    ]);
    expect(await versions()).toEqual([1, 0, 0]);
    await database.query(`UPDATE ${table} SET country = 'CA' WHERE site_id = $1`, [id(0)]);
    expect(await versions()).toEqual([2, 0, 0]);
    await database.query(`UPDATE ${table} SET deleted_utc = now() WHERE site_id = $1`, [id(0)]);
    expect(await versions()).toEqual([3, 0, 0]);
    await database.query(`DELETE FROM ${table} WHERE site_id = $1`, [id(0)]);
    expect(await versions()).toEqual([4, 0, 0]);
  });

  it('rises for every site that a statement touches, and stays where nothing is written', async () => {
    await database.query(`INSERT INTO ${table} (site_id) VALUES ($1), ($2), ($1)`, [id(0), id(1)]);
    expect(await versions()).toEqual([1, 1, 0]);
    await database.query(`UPDATE ${table} SET site_id = $2 WHERE site_id = $1`, [id(1), id(2)]);
    expect(await versions()).toEqual([1, 2, 1]);
    await database.query(`UPDATE ${table} SET name = 'x' WHERE site_id = $1`, [id(1)]);
    await database.query(`DELETE FROM ${table} WHERE site_id = $1`, [id(1)]);
    expect(await versions()).toEqual([1, 2, 1]);
    await database.query(`TRUNCATE ${table}`);
    expect(await versions()).toEqual([2, 3, 2]);
  });

  it('has the number of rates beside it, after every statement', async () => {
    const other = table === 'tax_rates' ? 'shipping_rates' : 'tax_rates';
    await database.query(`TRUNCATE ${other}`);
    await database.query('DELETE FROM rate_versions');
    const now = [];
    const [a, b] = [id(0), id(1)];
    for (const statement of [
      `INSERT INTO ${other} (site_id) VALUES (${a}), (${a}), (${b})`,
      `INSERT INTO ${table} (site_id, deleted_utc) SELECT ${a}, CASE WHEN n > 5 THEN now() END FROM generate_series(1, 7) n`,
      `UPDATE ${table} SET name = 'x'`,
      `UPDATE ${table} SET deleted_utc = now() WHERE id IN (SELECT id FROM ${table} WHERE deleted_utc IS NULL LIMIT 2)`,
      `UPDATE ${table} SET site_id = ${b} WHERE id IN (SELECT id FROM ${table} WHERE deleted_utc IS NULL LIMIT 1)`,
      `DELETE FROM ${table} WHERE site_id = ${b}`,
    ]) {
      await database.query(statement);
      now.push((await counts()).map(({ counted, exact }) => (counted === exact ? counted : [counted, exact])));
    }
    await database.query(`TRUNCATE ${table}`);
    now.push((await counts()).map(({ counted, exact }) => (counted === exact ? counted : [counted, exact])));
    expect(now).toEqual([
      [2, 1, 0],
      [7, 1, 0],
      [7, 1, 0],
      [5, 1, 0],
      [4, 2, 0],
      [4, 1, 0],
      [2, 1, 0],
    ]);
    await database.query(`TRUNCATE ${other}`);
  });

  it('falls back with the transaction that raised it', async () => {
    const runner = database.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(`INSERT INTO ${table} (site_id) VALUES ($1)`, [id(0)]);
    await runner.rollbackTransaction();
    await runner.release();
    expect(await versions()).toEqual([0, 0, 0]);
  });

  it('lets statements that write rates of the same sites wait for each other, and none fails', async () => {
    const insert = (order: string) =>
      database.query(
        `INSERT INTO ${table} (site_id) SELECT id FROM unnest($1::bigint[]) AS id, generate_series(1, 50) ORDER BY id ${order}`,
        [sites.map(({ siteId }) => siteId)],
      );
    await Promise.all(Array.from({ length: 60 }, (_, n) => insert(n % 2 === 0 ? 'ASC' : 'DESC')));
    expect(await versions()).toEqual([60, 60, 60]);
  });
});

describe('rates that are kept from batch to batch', () => {
  const to = { shippingCountry: 'US', shippingState: null, shippingCity: null, shippingPostcode: null };
  const order: QuotableOrder = {
    ...to,
    currencyIso: 'USD',
    cycles: 0,
    shippingTotal: 0,
    taxTotal: 0,
    shippingTotalFixed: false,
    taxTotalFixed: false,
    items: [
      {
        id: 1,
        productId: 1,
        price: '10',
        salePrice: null,
        quantity: 1,
        product: { shippingClass: null, taxClass: null, availability: null, stockLevel: null, deletedUtc: null },
      },
    ],
  };
  let statements = 0;
  const loader = new RateLoader({
    execute(statement, values) {
      statements++;
      return database.pool.execute(statement, values);
    },
  });

  /** What an order of each site costs by the next batch, and how many statements that took. */
  async function nextBatch(): Promise<{ totals: number[]; statements: number }> {
    statements = 0;
    const shipped = sites.map(({ siteId }) => ({ siteId, to }));
    const totals = new Map<number, number>();
    const known = await loader.begin(sites.map(({ siteId }) => siteId));
    for await (const { orders: batch, rates } of loader.portions(shipped, known))
      for (const { siteId } of batch) totals.set(siteId, quote(order, rates.get(siteId)!).total);
    return { totals: sites.map(({ siteId }) => totals.get(siteId)!), statements };
  }

  it('are read again when somebody has written one, and only then', async () => {
    await database.query('TRUNCATE tax_rates, shipping_rates');
    expect(await nextBatch()).toEqual({ totals: [1000, 1000, 1000], statements: 2 });
    expect(await nextBatch()).toEqual({ totals: [1000, 1000, 1000], statements: 1 });
    await database.query(`INSERT INTO tax_rates (site_id, rate) VALUES ($1, 10)`, [id(1)]);
    expect(await nextBatch()).toEqual({ totals: [1000, 1100, 1000], statements: 2 });
    await database.query(`INSERT INTO shipping_rates (site_id, base_price) VALUES ($1, 3)`, [id(2)]);
    await database.query(`UPDATE tax_rates SET rate = 20`);
    expect(await nextBatch()).toEqual({ totals: [1000, 1200, 1300], statements: 2 });
    expect(await nextBatch()).toEqual({ totals: [1000, 1200, 1300], statements: 1 });
  });

  it('are read again from a database that counts on from an earlier version', async () => {
    const kept = await database.query('SELECT * FROM rate_versions');
    await database.query(`UPDATE tax_rates SET rate = 30`);
    expect((await nextBatch()).totals).toEqual([1000, 1300, 1300]);
    await database.query('DELETE FROM rate_versions');
    await database.query('INSERT INTO rate_versions SELECT * FROM json_populate_recordset(NULL::rate_versions, $1)', [
      JSON.stringify(kept),
    ]);
    await database.query(`UPDATE tax_rates SET rate = 40`);
    expect((await nextBatch()).totals).toEqual([1000, 1400, 1300]);
  });

  it('are not kept where a site has very many: then the places are read', async () => {
    await database.query(
      `INSERT INTO tax_rates (site_id, country, state, city, postcode, rate)
       SELECT $1, 'US', 'CA', 'Oakland', n::text, 1 FROM generate_series(1, 3000) n`,
      [id(0)],
    );
    expect(await nextBatch()).toEqual({ totals: [1000, 1400, 1300], statements: 2 });
    expect(await nextBatch()).toEqual({ totals: [1000, 1400, 1300], statements: 2 });
  });
});
