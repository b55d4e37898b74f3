import { useDatabase } from '../support/database.js';
import { givenSimulatedShop } from '../support/simulated.js';
import { createWorker } from '../support/worker.js';

const START = '2024-01-31T09:00:00.000Z';
const NEXT = '2024-02-02T09:00:00.000Z';
/** More than are looked at in one part. */
const ORDERS = 502;

describe('Notices of a simulated site', () => {
  const database = useDatabase();

  it('are given beyond those that a request has locked', async () => {
    const shop = await givenSimulatedShop(database, START);
    await database.query(`UPDATE sites SET listens_since_utc = now() WHERE id = $1`, [shop.siteId]);
    const ids: number[] = [];
    for (let count = 0; count < ORDERS; count++) {
      ids.push(await shop.order({ nextOccurrenceUtc: NEXT, scheduleAnchorUtc: NEXT }));
    }
    const request = database.dataSource.createQueryRunner();
    await request.startTransaction();
    await request.query(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR UPDATE`, [ids[0]]);
    await shop.advance('2024-01-31T09:01:00.000Z');
    const worker = createWorker(database);
    await worker.drain();
    await worker.end();
    await request.rollbackTransaction();
    await request.release();
    const told = await database.query(
      `SELECT scheduled_order_id AS id FROM outbox WHERE site_id = $1 AND type = 'scheduled_order.upcoming' ORDER BY 1`,
      [shop.siteId],
    );
    expect(told.map(({ id }) => Number(id))).toEqual(ids.slice(1));
  });
});
