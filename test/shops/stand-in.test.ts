import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { WooCommerceStandIn } from '../support/shops/index.js';
import { until } from '../support/until.js';

let shop: WooCommerceStandIn;
beforeEach(async () => {
  shop = await WooCommerceStandIn.start();
  shop.products.set(10, { id: 10, name: 'Coffee', price: '9.99', stock: 100 });
  shop.products.set(13, { id: 13, name: 'Tea', price: '5', type: 'variable' });
  shop.products.set(14, { id: 14, name: 'Tea, green', price: '5', type: 'variation', parentId: 13 });
  shop.customers.set(2, { billing: {}, shipping: {} });
});
afterEach(() => shop.stop());

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & { id: number; line_items: Record<string, unknown>[] };
}

const authorization = `Basic ${btoa('ck_shop:cs_shop_secret')}`;
async function call(method: string, path: string, body?: object): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(`${shop.url}/wp-json/wc/v3/${path}`, { method, headers: { authorization }, ...sent });
  return { status: reply.status, body: (await reply.json()) as Answer['body'] };
}

const line = (change: object = {}) => ({ product_id: 10, quantity: 3, total: '29.97', subtotal: '29.97', ...change });
const order = (change: object = {}) => ({
  ...{ status: 'pending', customer_id: 2, line_items: [line()] },
  shipping_lines: [{ method_id: 'flat_rate', total: '5.00' }],
  shipping: { country: 'US', state: 'CA' },
  ...change,
});
const create = (change: object = {}) => call('POST', 'orders', order(change));
const pay = (id: number) => call('PUT', `orders/${id}`, { set_paid: true, transaction_id: 'pi_1' });
const mails = () => shop.books.mails.map(({ to, what }) => `${to} ${what}`);

