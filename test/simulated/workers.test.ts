import { integrationChanged, leaveWait } from '#libs/ledger';
import { ProcessorRole } from '../../apps/worker/src/processor/processor-role.js';
import { WorkerEvents } from '../../apps/worker/src/worker-events.js';
import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { givenSimulatedShop, type SimulatedShop } from '../support/shops/simulated.js';
import { until } from '../support/until.js';
import {
  createWorker,
  givenShop as givenRealShop,
  startWorker,
  stopWorkers,
  vault,
  type WorkerProcess,
} from '../support/worker.js';

const database = useDatabase();
const START = '2024-01-31T09:00:00.000Z';
const TROUBLE = 'The orders of a simulated site could not be processed.';
const LOCK = 4711;
let gateway: StripeStandIn;

beforeAll(async () => {
  gateway = await StripeStandIn.start();
  // Does what a test says in the middle of a claim, and notes when one succeeds.
  await database.query(`CREATE TABLE begun (site_id bigint, at timestamptz NOT NULL)`);
  await database.query(`CREATE TABLE faults (site_id bigint PRIMARY KEY, fault text NOT NULL)`);
  await database.query(`CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE found text := (SELECT f.fault FROM faults f WHERE f.site_id = NEW.site_id);
    BEGIN
      IF found = 'fails' THEN RAISE EXCEPTION 'A fault of the test.'; END IF;
      IF found = 'waits' THEN PERFORM pg_advisory_xact_lock(${LOCK}); END IF;
      INSERT INTO begun VALUES (NEW.site_id, clock_timestamp());
      RETURN NEW;
    END $$`);
  await database.query(`CREATE TRIGGER fault BEFORE INSERT ON processing_cycles FOR EACH ROW EXECUTE FUNCTION fault()`);
});
afterEach(() => assertInvariants(database));
afterAll(async () => {
  await stopWorkers();
  await gateway.stop();
});

