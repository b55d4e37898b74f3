import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop } from '../support/worker.js';
import { readers } from './readers.js';

describe('Orders that wait for a slow gateway', () => {
  const database = useDatabase();
  const { statesOf } = readers(database);

  it('are not frozen before their charge can go out, so that whoever pauses one is not charged', async () => {
    const gateway = await StripeStandIn.start();
    const worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url, GATEWAY_CONCURRENCY: '2' });
    const shop = await givenShop(database, { apiKey1: 'sk_test_slow' });
    const ids = await shop.dueOrders(6);
    gateway.latencyMs = 2_000;
    const draining = worker.drain();
    // The first goes alone, then two at a time: when three have been sent, two are not answered yet.
    await until(() => gateway.served.charge === 1);
    gateway.latencyMs = Infinity;
    await until(() => gateway.served.charge === 3);
    const [row] = await database.query<{ frozen: number }>(
      `SELECT count(*)::int AS frozen FROM processing_cycles WHERE idempotency_key IS NOT NULL`,
    );
    gateway.latencyMs = 0;
    gateway.letGo();
    await draining;
    expect(row).toEqual({ frozen: 3 });
    for (const id of ids) expect(await statesOf(id)).toEqual(['Completed']);
    await assertInvariants(database, gateway.ledger);
    await worker.end();
    await gateway.stop();
  });
});
