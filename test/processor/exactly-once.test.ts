import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, startWorker, stopWorkers } from '../support/worker.js';

describe('Workers', () => {
  const database = useDatabase();
  let gateway: StripeStandIn;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  afterEach(stopWorkers);
  afterAll(() => gateway.stop());

  const open = async (): Promise<number> => {
    const [row] = await database.query<{ count: string }>(
      `SELECT count(*) FROM scheduled_orders s WHERE next_occurrence_utc <= now()
         OR EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = s.id AND c.open)`,
    );
    return Number(row!.count);
  };

  itInAllCases('process each of 1,000 due orders exactly once, two of them at a time', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_two' });
    const env = { GATEWAY_ONE_URL: gateway.url, CLAIM_BATCH: '50', PROCESSOR_CRON: '* * * * * *' };
    const workers = await Promise.all([startWorker(database, env), startWorker(database, env)]);
    // Each has some before any is charged.
    gateway.latencyMs = Infinity;
    const ids = await shop.dueOrders(1_000);
    await until(async () => {
      const having = await database.query(`SELECT DISTINCT worker FROM processing_cycles WHERE worker IS NOT NULL`);
      return having.length === 2;
    });
    gateway.latencyMs = 0;
    gateway.letGo();
    await until(async () => (await open()) === 0);
    expect(gateway.ledger.charges).toHaveLength(1_000);
    expect(new Set(gateway.ledger.charges.map(({ scheduledOrderId }) => scheduledOrderId))).toEqual(new Set(ids));
    await assertInvariants(database, gateway.ledger);
    for (const worker of workers) {
      const metrics = await (await fetch(`${worker.url}/metrics`)).text();
      expect(Number(/scheduled_orders_processed_total (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(0);
      worker.kill('SIGTERM');
      expect(await worker.exited).toBe(0);
      expect(worker.output()).not.toMatch(/WARN|ERROR/);
    }
  });

  it('lose and double nothing when one is killed in the middle', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_kill' });
    const [orders, kills] = ALL_CASES ? [300, [20, 80, 150]] : [100, [20]];
    await shop.dueOrders(orders);
    gateway.latencyMs = 30;
    const env = { GATEWAY_ONE_URL: gateway.url, CLAIM_BATCH: '50', CLAIM_LEASE: 'PT2S', PROCESSOR_CRON: '* * * * * *' };
    const before = gateway.ledger.charges.length;
    for (const charged of kills) {
      const worker = await startWorker(database, env);
      await until(() => gateway.ledger.charges.length - before >= charged);
      worker.kill('SIGKILL');
      expect(await worker.exited).toBe('SIGKILL');
    }
    await startWorker(database, env);
    await until(async () => (await open()) === 0);
    expect(gateway.ledger.charges).toHaveLength(before + orders);
    await assertInvariants(database, gateway.ledger);
  });

  it('never run two rounds at once, however often they are told to', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_rounds' });
    await shop.dueOrders(10);
    const worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    const runner = database.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(`LOCK TABLE processing_cycles IN ACCESS EXCLUSIVE MODE`);
    const rounds = Array.from({ length: 20 }, () => worker.tick());
    const waiting = async (): Promise<number> => {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row!.count;
    };
    await until(async () => (await waiting()) > 0);
    expect(await waiting()).toBe(1);
    await runner.rollbackTransaction();
    await runner.release();
    await Promise.all(rounds);
    await worker.drain();
    expect(await open()).toBe(0);
    await assertInvariants(database, gateway.ledger);
    await worker.end();
  });
});
