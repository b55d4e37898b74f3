import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { givenSimulatedShop } from '../support/shops/simulated.js';
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
    const first = await shop.order({ nextOccurrenceUtc: NEXT, scheduleAnchorUtc: NEXT });
    const ids = [first, ...(await given(database).copiesOf(first, ORDERS - 1))];
    await database.query(
      `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
       SELECT $1, order_id, $2, 12.50, 1 FROM unnest($3::bigint[]) AS order_id`,
      [shop.siteId, shop.productId, ids.slice(1)],
    );
    const request = database.dataSource.createQueryRunner();
    await request.startTransaction();
    await request.query(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR UPDATE`, [ids[0]]);
    await shop.advance('2024-01-31T09:01:00.000Z');
    const worker = createWorker(database);
    await worker.drain();
    await worker.end();
    await request.rollbackTransaction();
    await request.release();
    const notified = await database.query(
      `SELECT scheduled_order_id AS id FROM outbox WHERE site_id = $1 AND type = 'scheduled_order.upcoming' ORDER BY 1`,
      [shop.siteId],
    );
    expect(notified.map(({ id }) => Number(id))).toEqual(ids.slice(1));
  });

  const DAY = 86_400_000;
  const after = (days: number) => new Date(Date.parse(START) + days * DAY).toISOString();

  async function givenListening() {
    const shop = await givenSimulatedShop(database, START);
    await database.query(`UPDATE sites SET listens_since_utc = now() WHERE id = $1`, [shop.siteId]);
    return shop;
  }

  async function drain(): Promise<void> {
    const worker = createWorker(database);
    await worker.drain();
    await worker.end();
  }

  const outboxOf = (siteId: number) =>
    database.query<{ type: string; at: Date }>(
      `SELECT type, simulated_utc AS at FROM outbox WHERE site_id = $1 AND type IN ('scheduled_order.upcoming', 'test_clock.ready') ORDER BY id`,
      [siteId],
    );

  it('are given when a worker has died between a step of the clock and its notices', async () => {
    const shop = await givenListening();
    const due = after(5);
    await shop.order({ nextOccurrenceUtc: due, scheduleAnchorUtc: due });
    // It has led the clock to three days before, and no further.
    await database.query(
      `UPDATE test_clocks SET state = 'Advancing', target_utc = $2, now_utc = $3, worker = 'dead', lease_until_utc = now() - interval '1 second'
       WHERE site_id = $1`,
      [shop.siteId, after(10), after(2)],
    );
    await drain();
    expect(await outboxOf(shop.siteId)).toEqual([
      { type: 'scheduled_order.upcoming', at: new Date(after(2)) },
      { type: 'test_clock.ready', at: new Date(after(10)) },
    ]);
  });

  it('come before the clock is ready', async () => {
    const shop = await givenListening();
    const due = after(5);
    await shop.order({ nextOccurrenceUtc: due, scheduleAnchorUtc: due });
    await shop.advance(after(2));
    await drain();
    expect((await outboxOf(shop.siteId)).map(({ type }) => type)).toEqual([
      'scheduled_order.upcoming',
      'test_clock.ready',
    ]);
  });

  it('are given by a clock of before 1970', async () => {
    const shop = await givenListening();
    const [now, due] = ['1965-01-01T09:00:00.000Z', '1965-01-03T09:00:00.000Z'];
    await shop.order({ nextOccurrenceUtc: due, scheduleAnchorUtc: due });
    await database.query(`UPDATE test_clocks SET now_utc = $2 WHERE site_id = $1`, [shop.siteId, now]);
    await drain();
    expect(await outboxOf(shop.siteId)).toEqual([{ type: 'scheduled_order.upcoming', at: new Date(now) }]);
  });

  it('are given by a clock that stands: of a new order', async () => {
    const shop = await givenListening();
    await shop.order({ nextOccurrenceUtc: after(2), scheduleAnchorUtc: after(2) });
    await drain();
    expect(await outboxOf(shop.siteId)).toEqual([{ type: 'scheduled_order.upcoming', at: new Date(START) }]);
  });
});
