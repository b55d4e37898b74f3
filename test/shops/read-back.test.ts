import { PassThrough } from 'node:stream';
import { ConnectionPool, Vault } from '#libs/platform';
import { Pushes } from '../../apps/worker/src/pushes/pushes.js';
import { ReadBack } from '../../apps/worker/src/read-back/read-back.js';
import { TEST_ENCRYPTION_KEY } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { eventsOf, keepEvents } from '../support/events/events.js';
import { given as givenIn } from '../support/given.js';
import { ConnectedShop } from '../support/shops/connected-shop.js';
import { until } from '../support/until.js';
import { asCopy, createWorker, type TestWorker } from '../support/worker.js';

const database = useDatabase();
const given = givenIn(database);
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);
let worker: TestWorker;
let shop: ConnectedShop;
let log: PassThrough;

beforeEach(async () => {
  log = new PassThrough();
  const env = {
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    WORKER_ROLES: 'pushes',
    OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8',
  };
  worker = createWorker(database, { ...env, LOG_LEVEL: 'info' }, {}, { outbound: { wholeMs: 60_000 } }, log);
  shop = await ConnectedShop.start(database, vault);
  await keepEvents(database, shop.siteId);
});
afterEach(async () => {
  await worker.end();
  await shop.stop();
  await database.query(`UPDATE site_shops SET state = 'Unverified'`);
});

/** Reads all shops that are due to their ends, this one among them. */
async function readBack(due: readonly ConnectedShop[] = [shop]): Promise<void> {
  for (const one of due) await one.comesDue();
  await (await worker.part(ReadBack)).drain();
}
const logged = () => String(log.read() ?? '');
const eventsInShop = async () =>
  (await eventsOf(database, shop.siteId))
    .filter(({ Type }) => Type.endsWith('_in_shop'))
    .map(({ Type, Data }) => [Type, Data.OrderId, Data.Reason]);
const reads = (path: RegExp) => shop.woo.requests.filter((one) => path.test(one)).length;
const readRow = async () => {
  const [row] = await database.query<{ state: string; failures: string; waits: boolean; synced: boolean }>(
    `SELECT h.state, r.failures, r.next_read_utc > now() AS waits, h.last_sync_utc IS NOT NULL AS synced
     FROM site_shops h LEFT JOIN shop_reads r ON r.site_id = h.site_id WHERE h.site_id = $1`,
    [shop.siteId],
  );
  return row!;
};

