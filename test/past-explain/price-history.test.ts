import { pricingAtVersion } from '#libs/records';
import { quote } from '#libs/rules';
import { measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given, type GivenMerchant } from '../support/given.js';

const database = useDatabase();
const make = given(database);

let merchant: GivenMerchant;
let siteId: number;
beforeEach(async () => {
  merchant = await make.merchant();
  ({ siteId } = merchant);
});

async function version(site = siteId): Promise<number> {
  const [row] = await database.query<{ version: string }>(`SELECT version FROM rate_versions WHERE site_id = $1`, [
    site,
  ]);
  return Number(row?.version ?? 0);
}
const rowsOf = async (table: 'price_history' | 'price_insertions', site = siteId) =>
  (await database.query(`SELECT FROM ${table} WHERE site_id = $1`, [site])).length;

const TO = { shippingCountry: 'US', shippingState: 'CA', shippingCity: 'Oakland', shippingPostcode: '94601' };

/** What prices were made of at a version. */
async function at(known: number, customerId = 0, productIds: readonly number[] = []) {
  const { rates, taxExempt, classes } = await pricingAtVersion(
    database.pool,
    { ...TO, siteId, customerId, productIds },
    known,
  );
  const taxes = [...rates.tax.values()].flatMap(({ byPlace }) => [...byPlace.values()].flat());
  return {
    shipping: rates.shippingRates.map(({ row }) => [row.id, row.name, row.basePrice]),
    tax: taxes.map(({ row }) => [row.id, row.rate, row.appliesToShipping, row.priority]).sort(),
    prices: rates.settings.prices,
    home: rates.settings.homeCountry,
    taxExempt,
    classes: Object.fromEntries(classes),
  };
}

