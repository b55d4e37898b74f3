import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0', MAX_ITEMS_PER_ORDER: '3', MAX_QUANTITY_PER_ITEM: '20' });
const given = givenIn(database);

const REMEDY = 'Send fewer, or spread them over several orders.';

async function shop(stored = 0) {
  const merchant = await given.merchant();
  const { siteId, userId, tokenAuth: token } = merchant;
  const customerId = await given.customer(siteId);
  const productId = await given.product(siteId);
  const id = await given.scheduledOrder(siteId, customerId);
  const itemIds: number[] = [];
  for (let n = 0; n < stored; n++) itemIds.push(await given.item(siteId, id, productId));
  const customerToken = await given.token(userId, { customerId });
  const items = (count: number) => Array.from({ length: count }, () => ({ ProductId: productId }));
  return { token, customerToken, siteId, customerId, productId, id, itemIds, items };
}

const fault = (field: string, message: string) => ({ status: 400, body: { errors: [{ field, message }] } });

describe('The items of a scheduled order', () => {
  it('are at most MAX_ITEMS_PER_ORDER in a body, whatever they are', async () => {
    const { token, id, customerId, items } = await shop();
    const create = (ScheduledOrderItems: unknown) =>
      api.request('POST', '/api/ScheduledOrders', { token, body: { CustomerId: customerId, ScheduledOrderItems } });
    const message = `has 4 elements; at most 3 are allowed (MAX_ITEMS_PER_ORDER). ${REMEDY}`;
    expect(await create([1, 2, 3, 4])).toMatchObject(fault('ScheduledOrderItems', message));
    expect(await create(items(4))).toMatchObject(fault('ScheduledOrderItems', message));
    const body = { ScheduledOrderItems: items(4) };
    const updated = await api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body });
    expect(updated).toMatchObject(fault('ScheduledOrderItems', message));
    expect((await create(items(3))).status).toBe(201);
  });

  it('are at most MAX_ITEMS_PER_ORDER in all', async () => {
    const { token, id, items, productId } = await shop(2);
    const put = (count: number) =>
      api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body: { ScheduledOrderItems: items(count) } });
    const message = `The order would have 4 items; at most 3 are allowed (MAX_ITEMS_PER_ORDER). ${REMEDY}`;
    expect(await put(2)).toMatchObject(fault('ScheduledOrderItems', message));
    expect((await put(1)).body.ScheduledOrderItems).toHaveLength(3);
    const body = { ScheduledOrderId: id, ProductId: productId };
    const added = await api.request('POST', '/api/ScheduledOrderItems', { token, body });
    expect(added).toMatchObject(fault('ScheduledOrderId', message));
  });

  it('may be more where they were before: read, changed, taken out, only not added to', async () => {
    const { token, id, itemIds, items } = await shop(5);
    const path = `/api/ScheduledOrders/${id}`;
    const put = (ScheduledOrderItems: object[]) =>
      api.request('PUT', path, { token, body: { Status: 'Paused', ScheduledOrderItems } });
    const changed = await put([{ Id: itemIds[4], Quantity: 7 }]);
    expect(changed).toMatchObject({ status: 200, body: { Status: 'Paused' } });
    expect(changed.body.ScheduledOrderItems[4].Quantity).toBe(7);
    const item = `/api/ScheduledOrderItems/${itemIds[3]}`;
    expect((await api.request('PUT', item, { token, body: { Quantity: 2 } })).status).toBe(200);
    const message = `The order would have 6 items; at most 3 are allowed (MAX_ITEMS_PER_ORDER). ${REMEDY}`;
    expect(await put(items(1))).toMatchObject(fault('ScheduledOrderItems', message));
    expect((await api.request('DELETE', item, { token })).status).toBe(204);
    expect((await api.request('GET', path, { token })).body.ScheduledOrderItems).toHaveLength(4);
  });
});

it('The items of a completed order are bounded likewise', async () => {
  const { token, customerId } = await shop();
  const items = (count: number) => Array.from({ length: count }, () => ({ Name: 'Coffee' }));
  const create = (count: number) =>
    api.request('POST', '/api/Orders', { token, body: { CustomerId: customerId, OrderItems: items(count) } });
  const perBody = `has 4 elements; at most 3 are allowed (MAX_ITEMS_PER_ORDER). ${REMEDY}`;
  expect(await create(4)).toMatchObject(fault('OrderItems', perBody));
  const { status, body: order } = await create(2);
  expect(status).toBe(201);
  const added = await api.request('PUT', `/api/Orders/${order.Id}`, { token, body: { OrderItems: items(2) } });
  const perOrder = `The order would have 4 items; at most 3 are allowed (MAX_ITEMS_PER_ORDER). ${REMEDY}`;
  expect(added).toMatchObject(fault('OrderItems', perOrder));
});

describe('The Quantity of an item', () => {
  const message = '21 is more than a Customer token may order: send at most 20 (MAX_QUANTITY_PER_ITEM).';

  it('is at most MAX_QUANTITY_PER_ITEM for a Customer token', async () => {
    const { customerToken: token, id, productId, itemIds } = await shop(1);
    const line = (Quantity: number) => ({ ProductId: productId, Quantity });
    const body = { ScheduledOrderItems: [line(20), line(21)] };
    const quantityOf = (path: string) => fault(path, message);
    expect(await api.request('POST', '/api/ScheduledOrders', { token, body })).toMatchObject(
      quantityOf('ScheduledOrderItems[1].Quantity'),
    );
    expect(await api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body })).toMatchObject(
      quantityOf('ScheduledOrderItems[1].Quantity'),
    );
    const item = { ScheduledOrderId: id, ...line(21) };
    expect(await api.request('POST', '/api/ScheduledOrderItems', { token, body: item })).toMatchObject(
      quantityOf('Quantity'),
    );
    const path = `/api/ScheduledOrderItems/${itemIds[0]}`;
    expect(await api.request('PUT', path, { token, body: { Quantity: 21 } })).toMatchObject(quantityOf('Quantity'));
    expect((await api.request('PUT', path, { token, body: { Quantity: 20 } })).status).toBe(200);
  });

  it('may be repeated by a Customer token, and is the merchant’s to choose', async () => {
    const { token, customerToken, itemIds, id } = await shop(1);
    const path = `/api/ScheduledOrderItems/${itemIds[0]}`;
    expect((await api.request('PUT', path, { token, body: { Quantity: 21 } })).status).toBe(200);
    const { body } = await api.request('GET', `/api/ScheduledOrders/${id}`, { token: customerToken });
    const put = await api.request('PUT', `/api/ScheduledOrders/${id}`, { token: customerToken, body });
    expect(put.status).toBe(200);
    expect(put.body.ScheduledOrderItems[0].Quantity).toBe(21);
  });
});