const environment = () => ({ GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT2S', LOG_FORMAT: 'json' });

let started: Promise<WorkerProcess> | undefined;
/** A worker that looks by itself once a year: all else it must be told. One for all tests; the last one stops it. */
const start = () => (started ??= startWorker(database, { ...environment(), PROCESSOR_CRON: '0 0 0 1 1 *' }));

async function givenShop(key: string): Promise<SimulatedShop> {
  const shop = await givenSimulatedShop(database, START);
  await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = $1`, [shop.siteId]);
  await given(database).integration(vault, shop.siteId, { apiKey1: `sk_test_${key}` });
  return shop;
}

const setFault = ({ siteId }: SimulatedShop, fault: 'fails' | 'waits') =>
  database.query(`INSERT INTO faults VALUES ($1, $2)`, [siteId, fault]);
const clearFault = ({ siteId }: SimulatedShop) => database.query(`DELETE FROM faults WHERE site_id = $1`, [siteId]);

const stateOf = async (id: number) =>
  (await database.query(`SELECT state FROM processing_cycles WHERE scheduled_order_id = $1`, [id]))[0]?.state;
const isIn = (state: string, id: number) => async () => (await stateOf(id)) === state;

/** When each was told of. */
const troublesOf = (worker: WorkerProcess) =>
  worker
    .output()
    .split('\n')
    .filter((line) => line.includes(TROUBLE))
    .map((line) => Date.parse((JSON.parse(line) as { time: string }).time));

describe('Orders of a simulated site that wait for an integration', () => {
  const unconnected = { paymentMethodType: 'GatewayTwo', paymentMethodCustomerId: '1001', paymentMethodId: '2001' };

  it('go on as soon as it is connected, or they leave it: no worker has to look', async () => {
    const shop = await givenShop('waits');
    const [waits, leaves] = [await shop.order(unconnected), await shop.order(unconnected)];
    await start();
    for (const id of [waits, leaves]) await until(isIn('Waiting', id));
    await database.pool.transaction(async (tx) => {
      await tx.execute(
        `UPDATE scheduled_orders SET payment_method_type = 'GatewayOne', payment_method_customer_id = 'cus_1', payment_method_id = 'pm_card' WHERE id = $1`,
        [leaves],
      );
      await leaveWait(tx, leaves);
    });
    await until(isIn('Completed', leaves));
    expect(await stateOf(waits)).toBe('Waiting');
    await given(database).integration(vault, shop.siteId, { paymentMethodType: 'GatewayTwo' });
    await database.pool.transaction((tx) => integrationChanged(tx, shop.siteId, 'GatewayTwo'));
    await until(isIn('Completed', waits));
    expect((await shop.cycles()).map(({ occurredUtc }) => occurredUtc)).toEqual([START, START]);
  });
});

describe('A simulated site whose orders cannot be processed', () => {
  itInAllCases('is left alone for five seconds, whoever wakes, and holds up no other one', async () => {
    const troubled: SimulatedShop[] = [];
    const ids: number[] = [];
    // As many as a worker leads at once.
    for (let count = 0; count < 4; count++) {
      const shop = await givenShop(`trouble${count}`);
      await setFault(shop, 'fails');
      ids.push(await shop.order());
      troubled.push(shop);
    }
    const other = await givenShop('other');
    const otherId = await other.order();
    const worker = await start();
    await until(() => troublesOf(worker).length >= 4);
    await until(isIn('Completed', otherId));
    for (let wakes = 0; wakes < 10; wakes++) await database.query(`SELECT pg_notify('scheduled_orders_clocks', '')`);
    for (const shop of troubled) await clearFault(shop);
    const [firstMs] = troublesOf(worker) as [number];
    const clearedMs = Date.now();
    for (const id of ids) await until(isIn('Completed', id));
    const sites = troubled.map(({ siteId }) => siteId);
    const [begun] = await database.query<{ at: Date }>(`SELECT min(at) AS at FROM begun WHERE site_id = ANY ($1)`, [
      sites,
    ]);
    expect(begun!.at.getTime() - firstMs).toBeGreaterThan(4_900);
    // Each was tried again as often as five seconds had passed by then: not at all, unless the machine is very busy.
    expect(troublesOf(worker).length).toBeLessThanOrEqual(4 * (1 + Math.floor((clearedMs - firstMs) / 5_000)));
  });
});

describe('A claim whose answer comes after the stop of its worker', () => {
  it('sends nothing, and another worker goes on', async () => {
    const known = await givenShop('known');
    const queued = await givenShop('queued');
    const worker = await start();
    // Orders of an integration that is known to work are charged without a queue.
    const first = await known.order();
    await until(isIn('Completed', first));
    const holder = database.dataSource.createQueryRunner();
    await holder.query(`SELECT pg_advisory_lock(${LOCK})`);
    const shops = [known, queued];
    const ids = [];
    for (const shop of shops) {
      await setFault(shop, 'waits');
      ids.push(await shop.order());
    }
    const sessions = async (condition: string) =>
      (
        await database.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'scheduled-orders-worker' AND ${condition}`,
        )
      ).length;
    await until(async () => (await sessions(`wait_event = 'advisory'`)) === 2);
    worker.kill('SIGTERM');
    // It listens no more: it has begun to stop.
    await until(async () => (await sessions(`query LIKE 'LISTEN%'`)) === 0);
    await holder.query(`SELECT pg_advisory_unlock(${LOCK})`);
    await holder.release();
    expect(await worker.exited).toBe(0);
    const left = await database.query(
      `SELECT c.state, c.attempt, c.worker, k.worker AS leader FROM processing_cycles c JOIN test_clocks k USING (site_id) WHERE c.scheduled_order_id = ANY ($1)`,
      [ids],
    );
    const released = { state: 'Retrying', attempt: '0', worker: null, leader: null };
    expect(left).toEqual([released, released]);
    for (const id of ids) expect(gateway.ledger.capturesOf(id)).toEqual([]);
    for (const shop of shops) await clearFault(shop);
    const another = createWorker(database, environment());
    for (const id of ids) {
      await until(async () => {
        await another.drain();
        return isIn('Completed', id)();
      });
    }
    await another.end();
    for (const id of ids) expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
  });
});

describe('A worker with the role of the dispatcher alone', () => {
  it('charges no order and leads no clock, whoever wakes it', async () => {
    const [simulated, real] = [await givenShop('role'), await givenRealShop(database, { apiKey1: 'sk_test_role' })];
    const ids = [await simulated.order(), await real.dueOrder()];
    const dispatcher = createWorker(database, { ...environment(), WORKER_ROLES: 'dispatcher' });
    const events = await dispatcher.part(WorkerEvents);
    for (const name of ['clocks', 'listening', 'woken', 'placed'] as const) events.emit(name);
    await (await dispatcher.part(ProcessorRole)).drain();
    await dispatcher.end();
    expect(await Promise.all(ids.map(stateOf))).toEqual([undefined, undefined]);
    const processor = createWorker(database, { ...environment(), WORKER_ROLES: 'processor' });
    await processor.drain();
    await processor.end();
    expect(await Promise.all(ids.map(stateOf))).toEqual(['Completed', 'Completed']);
  });
});
