import { acceptPush, linkPush, type PushKey, pushView, retryPush } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { useDatabase } from '../support/database.js';
import { WooCommerceStandIn } from '../support/shops/index.js';
import { createPusher, pushesOf, stock } from '../support/shops/pushes.js';
import { givenShop, type TestWorker } from '../support/worker.js';

const database = useDatabase();
const pushes = pushesOf(database);
let woo: WooCommerceStandIn;
let worker: TestWorker;
beforeAll(() => void (worker = createPusher(database)));
afterAll(() => worker.end());
beforeEach(async () => void (woo = stock(await WooCommerceStandIn.start())));
afterEach(async () => {
  await woo.stop();
  await pushes.leave();
});

const request = (work: (tx: Transaction) => Promise<void>) => database.pool.transaction(work);

async function pushed(values: Record<string, unknown> = {}) {
  const { siteId, customerId, dueOrder } = await pushes.site('WooCommerceRest', woo.url, values);
  const key: PushKey = { scheduledOrderId: await dueOrder(), cycle: 1 };
  await worker.drain();
  return { siteId, customerId, key, row: async () => (await pushes.rows(siteId))[0]! };
}

const draft = () => woo.products.set(10, { id: 10, name: 'Coffee', price: '12.50', status: 'draft' });

describe('Retry', () => {
  it('begins a push that has failed anew: it looks through the shop first', async () => {
    draft();
    const { key, row } = await pushed();
    expect((await row()).state).toBe('Failed');
    stock(woo);
    await request((tx) => retryPush(tx, key));
    expect(await row()).toMatchObject({ state: 'Waiting', attempts: '0', message: null });
    woo.requests.length = 0;
    await worker.drain();
    expect(await row()).toMatchObject({ state: 'Pushed' });
    expect(woo.requests[0]).toBe('GET /wp-json/wc/v3/orders');
  });

  it('makes another order where the shop has the first no more', async () => {
    woo.taxRates.set('FR/', '0.08');
    const { key, row } = await pushed({ taxDifference: 'Refuse' });
    const before = await row();
    expect(before).toMatchObject({ state: 'Differs', external_id: before.shop_order_id });
    woo.books.orders.get(Number(before.shop_order_id))!.isDeleted = true;
    woo.taxRates.delete('FR/');
    await request((tx) => retryPush(tx, key));
    expect(await row()).toMatchObject({ shop_order_id: null, external_id: null });
    await worker.drain();
    const after = await row();
    expect(after).toMatchObject({ state: 'Pushed', external_id: after.shop_order_id });
    expect(after.shop_order_id).not.toBe(before.shop_order_id);
  });

  it('makes what has arrived again where it was deleted in the shop since', async () => {
    const { siteId, key, row } = await pushed();
    const before = await row();
    woo.books.orders.get(101)!.isDeleted = true;
    await database.query(`UPDATE order_pushes SET ended_in_shop = 'Deleted' WHERE site_id = $1`, [siteId]);
    await request((tx) => retryPush(tx, key));
    expect(await row()).toMatchObject({ state: 'Waiting', ended_in_shop: null, external_id: null });
    await worker.drain();
    const after = await row();
    expect(after).toMatchObject({ state: 'Pushed', external_id: after.shop_order_id, ended_in_shop: null });
    expect(after.shop_order_id).not.toBe(before.shop_order_id);
    expect(woo.books.living(after.push_name)).toHaveLength(1);
  });

  it('makes no other one of what was thrown away there: a person decides', async () => {
    const { siteId, key, row } = await pushed();
    woo.changeOrder(101, { status: 'trash' });
    await database.query(`UPDATE order_pushes SET ended_in_shop = 'Trashed' WHERE site_id = $1`, [siteId]);
    await request((tx) => retryPush(tx, key));
    await worker.drain();
    expect(await row()).toMatchObject({ state: 'Differs', shop_order_id: '101' });
    expect(woo.books.orders.size).toBe(1);
  });

  it('of an unknown outcome only looks at once: nothing is repeated', async () => {
    woo.faults.next('dropsBefore');
    const { key, row } = await pushed();
    for (let time = 0; time < 3; time += 1) {
      await request((tx) => retryPush(tx, key));
      await worker.drain();
    }
    expect(await row()).toMatchObject({ state: 'Unknown', attempts: '0' });
    expect(woo.books.orders.size).toBe(0);
  });

  it('is refused for what has arrived, and for what is not pushed', async () => {
    const { key } = await pushed();
    await expect(request((tx) => retryPush(tx, key))).rejects.toThrow('The shop has it: there is nothing to retry.');
    const off = await givenShop(database);
    const id = await off.dueOrder();
    await worker.drain();
    await expect(request((tx) => retryPush(tx, { scheduledOrderId: id, cycle: 1 }))).rejects.toThrow(
      'Nothing is pushed',
    );
  });
});

