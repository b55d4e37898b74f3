import { integrationChanged } from '#libs/ledger';
import { ALL_CASES } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { expectFromNow } from '../support/instants.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, encryptedKey, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

const MANY = ALL_CASES ? 200 : 40;

describe('An order that waits for its payment integration', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, eventsOf, errorsOf, comeDue, probeOf, probeComes } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
  });
  afterEach(() => assertInvariants(database, gateway.ledger));
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  const MINUTE_MS = 60_000;
  const DAY_MS = 86_400_000;
  const remove = (shop: GivenShop) =>
    database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE id = $1`, [shop.integrationId]);
  const restore = (shop: GivenShop) =>
    database.query(`UPDATE payment_integrations SET deleted_utc = NULL WHERE id = $1`, [shop.integrationId]);
  const announce = (shop: GivenShop) =>
    database.pool.transaction((tx) => integrationChanged(tx, shop.siteId, 'GatewayOne'));
  const countOf = async (state: string, shop: GivenShop): Promise<number> => {
    const [row] = await database.query<{ count: string }>(
      `SELECT count(*) FROM processing_cycles WHERE state = $1 AND site_id = $2`,
      [state, shop.siteId],
    );
    return Number(row!.count);
  };

  it('stays Active, uses up no attempt, is logged once, and is tried every 15 minutes until its deadline', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_missing' });
    await remove(shop);
    const id = await shop.dueOrder();
    let deadline: Date | null = null;
    for (let round = 0; round < 3; round++) {
      const sinceMs = Date.now();
      await worker.drain();
      const cycle = await cycleOf(id);
      expect(cycle).toMatchObject({ state: 'Waiting', attempt: '0', failure_code: 1003, technical_failures: '0' });
      if (round === 0) expectFromNow(cycle.next_attempt_utc!, 30 * DAY_MS, sinceMs);
      else expect(cycle.next_attempt_utc).toEqual(deadline);
      deadline = cycle.next_attempt_utc;
      expectFromNow((await probeOf(shop.siteId))!, 15 * MINUTE_MS, sinceMs);
      const order = await orderOf(id);
      expect(order).toMatchObject({ status: 'Active', next_occurrence_utc: cycle.next_attempt_utc });
      await probeComes(shop.siteId);
    }
    expect(await eventsOf(id)).toEqual([
      {
        event_type: 'ScheduledOrderHeld',
        description: '1003 PaymentIntegrationNotFound: The shop is not connected to GatewayOne.',
      },
    ]);
    expect(await errorsOf(id)).toHaveLength(1);
    await restore(shop);
    await announce(shop);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '1', cycle: '1', waiting_since_utc: null });
  });

  it('is probed no later because another one begins to wait', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_another_waits' });
    await remove(shop);
    await shop.dueOrder();
    await worker.drain();
    await database.query(
      `UPDATE integration_waits SET next_probe_utc = now() + interval '5 minutes' WHERE site_id = $1`,
      [shop.siteId],
    );
    const probe = await probeOf(shop.siteId);
    await shop.dueOrder();
    await worker.drain();
    expect(await countOf('Waiting', shop)).toBe(2);
    expect(await probeOf(shop.siteId)).toEqual(probe);
  });

  it('becomes Pending after 30 days', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_month' });
    await remove(shop);
    const id = await shop.dueOrder();
    await worker.drain();
    await database.query(
      `UPDATE processing_cycles SET waiting_since_utc = now() - interval '30 days' WHERE scheduled_order_id = $1`,
      [id],
    );
    await comeDue(id);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Failed', retries_exhausted: true, failure_code: 1003 });
    expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    expect((await eventsOf(id))[0]).toMatchObject({ event_type: 'ScheduledOrderFailed' });
  });

  it('lets one order probe refused credentials, not all, and all go out when they are fixed', async () => {
    gateway.revoked.add('sk_test_wrong');
    const shop = await givenShop(database, { apiKey1: 'sk_test_wrong' });
    const ids = await shop.dueOrders(MANY);
    await worker.drain();
    expect(await countOf('Waiting', shop)).toBe(MANY);
    for (const id of ids) expect(await errorsOf(id)).toHaveLength(1);

    const charges = gateway.served.charge;
    await probeComes(shop.siteId);
    await worker.drain();
    expect(gateway.served.charge - charges).toBe(1);
    expect(await countOf('Waiting', shop)).toBe(MANY);
    for (const id of ids) expect(await errorsOf(id)).toHaveLength(1);

    await database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [
      shop.integrationId,
      encryptedKey(shop.integrationId, 'sk_test_right'),
    ]);
    await announce(shop);
    await worker.drain();
    expect(await countOf('Completed', shop)).toBe(MANY);
    expect(await probeOf(shop.siteId)).toBeNull();
    gateway.revoked.clear();
  });

  it('waits when its key turns out to move live money in TestMode, before anything is charged', async () => {
    const shop = await givenShop(database, { apiKey1: 'rk_unmarked_livemode' });
    const ids = await shop.dueOrders(3);
    gateway.livemode = true;
    await worker.drain();
    gateway.livemode = null;
    for (const id of ids) expect(await cycleOf(id)).toMatchObject({ state: 'Waiting', failure_code: 1003 });
    expect(gateway.ledger.charges.filter(({ account }) => account === 'rk_unmarked_livemode')).toEqual([]);
  });

  it('is not held up by the breaker of another, and waits for its own without using up attempts', async () => {
    const broken = await givenShop(database, { apiKey1: 'sk_test_broken' });
    const healthy = await givenShop(database, { apiKey1: 'sk_test_healthy' });
    const ids = await broken.dueOrders(60);
    gateway.faults.next('unavailable', { times: 30 });
    await worker.drain();
    gateway.faults.none();
    const attempts = await database.query<{ attempt: string; technical_failures: string }>(
      `SELECT attempt, technical_failures FROM processing_cycles WHERE site_id = $1`,
      [broken.siteId],
    );
    const untried = attempts.filter(({ attempt, technical_failures }) => attempt === '0' && technical_failures === '0');
    expect(untried.length).toBeGreaterThan(25);
    expect(attempts).toHaveLength(ids.length);
    const id = await healthy.dueOrder();
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed' });
  });
});
