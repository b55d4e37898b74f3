import { Alarm } from '../../apps/worker/src/alarm.js';
import { NOTHING } from '../../apps/worker/src/processor/cycle/recorded.js';
import { Pushes } from '../../apps/worker/src/pushes/pushes.js';
import { WorkerEvents } from '../../apps/worker/src/worker-events.js';
import { useDatabase } from '../support/database.js';
import { given, SHOP_SECRET } from '../support/given.js';
import { HttpReceiverStandIn, WooCommerceStandIn } from '../support/shops/index.js';
import { createPusher, pushesOf, stock } from '../support/shops/pushes.js';
import { until } from '../support/until.js';
import { asCopy, createWorker, givenShop, type TestWorker } from '../support/worker.js';

const database = useDatabase();
const pushes = pushesOf(database);
let woo: WooCommerceStandIn;
let http: HttpReceiverStandIn;
let worker: TestWorker;
beforeAll(async () => {
  woo = stock(await WooCommerceStandIn.start());
  http = await HttpReceiverStandIn.start();
  worker = createPusher(database);
});
afterAll(async () => {
  await worker.end();
  await woo.stop();
  await http.stop();
});
beforeEach(() => {
  woo.faults.none();
  http.faults.none();
});

const created = (shop: WooCommerceStandIn) =>
  shop.requests.filter((one) => one === 'POST /wp-json/wc/v3/orders').length;