describe('what prices were made of', () => {
  it('is at every version what it was then: rates, terms, settings, classes and exemption', async () => {
    const customerId = await make.customer(siteId);
    const productId = await make.product(siteId, { shippingClass: 'Parcel' });
    const states: [number, unknown][] = [];
    const remember = async () => {
      const now = await version();
      const shipping = await database.query<{ id: string; name: string | null; base_price: string }>(
        `SELECT id, name, base_price FROM shipping_rates WHERE site_id = $1 AND deleted_utc IS NULL ORDER BY id`,
        [siteId],
      );
      const tax = await database.query<{
        id: string;
        rate: string;
        applies_to_shipping: boolean;
        priority: number | null;
      }>(
        `SELECT id, rate, applies_to_shipping, priority FROM tax_rates WHERE site_id = $1 AND deleted_utc IS NULL
           AND coalesce(city, 'Oakland') = 'Oakland' ORDER BY id`,
        [siteId],
      );
      const [settings] = await database.query<{ prices: string; home_country: string | null }>(
        `SELECT prices, home_country FROM site_settings WHERE site_id = $1`,
        [siteId],
      );
      const [customer] = await database.query<{ tax_exempt: boolean }>(
        `SELECT tax_exempt FROM customers WHERE id = $1`,
        [customerId],
      );
      const [product] = await database.query<{ shipping_class: string | null; tax_class: string | null }>(
        `SELECT shipping_class, tax_class FROM products WHERE id = $1`,
        [productId],
      );
      states.push([
        now,
        {
          shipping: shipping.map(({ id, name, base_price }) => [Number(id), name, base_price]),
          tax: tax.map((row) => [Number(row.id), row.rate, row.applies_to_shipping, row.priority]).sort(),
          prices: settings?.prices ?? 'Net',
          home: settings?.home_country ?? null,
          taxExempt: customer!.tax_exempt,
          classes: { [productId]: { shippingClass: product!.shipping_class, taxClass: product!.tax_class } },
        },
      ]);
    };
    const steps = [
      `INSERT INTO shipping_rates (site_id, name, base_price) VALUES ($1, 'First', 1), ($1, 'Second', 2)`,
      `INSERT INTO tax_rates (site_id, country, rate) VALUES ($1, 'US', 5), ($1, NULL, 6)`,
      `UPDATE shipping_rates SET base_price = 3 WHERE site_id = $1 AND name = 'First'`,
      `UPDATE tax_rates SET applies_to_shipping = true, priority = 7 WHERE site_id = $1 AND country = 'US'`,
      `UPDATE tax_rates SET state = 'CA', city = 'Fresno' WHERE site_id = $1 AND country = 'US'`,
      `INSERT INTO site_settings (site_id, prices, home_country) VALUES ($1, 'Gross', 'US')`,
      `UPDATE tax_rates SET city = 'Oakland' WHERE site_id = $1 AND country = 'US'`,
      `UPDATE products SET tax_class = 'food' WHERE site_id = $1`,
      `UPDATE customers SET tax_exempt = true WHERE site_id = $1`,
      `UPDATE site_settings SET prices = 'Net' WHERE site_id = $1`,
      `UPDATE shipping_rates SET deleted_utc = now() WHERE site_id = $1 AND name = 'Second'`,
      `UPDATE products SET shipping_class = NULL, tax_class = 'drink' WHERE site_id = $1`,
      `UPDATE shipping_rates SET deleted_utc = NULL WHERE site_id = $1 AND name = 'Second'`,
      `UPDATE customers SET tax_exempt = false WHERE site_id = $1`,
      `DELETE FROM tax_rates WHERE site_id = $1 AND country IS NULL`,
      `DELETE FROM site_settings WHERE site_id = $1`,
      `INSERT INTO site_settings (site_id, prices) VALUES ($1, 'Gross')`,
      `WITH gone AS (DELETE FROM shipping_rates WHERE site_id = $1 AND name = 'Second' RETURNING *) UPDATE shipping_rates SET name = 'Last' WHERE site_id = $1 AND name = 'First'`,
    ];
    await remember();
    for (const step of steps) {
      const before = await version();
      await database.query(step, [siteId]);
      expect([step, (await version()) > before]).toEqual([step, true]);
      await remember();
    }
    await database.query('TRUNCATE shipping_rates, tax_rates, site_settings');
    await remember();
    for (const [known, state] of states)
      expect([known, await at(known, customerId, [productId])]).toEqual([known, state]);
  });

  it('is that of the one who is asked for: another shop’s changes are none of it', async () => {
    const other = await make.merchant();
    await make.taxRate(siteId, { rate: '5' });
    const own = await version();
    const before = await at(own);
    await make.taxRate(other.siteId, { rate: '9' });
    await database.query(`UPDATE tax_rates SET rate = 11 WHERE site_id = $1`, [other.siteId]);
    await database.query(`UPDATE tax_rates SET rate = 12`);
    expect(await version()).toBe(own + 1);
    expect(await at(own)).toEqual(before);
    expect((await at(own + 1)).tax).toMatchObject([[expect.any(Number), '12.000000', false, null]]);
  });

  it('is right for a rate that was deleted, and put back with its id', async () => {
    const id = await make.taxRate(siteId, { rate: '5' });
    const first = await version();
    await database.query(`DELETE FROM tax_rates WHERE id = $1`, [id]);
    const without = await version();
    await database.query(`INSERT INTO tax_rates (id, site_id, rate) VALUES ($1, $2, 8)`, [id, siteId]);
    const [before, gone, again] = [await at(first), await at(without), await at(await version())];
    const rate = (percent: string) => [id, percent, false, null];
    expect([before.tax, gone.tax, again.tax]).toEqual([[rate('5.000000')], [], [rate('8.000000')]]);
  });
});

