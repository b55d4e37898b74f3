import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';
import { readers } from './readers.js';

const ITEMS = 50_000;

describe('An order of very many items', () => {
  const database = useDatabase();
  const { cycleOf } = readers(database);
  afterAll(() => stopWorkers());

  itInAllCases("is charged and recorded, and delays nobody else's", async () => {
    const gateway = await StripeStandIn.start();
    const shop = await givenShop(database, { apiKey1: 'sk_test_items' });
    const other = await givenShop(database, { apiKey1: 'sk_test_other' });
    const id = await shop.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 86_400_000) });
    await database.query(
      `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
       SELECT $1, $2, $3, 12.50, 1 FROM generate_series(2, $4::int)`,
      [shop.siteId, id, shop.productId, ITEMS],
    );
    await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = now() WHERE id = $1`, [id]);
    const others = await other.dueOrders(20);
    await startWorker(database, { GATEWAY_ONE_URL: gateway.url, CLAIM_LEASE: 'PT10S' });
    await until(async () => {
      const states = await Promise.all(others.map(async (one) => (await cycleOf(one))?.state));
      return states.every((state) => state === 'Completed');
    });
    await until(async () => (await cycleOf(id))?.state === 'Completed');
    expect(gateway.ledger.capturesOf(id)).toMatchObject([{ amount: '625000.00' }]);
    await stopWorkers();
    await gateway.stop();
  });
});
