import { setTimeout as pause } from 'node:timers/promises';
import { processNow } from '#libs/ledger';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import {
  createWorker,
  type GivenShop,
  givenShop,
  startWorker,
  stopWorkers,
  type TestWorker,
} from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

const EACH_SECOND = { PROCESSOR_CRON: '* * * * * *' };

describe('A running worker', () => {
  const database = useDatabase();
  const { statesOf, cycleOf } = readers(database);
  let gateway: StripeStandIn;
  let shops = 0;
  const newShop = (): Promise<GivenShop> => givenShop(database, { apiKey1: `sk_test_service_${++shops}` });

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  const begun: TestWorker[] = [];
  /** In the test's own process, which never calls its tick. */
  function begin(more: Record<string, string> = {}): void {
    const worker = createWorker(database, env(more));
    begun.push(worker);
    void worker.start();
  }
  afterEach(async () => {
    await stopWorkers();
    for (const worker of begun.splice(0)) await worker.end();
    gateway.latencyOf.clear();
    await assertInvariants(database, gateway.ledger);
  });
  afterAll(() => gateway.stop());

  const env = (more: Record<string, string> = {}) => ({ GATEWAY_ONE_URL: gateway.url, ...more });
  const completedOf = async (siteId: number): Promise<number> => {
    const [row] = await database.query<{ count: string }>(
      `SELECT count(*) FROM processing_cycles WHERE site_id = $1 AND state = 'Completed'`,
      [siteId],
    );
    return Number(row!.count);
  };

  it('hears of an order that is called for at once', async () => {
    const shop = await newShop();
    begin();
    const id = await shop.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 86_400_000) });
    await request(database, id, processNow);
    await until(async () => (await statesOf(id)).includes('Completed'));
  });

  itInAllCases(
    'takes up what SQL has made due long before its last look, and with its next tick a try that no notification tells of',
    async () => {
      const shop = await newShop();
      const id = await shop.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 86_400_000) });
      const declined = await shop.dueOrder({ paymentMethodId: 'pm_card_declined' });
      const runner = database.dataSource.createQueryRunner();
      await runner.startTransaction();
      await runner.query(`UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc WHERE id = $1`, [id]);
      await startWorker(database, env(EACH_SECOND));
      await until(async () => (await statesOf(declined)).includes('Retrying'));
      await database.query(`UPDATE scheduled_orders SET payment_method_id = 'pm_card' WHERE id = $1`, [declined]);
      // So long that its ticks are single looks from a date on, and no longer look there by themselves: a minute would
      // pass.
      await pause(8_000);
      await runner.commitTransaction();
      await runner.release();
      await until(async () => (await statesOf(id)).includes('Completed'), 40_000);
      // As of a dead worker.
      await database.query(
        `UPDATE processing_cycles SET next_attempt_utc = now() - interval '1 minute' WHERE scheduled_order_id = $1`,
        [declined],
      );
      await until(async () => (await statesOf(declined)).includes('Completed'));
    },
  );

  itInAllCases('takes up what falls due in the next seconds without a tick', async () => {
    const shop = await newShop();
    const ids = await shop.dueOrders(5, { nextOccurrenceUtc: new Date(Date.now() + 4_000) });
    begin();
    await until(async () => (await completedOf(shop.siteId)) === 5);
    const [row] = await database.query<{ late: number }>(
      `SELECT max(extract(epoch FROM o.date_created - c.due_utc))::float AS late FROM processing_cycles c JOIN orders o ON o.id = c.order_id
       WHERE c.scheduled_order_id = ANY($1)`,
      [ids],
    );
    expect(row!.late).toBeGreaterThanOrEqual(0);
  });

  it('pauses while the database is gone and resumes by itself', async () => {
    const shop = await newShop();
    gateway.latencyMs = 100;
    const worker = await startWorker(database, env({ ...EACH_SECOND, CLAIM_LEASE: 'PT2S' }));
    const ids = await shop.dueOrders(100);
    await until(() => ids.some((id) => gateway.ledger.capturesOf(id).length > 0));
    for (let cut = 0; cut < 5; cut++) {
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'scheduled-orders-worker%' AND datname = current_database()`,
      );
      await database.query('SELECT pg_sleep(0.2)');
    }
    gateway.latencyMs = 0;
    await until(async () => (await completedOf(shop.siteId)) === 100);
    expect(worker.child.exitCode).toBeNull();
    expect(worker.output()).not.toMatch(/ERROR/);
    for (const id of ids) expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
  });

  it('does not let the backlog of one shop, nor its slow gateway, delay the orders of another', async () => {
    const big = await newShop();
    const small = await newShop();
    const late = new Date(Date.now() - 1_800_000);
    const backlog = ALL_CASES ? 150 : 60;
    await big.dueOrders(backlog, { nextOccurrenceUtc: new Date(Date.now() - 7_200_000) });
    const ids = await small.dueOrders(10, { nextOccurrenceUtc: late, scheduleAnchorUtc: late });
    // The big one has many batches before it, and its gateway answers nothing before the small one is done.
    gateway.latencyOf.set(`sk_test_service_${shops - 1}`, Infinity);
    begin({ CLAIM_BATCH: '10', CLAIM_LEASE: 'PT6S', GATEWAY_TIMEOUT: 'PT5M' });
    await until(async () => (await completedOf(small.siteId)) === 10);
    expect(await completedOf(big.siteId)).toBe(0);
    for (const id of ids) expect(await cycleOf(id)).toMatchObject({ state: 'Completed' });
    gateway.latencyOf.clear();
    gateway.letGo();
    await until(async () => (await completedOf(big.siteId)) === backlog);
  });

  it('takes the oldest of a shop first', async () => {
    const shop = await newShop();
    const at = (minutesAgo: number) => ({ nextOccurrenceUtc: new Date(Date.now() - minutesAgo * 60_000) });
    const [young, old, middle] = [await shop.dueOrder(at(1)), await shop.dueOrder(at(90)), await shop.dueOrder(at(30))];
    begin({ CLAIM_BATCH: '1', GATEWAY_CONCURRENCY: '1' });
    await until(async () => (await completedOf(shop.siteId)) === 3);
    const order = gateway.ledger.charges.slice(-3).map(({ scheduledOrderId }) => scheduledOrderId);
    expect(order).toEqual([old, middle, young]);
  });

  it('tells its health and its figures, and that the database is not migrated to its version', async () => {
    const worker = await startWorker(database, env(EACH_SECOND));
    const ready = async () => {
      const response = await fetch(`${worker.url}/health/ready`);
      return [response.status, await response.json()];
    };
    await until(async () => (await ready())[0] === 200);
    const [last] = await database.query<{ id: number; timestamp: string; name: string }>(
      `SELECT id, timestamp, name FROM migrations ORDER BY id DESC LIMIT 1`,
    );
    await database.query(`DELETE FROM migrations WHERE id = $1`, [last!.id]);
    const reason = 'The database is not up to date: run the migrate command.';
    expect(await ready()).toEqual([503, { status: 'not ready', reason }]);
    await database.query(`INSERT INTO migrations (id, timestamp, name) VALUES ($1, $2, $3)`, Object.values(last!));
    expect(await ready()).toEqual([200, { status: 'ready' }]);

    const shop = await newShop();
    await shop.dueOrder();
    await shop.dueOrder({ paymentMethodId: 'pm_declined' });
    await until(async () => (await completedOf(shop.siteId)) === 1);
    expect(await (await fetch(`${worker.url}/health/live`)).json()).toEqual({ status: 'up' });
    expect(await (await fetch(`${worker.url}/health/ready`)).json()).toEqual({ status: 'ready' });
    // One answer can hold a counter that was raised while it read the gauges: wait for both.
    const settled = [
      /^scheduled_orders_failed_total\{code="2000"\} 1$/m,
      /^scheduled_orders_processed_total 1$/m,
      /^scheduled_orders_retrying 1$/m,
    ];
    const metrics = await until(async () => {
      const text = await (await fetch(`${worker.url}/metrics`)).text();
      return settled.every((line) => line.test(text)) && text;
    });
    for (const line of [
      /^scheduled_orders_claimed_total 2$/m,
      /^scheduled_orders_due 0$/m,
      /^scheduled_orders_due_age_seconds 0$/m,
      /^scheduled_orders_awaiting_integration 0$/m,
      /^scheduled_orders_unknown 0$/m,
      /^scheduled_orders_may_charge 1$/m,
      /^scheduled_orders_charge_seconds_count\{gateway="GatewayOne",outcome="charged"\} 1$/m,
      /^scheduled_orders_charge_seconds_count\{gateway="GatewayOne",outcome="declined"\} 1$/m,
      /^scheduled_orders_gateway_request_seconds_count\{gateway="GatewayOne",outcome="refused"\} 1$/m,
      /^scheduled_orders_batch_size_count [12]$/m,
    ]) {
      expect(metrics).toMatch(line);
    }
    expect(worker.output()).not.toMatch(/WARN|ERROR/);
  });
});
