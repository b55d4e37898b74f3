import { openDataSource } from '#libs/entities';
import { cloneDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { renameDatabase } from '../support/postgres/rename-database.js';
import { until } from '../support/until.js';
import { drainOnce, givenShop, startWorker, stopWorkers } from '../support/worker.js';

const ORDERS = 6;

describe('A copy that takes the place of the database while a worker drains it once', () => {
  afterAll(() => stopWorkers());

  it('is charged from no more, and the worker ends with an error', async () => {
    const gateway = await StripeStandIn.start();
    const original = await cloneDatabase();
    const name = new URL(original.url).pathname.slice(1);
    const shop = await givenShop(original, { apiKey1: 'sk_test_swapped_once' });
    const env = { GATEWAY_ONE_URL: gateway.url, GATEWAY_CONCURRENCY: '1', GATEWAY_TIMEOUT: 'PT5M' };
    await drainOnce(original, env);
    await shop.dueOrders(ORDERS);
    await original.dataSource.destroy();
    const copy = await cloneDatabase(name);
    await copy.dataSource.destroy();

    // Each is frozen when the one before it has been answered: the first, when the copy is in place.
    gateway.latencyMs = Infinity;
    const worker = await startWorker(original, env, ['--once']);
    await until(() => gateway.served.charge > 0);
    const server = await openDataSource({ url: process.env.TEST_SERVER_URL!, poolSize: 1 });
    await renameDatabase(server, name, `${name}_broken`);
    await renameDatabase(server, new URL(copy.url).pathname.slice(1), name);
    gateway.latencyMs = 0;
    gateway.letGo();
    expect(await worker.exited).toBe(1);
    expect(worker.output()).toMatch(/copy of another one/);
    expect(gateway.ledger.charges.length).toBeLessThan(ORDERS);
    for (const database of [name, `${name}_broken`]) await server.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await server.destroy();
    await gateway.stop();
  });
});