describe('An Order that was charged', () => {
  it('stands in a WooCommerce once: created, compared, and paid', async () => {
    const { siteId, dueOrder } = await pushes.site('WooCommerceRest', woo.url);
    const id = await dueOrder();
    await worker.drain();
    const [row] = await pushes.rows(siteId);
    const [order] = woo.books.living(row!.push_name);
    expect(row).toMatchObject({
      ...{ scheduled_order_id: String(id), cycle: '1', state: 'Pushed', attempts: '0', message: null },
      ...{ shop_order_id: String(order!.id), shop_order_number: String(order!.id), shop_total: '12.5000' },
      ...{ external_id: String(order!.id), order_number: String(order!.id), lines_that_differ: null },
    });
    expect(order).toMatchObject({ status: 'processing', createdVia: row!.push_name, customerId: 2 });
    expect(order!.lines).toMatchObject([{ productId: 10, quantity: 1 }]);
    expect(woo.books.mails.filter(({ orderId }) => orderId === order!.id)).toHaveLength(2);
    expect(await pushes.published(siteId)).toEqual([
      [
        'order.pushed',
        { ScheduledOrderId: id, Cycle: 1, OrderId: Number(row!.order_id), ShopOrderId: String(order!.id) },
      ],
    ]);
  });

  it('arrives at a receiver over HTTP, signed, with everything that was charged', async () => {
    const { siteId, dueOrder } = await pushes.site('Http', http.url);
    http.secret = SHOP_SECRET;
    const id = await dueOrder();
    await worker.drain();
    http.secret = null;
    const [row] = await pushes.rows(siteId);
    const received = http.books.get(row!.push_name)!;
    expect(row).toMatchObject({
      state: 'Pushed',
      shop_order_id: received.externalId,
      order_number: received.orderNumber,
    });
    expect(JSON.parse(received.body)).toMatchObject({
      ...{ SiteId: siteId, OrderId: Number(row!.order_id), ScheduledOrderId: id, Cycle: 1 },
      ...{ CurrencyIso: 'USD', Subtotal: '12.50', ShippingTotal: '0.00', TaxTotal: '0.00', Total: '12.50' },
      ...{ PaymentMethodType: 'GatewayOne', ShippingCity: 'Paris', BillingCity: 'Lyon', BillingCountry: 'FR' },
      Customer: { ExternalId: '2', TaxExempt: false },
      OrderItems: [{ ProductExternalId: '10', Quantity: 1, Total: '12.50', TaxTotal: '0.00', IsRecurring: true }],
    });
  });

  it('with prices that have tax in them costs the same in a shop that computes the tax again', async () => {
    const { siteId, dueOrder } = await pushes.site('WooCommerceRest', woo.url, { taxDifference: 'Refuse' });
    await database.query(`UPDATE site_settings SET prices = 'Gross' WHERE site_id = $1`, [siteId]);
    await given(database).taxRate(siteId, { country: 'FR', rate: '19' });
    const id = await dueOrder();
    await database.query(`UPDATE scheduled_order_items SET price = 9.99 WHERE scheduled_order_id = $1`, [id]);
    woo.taxRates.set('FR/', '19');
    await worker.drain();
    woo.taxRates.delete('FR/');
    const [row] = await pushes.rows(siteId);
    expect(row).toMatchObject({ state: 'Pushed', shop_total: '9.9900', message: null });
    expect(woo.books.living(row!.push_name)[0]!.lines).toMatchObject([{ net: 8_394_958n }]);
  });

  it('is looked for once more after ten minutes; then its push is final', async () => {
    const { siteId, dueOrder } = await pushes.site('WooCommerceRest', woo.url);
    await dueOrder();
    await worker.drain();
    expect((await pushes.rows(siteId))[0]!.next_in).toBeGreaterThan(590);
    const before = created(woo);
    await pushes.passes('10 minutes');
    await worker.drain();
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Pushed', next_in: null }]);
    expect(created(woo)).toBe(before);
    expect(await pushes.published(siteId)).toHaveLength(1);
  });

  it('of each cycle has a name of its own', async () => {
    const { siteId, dueOrder } = await pushes.site('Http', http.url);
    const id = await dueOrder();
    await worker.drain();
    await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = now() WHERE id = $1`, [id]);
    await worker.drain();
    const rows = await pushes.rows(siteId);
    expect(rows.map(({ cycle, state }) => [cycle, state])).toEqual([
      ['1', 'Pushed'],
      ['2', 'Pushed'],
    ]);
    expect(new Set(rows.map(({ push_name }) => push_name)).size).toBe(2);
  });
});

describe('Nothing is written for', () => {
  it('a site without a shop, or one whose Push is Off', async () => {
    const without = await givenShop(database);
    const off = await pushes.site('Http', http.url, { push: false });
    await without.dueOrder();
    await off.dueOrder();
    await worker.drain();
    const orders = await database.query<{ count: string }>(`SELECT count(*) FROM orders WHERE site_id = ANY ($1)`, [
      [without.siteId, off.siteId],
    ]);
    expect(orders).toEqual([{ count: '2' }]);
    expect([await pushes.rows(without.siteId), await pushes.rows(off.siteId)]).toEqual([[], []]);
  });

  it('an Order from before Push was On', async () => {
    const { siteId, dueOrder } = await pushes.site('Http', http.url, { push: false });
    await dueOrder();
    await worker.drain();
    await database.query(`UPDATE site_shops SET push = true WHERE site_id = $1`, [siteId]);
    await worker.drain();
    expect(await pushes.rows(siteId)).toEqual([]);
  });
});

describe('Pushes wait', () => {
  it.each(['Unverified', 'Refused', 'Unreachable'])('while the shop is %s', async (state) => {
    const { siteId, dueOrder } = await pushes.site('Http', http.url, { state });
    await dueOrder();
    await worker.drain();
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Waiting', attempts: '0' }]);
    await pushes.verified(siteId);
    await worker.drain();
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Pushed' }]);
  });

  it('for a worker with the role', async () => {
    const { siteId, dueOrder } = await pushes.site('Http', http.url);
    await dueOrder();
    const others = createPusher(database, { WORKER_ROLES: 'processor,dispatcher' });
    await others.drain();
    await others.end();
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Waiting' }]);
    const only = createPusher(database, { WORKER_ROLES: 'pushes' });
    await only.drain();
    await only.end();
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Pushed' }]);
  });

  it('in a copy of the database, which must not charge', async () => {
    const { siteId, dueOrder } = await pushes.site('Http', http.url, { state: 'Unverified' });
    await dueOrder();
    await worker.drain();
    await pushes.verified(siteId);
    await asCopy(database, async () => {
      const copy = createPusher(database);
      await copy.drain();
      await copy.end();
    });
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Waiting' }]);
    await worker.drain();
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Pushed' }]);
  });
});

describe('A running worker', () => {
  it('pushes what it has charged at once, and shows it in its metrics', async () => {
    const { siteId, dueOrders } = await pushes.site('Http', http.url);
    // It looks by itself once a year only: nothing but its own charges wakes it.
    const running = createWorker(database, { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8', PROCESSOR_CRON: '0 0 1 1 *' });
    await (await running.part(Pushes)).wake();
    await dueOrders(5);
    await running.start();
    await untilPushed(siteId, 5);
    const metrics = await running.metrics();
    expect(metrics).toContain('scheduled_orders_pushes_total{state="Pushed"} 5');
    for (const name of ['pushes_unknown', 'pushes_in_flight'])
      expect(metrics).toMatch(new RegExp(`^scheduled_orders_${name} 0$`, 'm'));
    expect(metrics).toContain('scheduled_orders_worker_role{role="pushes"} 1');
    await running.end();
  });
});

describe('What was charged', () => {
  it.each([
    ['of a site without a shop wakes no pushes', 'no', false],
    ['of one whose Push is Off wakes none', 'off', false],
    ['of one that pushes wakes them', 'on', true],
  ] as const)('%s', async (_, push, wakes) => {
    const { dueOrder } =
      push === 'no' ? await givenShop(database) : await pushes.site('Http', http.url, { push: push === 'on' });
    await dueOrder();
    const wakings: boolean[] = [];
    const charging = createPusher(database, { WORKER_ROLES: 'processor' });
    (await charging.part(WorkerEvents)).on('left', ({ completed, hasPushes }) => {
      if (completed.length > 0) wakings.push(hasPushes);
    });
    await charging.drain();
    await charging.end();
    expect(wakings).toEqual([wakes]);
  });

  it('wakes pushes for what is to be pushed alone', async () => {
    const setIn = jest.spyOn(Alarm.prototype, 'setIn');
    const events = await worker.part(WorkerEvents);
    try {
      events.emit('left', NOTHING, []);
      expect(setIn).not.toHaveBeenCalled();
      events.emit('left', { ...NOTHING, hasPushes: true }, []);
      expect(setIn).toHaveBeenCalledTimes(1);
    } finally {
      setIn.mockRestore();
    }
  });
});

async function untilPushed(siteId: number, count: number): Promise<void> {
  await until(async () => (await pushes.rows(siteId)).filter(({ state }) => state === 'Pushed').length === count);
}
