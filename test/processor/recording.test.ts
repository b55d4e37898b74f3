import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

const CONCURRENCY = 2;

describe('What was charged and cannot be recorded', () => {
  const database = useDatabase();
  const { comeDue, statesOf } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url, GATEWAY_CONCURRENCY: String(CONCURRENCY) });
  });
  afterEach(async () => {
    await worker.end();
  });

  it('gets another id when its own is taken, as after a logical copy whose sequences are behind', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_sequence' });
    await shop.dueOrders(20);
    await worker.drain();
    await database.query(`SELECT setval('orders_id_seq', 1, false), setval('order_items_id_seq', 1, false)`);
    await shop.dueOrders(10);
    await worker.drain();
    expect(gateway.ledger.charges).toHaveLength(30);
    expect(await database.query(`SELECT id FROM order_items GROUP BY id HAVING count(*) > 1`)).toEqual([]);
    await assertInvariants(database, gateway.ledger);
  });

  it('of one order alone stops nobody else', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_one_bad' });
    const bad = await shop.dueOrder({ shippingCity: 'Nowhere' });
    await database.query(
      `ALTER TABLE orders ADD CONSTRAINT ck_one CHECK (shipping_city <> 'Nowhere' OR NOT is_recurring) NOT VALID`,
    );
    for (let look = 0; look < 5; look++) {
      await worker.drain();
      await comeDue(bad);
    }
    const ids = await shop.dueOrders(5);
    await worker.drain();
    for (const id of ids) expect(await statesOf(id)).toEqual(['Completed']);
    await database.query(`ALTER TABLE orders DROP CONSTRAINT ck_one`);
    await comeDue(bad);
    await worker.drain();
    expect(await statesOf(bad)).toEqual(['Completed']);
    await assertInvariants(database, gateway.ledger);
  });

  it('stops further charges until it can be recorded, and is recorded then', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_unrecordable' });
    await database.query(
      `ALTER TABLE orders ADD CONSTRAINT ck_test CHECK (shipping_city <> 'Paris' OR NOT is_recurring) NOT VALID`,
    );
    const ids = await shop.dueOrders(40);
    // Three fail in a row. Further answers are kept until that has been seen, however long recording takes.
    gateway.keepsAfter = gateway.served.charge + 3;
    const drained = worker.drain();
    await until(async () => /^scheduled_orders_recording 0$/m.test(await worker.metrics()));
    gateway.letGo();
    await drained;
    const charged = ids.filter((id) => gateway.ledger.capturesOf(id).length > 0);
    // What is in flight by then is charged as well.
    expect(charged.length).toBeGreaterThanOrEqual(3);
    expect(charged.length).toBeLessThanOrEqual(3 + CONCURRENCY);
    expect(await worker.metrics()).toMatch(/^scheduled_orders_recording 0$/m);

    await database.query(`ALTER TABLE orders DROP CONSTRAINT ck_test`);
    for (const id of ids) await comeDue(id);
    await worker.drain();
    for (const id of ids) await comeDue(id);
    await worker.drain();
    expect(await worker.metrics()).toMatch(/^scheduled_orders_recording 1$/m);
    for (const id of ids) expect(await statesOf(id)).toEqual(['Completed']);
    expect(gateway.ledger.capturesOf(ids[0]!)).toHaveLength(1);
    await assertInvariants(database, gateway.ledger);
  });
});
