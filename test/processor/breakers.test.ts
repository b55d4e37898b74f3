import { itInAllCases } from '../support/all-cases.js';
import { cloneDatabase, dropDatabase, type TestDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';

describe("A gateway's breaker", () => {
  let gateway: StripeStandIn;
  let database: TestDatabase;

  beforeEach(async () => {
    gateway = await StripeStandIn.start();
    database = await cloneDatabase();
  });
  afterEach(async () => {
    await stopWorkers();
    await dropDatabase(database);
    await gateway.stop();
  });

  itInAllCases('shows in the log and the metrics of the worker when it opens, and when it closes', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_breakers' });
    const worker = await startWorker(database, {
      GATEWAY_ONE_URL: gateway.url,
      GATEWAY_TIMEOUT: 'PT5S',
      TECHNICAL_RETRY_SCHEDULE: Array<string>(50).fill('PT1S').join(),
      PROCESSOR_CRON: '* * * * * *',
    });
    const openBreakers = async () => {
      const text = await (await fetch(`${worker.url}/metrics`)).text();
      return Number(/^scheduled_orders_breakers_open (\d+)$/m.exec(text)?.[1]);
    };
    await shop.dueOrder();
    await until(() => gateway.ledger.charges.length === 1);
    expect(await openBreakers()).toBe(0);

    gateway.faults.always('unavailable');
    await shop.dueOrders(10);
    await until(() => /A payment gateway does not answer/.test(worker.output()));
    expect(worker.output()).toMatch(new RegExp(`paymentIntegrationId.*${shop.integrationId}`));
    expect(await openBreakers()).toBe(1);

    gateway.faults.none();
    await until(() => /The payment gateway is called again\./.test(worker.output()));
    await until(async () => (await database.query('SELECT FROM orders')).length === 11);
    expect(gateway.ledger.charges).toHaveLength(11);
    expect(await openBreakers()).toBe(0);
    await assertInvariants(database, gateway.ledger);
  });
});
