import { PassThrough } from 'node:stream';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, startWorker, stopWorkers, type WorkerEnvironment } from '../support/worker.js';
import { readers } from './readers.js';

/** frozen-at-once.test.ts kills one after-load, and one after-freeze; after-record leaves what after-commit does. */
const STEPS = ALL_CASES
  ? ['after-claim', 'after-load', 'after-freeze', 'after-charge', 'before-commit', 'after-commit', 'after-record']
  : ['after-charge'];

describe('A worker', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, statesOf } = readers(database);
  let gateway: StripeStandIn;
  const environment = () => ({
    GATEWAY_ONE_URL: gateway.url,
    CLAIM_LEASE: 'PT1S',
    PROCESSOR_CRON: '* * * * * *',
    GATEWAY_TIMEOUT: 'PT5S',
  });

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  afterEach(async () => {
    await stopWorkers();
    await assertInvariants(database, gateway.ledger);
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const settled = async (siteId: number): Promise<boolean> => {
    const [row] = await database.query<{ left: boolean }>(
      `SELECT bool_or(s.next_occurrence_utc <= now() OR c.open IS TRUE) AS left FROM scheduled_orders s
       LEFT JOIN processing_cycles c ON c.scheduled_order_id = s.id WHERE s.site_id = $1`,
      [siteId],
    );
    return row!.left === false;
  };

  /** Another worker processes what is due, again and again, until `isDone`. @returns what it logged. */
  const another = async (isDone: () => Promise<boolean>, more: WorkerEnvironment = {}): Promise<string> => {
    const log = new PassThrough();
    const worker = createWorker(database, { LOG_LEVEL: 'info', ...environment(), ...more }, {}, {}, log);
    try {
      await until(async () => {
        await worker.drain();
        return isDone();
      });
    } finally {
      await worker.end();
    }
    return String(log.read() ?? '');
  };
  const isCompleted = async (id: number) => (await cycleOf(id)).state === 'Completed';

  describe.each(STEPS)('that is killed %s', (step) => {
    it('leaves nothing forgotten and nothing doubled', async () => {
      const shop = await givenShop(database, { apiKey1: `sk_test_${step}` });
      const ids = await shop.dueOrders(20);
      const doomed = await startWorker(database, { ...environment(), FAILPOINTS: `${step}:kill` });
      expect(await doomed.exited).toBe('SIGKILL');
      await another(() => settled(shop.siteId));
      for (const id of ids) {
        expect(await statesOf(id)).toEqual(['Completed']);
        expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
      }
    });
  });

  it('that stood still past its lease finds its late write refused', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_frozen' });
    const id = await shop.dueOrder();
    const env = { ...environment(), CLAIM_LEASE: 'PT1H', FAILPOINTS: 'after-charge:stop' };
    const frozen = await startWorker(database, env);
    await until(async () => (await cycleOf(id))?.state === 'Charging' && gateway.ledger.capturesOf(id).length === 1);
    // Its lease ends only now: under load, a shorter one would end before it could send anything.
    await database.query(`UPDATE processing_cycles SET lease_until_utc = now() WHERE scheduled_order_id = $1`, [id]);
    const successor = await another(() => isCompleted(id));
    const recorded = await cycleOf(id);
    frozen.kill('SIGCONT');
    await until(() => /recorded already/.test(frozen.output()));
    expect(await cycleOf(id)).toEqual(recorded);
    expect(await orderOf(id)).toMatchObject({ cycles: '1' });
    expect(successor).toMatch(/The occurrence of .{16} UTC was processed/);
    expect(frozen.output()).not.toMatch(/was processed/);
  });

  itInAllCases('that stands still in the middle of recording keeps its cycles from nobody', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_middle' });
    const id = await shop.dueOrder();
    const still = await startWorker(database, { ...environment(), FAILPOINTS: 'before-commit:stop' });
    await until(() => gateway.ledger.capturesOf(id).length === 1);
    await another(() => isCompleted(id));
    still.kill('SIGCONT');
    await until(() => /recorded already/.test(still.output()));
    expect(await orderOf(id)).toMatchObject({ cycles: '1' });
    expect(still.output()).not.toMatch(/was processed/);
  });

  itInAllCases('that stood still before it charged sends nothing when it goes on', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_still' });
    const id = await shop.dueOrder();
    const still = await startWorker(database, { ...environment(), FAILPOINTS: 'after-freeze:stop' });
    await until(async () => (await cycleOf(id))?.state === 'Charging');
    const sent = gateway.served.charge;
    await another(() => isCompleted(id));
    expect(gateway.served.charge).toBe(sent + 1);
    still.kill('SIGCONT');
    await until(() => /another worker leases it/.test(still.output()));
    expect(gateway.served.charge).toBe(sent + 1);
  });

  it('finishes slow charges on SIGTERM, gives back what it did not send, and exits with 0', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_term' });
    const ids = await shop.dueOrders(ALL_CASES ? 100 : 40);
    gateway.latencyMs = 500;
    const env = { ...environment(), CLAIM_LEASE: 'PT1H', GATEWAY_CONCURRENCY: '10' };
    const worker = await startWorker(database, env);
    await until(() => ids.some((id) => gateway.ledger.capturesOf(id).length > 0));
    worker.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    gateway.latencyMs = 0;
    const rows = await database.query<{ state: string; worker: string | null }>(
      `SELECT DISTINCT state, worker FROM processing_cycles WHERE site_id = $1 ORDER BY 1`,
      [shop.siteId],
    );
    expect(rows).toEqual([
      { state: 'Completed', worker: null },
      { state: 'Retrying', worker: null },
    ]);
    await assertInvariants(database, gateway.ledger);
    await another(() => settled(shop.siteId), env);
    for (const id of ids) expect(await statesOf(id)).toEqual(['Completed']);
  });

  itInAllCases('leaves a charge that is not answered within the grace to another, and still exits with 0', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_grace' });
    const id = await shop.dueOrder();
    gateway.faults.next('silentAfter');
    const env = { ...environment(), CLAIM_LEASE: 'PT1H', GATEWAY_TIMEOUT: 'PT1M' };
    const worker = await startWorker(database, { ...env, SHUTDOWN_GRACE: 'PT0.5S' });
    await until(() => gateway.ledger.capturesOf(id).length === 1);
    worker.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    expect(await cycleOf(id)).toMatchObject({ state: 'Charging' });
    await another(() => isCompleted(id), env);
  });

  itInAllCases('drains what is due and ends, when it is started with --once', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_once' });
    const ids = await shop.dueOrders(120);
    const worker = await startWorker(database, { ...environment(), CLAIM_BATCH: '25' }, ['--once']);
    expect(await worker.exited).toBe(0);
    for (const id of ids) expect(await statesOf(id)).toEqual(['Completed']);
  });
});
