import { ALL_CASES } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { givenSimulatedShop, type SimulatedShop } from '../support/shops/simulated.js';
import { until } from '../support/until.js';
import { createWorker, startWorker, stopWorkers, vault } from '../support/worker.js';

const database = useDatabase();
const DAY_MS = 86_400_000;
const START = '2024-01-31T09:00:00.000Z';
const dayAfterStart = (days: number) => new Date(Date.parse(START) + days * DAY_MS).toISOString();
const DAYS = ALL_CASES ? 30 : 8;
const TARGET = dayAfterStart(DAYS);
/** Who is killed dies on one of the first three days: what comes long after that is much like it. */
const DAYS_OF_KILLED = ALL_CASES ? DAYS : 5;
/** More than three, so that the third charge is in the middle of a day. */
const ORDERS = ALL_CASES ? 10 : 5;
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
  PROCESSOR_CRON: '* * * * * *',
  GATEWAY_TIMEOUT: 'PT10S',
});

/** Daily orders that are paid through the stand-in. */
async function givenDaily(key: string): Promise<{ shop: SimulatedShop; ids: number[] }> {
  const shop = await givenSimulatedShop(database, START);
  await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = $1`, [shop.siteId]);
  await given(database).integration(vault, shop.siteId, { apiKey1: `sk_test_${key}` });
  const ids = [];
  for (let count = 0; count < ORDERS; count++) ids.push(await shop.order({ frequencyType: 'Days' }));
  return { shop, ids };
}

/** Each order once a day, each charged once. */
async function assertEachOnce(shop: SimulatedShop, ids: readonly number[], untilDay = DAYS): Promise<void> {
  const days = Array.from({ length: untilDay + 1 }, (_, day) => dayAfterStart(day));
  const cycles = await shop.cycles();
  const notCompleted = cycles.filter(
    ({ state, dueUtc, occurredUtc }) => state !== 'Completed' || dueUtc !== occurredUtc,
  );
  expect(notCompleted).toEqual([]);
  for (const id of ids) {
    const own = cycles.filter(({ orderId }) => orderId === id);
    expect(own.map(({ dueUtc }) => dueUtc)).toEqual(days);
    for (const { dueUtc } of own) expect(gateway.ledger.capturesOf(id, dueUtc)).toHaveLength(1);
  }
}

const isReady = (shop: SimulatedShop) => async () => (await shop.clock()).state === 'Ready';

/**
 * Where it dies leaves something else to the next one each time: only the gateway knows of the charge, or the database
 * of all.
 */
const STEPS = ALL_CASES
  ? ['after-claim', 'after-freeze', 'after-charge', 'before-commit', 'after-commit']
  : ['after-charge'];

/** In place of a process: a worker that looks for the clock again and again, until it stands where it was sent. */
async function goOnHere(shop: SimulatedShop): Promise<void> {
  const worker = createWorker(database, environment());
  try {
    await until(async () => {
      await worker.drain();
      return isReady(shop)();
    });
  } finally {
    await worker.end();
  }
}

describe('The worker that leads an Advance', () => {
  it.each(STEPS)('may be killed %s: another one goes on, and nothing is done twice', async (step) => {
    const { shop, ids } = await givenDaily(step);
    const target = dayAfterStart(DAYS_OF_KILLED);
    await shop.advance(target);
    const doomed = await startWorker(database, {
      ...environment(),
      CLAIM_LEASE: 'PT4S',
      FAILPOINTS: `${step}:kill@3`,
    });
    expect(await doomed.exited).toBe('SIGKILL');
    const stopped = await shop.clock();
    expect(stopped.state).toBe('Advancing');
    expect(stopped.nowUtc < target).toBe(true);
    if (ALL_CASES) {
      await startWorker(database, environment());
      await until(isReady(shop));
    } else await goOnHere(shop);
    expect(await shop.clock()).toMatchObject({ nowUtc: target });
    await assertEachOnce(shop, ids, DAYS_OF_KILLED);
  });

  it('leads alone: two workers make each cycle once', async () => {
    const { shop, ids } = await givenDaily('two');
    await shop.advance(TARGET);
    await Promise.all([goOnHere(shop), goOnHere(shop)]);
    expect(await shop.clock()).toMatchObject({ nowUtc: TARGET });
    await assertEachOnce(shop, ids);
  });

  it('stops in the middle on SIGTERM, and another one goes on', async () => {
    const { shop, ids } = await givenDaily('term');
    const first = await startWorker(database, environment());
    await shop.advance(TARGET);
    await database.query(`SELECT pg_notify('scheduled_orders_clocks', '')`);
    await until(async () => (await shop.clock()).nowUtc > '2024-02-03');
    first.kill('SIGTERM');
    expect(await first.exited).toBe(0);
    expect(await shop.clock()).toMatchObject({ worker: null });
    await goOnHere(shop);
    await assertEachOnce(shop, ids);
  });
});