describe('An Order that has arrived', () => {
  it('is completed here when it is completed in the shop, and stays so', async () => {
    const [packed, open] = [await shop.arrived(), await shop.arrived()];
    shop.woo.changeOrder(packed.id, { status: 'completed' });
    await readBack();
    const { date_completed: completed } = await shop.order(packed);
    expect(Math.floor(completed!.getTime() / 1_000)).toBe(
      Math.floor(shop.woo.books.orders.get(packed.id)!.completedMs! / 1_000),
    );
    expect((await shop.order(open)).date_completed).toBeNull();
    await database.query(`UPDATE orders SET date_completed = '2026-01-01T00:00:00Z' WHERE id = $1`, [packed.orderId]);
    await readBack();
    expect((await shop.order(packed)).date_completed).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect(await readRow()).toEqual({ state: 'Ready', failures: '0', waits: true, synced: true });
  });

  it('has the number that the shop gives it later; one that the merchant has written stays', async () => {
    const order = await shop.arrived();
    shop.woo.changeOrder(order.id, { number: 'W-7' });
    await readBack();
    expect((await shop.order(order)).order_number).toBe('W-7');
    await database.query(`UPDATE orders SET order_number = 'mine' WHERE id = $1`, [order.orderId]);
    await readBack();
    expect((await shop.order(order)).order_number).toBe('mine');
  });

  it.each([
    ['cancelled', 'order.cancelled_in_shop', 'Cancelled'],
    ['refunded', 'order.refunded_in_shop', 'Refunded'],
    ['trash', 'order.cancelled_in_shop', 'Trashed'],
  ])('and is %s there is told of once', async (status, type, reason) => {
    const order = await shop.arrived();
    shop.woo.changeOrder(order.id, { status });
    await readBack();
    await readBack();
    const why = reason === 'Refunded' ? undefined : reason;
    expect(await eventsInShop()).toEqual([[type, order.orderId, why]]);
    expect((await shop.order(order)).ended_in_shop).toBe(reason);
    const [event] = (await eventsOf(database, shop.siteId)).filter(({ Type }) => Type === type);
    expect(event!.Data).toMatchObject({ ScheduledOrderId: order.scheduledOrderId, Cycle: 1 });
  });

  it('and is taken out of the trash is no ended one, and is told of again when it is ended again', async () => {
    const order = await shop.arrived();
    for (const status of ['trash', 'processing', 'cancelled']) {
      shop.woo.changeOrder(order.id, { status });
      await readBack();
    }
    expect(await eventsInShop()).toEqual([
      ['order.cancelled_in_shop', order.orderId, 'Trashed'],
      ['order.cancelled_in_shop', order.orderId, 'Cancelled'],
    ]);
  });

  it('changes nothing where it is an echo: what we have pushed comes back', async () => {
    const order = await shop.arrived();
    const before = await database.query(`SELECT * FROM orders WHERE id = $1`, [order.orderId]);
    await readBack();
    expect(await database.query(`SELECT * FROM orders WHERE id = $1`, [order.orderId])).toEqual(before);
    expect(await eventsInShop()).toEqual([]);
  });

  it('is read also where the shop showed its change late, with a date before others', async () => {
    const [first, late] = [await shop.arrived(), await shop.arrived()];
    await readBack();
    shop.woo.changeOrder(first.id, { status: 'completed' });
    await readBack();
    shop.woo.changeOrder(late.id, { status: 'cancelled' });
    shop.woo.books.orders.get(late.id)!.modifiedMs -= 300_000;
    await readBack();
    expect((await shop.order(late)).ended_in_shop).toBe('Cancelled');
  });

  it('is read whatever the shop’s clock and time zone say', async () => {
    const [first, second] = [await shop.arrived(), await shop.arrived()];
    shop.woo.settings.offsetHours = 9;
    shop.woo.changeOrder(first.id, { status: 'cancelled' });
    shop.woo.books.orders.get(first.id)!.modifiedMs = Date.parse('2040-01-01T00:00:00Z');
    await readBack();
    shop.woo.changeOrder(second.id, { status: 'refunded' });
    await readBack();
    expect((await eventsInShop()).map(([type]) => type)).toEqual(['order.cancelled_in_shop', 'order.refunded_in_shop']);
  });
});

describe('Each day', () => {
  it('an Order is missed that was deleted by force, whose hook was lost', async () => {
    const [gone, there] = [await shop.arrived(), await shop.arrived()];
    await readBack();
    shop.woo.books.orders.get(gone.id)!.isDeleted = true;
    await readBack();
    expect((await shop.order(gone)).ended_in_shop).toBeNull();
    await database.query(`UPDATE site_shops SET last_sync_utc = now() - interval '1 day' WHERE site_id = $1`, [
      shop.siteId,
    ]);
    for (let round = 0; round < 2; round += 1) await readBack();
    expect((await shop.order(gone)).ended_in_shop).toBe('Deleted');
    expect((await shop.order(there)).ended_in_shop).toBeNull();
    expect(await eventsInShop()).toEqual([['order.cancelled_in_shop', gone.orderId, 'Deleted']]);
  });
});

