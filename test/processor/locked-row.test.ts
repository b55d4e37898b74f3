import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';

describe('A row that somebody keeps locked', () => {
  const database = useDatabase();
  afterAll(() => stopWorkers());

  itInAllCases("does not make the leases of the worker's other cycles run out", async () => {
    const gateway = await StripeStandIn.start();
    const shop = await givenShop(database, { apiKey1: 'sk_test_locked' });
    // In hand for as long as the first is not answered: they go one at a time.
    gateway.latencyMs = Infinity;
    const ids = await shop.dueOrders(40);
    const env = {
      GATEWAY_ONE_URL: gateway.url,
      CLAIM_LEASE: 'PT12S',
      GATEWAY_CONCURRENCY: '1',
      GATEWAY_TIMEOUT: 'PT5M',
    };
    await startWorker(database, env);
    const leasedCycles = async () => {
      const [row] = await database.query<{ leased: number; lapsed: number; workers: number }>(
        `SELECT count(*)::int AS leased, count(*) FILTER (WHERE lease_until_utc < now())::int AS lapsed, count(DISTINCT worker)::int AS workers
         FROM processing_cycles WHERE open AND scheduled_order_id <> $1`,
        [ids.at(-1)],
      );
      return row!;
    };
    await until(async () => (await leasedCycles()).leased > 30);
    const locker = database.dataSource.createQueryRunner();
    await locker.startTransaction();
    await locker.query(`SELECT 1 FROM processing_cycles WHERE scheduled_order_id = $1 FOR UPDATE`, [ids.at(-1)]);
    const other = await startWorker(database, env);
    const seen: { lapsed: number; workers: number }[] = [];
    const lockedAt = performance.now();
    await until(async () => {
      seen.push(await leasedCycles());
      return performance.now() - lockedAt > 18_000;
    });
    await locker.rollbackTransaction();
    await locker.release();
    gateway.latencyMs = 0;
    gateway.letGo();
    expect(Math.max(...seen.map(({ lapsed }) => lapsed))).toBe(0);
    expect(Math.max(...seen.map(({ workers }) => workers))).toBe(1);
    expect(other.output()).not.toMatch(/Leases could not be renewed/);
    await until(async () => (await database.query(`SELECT 1 FROM processing_cycles WHERE open`)).length === 0);
    await assertInvariants(database, gateway.ledger);
    await stopWorkers();
    await gateway.stop();
  });
});
