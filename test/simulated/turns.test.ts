import { itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { givenSimulatedShop, type SimulatedShop } from '../support/shops/simulated.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, startWorker, stopWorkers } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY });
const START = '2024-01-31T09:00:00.000Z';
/** Daily orders: centuries take minutes. */
const FAR = '2524-01-31T09:00:00.000Z';
/** As many as a worker leads at once. */
const CLOCKS = 4;

afterEach(async () => {
  await stopWorkers();
  await database.query(`DELETE FROM test_clocks`);
});

async function givenFar(): Promise<SimulatedShop> {
  const shop = await givenSimulatedShop(database, START);
  await shop.order({ frequencyType: 'Days' });
  await shop.advance(FAR);
  return shop;
}

const wake = () => database.query(`SELECT pg_notify('scheduled_orders_clocks', '')`);
const moves = async (shop: SimulatedShop) => (await shop.clock()).nowUtc > START;

describe('Clocks that move for long', () => {
  it('keep the clock of another account waiting for a turn only', async () => {
    const far: SimulatedShop[] = [];
    for (let count = 0; count < CLOCKS; count++) far.push(await givenFar());
    const [{ userId }] = far as [SimulatedShop];
    const sites = far.map(({ siteId }) => siteId);
    await database.query(`UPDATE sites SET user_id = $1 WHERE id = ANY ($2::bigint[])`, [userId, sites]);
    await startWorker(database, {});
    await until(async () => (await Promise.all(far.map(moves))).every(Boolean));
    const other = await givenSimulatedShop(database, START);
    await other.order({ frequencyType: 'Days' });
    await other.advance('2024-02-10T09:00:00.000Z');
    await wake();
    await until(async () => (await other.clock()).state === 'Ready');
    for (const shop of far) expect((await shop.clock()).state).toBe('Advancing');
  });

  itInAllCases('take turns also while they stand, because another worker has an order of theirs', async () => {
    for (let count = 0; count < CLOCKS; count++) {
      const shop = await givenFar();
      await database.query(
        `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, worker, lease_until_utc, claim, simulated)
         SELECT site_id, id, 1, 'Claimed', true, $2, 'another', now() + interval '1 hour', 1, true FROM scheduled_orders WHERE site_id = $1`,
        [shop.siteId, START],
      );
    }
    await startWorker(database, {});
    const led = `SELECT FROM test_clocks WHERE lease_until_utc > now()`;
    await until(async () => (await database.query(led)).length === CLOCKS);
    const other = await givenSimulatedShop(database, START);
    await other.order({ frequencyType: 'Days' });
    await other.advance('2024-02-10T09:00:00.000Z');
    await until(async () => (await other.clock()).state === 'Ready');
  });

  it('are ended by a deletion', async () => {
    const shop = await givenFar();
    await startWorker(database, {});
    await until(() => moves(shop));
    const { status } = await api.request('DELETE', `/api/TestClock/${shop.siteId}`, { token: shop.tokenAuth });
    expect(status).toBe(204);
    const left = await database.query(
      `SELECT 'order' FROM orders WHERE site_id = $1 UNION ALL SELECT 'cycle' FROM processing_cycles WHERE site_id = $1
       UNION ALL SELECT 'site' FROM sites WHERE id = $1`,
      [shop.siteId],
    );
    expect(left).toEqual([]);
  });
});
