import { itInAllCases } from '../support/all-cases.js';
import { cloneDatabase, copyOf, dropDatabase, type TestDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { adoptEarlier, drainOnce, givenShop } from '../support/worker.js';

const SHOPS = 4;
const OF_EACH = 60;
const WORKERS = 4;
/**
 * Of each found charge. Where workers followed each other, the gateway was asked ten times, and slowed all of them
 * down.
 */
const MOST_LOOK_UPS = 5;

describe('The charges that lost commits have left', () => {
  let gateway: StripeStandIn;
  let original: TestDatabase;
  let copy: TestDatabase | undefined;
  const drain = (database: TestDatabase) => drainOnce(database, { GATEWAY_ONE_URL: gateway.url });

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    original = await cloneDatabase();
  });
  afterAll(async () => {
    for (const database of [original, copy]) if (database) await dropDatabase(database);
    await gateway.stop();
  });

  itInAllCases('are all placed by workers at once, which ask the gateway little', async () => {
    await drain(original);
    for (let shop = 0; shop < SHOPS; shop += 1)
      await (await givenShop(original, { apiKey1: `sk_test_placing${shop}` })).dueOrders(OF_EACH);
    copy = await copyOf(original);
    await drain(original);
    const [charged, asked] = [gateway.ledger.charges.length, gateway.served.lookUp];
    expect(charged).toBe(SHOPS * OF_EACH);

    await adoptEarlier(copy);
    await Promise.all(Array.from({ length: WORKERS }, () => drain(copy!)));
    // What one of them left to another is done now.
    await drain(copy);
    expect(await copy.query(`SELECT state, count(*)::int FROM found_charges GROUP BY 1`)).toEqual([
      { state: 'Placed', count: charged },
    ]);
    expect(await copy.query(`SELECT state, count(*)::int FROM processing_cycles GROUP BY 1`)).toEqual([
      { state: 'Completed', count: charged },
    ]);
    expect(gateway.ledger.charges).toHaveLength(charged);
    expect(gateway.served.lookUp - asked).toBeLessThan(MOST_LOOK_UPS * charged);
    await assertInvariants(copy);
  });
});
