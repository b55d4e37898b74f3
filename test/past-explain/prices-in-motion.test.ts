import { pricingOf } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';
import { RateLoader } from '#libs/records';
import { quote } from '#libs/rules';
import { Integrations } from '../../apps/worker/src/gateways/integrations.js';
import { Loader } from '../../apps/worker/src/processor/prepare/loader.js';
import { LOAD_ORDERS } from '../../apps/worker/src/processor/prepare/loader.sql.js';
import { pricedWithOf } from '../../apps/worker/src/processor/prepare/priced-with.js';
import { ALL_CASES } from '../support/all-cases.js';
import { explainedCompleted } from '../support/api/explained.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { createWorker, givenShop, vault } from '../support/worker.js';

const database = useDatabase();
/** Those that are explained are spread over all. */
const [ORDERS, EXPLAINED] = ALL_CASES ? [3_000, 1_000] : [600, 150];

/** What an order is priced with when `between` happens just before it is read, or just after. */
async function pricingWith(siteId: number, id: number, between: string, when: 'before' | 'after' | 'never') {
  const watched: SqlExecutor = {
    async execute(statement, values) {
      const isLoad = statement === LOAD_ORDERS;
      if (isLoad && when === 'before') await database.query(between, [siteId]);
      const rows = await database.pool.execute(statement, values);
      if (isLoad && when === 'after') await database.query(between, [siteId]);
      return rows as never;
    },
  };
  const loader = new Loader(watched, new Integrations(watched, vault), new RateLoader(watched));
  const wanted = [{ siteId, scheduledOrderId: id }];
  // One statement after another, as in the transaction that begins cycles: versions, then orders, then rates.
  const loaded = await loader.loadQuickly([id], [siteId]);
  for await (const { batch } of loader.rated(wanted, loaded)) {
    const order = batch.orders.get(id)!;
    return pricingOf(pricedWithOf(order, siteId, batch, quote(order, batch.rates.get(siteId)!)))!;
  }
  throw new Error('There is no order.');
}

it.each([
  [`UPDATE products SET tax_class = 'food' WHERE site_id = $1`],
  [`UPDATE customers SET tax_exempt = NOT tax_exempt WHERE site_id = $1`],
  [`UPDATE tax_rates SET rate = 7 WHERE site_id = $1`],
])('a change between the statements that read a price is noticed: %s', async (change) => {
  const shop = await givenShop(database);
  await given(database).taxRate(shop.siteId, { rate: '5' });
  const id = await shop.dueOrder({ cycles: 4 });
  const [row] = await database.query<{ version: string }>(`SELECT version FROM rate_versions WHERE site_id = $1`, [
    shop.siteId,
  ]);
  const version = Number(row!.version);
  const known = { cycles: 4, fixed: [], unitPrices: [] };
  expect(await pricingWith(shop.siteId, id, change, 'never')).toEqual({
    ...known,
    ratesVersion: version,
    pricesMixed: false,
  });
  expect(await pricingWith(shop.siteId, id, change, 'after')).toEqual({
    ...known,
    ratesVersion: version + 1,
    pricesMixed: true,
  });
  const undo = change.replace(`'food'`, `'drink'`).replace('= 7', '= 8');
  expect(await pricingWith(shop.siteId, id, undo, 'before')).toEqual({
    ...known,
    ratesVersion: version + 2,
    pricesMixed: true,
  });
});

it('cycles that are priced while prices change are explained, or say that prices were changed', async () => {
  const make = given(database);
  const shop = await givenShop(database);
  const { siteId } = shop;
  await make.taxRate(siteId, { rate: '5', name: 'VAT' });
  await make.taxRate(siteId, { rate: '12', name: 'VAT', taxClass: 'food' });
  await make.shippingRate(siteId, { basePrice: '3' });
  await make.shippingRate(siteId, { basePrice: '4', shippingClass: 'parcel' });
  await shop.dueOrders(ORDERS);
  const worker = createWorker(database);
  let isDone = false;
  const changes = [
    `UPDATE products SET tax_class = CASE WHEN tax_class IS NULL THEN 'food' END WHERE site_id = $1`,
    `UPDATE tax_rates SET rate = rate + 0.25 WHERE site_id = $1`,
    `UPDATE customers SET tax_exempt = NOT tax_exempt WHERE site_id = $1`,
    `UPDATE products SET shipping_class = CASE WHEN shipping_class IS NULL THEN 'parcel' END WHERE site_id = $1`,
    `INSERT INTO site_settings (site_id, round_tax) VALUES ($1, 'Total') ON CONFLICT (site_id) DO UPDATE SET prices = CASE site_settings.prices WHEN 'Net' THEN 'Gross' ELSE 'Net' END`,
  ];
  const changing = (async () => {
    for (let n = 0; !isDone; n++) await database.query(changes[n % changes.length]!, [siteId]);
  })();
  await worker.drain();
  isDone = true;
  await changing;
  await worker.end();
  const explained = await explainedCompleted(database, EXPLAINED);
  const versions = new Set(explained.map(({ ratesVersion }) => ratesVersion));
  const wrong = explained.filter(
    ({ isEqual, because }) =>
      isEqual !== true && because?.startsWith('Prices were changed in the moment in which it was priced') !== true,
  );
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(explained.length).toBeGreaterThan(0.7 * EXPLAINED);
  expect(versions.size).toBeGreaterThan(2);
  expect(explained.filter(({ isEqual }) => isEqual).length).toBeGreaterThan(0);
});
