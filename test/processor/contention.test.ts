import { PROBE } from '../../apps/worker/src/database/contention.sql.js';
import { itInAllCases } from '../support/all-cases.js';
import { requestTo } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, givenShop } from '../support/worker.js';

/** So long does no machine keep a session of PostgreSQL waiting for a processor. */
const BUSY_MS = 3_000;

/** The rule itself: apps/worker/src/database/batch-limit.test.ts. */
describe('A worker beside an API', () => {
  const database = useDatabase();
  const probe = async () => {
    const [row] = await database.query<{ late_ms: number; is_api_active: boolean }>(PROBE);
    return row!;
  };

  afterEach(endApis);

  itInAllCases('sees that the API answers requests, and a second later that it does not', async () => {
    expect(await probe()).toMatchObject({ is_api_active: false });
    const { tokenAuth: token } = await givenShop(database);
    const url = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY }).url();
    await until(async () => !(await probe()).is_api_active);
    await until(async () => {
      expect((await requestTo(url)('GET', '/api/ScheduledOrders', { token })).status).toBe(200);
      return (await probe()).is_api_active;
    });
    await until(async () => !(await probe()).is_api_active);
  });

  itInAllCases('does not count the time that its own process does something else', async () => {
    const measured = probe();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
    expect((await measured).late_ms).toBeLessThan(BUSY_MS);
  });

  it('tells in its metrics how many batches it may process at once', async () => {
    const worker = createWorker(database);
    expect(await worker.metrics()).toMatch(/^scheduled_orders_batches_at_once 4$/m);
    await worker.end();
  });
});
