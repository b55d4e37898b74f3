import { processNow } from '#libs/ledger';
import { itInAllCases } from '../support/all-cases.js';
import { cloneDatabase, copyOf, dropDatabase, type TestDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { adoptEarlier, drainOnce, givenShop } from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

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
  let earlier: TestDatabase | undefined;
  const drain = (database: TestDatabase) => drainOnce(database, { GATEWAY_ONE_URL: gateway.url });

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    original = await cloneDatabase();
  });
  afterAll(async () => {
    for (const database of [original, copy, earlier]) if (database) await dropDatabase(database);
    await gateway.stop();
  });

  itInAllCases('are all placed by workers at once, which ask the gateway little', async () => {
    await drain(original);
    for (let shop = 0; shop < SHOPS; shop += 1)
      await (await givenShop(original, { apiKey1: `sk_test_placing${shop}` })).dueOrders(OF_EACH);
    copy = await copyOf(original);
    await drain(original);
    const [charged, lookUps] = [gateway.ledger.charges.length, gateway.served.lookUp];
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
    expect(gateway.served.lookUp - lookUps).toBeLessThan(MOST_LOOK_UPS * charged);
    await assertInvariants(copy);
  });

  it('find their places although the gateway dates the one of the open cycle last', async () => {
    const shop = await givenShop(original, { apiKey1: 'sk_test_dated' });
    const id = await shop.dueOrder({ frequencyType: 'Days', frequency: 1 });
    gateway.clockAheadMs = 3_600_000;
    gateway.faults.next('loseAfter', { times: 2 });
    await drain(original);
    gateway.faults.none();
    earlier = await copyOf(original);
    await readers(original).comeDue(id);
    await drain(original);
    gateway.clockAheadMs = 0;
    await request(original, id, (tx, order, now) => processNow(tx, order, now, true));
    await drain(original);
    const charged = gateway.ledger.capturesOf(id).map(({ transactionId }) => transactionId);
    expect(charged).toHaveLength(2);

    expect(await readers(earlier).statesOf(id)).toEqual(['Unknown']);
    await adoptEarlier(earlier);
    await drain(earlier);
    const recorded = await earlier.query<{ transactionId: string }>(
      `SELECT gateway_transaction_id AS "transactionId" FROM processing_cycles WHERE scheduled_order_id = $1 AND state = 'Completed' ORDER BY cycle`,
      [id],
    );
    expect(recorded.map(({ transactionId }) => transactionId)).toEqual(charged);
    expect(await earlier.query(`SELECT kind FROM payment_differences`)).toEqual([]);
    expect(gateway.ledger.capturesOf(id)).toHaveLength(2);
    await assertInvariants(earlier);
  });
});
