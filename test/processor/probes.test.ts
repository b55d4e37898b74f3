import { integrationChanged, leaveWait, reschedule } from '#libs/ledger';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { expectFromNow } from '../support/instants.js';
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

const MANY = ALL_CASES ? 10_000 : 150;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('The orders that wait for one integration', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, eventsOf, statesOf, comeDue, probeOf, probeComes } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;
  const environment = () => ({ GATEWAY_ONE_URL: gateway.url, GATEWAY_CONCURRENCY: '50', CLAIM_BATCH: '1000' });

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  beforeEach(() => {
    worker = createWorker(database, environment());
  });
  afterEach(async () => {
    await worker.end();
    await stopWorkers();
    gateway.revoked.clear();
    await assertInvariants(database, gateway.ledger);
  });
  afterAll(() => gateway.stop());

  /** A shop whose key is refused. */
  async function givenRefused(key: string): Promise<GivenShop> {
    gateway.revoked.add(key);
    return givenShop(database, { apiKey1: key });
  }
  const countOf = async (state: string, { siteId }: GivenShop): Promise<number> => {
    const [row] = await database.query<{ count: string }>(
      `SELECT count(*) FROM processing_cycles WHERE state = $1 AND site_id = $2`,
      [state, siteId],
    );
    return Number(row!.count);
  };
  const changeKey = (shop: GivenShop, key: string) =>
    database.pool.transaction(async (tx) => {
      await tx.execute(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [
        shop.integrationId,
        encryptedKey(shop.integrationId, key),
      ]);
      await integrationChanged(tx, shop.siteId, 'GatewayOne');
    });
  /** The versions of all rows of a table that belong to the shop. */
  const versionsOf = async (table: string, { siteId }: GivenShop): Promise<Set<string>> =>
    new Set(
      (
        await database.query<{ version: string }>(
          `SELECT tableoid || ' ' || ctid || ' ' || xmin AS version FROM ${table} WHERE site_id = $1`,
          [siteId],
        )
      ).map(({ version }) => version),
    );
  const claimsOf = async (ids: readonly number[]): Promise<number[]> => {
    const rows = await database.query<{ claim: string }>(
      `SELECT claim FROM processing_cycles WHERE scheduled_order_id = ANY ($1) ORDER BY scheduled_order_id`,
      [ids],
    );
    return rows.map(({ claim }) => Number(claim));
  };

  it(`are ${MANY.toLocaleString('en')}, and a probe writes one of them; all go out when it succeeds`, async () => {
    const shop = await givenRefused('sk_test_many');
    await shop.dueOrders(MANY);
    await worker.drain();
    expect(await countOf('Waiting', shop)).toBe(MANY);
    const tables = ['processing_cycles', 'scheduled_orders', 'event_logs', 'error_logs'];
    for (let round = 0; round < 3; round++) {
      const before = await Promise.all(tables.map((table) => versionsOf(table, shop)));
      const charges = gateway.served.charge;
      await probeComes(shop.siteId);
      await worker.drain();
      expect(gateway.served.charge).toBe(charges + 1);
      const after = await Promise.all(tables.map((table) => versionsOf(table, shop)));
      const written = after.map((versions, index) => [...versions].filter((one) => !before[index]!.has(one)).length);
      expect(written).toEqual([1, 1, 0, 0]);
    }
    gateway.revoked.clear();
    await probeComes(shop.siteId);
    await worker.drain();
    expect(await countOf('Completed', shop)).toBe(MANY);
    expect(await probeOf(shop.siteId)).toBeNull();
  });

  it('probe it in turn, and two workers probe once', async () => {
    const shop = await givenRefused('sk_test_in_turn');
    const ids = await shop.dueOrders(3);
    await worker.drain();
    const other = createWorker(database, environment());
    const first = await claimsOf(ids);
    const charges = gateway.served.charge;
    for (let round = 1; round <= 4; round++) {
      await probeComes(shop.siteId);
      const sinceMs = Date.now();
      await Promise.all([worker.drain(), other.drain()]);
      expect(gateway.served.charge).toBe(charges + round);
      const expected = first.map((claim, index) => claim + Math.floor((round + 2 - index) / 3));
      expect(await claimsOf(ids)).toEqual(expected);
      expectFromNow((await probeOf(shop.siteId))!, 15 * MINUTE_MS, sinceMs);
    }
    await other.end();
  });

  itInAllCases('are all charged by a running worker when the right key is stored', async () => {
    const shop = await givenRefused('sk_test_running_wrong');
    const ids = await shop.dueOrders(60);
    await startWorker(database, environment());
    await startWorker(database, environment());
    await until(async () => (await countOf('Waiting', shop)) === ids.length);
    await changeKey(shop, 'sk_test_running_right');
    await until(async () => (await countOf('Completed', shop)) === ids.length);
    expect(gateway.ledger.charges.filter(({ account }) => account === 'sk_test_running_right')).toHaveLength(60);
  });

  it('become Pending together when their 30 days are over, after one more try', async () => {
    const shop = await givenRefused('sk_test_deadline');
    const ids = await shop.dueOrders(20);
    await worker.drain();
    await database.query(
      `UPDATE processing_cycles SET waiting_since_utc = now() - interval '30 days' WHERE site_id = $1`,
      [shop.siteId],
    );
    for (const id of ids) await comeDue(id);
    const charges = gateway.served.charge;
    await worker.drain();
    expect(gateway.served.charge).toBe(charges + 1);
    for (const id of ids) {
      expect(await cycleOf(id)).toMatchObject({ state: 'Failed', retries_exhausted: true, failure_code: 1003 });
      expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    }
    await probeComes(shop.siteId);
    await worker.drain();
    expect(await probeOf(shop.siteId)).toBeNull();
  });

  it('are probed by the next one at once when one tells nothing of the integration', async () => {
    const shop = await givenRefused('sk_test_nothing_told');
    const ids = await shop.dueOrders(5);
    await worker.drain();
    await database.query(`UPDATE scheduled_order_items SET deleted_utc = now() WHERE scheduled_order_id = ANY ($1)`, [
      ids.slice(0, 3),
    ]);
    gateway.revoked.clear();
    await probeComes(shop.siteId);
    await worker.drain();
    for (const id of ids.slice(0, 3)) expect(await cycleOf(id)).toMatchObject({ state: 'Failed', failure_code: 1000 });
    for (const id of ids.slice(3)) expect(await statesOf(id)).toEqual(['Completed']);
  });

  itInAllCases('include those whose outcome it must tell: one is asked about, then all', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_unknown_outcomes' });
    const unknown = await shop.dueOrders(4);
    gateway.faults.next('errorAfter', { times: 4 });
    await worker.drain();
    gateway.revoked.add('sk_test_unknown_outcomes');
    for (const id of unknown) await comeDue(id);
    const sinceMs = Date.now();
    await worker.drain();
    for (const id of unknown) {
      const cycle = await cycleOf(id);
      expect(cycle).toMatchObject({ state: 'Unknown', failure_code: 1003 });
      expectFromNow(cycle.next_attempt_utc!, 30 * DAY_MS, sinceMs);
    }
    const before = await claimsOf(unknown);
    await probeComes(shop.siteId);
    await worker.drain();
    expect(await claimsOf(unknown)).toEqual(before.map((claim, index) => claim + (index === 0 ? 1 : 0)));
    gateway.revoked.clear();
    await probeComes(shop.siteId);
    // All but the first ask while its answer is still the only one: those are asked again a second later.
    await until(async () => {
      await worker.drain();
      return (await countOf('Completed', shop)) === unknown.length;
    });
  });

  it('do not probe before the time that one of them was rescheduled to', async () => {
    const shop = await givenRefused('sk_test_rescheduled');
    const id = await shop.dueOrder();
    await worker.drain();
    const instant = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * DAY_MS);
    await request(database, id, (tx, order, now) => reschedule(tx, order, instant, now));
    await probeComes(shop.siteId);
    await changeKey(shop, 'sk_test_rescheduled_right');
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Waiting', next_attempt_utc: instant });
    expect(await orderOf(id)).toMatchObject({ next_occurrence_utc: instant });
    await database.pool.transaction((tx) => leaveWait(tx, id));
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Waiting', next_attempt_utc: instant });
    await comeDue(id);
    await worker.drain();
    expect(await statesOf(id)).toEqual(['Completed']);
  });

  it('lose one that is to be paid through another gateway, at once', async () => {
    const shop = await givenRefused('sk_test_left');
    const id = await shop.dueOrder();
    await worker.drain();
    await database.pool.transaction(async (tx) => {
      await tx.execute(`UPDATE scheduled_orders SET payment_method_type = 'GatewayTwo' WHERE id = $1`, [id]);
      await leaveWait(tx, id);
    });
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Waiting', payment_method_type: 'GatewayTwo' });
    expect(await eventsOf(id)).toHaveLength(1);
    expect(await probeOf(shop.siteId, 'GatewayTwo')).not.toBeNull();
  });

  it('forget none that a request has locked while all are woken', async () => {
    const shop = await givenRefused('sk_test_locked');
    const ids = await shop.dueOrders(3);
    await worker.drain();
    gateway.revoked.clear();
    const runner = database.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(`SELECT 1 FROM processing_cycles WHERE scheduled_order_id = $1 FOR NO KEY UPDATE`, [ids[2]]);
    await probeComes(shop.siteId);
    await worker.drain();
    expect(await Promise.all(ids.map(statesOf))).toEqual([['Completed'], ['Completed'], ['Waiting']]);
    await runner.commitTransaction();
    await runner.release();
    await probeComes(shop.siteId);
    await worker.drain();
    expect(await statesOf(ids[2]!)).toEqual(['Completed']);
    expect(await probeOf(shop.siteId)).toBeNull();
  });
});
