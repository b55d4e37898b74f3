import { readFileSync } from 'node:fs';
import { becomeInactive } from '#libs/ledger';
import { itInAllCases } from '../support/all-cases.js';
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
  type WorkerEnvironment,
  type WorkerProcess,
} from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

describe('New orders of an integration that has answered', () => {
  const database = useDatabase();
  const { cycleOf, errorsOf, orderOf, statesOf } = readers(database);
  let gateway: StripeStandIn;
  let shops = 0;
  const newShop = (): Promise<GivenShop> => givenShop(database, { apiKey1: `sk_test_at_once_${++shops}` });
  const env = (more: WorkerEnvironment = {}) => ({
    GATEWAY_ONE_URL: gateway.url,
    PROCESSOR_CRON: '* * * * * *',
    ...more,
  });

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    await database.query(`CREATE TABLE begun (nth serial, scheduled_order_id bigint, state text, worker text)`);
    await database.query(`CREATE FUNCTION begun() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO begun (scheduled_order_id, state, worker) VALUES (NEW.scheduled_order_id, NEW.state, NEW.worker);
      RETURN NULL;
    END $$`);
    await database.query(
      `CREATE TRIGGER begun AFTER INSERT ON processing_cycles FOR EACH ROW EXECUTE FUNCTION begun()`,
    );
  });
  afterEach(async () => {
    await stopWorkers();
    gateway.latencyMs = 0;
    await assertInvariants(database, gateway.ledger);
    await database.query(`DELETE FROM begun`);
  });
  afterAll(() => gateway.stop());

  const begunAs = async (ids: readonly number[]): Promise<string[]> => {
    const rows = await database.query<{ state: string }>(
      `SELECT DISTINCT state FROM begun WHERE scheduled_order_id = ANY ($1::bigint[]) ORDER BY 1`,
      [ids],
    );
    return rows.map(({ state }) => state);
  };
  const areCompleted = async (ids: readonly number[]): Promise<boolean> => {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM processing_cycles WHERE scheduled_order_id = ANY ($1::bigint[]) AND state = 'Completed'`,
      [ids],
    );
    return row!.count === ids.length;
  };
  const allCompleted = async (ids: readonly number[]): Promise<void> => {
    await until(() => areCompleted(ids));
    const ended = await database.query<{ status: string; cycles: string; states: string[] }>(
      `SELECT DISTINCT status, cycles,
         (SELECT array_agg(state) FROM processing_cycles c WHERE c.scheduled_order_id = o.id) AS states
       FROM scheduled_orders o WHERE id = ANY ($1::bigint[])`,
      [ids],
    );
    expect(ended).toEqual([{ status: 'Active', cycles: '1', states: ['Completed'] }]);
    for (const id of ids) expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
  };
  /** A worker that has tested the shop's integration with a first order, and fails at this step of the next ones. */
  async function tested(shop: GivenShop, failpoint = '', more: WorkerEnvironment = {}): Promise<WorkerProcess> {
    const worker = await startWorker(database, env({ ...more, ...(failpoint && { FAILPOINTS: `${failpoint}@2` }) }));
    const first = await shop.dueOrder();
    await until(async () => (await areCompleted([first])) || isStopped(worker));
    if (await areCompleted([first])) return worker;
    // Under load, an attempt that is not sent within a second is given back, and comes to the step a second time: the
    // failpoint is used up.
    worker.kill('SIGCONT');
    await allCompleted([first]);
    worker.kill('SIGKILL');
    return tested(shop, failpoint, more);
  }
  /** By another worker. */
  async function processed(ids: readonly number[], more: WorkerEnvironment = {}): Promise<void> {
    const worker = createWorker(database, env(more));
    await until(async () => {
      await worker.drain();
      return areCompleted(ids);
    });
    await worker.end();
    await allCompleted(ids);
  }
  const isStopped = ({ child }: WorkerProcess): boolean =>
    child.exitCode === null && / T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'));
  const isStill = (worker: WorkerProcess): boolean => {
    expect(worker.child.exitCode).toBeNull();
    return isStopped(worker);
  };

  it('are written once before they are sent, as many as there is room for; the others are claimed and wait', async () => {
    const shop = await newShop();
    const worker = createWorker(database, env({ GATEWAY_CONCURRENCY: '10' }));
    const first = await shop.dueOrder();
    await worker.drain();
    expect(await begunAs([first])).toEqual(['Claimed']);
    const few = await shop.dueOrders(10);
    await worker.drain();
    expect(await begunAs(few)).toEqual(['Charging']);
    const many = await shop.dueOrders(60);
    await worker.drain();
    expect(await begunAs(many)).toEqual(['Charging', 'Claimed']);
    await allCompleted([first, ...few, ...many]);
    await worker.end();
  });

  it('are only claimed when they cannot be priced, and fail as always', async () => {
    const shop = await newShop();
    const worker = createWorker(database, env());
    await shop.dueOrder();
    await worker.drain();
    const good = await shop.dueOrders(5);
    const bad = await shop.dueOrder({ paymentMethodId: null });
    await worker.drain();
    expect(await begunAs([bad])).toEqual(['Claimed']);
    expect(await begunAs(good)).toEqual(['Charging']);
    expect(await cycleOf(bad)).toMatchObject({ state: 'Failed', failure_code: 1004, attempt: '0' });
    await allCompleted(good);
    await worker.end();
  });

  it('are only claimed when their integration has other credentials now, and one of them tries these', async () => {
    const shop = await newShop();
    const worker = createWorker(database, env());
    await shop.dueOrder();
    await worker.drain();
    await database.query(
      `UPDATE payment_integrations i SET api_key1 = o.api_key1 FROM payment_integrations o WHERE i.id = $1 AND o.id = $1`,
      [shop.integrationId],
    );
    const same = await shop.dueOrders(2);
    await worker.drain();
    expect(await begunAs(same)).toEqual(['Charging']);
    await database.query(`UPDATE payment_integrations SET api_key2 = NULL, test_mode = NOT test_mode WHERE id = $1`, [
      shop.integrationId,
    ]);
    const other = await shop.dueOrders(5);
    await worker.drain();
    expect(await begunAs(other)).toEqual(['Claimed']);
    await worker.end();
  });

  itInAllCases('do not hold up each other when one of them cannot be frozen', async () => {
    const shop = await newShop();
    const worker = createWorker(database, env());
    await shop.dueOrder();
    await worker.drain();
    const ids = await shop.dueOrders(12);
    const bad = ids[5]!;
    await database.query(
      `CREATE FUNCTION unfreezable() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cannot be frozen'; END $$`,
    );
    await database.query(
      `CREATE TRIGGER unfreezable BEFORE INSERT OR UPDATE ON processing_cycles FOR EACH ROW
       WHEN (NEW.state = 'Charging' AND NEW.scheduled_order_id = ${bad}) EXECUTE FUNCTION unfreezable()`,
    );
    await worker.drain();
    await database.query(`DROP TRIGGER unfreezable ON processing_cycles`);
    expect(await begunAs(ids)).toEqual(['Claimed']);
    expect(await cycleOf(bad)).toMatchObject({ state: 'Retrying', attempt: '0', failure_code: 99 });
    expect(await errorsOf(bad)).toMatchObject([{ exception_info: { Message: 'cannot be frozen' } }]);
    await allCompleted(ids.filter((id) => id !== bad));
    await worker.end();
  });

  it('are free again at once when their worker is killed before they are frozen: nothing was written', async () => {
    const shop = await newShop();
    const doomed = await tested(shop, 'after-load:kill', { CLAIM_LEASE: 'PT1H' });
    const ids = await shop.dueOrders(10);
    expect(await doomed.exited).toBe('SIGKILL');
    for (const id of ids) expect(await statesOf(id)).toEqual([]);
    await processed(ids, { CLAIM_LEASE: 'PT1H' });
  });

  itInAllCases(
    'are sent by another worker, under the key that was frozen, when theirs is killed before it sends them',
    async () => {
      const shop = await newShop();
      const doomed = await tested(shop, 'after-freeze:kill', { CLAIM_LEASE: 'PT1H' });
      const ids = await shop.dueOrders(10);
      expect(await doomed.exited).toBe('SIGKILL');
      expect(await begunAs(ids)).toEqual(['Charging']);
      for (const id of ids) {
        expect(await cycleOf(id)).toMatchObject({ state: 'Charging', attempt: '1', claim: '1' });
        expect(gateway.ledger.capturesOf(id)).toEqual([]);
      }
      const before = gateway.served.charge;
      await database.query(`UPDATE processing_cycles SET lease_until_utc = now() WHERE worker IS NOT NULL`);
      await processed(ids);
      expect(gateway.served.charge - before).toBe(10);
    },
  );

  it('are stepped over by another worker while theirs prices them, and are free when it stands still', async () => {
    const shop = await newShop();
    const still = await tested(shop, 'after-load:stop', { CLAIM_LEASE: 'PT1H' });
    const other = createWorker(database, env({ CLAIM_LEASE: 'PT1H' }));
    await other.drain();
    const ids = await shop.dueOrders(10);
    await until(() => isStill(still));
    const later = await shop.dueOrders(5, { nextOccurrenceUtc: new Date(Date.now() - 60_000) });
    await other.drain();
    await allCompleted(later);
    // Neither had to wait, nor was one of the others taken from it. (On a busy machine these may be free by now.)
    const begun = await database.query<{ id: string }>(
      `SELECT scheduled_order_id AS id FROM begun WHERE scheduled_order_id = ANY ($1::bigint[]) ORDER BY nth`,
      [[...ids, ...later]],
    );
    expect(
      begun
        .slice(0, 5)
        .map(({ id }) => Number(id))
        .sort((a, b) => a - b),
    ).toEqual(later);
    await until(async () => {
      await other.drain();
      return areCompleted(ids);
    });
    const sent = gateway.served.charge;
    still.kill('SIGCONT');
    const next = await shop.dueOrder();
    await until(async () => (await cycleOf(next))?.state === 'Completed');
    expect(gateway.served.charge).toBe(sent + 1);
    await allCompleted([...ids, next]);
    await other.end();
  });

  it('are not charged when a request pauses them, and charged as one changed them, while their worker stands still before it freezes them', async () => {
    const shop = await newShop();
    const still = await tested(shop, 'after-load:stop');
    const [paused, changed] = (await shop.dueOrders(2)) as [number, number];
    await until(() => isStill(still));
    // They get the orders although the worker stands still.
    await request(database, paused, (tx, order, now) => becomeInactive(tx, order, 'Paused', now));
    await request(database, changed, async (tx) => {
      await tx.execute(`UPDATE scheduled_order_items SET quantity = 3 WHERE scheduled_order_id = $1`, [changed]);
      return { shippingCity: 'Lyon' };
    });
    still.kill('SIGCONT');
    await allCompleted([changed]);
    expect(await cycleOf(changed)).toMatchObject({ amount: '3750' });
    const [order] = await database.query(`SELECT shipping_city FROM orders WHERE scheduled_order_id = $1`, [changed]);
    expect(order).toEqual({ shipping_city: 'Lyon' });
    expect(await statesOf(paused)).toEqual([]);
    expect(gateway.ledger.capturesOf(paused)).toEqual([]);
    expect(await orderOf(paused)).toMatchObject({ status: 'Paused' });
  });

  itInAllCases('are not charged when a request stops them after they were frozen', async () => {
    const shop = await newShop();
    // What was stopped is certainly not charged when twice that time has passed. In less, a worker under load may not
    // send its first charge.
    const still = await tested(shop, 'after-freeze:stop', { GATEWAY_TIMEOUT: 'PT6S' });
    const id = await shop.dueOrder();
    await until(() => isStill(still));
    expect((await cycleOf(id))?.state).toBe('Charging');
    await request(database, id, (tx, order, now) => becomeInactive(tx, order, 'Paused', now));
    await new Promise((resolve) => setTimeout(resolve, 6_100));
    still.kill('SIGCONT');
    await until(async () => (await cycleOf(id)).state === 'Failed');
    expect(gateway.ledger.capturesOf(id)).toEqual([]);
  });

  itInAllCases('are each charged once by three workers that look at the same ones', async () => {
    const shop = await newShop();
    await tested(shop);
    const others = [1, 2].map(() => createWorker(database, env()));
    const process = (ids: readonly number[]) =>
      until(async () => {
        await Promise.all(others.map((worker) => worker.drain()));
        return areCompleted(ids);
      });
    const first = await shop.dueOrders(60);
    await process(first);
    await allCompleted(first);
    for (let round = 0; round < 4; round++) {
      const ids = await shop.dueOrders(150);
      await process(ids);
      for (const id of ids) expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    }
    for (const worker of others) await worker.end();
    const counts = await database.query<{ begun: number }>(
      `SELECT count(*)::int AS begun FROM begun GROUP BY scheduled_order_id ORDER BY 1 DESC LIMIT 1`,
    );
    expect(counts).toEqual([{ begun: 1 }]);
    expect(await begunAs(first)).toContain('Claimed');
    expect((await database.query(`SELECT FROM begun WHERE state = 'Charging'`)).length).toBeGreaterThan(0);
  });
});
