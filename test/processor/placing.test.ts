import { itInAllCases } from '../support/all-cases.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { adoptEarlier, createWorker, givenShop } from '../support/worker.js';

const SHOPS = 4;
const OF_EACH = 60;
const WORKERS = 4;
/**
 * Of each found charge. Where workers followed each other, the gateway was asked ten times, and slowed all of them
 * down.
 */
const MOST_LOOK_UPS = 5;

itInAllCases('workers share the charges that lost commits have left, and ask the gateway little', async () => {
  const gateway = await StripeStandIn.start();
  const original = await cloneDatabase();
  const worker = (database: typeof original) => createWorker(database, { GATEWAY_ONE_URL: gateway.url });
  const drain = async (database: typeof original) => {
    const one = worker(database);
    await one.drain();
    await one.end();
  };
  await drain(original);
  for (let shop = 0; shop < SHOPS; shop += 1)
    await (await givenShop(original, { apiKey1: `sk_test_placing${shop}` })).dueOrders(OF_EACH);
  await original.dataSource.destroy();
  const copy = await cloneDatabase(new URL(original.url).pathname.slice(1));
  await original.dataSource.initialize();
  await drain(original);
  const [charged, asked] = [gateway.ledger.charges.length, gateway.served.lookUp];
  expect(charged).toBe(SHOPS * OF_EACH);

  await adoptEarlier(copy);
  const workers = Array.from({ length: WORKERS }, () => worker(copy));
  await Promise.all(workers.map((one) => one.drain()));
  await Promise.all(workers.map((one) => one.end()));
  // What one of them left to another is recorded now.
  await drain(copy);
  expect(await copy.query(`SELECT state, count(*)::int FROM processing_cycles GROUP BY 1`)).toEqual([
    { state: 'Completed', count: charged },
  ]);
  expect(gateway.ledger.charges).toHaveLength(charged);
  expect(gateway.served.lookUp - asked).toBeLessThan(MOST_LOOK_UPS * charged);
  await assertInvariants(copy);
  await dropDatabase(original);
  await dropDatabase(copy);
  await gateway.stop();
});
