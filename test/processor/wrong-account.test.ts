import { becomeInactive, integrationChanged } from '#libs/ledger';
import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, NO_PROFILE, StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import {
  createWorker,
  encryptedKey,
  type GivenShop,
  givenShop,
  startWorker,
  stopWorkers,
  type TestWorker,
} from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

describe('A key of another account, to which every customer is unknown', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, eventsOf, statesOf, probeOf, probeComes } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;
  const environment = () => ({ GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT5M' });

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  beforeEach(() => {
    worker = createWorker(database, environment());
  });
  afterEach(async () => {
    await worker.end();
    await stopWorkers();
    await assertInvariants(database, gateway.ledger);
  });
  afterAll(() => gateway.stop());

  async function givenForeign(key: string): Promise<GivenShop> {
    gateway.foreign.add(key);
    return givenShop(database, { apiKey1: key });
  }
  /** An order of a customer of its own. */
  const orderOfAnother = async (shop: GivenShop, values: Record<string, unknown> = {}): Promise<number> =>
    shop.dueOrder({ customerId: await given(database).customer(shop.siteId), ...values });
  async function ordersOfOthers(shop: GivenShop, count: number): Promise<number[]> {
    const later = new Date(Date.now() + 3_600_000);
    const ids: number[] = [];
    for (let i = 0; i < count; i++) ids.push(await orderOfAnother(shop, { nextOccurrenceUtc: later }));
    await database.query(
      `UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc WHERE id = ANY ($1) AND cycles = 0`,
      [ids],
    );
    return ids;
  }
  const announce = (shop: GivenShop) =>
    database.pool.transaction((tx) => integrationChanged(tx, shop.siteId, 'GatewayOne'));
  async function changeKey(shop: GivenShop, key: string): Promise<void> {
    await database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [
      shop.integrationId,
      encryptedKey(shop.integrationId, key),
    ]);
    await announce(shop);
  }
  const standingOf = async ({ siteId }: GivenShop): Promise<Record<string, number>> => {
    const rows = await database.query<{ standing: string; count: string }>(
      `SELECT o.status || ' ' || c.state AS standing, count(*) FROM scheduled_orders o
       JOIN LATERAL (SELECT c.state FROM processing_cycles c WHERE c.scheduled_order_id = o.id ORDER BY c.cycle DESC LIMIT 1) c ON true
       WHERE o.site_id = $1 GROUP BY 1`,
      [siteId],
    );
    return Object.fromEntries(rows.map(({ standing, count }) => [standing, Number(count)]));
  };
  const failuresOf = async ({ siteId }: GivenShop): Promise<number> => {
    const [row] = await database.query<{ count: string }>(
      `SELECT count(*) FROM event_logs WHERE site_id = $1 AND event_type = 'ScheduledOrderFailed'`,
      [siteId],
    );
    return Number(row!.count);
  };
  const paidWith = (key: string) => gateway.ledger.charges.filter(({ account }) => account === key).length;

  it('makes none of them Pending: all wait, and are charged once when the right key is stored', async () => {
    const shop = await givenForeign('sk_test_foreign');
    const ids = await ordersOfOthers(shop, 30);
    // One is sent at a time, until three answers are recorded. The fourth is answered after that, however long
    // recording takes.
    gateway.keepsAfter = 3;
    const drained = worker.drain();
    await until(async () => (await standingOf(shop))['Active Waiting'] === 29);
    expect(gateway.served.charge).toBe(4);
    gateway.letGo();
    await drained;
    expect(await standingOf(shop)).toEqual({ 'Active Waiting': 30 });
    expect(await failuresOf(shop)).toBeLessThanOrEqual(3);
    for (const id of ids) {
      expect(await cycleOf(id)).toMatchObject({ failure_code: 1003, retries_exhausted: false, ended_utc: null });
      const [latest] = await eventsOf(id);
      expect(latest).toMatchObject({ event_type: 'ScheduledOrderHeld' });
      expect(latest!.description).toMatch(/^1003 PaymentIntegrationNotFound: .*another account/);
    }
    expect(gateway.served.charge).toBe(4);

    // Verify sees nothing wrong, and another order that falls due makes no difference either.
    const failures = await failuresOf(shop);
    for (let round = 0; round < 4; round++) {
      await announce(shop);
      await worker.drain();
    }
    await orderOfAnother(shop);
    await worker.drain();
    expect(await standingOf(shop)).toEqual({ 'Active Waiting': 31 });
    expect(await failuresOf(shop)).toBe(failures);

    await changeKey(shop, 'sk_test_own');
    await worker.drain();
    expect(await standingOf(shop)).toEqual({ 'Active Completed': 31 });
    expect(paidWith('sk_test_own')).toBe(31);
    expect(await probeOf(shop.siteId)).toBeNull();
  });

  itInAllCases('is found out by several workers together, one of which says so', async () => {
    const shop = await givenForeign('sk_test_foreign_several');
    const workers = [await startWorker(database, environment()), await startWorker(database, environment())];
    await ordersOfOthers(shop, 40);
    await until(async () => (await standingOf(shop))['Active Waiting'] === 40);
    expect(await failuresOf(shop)).toBeLessThanOrEqual(3);
    const warnings = () => workers.flatMap(({ output }) => output().match(/seem to be another account's/g) ?? []);
    await until(() => warnings().length > 0);
    expect(warnings()).toHaveLength(1);
    await changeKey(shop, 'sk_test_own_several');
    await until(async () => (await standingOf(shop))['Active Completed'] === 40);
    expect(paidWith('sk_test_own_several')).toBe(40);
  });

  itInAllCases(
    'is found out across restarts: what became Pending for it is taken back, unless somebody has changed it',
    async () => {
      const shop = await givenForeign('sk_test_foreign_restarts');
      const ids: number[] = [];
      for (let i = 0; i < 3; i++) {
        ids.push(await orderOfAnother(shop));
        if (i === 2) {
          await request(database, ids[0]!, (tx, order, now) => becomeInactive(tx, order, 'Paused', now));
        }
        await worker.drain();
        await worker.end();
        worker = createWorker(database, environment());
      }
      expect(await orderOf(ids[0]!)).toMatchObject({ status: 'Paused' });
      expect(await cycleOf(ids[0]!)).toMatchObject({ state: 'Failed', failure_code: 2000 });
      const taken = await cycleOf(ids[1]!);
      expect(taken).toMatchObject({ state: 'Waiting', failure_code: 1003, retries_exhausted: false, attempt: '1' });
      expect(await orderOf(ids[1]!)).toMatchObject({ status: 'Active', next_occurrence_utc: taken.next_attempt_utc });
      expect(await eventsOf(ids[1]!)).toMatchObject([
        {
          event_type: 'ScheduledOrderHeld',
          description: expect.stringMatching(/The order is Active again and waits\.$/),
        },
        { event_type: 'ScheduledOrderFailed' },
      ]);
      expect(await eventsOf(ids[2]!)).toMatchObject([{ event_type: 'ScheduledOrderHeld' }]);
      await changeKey(shop, 'sk_test_own_restarts');
      await worker.drain();
      expect(await Promise.all(ids.map(statesOf))).toEqual([['Failed'], ['Completed'], ['Completed']]);
    },
  );

  it('is not suspected where others of its customers are known', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_two_unknown' });
    const ids = await ordersOfOthers(shop, 40);
    const unknown = [ids[3]!, ids[13]!, ids[14]!, ids[30]!, ids[38]!];
    await database.query(`UPDATE scheduled_orders SET payment_method_id = 'pm_missing' WHERE id = ANY ($1)`, [unknown]);
    await worker.drain();
    expect(await standingOf(shop)).toEqual({ 'Active Completed': 35, 'Pending Failed': 5 });
    for (const id of unknown) expect(await cycleOf(id)).toMatchObject({ failure_code: 2000, retries_exhausted: true });
  });

  it('is not suspected for one customer whose card is unknown', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_one_customer' });
    const ids = await shop.dueOrders(4, { paymentMethodId: 'pm_missing' });
    await worker.drain();
    expect(await standingOf(shop)).toEqual({ 'Pending Failed': ids.length });
  });

  it('is not suspected where a known card was declined in between', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_declined_between' });
    const cards = ['pm_missing', 'pm_missing', 'pm_declined', 'pm_missing'];
    for (const paymentMethodId of cards) {
      await orderOfAnother(shop, { paymentMethodId });
      await worker.drain();
    }
    expect(await standingOf(shop)).toEqual({ 'Pending Failed': 3, 'Active Retrying': 1 });
  });

  it('is suspected no longer when a probe is paid: the unknown cards are Pending then, and nobody waits for them', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_false_alarm' });
    const unknown: number[] = [];
    for (let i = 0; i < 3; i++) unknown.push(await orderOfAnother(shop, { paymentMethodId: 'pm_missing' }));
    await worker.drain();
    const others = await ordersOfOthers(shop, 5);
    await worker.drain();
    await probeComes(shop.siteId);
    await worker.drain();
    expect(await standingOf(shop)).toEqual({ 'Active Completed': 5, 'Pending Failed': 3 });
    expect(await Promise.all(others.map(statesOf))).toEqual(others.map(() => ['Completed']));
    expect(await probeOf(shop.siteId)).toBeNull();
  });

  itInAllCases('is found out at GatewayTwo as well', async () => {
    const two = await AuthorizeNetStandIn.start();
    const shop = await givenShop(database, {
      type: 'GatewayTwo',
      apiAccount: 'foreign',
      apiKey1: 'key4567890123456',
    });
    for (let i = 0; i < 5; i++) await orderOfAnother(shop, { paymentMethodCustomerId: NO_PROFILE });
    const ofTwo = createWorker(database, { GATEWAY_TWO_URL: two.url });
    await ofTwo.drain();
    expect(await standingOf(shop)).toEqual({ 'Active Waiting': 5 });
    await ofTwo.end();
    await two.stop();
  });

  itInAllCases('that takes the place of a refused key holds them as well', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_refused_first' });
    gateway.revoked.add('sk_test_refused_first');
    await ordersOfOthers(shop, 8);
    await worker.drain();
    gateway.foreign.add('sk_test_foreign_second');
    await changeKey(shop, 'sk_test_foreign_second');
    await worker.drain();
    expect(await standingOf(shop)).toEqual({ 'Active Waiting': 8 });
    expect(await failuresOf(shop)).toBeLessThanOrEqual(3);
    gateway.revoked.clear();
    await changeKey(shop, 'sk_test_third');
    await worker.drain();
    expect(await standingOf(shop)).toEqual({ 'Active Completed': 8 });
  });
});