describe('The audit of pushed Orders', () => {
  const differences = () =>
    database.query(
      `SELECT kind, order_id::float8 AS order_id, holds, ours, theirs FROM payment_differences WHERE site_id = $1 ORDER BY kind, order_id`,
      [shop.siteId],
    );
  /** All of it is made sure of. */
  async function aDayLater(): Promise<void> {
    await readBack();
    await database.query(`UPDATE site_shops SET last_sync_utc = now() - interval '1 day' WHERE site_id = $1`, [
      shop.siteId,
    ]);
    for (let round = 0; round < 2; round += 1) await readBack();
  }
  const ours = ({ id }: { readonly id: number }) => ({
    ...{ Cycle: 1, ShopOrderId: String(id), Amount: 3785, CurrencyIso: 'USD' },
  });

  it('finds nothing where the shop has each as it arrived, or it was ended there before it went', async () => {
    const [, trashed, cancelled] = [await shop.arrived(), await shop.arrived(), await shop.arrived()];
    const linked = await shop.arrived();
    const { orders } = shop.woo.books;
    orders.set(linked.id, { ...orders.get(linked.id)!, meta: [] });
    await database.query(`UPDATE order_pushes SET is_linked = true WHERE order_id = $1`, [linked.orderId]);
    shop.woo.changeOrder(trashed.id, { status: 'trash' });
    shop.woo.changeOrder(cancelled.id, { status: 'cancelled' });
    await aDayLater();
    orders.get(trashed.id)!.isDeleted = true;
    await aDayLater();
    expect(await differences()).toEqual([]);
  });

  it('finds one that is gone, once, and one whose id another order has now', async () => {
    const [gone, replaced] = [await shop.arrived(), await shop.arrived()];
    const { orders } = shop.woo.books;
    orders.get(gone.id)!.isDeleted = true;
    orders.set(replaced.id, { ...orders.get(replaced.id)!, meta: [], createdVia: 'checkout' });
    for (let day = 0; day < 2; day += 1) await aDayLater();
    const missing = { kind: 'NotInShop', holds: false, theirs: null };
    expect(await differences()).toEqual(
      [gone, replaced].map((one) => ({ ...missing, order_id: one.orderId, ours: ours(one) })),
    );
    expect((await shop.order(replaced)).ended_in_shop).toBe('Deleted');
  });

  it.each([
    ['finds one that shows no name, and tells of no end of it', 'rest-api', 1],
    ['finds one by created_via where a plugin hides our meta', null, 0],
  ])('%s', async (_, createdVia, count) => {
    const order = await shop.arrived();
    const { orders } = shop.woo.books;
    if (createdVia !== null) orders.set(order.id, { ...orders.get(order.id)!, createdVia });
    shop.woo.settings.hidesMeta = true;
    await aDayLater();
    expect(await differences()).toMatchObject(Array(count).fill({ kind: 'NotInShop', order_id: order.orderId }));
    expect([(await shop.order(order)).ended_in_shop, await eventsInShop()]).toEqual([null, []]);
  });

  it('misses nothing in another shop that was pushed into the one before', async () => {
    const [before, since] = [await shop.arrived(), await shop.arrived()];
    for (const { id } of [before, since]) shop.woo.books.orders.get(id)!.isDeleted = true;
    await database.query(`UPDATE order_pushes SET sent_utc = now() - interval '1 hour' WHERE order_id = $1`, [
      before.orderId,
    ]);
    await database.query(`UPDATE site_shops SET moved_utc = now() - interval '1 minute' WHERE site_id = $1`, [
      shop.siteId,
    ]);
    await database.query(`INSERT INTO shop_hints (site_id, kind, record_id) VALUES ($1, 'Order', $2)`, [
      ...[shop.siteId, before.id],
    ]);
    await aDayLater();
    expect(await eventsInShop()).toEqual([['order.cancelled_in_shop', since.orderId, 'Deleted']]);
    expect(await differences()).toMatchObject([{ kind: 'NotInShop', order_id: since.orderId }]);
  });

  it('finds a second one that is paid', async () => {
    const order = await shop.arrived();
    const twin = await shop.twin(order.push, { isPaid: true });
    await shop.twin(order.push);
    await readBack();
    const theirs = { ShopOrderId: String(twin), Amount: 3785, CurrencyIso: 'USD' };
    expect(await differences()).toEqual([
      { kind: 'TwiceInShop', holds: false, order_id: order.orderId, ours: ours(order), theirs },
    ]);
  });

  it('finds another total', async () => {
    const order = await shop.arrived();
    shop.woo.settings.fee = '2.00';
    shop.woo.changeOrder(order.id, { status: 'on-hold' });
    await readBack();
    const theirs = { ShopOrderId: String(order.id), Amount: 3985, CurrencyIso: 'USD' };
    expect(await differences()).toEqual([
      { kind: 'TotalDiffersInShop', holds: false, order_id: order.orderId, ours: ours(order), theirs },
    ]);
  });
});