describe('the history', () => {
  it('has no row for each rate of an import, and finds them absent before it', async () => {
    const before = await version();
    await database.query(
      `INSERT INTO tax_rates (site_id, country, state, city, postcode, rate)
       SELECT $1, 'US', 'CA', 'Oakland', (94000 + n % 1000)::text, n FROM generate_series(1, 40000) n`,
      [siteId],
    );
    expect([await rowsOf('price_history'), await rowsOf('price_insertions')]).toEqual([0, 1]);
    const [row] = await database.query<{ bytes: number }>(
      `SELECT pg_column_size(ids) AS bytes FROM price_insertions WHERE site_id = $1`,
      [siteId],
    );
    expect(row!.bytes).toBeLessThan(100);
    expect((await at(before)).tax).toEqual([]);
    expect((await at(await version())).tax).toHaveLength(40);
  });

  it('has a row for each rate that has changed, and none for one that was written as it was', async () => {
    await database.query(`INSERT INTO tax_rates (site_id, rate) SELECT $1, 5 FROM generate_series(1, 1000) n`, [
      siteId,
    ]);
    await database.query(`UPDATE tax_rates SET rate = 5, updated_utc = now() WHERE site_id = $1`, [siteId]);
    expect(await rowsOf('price_history')).toBe(0);
    await database.query(
      `UPDATE tax_rates SET rate = CASE WHEN id % 100 = 0 THEN 6 ELSE 5 END, updated_utc = now() WHERE site_id = $1`,
      [siteId],
    );
    expect(await rowsOf('price_history')).toBe(10);
  });

  it('raises the version for no change of a product or customer that no price depends on, and for no new one', async () => {
    await make.taxRate(siteId, { rate: '5' });
    const before = await version();
    await database.query(
      `INSERT INTO products (site_id, tax_class) SELECT $1, 'food' FROM generate_series(1, 1000) n`,
      [siteId],
    );
    const customerId = await make.customer(siteId, { taxExempt: true });
    await database.query(
      `UPDATE products SET stock_level = 'Sold out', price = 2, title = 'Tea', tax_class = 'food' WHERE site_id = $1`,
      [siteId],
    );
    await database.query(`UPDATE products SET deleted_utc = now() WHERE site_id = $1`, [siteId]);
    await database.query(`UPDATE customers SET email = 'a@mail.example', vat_number = 'X' WHERE id = $1`, [customerId]);
    expect([await version(), await rowsOf('price_history')]).toEqual([before, 0]);
    await database.query(`UPDATE products SET tax_class = 'drink' WHERE site_id = $1`, [siteId]);
    expect([await version(), await rowsOf('price_history')]).toEqual([before + 1, 1000]);
  });

  it('takes a class of 10,000 products in one pass, also after small changes in the same session', async () => {
    const runner = database.dataSource.createQueryRunner();
    await runner.query(`INSERT INTO products (site_id, tax_class) SELECT $1, 'food' FROM generate_series(1, 10000) n`, [
      siteId,
    ]);
    for (let time = 0; time < 8; time++)
      await runner.query(
        `UPDATE products SET tax_class = $2 WHERE id = (SELECT min(id) FROM products WHERE site_id = $1)`,
        [siteId, `class ${time}`],
      );
    const began = process.hrtime.bigint();
    await runner.query(`UPDATE products SET tax_class = 'drink' WHERE site_id = $1`, [siteId]);
    const ms = Number((process.hrtime.bigint() - began) / 1_000_000n);
    await runner.release();
    expect(await rowsOf('price_history')).toBe(10_008);
    // Comparing each with each takes more than half a minute.
    expect(ms).toBeLessThan(measured(25_000));
  });

  it('lets statements that change classes and rates of the same sites wait for each other, and none fails', async () => {
    const other = await make.merchant();
    for (const site of [siteId, other.siteId]) await make.product(site);
    const changes = Array.from({ length: 30 }, (_, n) => [
      database.query(`UPDATE products SET tax_class = $2 WHERE site_id = $1`, [n % 2 ? siteId : other.siteId, `c${n}`]),
      database.query(
        `INSERT INTO tax_rates (site_id, rate) VALUES ($1, 1), ($2, 2)`,
        n % 2 ? [siteId, other.siteId] : [other.siteId, siteId],
      ),
    ]);
    await Promise.all(changes.flat());
    expect([await version(), await version(other.siteId)]).toEqual([45, 45]);
  });
});

it('an order without rates costs at a version what it cost', async () => {
  const product = { shippingClass: null, taxClass: null, availability: null, stockLevel: null, deletedUtc: null };
  const items = [{ id: 1, productId: 1, price: '10', salePrice: null, quantity: 2, product }];
  const totals = { shippingTotal: 0, taxTotal: 0, shippingTotalFixed: false, taxTotalFixed: false };
  const order = { ...TO, ...totals, currencyIso: 'USD', cycles: 0, items };
  const costAt = async (known: number) => {
    const { rates } = await pricingAtVersion(database.pool, { ...TO, siteId, customerId: 0, productIds: [] }, known);
    return quote(order, rates).total;
  };
  await make.shippingRate(siteId, { basePrice: '3' });
  expect([await costAt(0), await costAt(1)]).toEqual([2000, 2300]);
});
