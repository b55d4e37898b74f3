import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readers } from '../processor/readers.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';

const ROOT = join(__dirname, '../..');

/** A new version is built where the previous one runs (docs/operations.md, New versions). */
describe('A worker whose build is gone', () => {
  const database = useDatabase();
  const { statesOf } = readers(database);
  let gateway: StripeStandIn;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  afterAll(async () => {
    await stopWorkers();
    await gateway.stop();
  });

  it('goes on, also with what it has not used before', async () => {
    // Inside the project, so that packages are found.
    mkdirSync(join(ROOT, 'reports'), { recursive: true });
    const dist = mkdtempSync(join(ROOT, 'reports/replaced-'));
    cpSync(join(ROOT, 'dist/apps/worker'), join(dist, 'apps/worker'), { recursive: true });
    const env = { GATEWAY_ONE_URL: gateway.url, PROCESSOR_CRON: '* * * * * *' };
    const worker = await startWorker(database, env, [], dist).finally(() => rmSync(dist, { recursive: true }));
    const shop = await givenShop(database, { apiKey1: 'sk_test_replaced' });
    const id = await shop.dueOrder();
    await until(async () => (await statesOf(id)).includes('Completed'));
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    worker.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    expect(worker.output()).not.toMatch(/WARN|ERROR/);
  });
});
