import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { givenSimulatedShop, type SimulatedShop } from '../support/simulated.js';
import { until } from '../support/until.js';
import { startWorker, stopWorkers, vault } from '../support/worker.js';

const database = useDatabase();
const START = '2024-01-31T09:00:00.000Z';
const TARGET = '2024-03-01T09:00:00.000Z';
let gateway: StripeStandIn;

beforeAll(async () => {
  gateway = await StripeStandIn.start();
});
afterEach(async () => {
  await stopWorkers();
  await assertInvariants(database, gateway.ledger);
});
afterAll(() => gateway.stop());

const environment = () => ({
  GATEWAY_ONE_URL: gateway.url,
  CLAIM_LEASE: 'PT1S',
  PROCESSOR_CRON: '* * * * * *',
  GATEWAY_TIMEOUT: 'PT2S',
});

/** Ten daily orders that are paid through the stand-in. */
async function givenDaily(key: string): Promise<{ shop: SimulatedShop; ids: number[] }> {
  const shop = await givenSimulatedShop(database, START);
  await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = $1`, [shop.siteId]);
  await given(database).integration(vault, shop.siteId, { apiKey1: `sk_test_${key}` });
  const ids = [];
  for (let count = 0; count < 10; count++) ids.push(await shop.order({ frequencyType: 'Days' }));
  return { shop, ids };
}

/** Each order once a day, each charged once. */
async function assertEachOnce(shop: SimulatedShop, ids: readonly number[]): Promise<void> {
  const days = Array.from({ length: 31 }, (_, n) => new Date(Date.parse(START) + n * 86_400_000).toISOString());
  const cycles = await shop.cycles();
  const notCompleted = cycles.filter(
    ({ state, dueUtc, occurredUtc }) => state !== 'Completed' || dueUtc !== occurredUtc,
  );
  expect(notCompleted).toEqual([]);
  for (const id of ids) {
    const own = cycles.filter(({ orderId }) => orderId === id);
    expect(own.map(({ dueUtc }) => dueUtc)).toEqual(days);
    for (const { cycle } of own) expect(gateway.ledger.of(id, cycle)).toHaveLength(1);
  }
}

const isReady = (shop: SimulatedShop) => async () => (await shop.clock()).state === 'Ready';

describe('The worker that leads an Advance', () => {
  it.each(['after-claim', 'after-freeze', 'after-charge', 'before-commit', 'after-commit'])(
    'may be killed %s: another one goes on, and nothing is done twice',
    async (step) => {
      const { shop, ids } = await givenDaily(step);
      await shop.advance(TARGET);
      const doomed = await startWorker(database, { ...environment(), FAILPOINTS: `${step}:kill@3` });
      expect(await doomed.exited).toBe('SIGKILL');
      const stopped = await shop.clock();
      expect(stopped.state).toBe('Advancing');
      expect(stopped.nowUtc < TARGET).toBe(true);
      await startWorker(database, environment());
      await until(isReady(shop), 60_000);
      expect(await shop.clock()).toMatchObject({ nowUtc: TARGET });
      await assertEachOnce(shop, ids);
    },
  );

  it('leads alone: two workers make each cycle once', async () => {
    const { shop, ids } = await givenDaily('two');
    await Promise.all([startWorker(database, environment()), startWorker(database, environment())]);
    await shop.advance(TARGET);
    await database.query(`SELECT pg_notify('scheduled_orders_clocks', '')`);
    await until(isReady(shop), 60_000);
    expect(await shop.clock()).toMatchObject({ nowUtc: TARGET });
    await assertEachOnce(shop, ids);
  });

  it('stops in the middle on SIGTERM, and another one goes on', async () => {
    const { shop, ids } = await givenDaily('term');
    const first = await startWorker(database, environment());
    await shop.advance(TARGET);
    await database.query(`SELECT pg_notify('scheduled_orders_clocks', '')`);
    await until(async () => (await shop.clock()).nowUtc > '2024-02-03', 30_000);
    first.kill('SIGTERM');
    expect(await first.exited).toBe(0);
    expect(await shop.clock()).toMatchObject({ worker: null });
    await startWorker(database, environment());
    await until(isReady(shop), 60_000);
    await assertEachOnce(shop, ids);
  });
});