describe('A worker without a shop to read', () => {
  it('asks nothing for a minute; then it reads one that was connected meanwhile', async () => {
    await database.query(`UPDATE site_shops SET state = 'Unverified'`);
    const readBack = await worker.part(ReadBack);
    await readBack.begin();
    const execute = jest.spyOn(ConnectionPool.prototype, 'execute');
    for (let tick = 0; tick < 3; tick += 1) await readBack.begin();
    expect(execute).not.toHaveBeenCalled();
    execute.mockRestore();
    await database.query(`UPDATE site_shops SET state = 'Ready' WHERE site_id = $1`, [shop.siteId]);
    const now = performance.now.bind(performance);
    const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    // As its timer does: a tick may find that it may not work yet.
    await until(async () => {
      await readBack.begin();
      return (await readRow()).synced;
    });
    later.mockRestore();
  });
});

describe('A twin', () => {
  it.each([
    ['unpaid', false, 'order.twin_removed', 'Pushed'],
    ['paid', true, 'order.push_failed', 'Differs'],
  ])('of a push that is %s has the push looked up again, by whoever pushes', async (_, isPaid, type, state) => {
    const order = await shop.arrived();
    const twin = await shop.twin(order.push, { isPaid });
    expect((await shop.order(order)).looks_again).toBe(false);
    await readBack();
    expect((await shop.order(order)).looks_again).toBe(true);
    await (await worker.part(Pushes)).drain();
    expect(shop.woo.books.orders.get(twin)!.isDeleted).toBe(!isPaid);
    const published = (await eventsOf(database, shop.siteId)).filter(({ Type }) => Type === type);
    expect(published.map(({ Data }) => Data.OrderId)).toEqual([order.orderId]);
    const rows = await database.query(`SELECT state FROM order_pushes WHERE order_id = $1`, [order.orderId]);
    expect([rows, (await shop.order(order)).looks_again]).toEqual([[{ state }], false]);
  });

  it.each(['Differs', 'Failed'])('that is unpaid goes as well beside a push that is %s', async (state) => {
    const order = await shop.arrived();
    await database.query(`UPDATE order_pushes SET state = $2 WHERE order_id = $1`, [order.orderId, state]);
    const twin = await shop.twin(order.push);
    await readBack();
    await (await worker.part(Pushes)).drain();
    expect(shop.woo.books.orders.get(twin)!.isDeleted).toBe(true);
    const removed = (await eventsOf(database, shop.siteId)).filter(({ Type }) => Type === 'order.twin_removed');
    expect(removed.map(({ Data }) => Data.OrderId)).toEqual([order.orderId]);
    const rows = await database.query(`SELECT state FROM order_pushes WHERE order_id = $1`, [order.orderId]);
    expect(rows).toEqual([{ state }]);
  });

  it.each(['Differs', 'Failed'])(
    'of a push that is %s, and that the shop did not have, is looked up',
    async (state) => {
      const order = await shop.arrived();
      await database.query(`UPDATE order_pushes SET state = $2, shop_order_id = NULL WHERE order_id = $1`, [
        ...[order.orderId, state],
      ]);
      await readBack();
      expect((await shop.order(order)).looks_again).toBe(true);
    },
  );

  it('that was thrown away is none', async () => {
    const order = await shop.arrived();
    shop.woo.changeOrder(await shop.twin(order.push), { status: 'trash' });
    await readBack();
    expect(await shop.order(order)).toMatchObject({ looks_again: false, ended_in_shop: null });
  });

  it('of no push at all is deleted while nobody has paid it: its row was lost with a database', async () => {
    const { push } = await shop.arrived();
    const lost = { ...push, name: await shop.nameOf(push.scheduledOrderId + 1_000_000) };
    const [unpaid, paid] = [
      await shop.twin(lost),
      await shop.twin({ ...lost, name: `${lost.name}1` }, { isPaid: true }),
    ];
    await readBack();
    const { orders } = shop.woo.books;
    expect([orders.get(unpaid)!.isDeleted, orders.get(paid)!.isDeleted]).toEqual([true, false]);
    expect(logged()).toContain('a person has to look at it');
  });

  it('of no push at all waits while the charges of a restored database are not compared', async () => {
    const { push } = await shop.arrived();
    const unpaid = await shop.twin({ ...push, name: await shop.nameOf(push.scheduledOrderId + 1_000_000) });
    const isDeleted = () => shop.woo.books.orders.get(unpaid)!.isDeleted;
    const integrationId = await given.integration(vault, shop.siteId, { testMode: false });
    await database.query(
      `INSERT INTO required_reconciliations (generation, cause, cut_off_utc) VALUES (1000000, 'timeline', now() - interval '1 hour')`,
    );
    await readBack();
    await readBack();
    expect(isDeleted()).toBe(false);
    await given.insert('integration_reconciliations', { paymentIntegrationId: integrationId, generation: 1_000_000 });
    await readBack();
    expect(isDeleted()).toBe(true);
    await database.query(`DELETE FROM required_reconciliations WHERE generation = 1000000`);
  });

  it.each(['another installation', 'another site'])('of %s is left alone', async (whose) => {
    const { push } = await shop.arrived();
    const other = await given.merchant();
    const theirs = await given.scheduledOrder(other.siteId, await given.customer(other.siteId));
    const name = whose === 'another site' ? await shop.nameOf(theirs) : push.name.replace(/^\w+/, 'abcd1234');
    const id = await shop.twin({ ...push, name });
    await readBack();
    expect(shop.woo.books.orders.get(id)!.isDeleted).toBe(false);
  });
});

