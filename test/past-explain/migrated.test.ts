import { useDatabase } from '../support/database.js';
import { explainedCompleted } from '../support/explained.js';
import { given } from '../support/given.js';
import { drainOnce, givenShop } from '../support/worker.js';

const database = useDatabase();

const isMigrated = async () =>
  (await database.query(`SELECT FROM pg_tables WHERE tablename = 'price_history'`)).length > 0;

/** As `npm run build` of a version before migration 34 leaves it: with cycles, rates, and rates that nobody has written since versions are counted. */
it('a database from before has cycles that are not explained, and explains every later one, whatever changes then', async () => {
  const make = given(database);
  const shop = await givenShop(database);
  const { siteId, productId, customerId } = shop;
  await make.taxRate(siteId, { rate: '5', name: 'VAT' });
  await make.shippingRate(siteId, { basePrice: '3' });
  await shop.dueOrders(3);
  await drainOnce(database);
  const version = async () =>
    (await database.query<{ version: string }>(`SELECT version FROM rate_versions WHERE site_id = $1`, [siteId])).map(
      (row) => Number(row.version),
    );
  expect(await version()).toEqual([2]);

  while (await isMigrated()) await database.dataSource.undoLastMigration();
  // In a version from before 34 rates raise the version, and nothing else does.
  await database.query(`UPDATE products SET tax_class = NULL WHERE id = $1`, [productId]);
  await database.query(`UPDATE tax_rates SET rate = 6 WHERE site_id = $1`, [siteId]);
  expect(await version()).toEqual([3]);
  await database.query(`DELETE FROM rate_versions`);
  await database.dataSource.runMigrations();
  expect(await database.query(`SELECT FROM price_history UNION ALL SELECT FROM price_insertions`)).toEqual([]);

  const due = (minutesAgo: number) =>
    database.query(`UPDATE scheduled_orders SET next_occurrence_utc = now() - $1 * interval '1 minute'`, [minutesAgo]);
  await due(2);
  await drainOnce(database);
  await database.query(`UPDATE tax_rates SET rate = 7 WHERE site_id = $1`, [siteId]);
  await database.query(`UPDATE products SET tax_class = 'none' WHERE id = $1`, [productId]);
  await due(1);
  await drainOnce(database);
  await database.query(`UPDATE customers SET tax_exempt = true WHERE id = $1`, [customerId]);
  await database.query(`DELETE FROM shipping_rates WHERE site_id = $1`, [siteId]);

  const explained = await explainedCompleted(database);
  const notKnown =
    'What it was priced with is not known: it was recorded before versions were kept, or by an older process.';
  const of = (cycle: number) =>
    explained
      .filter((one) => one.cycle === cycle)
      .map(({ ratesVersion, isEqual, because, recorded }) => [ratesVersion, isEqual, because, recorded.taxTotal]);
  expect(of(1)).toEqual(Array(3).fill([null, false, notKnown, '0.6300']));
  expect(of(2)).toEqual(Array(3).fill([0, true, null, '0.7500']));
  expect(of(3)).toEqual(Array(3).fill([2, true, null, '0.0000']));
});
