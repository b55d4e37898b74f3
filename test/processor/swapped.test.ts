import { openDataSource } from '#libs/entities';
import { itInAllCases } from '../support/all-cases.js';
import { cloneDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { renameDatabase } from '../support/postgres/rename-database.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';

describe('A stale copy that takes the place of the database under a running worker', () => {
  afterAll(() => stopWorkers());

  itInAllCases('is charged from for not a single order', async () => {
    const gateway = await StripeStandIn.start();
    const original = await cloneDatabase();
    const name = new URL(original.url).pathname.slice(1);
    const shop = await givenShop(original, { apiKey1: 'sk_test_swapped' });
    const env = { GATEWAY_ONE_URL: gateway.url, DEPLOYMENT_ID: 'production' };
    expect(await (await startWorker(original, env, ['--once'])).exited).toBe(0);
    await shop.dueOrders(200);
    await original.dataSource.destroy();
    const copy = await cloneDatabase(name);
    await copy.dataSource.destroy();

    const worker = await startWorker(original, { ...env, PROCESSOR_CRON: '* * * * * *' });
    await until(() => gateway.ledger.charges.length === 200);
    gateway.forgetKeys(); // the backup is older than a day
    const server = await openDataSource({ url: process.env.TEST_SERVER_URL!, poolSize: 1 });
    await renameDatabase(server, name, `${name}_broken`);
    await renameDatabase(server, new URL(copy.url).pathname.slice(1), name);
    await until(() => /deployment:adopt/.test(worker.output()));
    expect((await fetch(`${worker.url}/health/ready`)).status).toBe(503);
    expect(gateway.ledger.charges).toHaveLength(200);
    await stopWorkers();
    for (const database of [name, `${name}_broken`]) await server.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await server.destroy();
    await gateway.stop();
  });
});