describe('Accept', () => {
  it('takes what differs as the shop has it', async () => {
    woo.taxRates.set('FR/', '0.08');
    const { siteId, key, row } = await pushed({ taxDifference: 'Refuse' });
    await request((tx) => acceptPush(tx, key));
    expect(await row()).toMatchObject({ state: 'Pushed', shop_total: '12.5100', next_in: null });
    expect((await pushes.published(siteId)).map(([type]) => type)).toEqual([
      'order.total_differs',
      'order.push_failed',
      'order.pushed',
    ]);
    await expect(request((tx) => acceptPush(tx, key))).rejects.toThrow('It is Pushed: only a push that Differs');
  });

  it('lasts when the orders that it was about change; another one is news', async () => {
    const { siteId, key, row } = await pushed();
    const isSeen = async (id: number) => {
      const twin = { ...woo.books.orders.get(101)!, id };
      woo.books.orders.set(id, twin);
      await pushes.looksAgain(siteId);
      await worker.drain();
      return (await row()).state;
    };
    expect(await isSeen(801)).toBe('Differs');
    await request((tx) => acceptPush(tx, key));
    woo.changeOrder(101, { status: 'completed' });
    expect(await isSeen(801)).toBe('Pushed');
    expect(await row()).toMatchObject({ message: 'Accepted as the shop has it.' });
    const failed = async () => (await pushes.published(siteId)).filter(([type]) => type === 'order.push_failed');
    expect(await failed()).toHaveLength(1);
    expect(await isSeen(802)).toBe('Differs');
    expect(await failed()).toHaveLength(2);
  });
});

describe('Link', () => {
  it('names the order that a person has made', async () => {
    draft();
    const { key, row } = await pushed();
    await request((tx) => linkPush(tx, key, '4711'));
    expect(await row()).toMatchObject({
      state: 'Pushed',
      shop_order_id: '4711',
      external_id: '4711',
      shop_total: null,
    });
    await expect(request((tx) => linkPush(tx, key, '4712'))).rejects.toThrow('The shop has it as 4711.');
  });

  it('names another order where the shop has lost the first one', async () => {
    const { siteId, key, row } = await pushed();
    woo.books.orders.get(101)!.isDeleted = true;
    await database.query(`UPDATE order_pushes SET ended_in_shop = 'Deleted' WHERE site_id = $1`, [siteId]);
    await expect(request((tx) => linkPush(tx, key, '101'))).rejects.toThrow('The shop has it as 101.');
    await request((tx) => linkPush(tx, key, '4711'));
    expect(await row()).toMatchObject({ state: 'Pushed', external_id: '4711', ended_in_shop: null });
  });

  it('stays when what a person has thrown away is looked at', async () => {
    woo.faults.next('trashes');
    const { key, row } = await pushed();
    expect(await row()).toMatchObject({ state: 'Differs', shop_order_id: '101' });
    await request((tx) => linkPush(tx, key, '4711'));
    await worker.drain();
    expect(await row()).toMatchObject({ state: 'Pushed', shop_order_id: '4711', message: 'Linked by a person.' });
  });

  it.each(['unpaid', 'paid'])('stays when what was left behind comes up, %s', async (is) => {
    woo.faults.next('rateLimited', { operation: 'pay' });
    const { siteId, key, row } = await pushed();
    expect(await row()).toMatchObject({ state: 'Waiting', shop_order_id: '101' });
    await request((tx) => linkPush(tx, key, '4711'));
    if (is === 'paid') Object.assign(woo.books.orders.get(101)!, { status: 'processing', paidMs: Date.now() });
    await pushes.passes('1 minute');
    await worker.drain();
    const linked = { shop_order_id: '4711', external_id: '4711' };
    if (is === 'unpaid') {
      expect(await row()).toMatchObject({ ...linked, state: 'Pushed', message: 'Linked by a person.' });
      expect((await pushes.published(siteId)).at(-1)).toMatchObject(['order.twin_removed', { ShopOrderId: '101' }]);
    } else {
      const message = 'A person has linked order 4711, and the shop has it as order 101 (paid), too.';
      expect(await row()).toMatchObject({ ...linked, state: 'Differs', message });
    }
    expect(woo.books.unpaid()).toEqual([]);
    if (is === 'paid') await request((tx) => acceptPush(tx, key));
    await pushes.looksAgain(siteId);
    await worker.drain();
    expect(await row()).toMatchObject({ ...linked, state: 'Pushed' });
  });

  it('is refused for an id that another Order has', async () => {
    draft();
    const { siteId, customerId, key } = await pushed();
    const [other] = await database.query<{ id: string }>(
      `INSERT INTO orders (site_id, customer_id, external_id) VALUES ($1, $2, '55') RETURNING id`,
      [siteId, customerId],
    );
    const linking = request((tx) => linkPush(tx, key, '55'));
    await expect(linking).rejects.toThrow(`The shop's order 55 is Order ${other!.id} already.`);
  });

  it('is refused while what was sent may still arrive', async () => {
    woo.faults.next('dropsBefore');
    const { key } = await pushed();
    await expect(request((tx) => linkPush(tx, key, '55'))).rejects.toThrow('What was sent may still arrive');
  });
});

it('A push is shown with what was charged and what the shop has', async () => {
  woo.taxRates.set('FR/', '0.08');
  const { siteId, key, row } = await pushed();
  const [shown] = await database.query<{ json: object }>(
    `SELECT ${pushView.json('x')} AS json FROM order_pushes x WHERE x.site_id = $1`,
    [siteId],
  );
  const { order_id, shop_order_id } = await row();
  expect(shown!.json).toMatchObject({
    ...{ SiteId: siteId, ScheduledOrderId: key.scheduledOrderId, Cycle: 1, OrderId: Number(order_id), State: 'Pushed' },
    ...{ ShopOrderId: shop_order_id, ShopOrderNumber: shop_order_id, ShopTotal: 12.51, ChargedTotal: 12.5 },
    ...{ LinesThatDiffer: [], Attempts: 0, Message: "The shop's total is 12.51 instead of 12.50." },
  });
});