describe('A shop with many orders', () => {
  /** Copies of one order of the shop, each with an Order of its own here, all of the same second. */
  async function givenMany(count: number): Promise<void> {
    const { push, id, orderId } = await shop.arrived();
    const { orders } = shop.woo.books;
    for (let at = 1; at <= count; at += 1) {
      const name = `${push.name}${at.toString(36)}`;
      const meta = [{ key: '_scheduled_orders_push', value: name }];
      orders.set(id + at * 10, { ...orders.get(id)!, id: id + at * 10, meta, status: 'cancelled' });
    }
    await database.query(
      `WITH made AS (
        INSERT INTO orders (site_id, customer_id, external_id, scheduled_order_id, cycle)
        SELECT o.site_id, o.customer_id, ($2 + n * 10)::text, o.scheduled_order_id, 1 + n FROM orders o, generate_series(1, $3::int) n WHERE o.id = $1
        RETURNING id, site_id, scheduled_order_id, cycle, external_id)
      INSERT INTO order_pushes (site_id, scheduled_order_id, cycle, order_id, push_name, state, shop_order_id, sent_utc)
      SELECT m.site_id, m.scheduled_order_id, m.cycle, m.id, p.push_name || ($4::text[])[(m.cycle - 1)::int], 'Pushed', m.external_id, now()
      FROM made m JOIN order_pushes p ON p.order_id = $1`,
      [orderId, id, count, Array.from({ length: count }, (_, at) => (at + 1).toString(36))],
    );
  }
  const ended = async () => {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int FROM order_pushes WHERE site_id = $1 AND ended_in_shop = 'Cancelled'`,
      [shop.siteId],
    );
    return row!.count;
  };

  it('is read page by page to the end, in several turns, also where all changed in one second', async () => {
    await givenMany(1_200);
    await readBack();
    expect(await ended()).toBe(1_200);
    expect(await readRow()).toMatchObject({ waits: true, synced: true });
    const pages = reads(/GET .*\/orders$/);
    expect(pages).toBeGreaterThanOrEqual(25);
    expect(pages).toBeLessThan(60);
  });

  it('each of which is so large that no page of them is read at once is read in smaller pages', async () => {
    await givenMany(20);
    shop.woo.settings.metaBytes = 300_000;
    await readBack();
    expect(await ended()).toBe(20);
    expect(await readRow()).toMatchObject({ failures: '0', synced: true });
  });

  it('that refuses the keys in the middle is Refused, told once, and goes on there after Verify', async () => {
    await givenMany(500);
    for (const [at, order] of [...shop.woo.books.orders.values()].entries()) order.modifiedMs += at * 1_000 - 1_000_000;
    shop.woo.settings.refusesAfter = shop.woo.requests.length + 4;
    await readBack();
    await readBack();
    const endedBefore = await ended();
    expect(endedBefore).toBeGreaterThan(100);
    expect(endedBefore).toBeLessThan(250);
    expect((await readRow()).state).toBe('Refused');
    const published = (await eventsOf(database, shop.siteId)).filter(({ Type }) => Type === 'shop.refused');
    expect(published.map(({ Data }) => Data.Reason)).toEqual(['Refused']);
    shop.woo.settings.refusesAfter = Infinity;
    await database.query(`UPDATE site_shops SET state = 'Ready', state_because = NULL WHERE site_id = $1`, [
      shop.siteId,
    ]);
    const readBefore = reads(/GET .*\/orders$/);
    await readBack();
    expect(await ended()).toBe(500);
    // What was read before is not read again.
    expect(reads(/GET .*\/orders$/) - readBefore).toBeLessThan(10);
  });
});

describe('A shop that does not answer', () => {
  it('is tried again later each time, and delays no other shop', async () => {
    const other = await ConnectedShop.start(database, vault);
    const order = await shop.arrived();
    shop.woo.changeOrder(order.id, { status: 'completed' });
    await other.stop();
    await readBack([shop, other]);
    expect((await shop.order(order)).date_completed).not.toBeNull();
    const failing = () =>
      database.query(
        `SELECT r.failures, h.failures AS of_shop, round(extract(epoch FROM r.next_read_utc - now()) / 30)::int AS halves
         FROM shop_reads r JOIN site_shops h ON h.site_id = r.site_id WHERE r.site_id = $1`,
        [other.siteId],
      );
    expect(await failing()).toEqual([{ failures: '1', of_shop: '1', halves: 1 }]);
    await readBack([other]);
    expect(await failing()).toEqual([{ failures: '2', of_shop: '2', halves: 2 }]);
  });

  it('as it should is read again when it does, and its import says why it waits', async () => {
    await database.query(`INSERT INTO product_imports (site_id) VALUES ($1)`, [shop.siteId]);
    await shop.arrived();
    shop.woo.faults.next('losesBody', { operation: 'read' });
    await readBack();
    expect(await readRow()).toMatchObject({ failures: '1', waits: true, synced: false });
    const message = () =>
      database.query(`SELECT state, message FROM product_imports WHERE site_id = $1`, [shop.siteId]);
    expect(await message()).toEqual([{ state: 'Running', message: expect.stringContaining('closed') }]);
    await readBack();
    expect(await readRow()).toMatchObject({ failures: '0', synced: true });
    expect(await message()).toEqual([{ state: 'Done', message: null }]);
  });

  it('now is left alone as long as it asks for, also by its hooks', async () => {
    shop.woo.faults.next('unavailable', { operation: 'read' });
    await readBack();
    await database.query(`UPDATE shop_reads SET look_at_once = true WHERE site_id = $1`, [shop.siteId]);
    await readBack([]);
    expect(reads(/GET/)).toBe(1);
  });
});

it('A database that must not charge reads nothing back either', async () => {
  await shop.arrived();
  const before = shop.woo.requests.length;
  await asCopy(database, () => readBack());
  expect(shop.woo.requests).toHaveLength(before);
});

it.each([
  ['is not Ready', { state: 'Unverified' }],
  ['has an Http receiver', { receiver: 'Http' }],
])('A shop that %s is not read', async (_, values) => {
  const [[column, value]] = Object.entries(values) as [[string, string]];
  await database.query(`UPDATE site_shops SET ${column} = $2 WHERE site_id = $1`, [shop.siteId, value]);
  await readBack();
  expect(shop.woo.requests).toEqual([]);
});

describe('The catalogue', () => {
  const product = async (externalId: string) => {
    const [row] = await database.query(
      `SELECT title, price, sale_price, availability, stock_level FROM products WHERE site_id = $1 AND external_id = $2`,
      [shop.siteId, externalId],
    );
    return row;
  };
  const followed = () => database.query(`UPDATE site_shops SET stock_sync = true WHERE site_id = $1`, [shop.siteId]);

  beforeEach(() => {
    shop.woo.products.set(13, { id: 13, name: 'Tea', price: '', type: 'variable' });
    shop.woo.products.set(14, { id: 14, name: 'Tea - green', price: '5.5', type: 'variation', parentId: 13, stock: 7 });
  });

  it('follows the shop with StockSync: title, price, availability, stock; the prices of items stay', async () => {
    const id = await given.product(shop.siteId, {
      externalId: '10',
      title: 'Old',
      price: '1',
      shippingClass: 'parcel',
    });
    const variation = await given.product(shop.siteId, {
      externalId: '14',
      title: 'Old',
      price: '1',
      salePrice: '0.5',
    });
    const scheduledOrderId = await given.scheduledOrder(shop.siteId, await given.customer(shop.siteId));
    for (const productId of [id, variation]) await given.item(shop.siteId, scheduledOrderId, productId, { price: '1' });
    await readBack();
    expect(await product('10')).toMatchObject({ title: 'Old', price: '1.0000' });
    await followed();
    await readBack();
    const none = { sale_price: null, availability: 'InStock', stock_level: null };
    expect(await product('10')).toEqual({ ...none, title: 'Coffee', price: '9.9900' });
    expect(await product('14')).toEqual({ ...none, title: 'Tea - green', price: '5.5000', stock_level: '7' });
    shop.woo.changeProduct(10, { salePrice: '8.99', stockStatus: 'outofstock' });
    shop.woo.changeProduct(14, { stock: 6 });
    await readBack();
    expect(await product('10')).toMatchObject({ price: '9.9900', sale_price: '8.9900', availability: 'OutOfStock' });
    expect(await product('14')).toMatchObject({ stock_level: '6' });
    const items = await database.query(
      `SELECT DISTINCT price, sale_price FROM scheduled_order_items WHERE site_id = $1`,
      [shop.siteId],
    );
    expect(items).toEqual([{ price: '1.0000', sale_price: null }]);
    expect(await product('13')).toBeUndefined();
  });

  it('keeps its prices where the shop has another currency', async () => {
    await given.product(shop.siteId, { externalId: '10', price: '1', salePrice: '0.5' });
    shop.woo.settings.currency = 'EUR';
    await followed();
    await readBack();
    expect(await product('10')).toMatchObject({ title: 'Coffee', price: '1.0000', sale_price: '0.5000' });
  });

  it.each([true, false])(
    'sells again what the shop sells again, and asks each day (StockSync: %p)',
    async (isFollowed) => {
      const id = await given.product(shop.siteId, { externalId: '10', unsellable: 'It was not sold.' });
      const unsellable = async () =>
        (await database.query<{ unsellable: string | null }>(`SELECT unsellable FROM products WHERE id = $1`, [id]))[0]!
          .unsellable;
      const nextDay = async () => {
        await database.query(`UPDATE site_shops SET last_sync_utc = now() - interval '1 day' WHERE site_id = $1`, [
          shop.siteId,
        ]);
        await readBack();
        await readBack();
      };
      if (isFollowed) await followed();
      shop.woo.changeProduct(10, { isPurchasable: false });
      await nextDay();
      expect(await unsellable()).toBe('"Coffee" cannot be bought in the shop.');
      // Its date does not change: no list shows it.
      shop.woo.products.set(10, { ...shop.woo.products.get(10)!, isPurchasable: true });
      await nextDay();
      expect(await unsellable()).toBeNull();
    },
  );

  it('is not written where nothing has changed', async () => {
    await given.product(shop.siteId, { externalId: '10' });
    await followed();
    await readBack();
    const before = await database.query(`SELECT xmin, * FROM products WHERE site_id = $1`, [shop.siteId]);
    await readBack();
    expect(await database.query(`SELECT xmin, * FROM products WHERE site_id = $1`, [shop.siteId])).toEqual(before);
  });

  it.each(['trash', 'draft'])('has what is %s there as not sold', async (status) => {
    await given.product(shop.siteId, { externalId: '10', price: '1' });
    await given.product(shop.siteId, { externalId: '14', price: '1' });
    await followed();
    await readBack();
    shop.woo.changeProduct(10, { status });
    shop.woo.changeProduct(13, { status });
    await readBack();
    expect(await product('10')).toMatchObject({ title: 'Coffee', availability: 'Unavailable' });
    expect(await product('14')).toMatchObject({ title: 'Tea - green', availability: 'Unavailable' });
  });
});