/** What a real WooCommerce 11 answered: each row was seen there. */
describe('The stand-in of a WooCommerce', () => {
  it('creates as seen: 37.85, unpaid, nobody mailed, no stock taken', async () => {
    const { status, body } = await create();
    expect([status, body.status, body.total, body.total_tax, body.needs_payment]).toEqual([
      ...[201, 'pending', '37.85', '2.88', true],
    ]);
    expect(body.line_items[0]).toMatchObject({ total: '29.97', total_tax: '2.47' });
    expect([mails(), shop.books.taken.size]).toEqual([[], 0]);
  });

  it.each([
    ['a total that is a number', { line_items: [line({ total: 29.97 })] }, 400],
    ['quantity 1.5', { line_items: [line({ quantity: 1.5 })] }, 400],
    ['quantity 0', { line_items: [line({ quantity: 0 })] }, 500],
    ['a line with a name only', { line_items: [{ name: 'Coffee', total: '1' }] }, 400],
    ['an unknown customer', { customer_id: 77 }, 400],
    ['an id', { id: 1 }, 400],
    ['shipping without a method', { shipping_lines: [{ total: '5' }] }, 400],
    ['an unknown currency', { currency: 'dollars' }, 400],
    ['an unknown status', { status: 'paid' }, 400],
    ['an empty e-mail', { billing: { email: '' } }, 400],
  ])('refuses %s, and saves nothing', async (_, change, status) => {
    expect((await create(change)).status).toBe(status);
    expect(shop.books.orders.size).toBe(0);
  });

  it.each([
    [
      'an unknown product: a line without a name',
      { line_items: [line({ product_id: 99 })] },
      { product_id: 0, name: '' },
    ],
    [
      'a variation: its parent beside it',
      { line_items: [line({ product_id: 14 })] },
      { product_id: 13, variation_id: 14 },
    ],
    ['no total: its own price', { line_items: [{ product_id: 10, quantity: 2 }] }, { total: '19.98' }],
  ])('takes %s', async (_, change, expected) => {
    expect((await create(change)).body.line_items[0]).toMatchObject(expected);
  });

  it.each([
    ['a state by its name', { shipping: { country: 'US', state: 'California' } }, '0.00'],
    ['a country by another code', { shipping: { country: 'USA', state: 'CA' } }, '0.00'],
    ['a state in lower case', { shipping: { country: 'US', state: 'ca' } }, '2.88'],
    ['no address: the base', { shipping: {} }, '2.88'],
    ['an exempt one', { meta_data: [{ key: 'is_vat_exempt', value: 'yes' }] }, '0.00'],
  ])('taxes %s', async (_, change, tax) => {
    expect((await create(change)).body.total_tax).toBe(tax);
  });

  it('leaves a draft behind where a coupon is unknown', async () => {
    const { status, body } = await create({ coupon_lines: [{ code: 'none' }] });
    expect([status, body.data]).toEqual([400, { status: 400, new_draft_order_id: 101 }]);
    expect(shop.books.orders.get(101)!.status).toBe('checkout-draft');
  });

  const thirds = [1, 2, 3].map(() => line({ quantity: 1, total: '3.33', subtotal: '3.33' }));
  const none: object[] = [];
  it.each([
    ['net, per line', {}, '8.25', thirds, '10.80'],
    ['net, at the subtotal', { roundsAtSubtotal: true }, '8.25', thirds, '10.81'],
    ['gross, the rounded net', { isGross: true }, '19', [line({ quantity: 1, total: '8.39' })], '9.98'],
    ['gross, the exact net', { isGross: true }, '19', [line({ quantity: 1, total: '8.394958' })], '9.99'],
    ['gross: half down', { isGross: true }, '19', [line({ quantity: 1, total: '2.50' })], '2.97'],
    ['net: half up', {}, '19', [line({ quantity: 1, total: '2.50' })], '2.98'],
    ['yen with two decimals', {}, '8.25', [line({ quantity: 1, total: '1001' })], '1083.58'],
    ['taxes off', { hasTaxes: false }, '8.25', thirds, '9.99'],
  ])('computes %s', async (_, settings, rate, line_items, total) => {
    Object.assign(shop.settings, settings);
    shop.taxRates.set('US/CA', rate);
    expect((await create({ line_items, shipping_lines: none })).body.total).toBe(total);
  });

  it('computes without decimals: 16', async () => {
    shop.settings.decimals = 0;
    const line_items = [line({ quantity: 1, total: '9.99' })];
    expect((await create({ line_items })).body.total).toBe('16');
  });

  it('is paid once: mails and stock, and the second payment writes its transaction only', async () => {
    const { id } = (await create()).body;
    expect((await pay(id)).body).toMatchObject({ status: 'processing', date_paid_gmt: expect.any(String) });
    expect((await call('PUT', `orders/${id}`, { set_paid: true, transaction_id: 'pi_2' })).status).toBe(200);
    expect([mails(), shop.books.taken.get(10), shop.books.orders.get(id)!.transactionId]).toEqual([
      ...[['shop new', 'customer received'], 3, 'pi_2'],
    ]);
  });

  it('takes POST for PUT, and the method from a parameter', async () => {
    const { id } = (await create()).body;
    expect((await call('POST', `orders/${id}`, { set_paid: true })).body.status).toBe('processing');
    expect((await call('POST', `orders/${id}?force=true&_method=DELETE`)).status).toBe(200);
    expect((await call('GET', `orders/${id}`)).status).toBe(404);
  });

  it.each([
    ['on-hold', ['shop new', 'customer received'], 3],
    ['cancelled', [], undefined],
  ])('an order %s cannot be paid', async (status, mailed, taken) => {
    const { id } = (await create()).body;
    await call('PUT', `orders/${id}`, { status });
    expect((await pay(id)).body).toMatchObject({ status, date_paid_gmt: null });
    expect([mails(), shop.books.taken.get(10)]).toEqual([mailed, taken]);
  });

  it('an order of nothing is paid by its status alone', async () => {
    const free = { line_items: [line({ total: '0', subtotal: '0' })], shipping_lines: none };
    const { id } = (await create(free)).body;
    expect((await pay(id)).body.status).toBe('pending');
    expect((await call('PUT', `orders/${id}`, { status: 'processing' })).body.status).toBe('processing');
  });

  it('an order whose product was deleted is completed, without stock', async () => {
    const { id } = (await create()).body;
    shop.deleteProduct(10);
    expect((await pay(id)).body.status).toBe('completed');
    expect([mails().at(-1), shop.books.taken.size]).toEqual(['customer complete', 0]);
  });

  it('payments at once take the stock more than once', async () => {
    const { id } = (await create()).body;
    shop.sleepMs = 50;
    shop.faults.next('sleeps', { operation: 'pay', times: 3 });
    await Promise.all([pay(id), pay(id), pay(id)]);
    expect(shop.books.taken.get(10)).toBe(9);
    expect(mails().filter((mail) => mail === 'customer received')).toHaveLength(3);
  });

  it('lists what it knows to filter by, and ignores the rest', async () => {
    const named = (await create({ created_via: 'a-1-b' })).body.id;
    const other = (await create({ customer_id: 0 })).body.id;
    const ids = async (query: string) =>
      ((await call('GET', `orders?${query}`)).body as unknown as { id: number }[]).map(({ id }) => id);
    expect(await ids('created_via=a-1-b')).toEqual([named]);
    expect(await ids('meta_key=x')).toEqual([other, named]);
    expect(await ids('customer=0')).toEqual([other]);
    await call('DELETE', `orders/${named}`);
    expect([await ids('status=any'), await ids('status=trash'), await ids('status=any,trash')]).toEqual([
      ...[[other], [named], [other]],
    ]);
    expect((await call('GET', 'orders?per_page=101')).status).toBe(400);
    shop.settings.version = '9.8.0';
    expect(await ids('created_via=a-1-b')).toEqual([other]);
  });

  it('delivers hooks when its cron runs, signed, and disables them after seven failures', async () => {
    const received: { headers: http.IncomingHttpHeaders; body: string }[] = [];
    let status = 200;
    const receiver = http.createServer((request, reply) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString()));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        reply.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const delivery_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await call('POST', 'webhooks', { topic: 'order.created', delivery_url, secret: 'hush' });
    await until(() => received.length === 1);
    expect(received[0]!.body).toBe('webhook_id=1');
    await create();
    expect(received).toHaveLength(1);
    await shop.hooks.runCron();
    const { headers, body } = received[1]!;
    expect(headers['x-wc-webhook-signature']).toBe(createHmac('sha256', 'hush').update(body).digest('base64'));
    status = 500;
    for (let at = 0; at < 8; at += 1) await create();
    await shop.hooks.runCron();
    expect(received).toHaveLength(9);
    expect(shop.hooks.hooks[0]!.status).toBe('disabled');
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  });
});
