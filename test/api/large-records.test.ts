import { get as open, type IncomingMessage } from 'node:http';
import { Database, orderView, recordPieces, scheduledOrderView, type View } from '#libs/records';
import { itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0', MAX_LIST_STREAMS: '1' });
const given = givenIn(database);

const FIELD = '"ScheduledOrderItems":[] "OrderItems":[]';

/** A scheduled order, and a completed one, with more items than are held in memory at once. */
async function largeRecords(items = 600, words = FIELD) {
  const { tokenAuth: token, siteId } = await given.merchant();
  const customerId = await given.customer(siteId, { firstName: FIELD });
  const productId = await given.product(siteId, { title: 'Kaffee ☕ 😀', description: words, imageUrl: words });
  const id = await given.scheduledOrder(siteId, customerId, { shippingCity: FIELD });
  const orderId = await given.order(siteId, customerId, { orderNumber: FIELD });
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT $1, $2, $3, 1, n FROM generate_series(1, $4::int) n`,
    [siteId, id, productId, items],
  );
  await database.query(
    `INSERT INTO order_items (site_id, order_id, product_id, name, quantity) SELECT $1, $2, $3, $4, n FROM generate_series(1, $5::int) n`,
    [siteId, orderId, productId, FIELD, items],
  );
  return { token, customerId, id, orderId };
}

/** The record as one statement gives it. */
async function whole(view: View, id: number): Promise<object> {
  const [row] = await database.query<{ json: object }>(
    `SELECT ${view.json('x')} AS json FROM ${view.table} x WHERE id = $1`,
    [id],
  );
  return row!.json;
}

describe('A record of many items', () => {
  it('is in pieces what it is whole: alone, in a list, on a page, and as the answer to a change', async () => {
    const { token, customerId, id, orderId } = await largeRecords();
    const get = (path: string) => api.request('GET', `/api/${path}`, { token });
    const order = await get(`ScheduledOrders/${id}`);
    expect(order.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(order.headers.get('transfer-encoding')).toBe('chunked');
    expect(order.body).toEqual(await whole(scheduledOrderView, id));
    expect((await get(`Orders/${orderId}`)).body).toEqual(await whole(orderView, orderId));
    for (const list of ['ScheduledOrders', 'ScheduledOrders?page=1', `Customers/${customerId}/ScheduledOrders`]) {
      expect((await get(list)).body).toEqual([order.body]);
    }
    expect((await get('ScheduledOrders?page=1')).headers.get('link')).toBe(
      '</api/ScheduledOrders?page=1>; rel="first"',
    );
    expect((await get('ScheduledOrders?page=2')).body).toEqual([]);

    const changed = await api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body: { Status: 'Paused' } });
    expect(changed.body).toEqual(await whole(scheduledOrderView, id));
    const paid = await api.request('PUT', `/api/Orders/${orderId}`, { token, body: { OrderNumber: '7' } });
    expect(paid.body).toEqual(await whole(orderView, orderId));
  });

  it('is logged with what it was and what it became', async () => {
    const { token, id } = await largeRecords();
    const path = `/api/ScheduledOrders/${id}`;
    const before = await whole(scheduledOrderView, id);
    const { body: after } = await api.request('PUT', path, { token, body: { ShippingCity: 'Paris' } });
    const [item] = after.ScheduledOrderItems as { Id: number }[];
    await api.request('DELETE', `/api/ScheduledOrderItems/${item!.Id}`, { token });
    const { body: log } = await api.request('GET', `${path}/ActionLogs`, { token });
    expect(log).toMatchObject([
      {
        ActionType: 'DeleteScheduledOrderItem',
        PreviousScheduledOrder: after,
        NewScheduledOrder: await whole(scheduledOrderView, id),
      },
      { ActionType: 'UpdateScheduledOrder', PreviousScheduledOrder: before, NewScheduledOrder: after },
    ]);
  });

  itInAllCases('is answered again to a request that repeats its Idempotency-Key', async () => {
    const { token, id } = await largeRecords();
    const skip = () =>
      api.request('POST', `/api/ScheduledOrders/${id}/Skip`, { token, headers: { 'idempotency-key': `skip ${id}` } });
    const first = await skip();
    const second = await skip();
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
    expect(second.body).toEqual(first.body);
    expect(first.body).toEqual(await whole(scheduledOrderView, id));
  });

  it('that changes while it is being read is not sent to its end', async () => {
    const { token, id } = await largeRecords();
    const pieces = recordPieces(api.app.get(Database, { strict: false }), scheduledOrderView, id);
    await pieces.next();
    await pieces.next();
    await api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body: { Status: 'Paused' } });
    await expect(pieces.next()).rejects.toThrow(`scheduled_orders ${id} changed while it was being sent.`);
  });
});

describe('Records that are read in pieces', () => {
  const unread: IncomingMessage[] = [];

  afterEach(() => unread.splice(0).forEach((answer) => answer.destroy()));

  /** An answer whose reader reads nothing of it. */
  async function start(path: string, token: string): Promise<IncomingMessage> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      open(`${api.url}/api/${path}`, { headers: { authorization: `Basic ${token}` }, agent: false }, resolve).on(
        'error',
        reject,
      );
    });
    unread.push(answer);
    return answer;
  }

  itInAllCases(
    'do not wait for lists, nor for those of other accounts; a change is answered when there is room',
    async () => {
      const words = 'coffee '.repeat(280);
      const { token, id } = await largeRecords(3_000, words);
      const { token: other, id: othersId } = await largeRecords();
      expect((await start('ScheduledOrders', token)).statusCode).toBe(200);
      const path = `ScheduledOrders/${id}`;
      for (let count = 0; count < 5; count++) expect((await start(path, token)).statusCode).toBe(200);
      const refused = await api.request('GET', `/api/${path}`, { token });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect((await api.request('GET', `/api/ScheduledOrders/${othersId}`, { token: other })).status).toBe(200);

      const changing = api.request('PUT', `/api/${path}`, { token, body: { Status: 'Paused' } });
      await until(async () => ((await whole(scheduledOrderView, id)) as { Status: string }).Status === 'Paused');
      unread.pop()!.destroy();
      expect(await changing).toMatchObject({ status: 200, body: { Id: id, Status: 'Paused' } });
    },
  );
});
