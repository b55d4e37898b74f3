import { setTimeout as pause } from 'node:timers/promises';
import { processNow } from '#libs/ledger';
import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { Network } from '../support/postgres/network.js';
import { until } from '../support/until.js';
import { drainOnce, givenShop, startWorker, stopWorkers, workUntil } from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

describe('A worker behind a network that is not what it should be', () => {
  const database = useDatabase();
  const { statesOf } = readers(database);
  let gateway: StripeStandIn;
  let network: Network;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  beforeEach(async () => {
    network = await Network.before(database);
  });
  afterEach(async () => {
    await stopWorkers();
    await network.stop();
    await assertInvariants(database, gateway.ledger, { tickMs: 3_600_000 });
  });
  afterAll(() => gateway.stop());

  it('takes up what falls due by its timer behind a transaction pooler, which does not support LISTEN', async () => {
    network.refused = 'scheduled-orders-listen';
    const shop = await givenShop(database, { apiKey1: 'sk_test_unheard' });
    const id = await shop.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 4_000) });
    await workUntil(network, async () => (await statesOf(id)).includes('Completed'), { GATEWAY_ONE_URL: gateway.url });
    expect(network.refusals).toBeGreaterThan(0);
  });

  itInAllCases('takes up what is called for with its next tick there', async () => {
    network.refused = 'scheduled-orders-listen';
    const shop = await givenShop(database, { apiKey1: 'sk_test_unheard' });
    await startWorker(network, { GATEWAY_ONE_URL: gateway.url, PROCESSOR_CRON: '* * * * * *' });
    const id = await shop.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 86_400_000) });
    await request(database, id, processNow);
    await until(async () => (await statesOf(id)).includes('Completed'));
    expect(network.refusals).toBeGreaterThan(0);
  });

  it('ends within the grace with 0 though the database answers nothing any more', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_swallowed' });
    const env = { GATEWAY_ONE_URL: gateway.url, PROCESSOR_CRON: '* * * * * *', SHUTDOWN_GRACE: 'PT1S' };
    const worker = await startWorker(network, env);
    gateway.latencyMs = 500;
    const id = await shop.dueOrder();
    await until(() => gateway.ledger.capturesOf(id).length === 1);
    network.isSwallowing = true;
    worker.kill('SIGTERM');
    // The longest that a statement is waited for is a minute.
    expect(await Promise.race([worker.exited, pause(45_000, 'still there', { ref: false })])).toBe(0);
    gateway.latencyMs = 0;
    network.isSwallowing = false;
    await database.query(`UPDATE processing_cycles SET lease_until_utc = now() WHERE worker IS NOT NULL`);
    await workUntil(network, async () => (await statesOf(id)).includes('Completed'), env);
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
  });

  itInAllCases('gives back on SIGTERM what it has not sent when it was started with --once', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_once_term' });
    const ids = await shop.dueOrders(40);
    gateway.latencyMs = 500;
    const env = { GATEWAY_ONE_URL: gateway.url, GATEWAY_CONCURRENCY: '2', CLAIM_LEASE: 'PT1H' };
    const worker = await startWorker(network, env, ['--once']);
    await until(() => ids.some((id) => gateway.ledger.capturesOf(id).length === 1));
    worker.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    gateway.latencyMs = 0;
    const left = await database.query<{ state: string; worker: string | null }>(
      `SELECT DISTINCT state, worker FROM processing_cycles WHERE site_id = $1 ORDER BY state`,
      [shop.siteId],
    );
    expect(left).toEqual([
      { state: 'Completed', worker: null },
      { state: 'Retrying', worker: null },
    ]);
    await drainOnce(network, env);
    for (const id of ids) expect(await statesOf(id)).toEqual(['Completed']);
  });
});
