import type { Receiver } from '#libs/shops';
import { readers } from '../processor/readers.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { WooCommerceStandIn } from '../support/shops/index.js';
import { createPusher, OPEN, pushesOf, stock } from '../support/shops/pushes.js';
import { ENCRYPTION_KEY, type TestWorker } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0', ...OPEN });
const given = givenIn(database);
const pushes = pushesOf(database);
const { cycleOf, orderOf, eventsOf, errorsOf, comeDue } = readers(database);
let woo: WooCommerceStandIn;
let worker: TestWorker;
beforeAll(async () => {
  woo = stock(await WooCommerceStandIn.start());
  worker = createPusher(database);
});
afterAll(async () => {
  await worker.end();
  await woo.stop();
});

const MESSAGE = `The shop has no product for "Coffee": its ExternalId must be the shop's id of it; it is none.`;
const HELD = { state: 'Waiting', attempt: '0', failure_code: 1010, held_for: 1010, waiting_since_utc: null };
const CHARGED = { state: 'Completed', held_for: null };

/** A site whose product the shop does not have. */
async function site(values: Record<string, unknown> = {}, receiver: Receiver = 'WooCommerceRest') {
  const made = await pushes.site(receiver, woo.url, values);
  const { siteId, productId, tokenAuth: token } = made;
  await database.query(`UPDATE products SET external_id = NULL WHERE id = $1`, [productId]);
  const request = (method: string, path: string, body?: object) => api.request(method, path, { token, body });
  const put = async (path: string, body: object) => expect((await request('PUT', path, body)).status).toBe(200);
  return {
    ...made,
    request,
    named: () => put(`/api/Products/${productId}`, { ExternalId: '10' }),
    shop: (body: object) => put(`/api/Site/${siteId}/Shop`, body),
    quote: async (id: number) => (await request('GET', `/api/ScheduledOrders/${id}/Quote`)).body.Problems as object[],
  };
}

it('is held before it is charged, without an attempt, and is logged once', async () => {
  const { siteId, dueOrder } = await site();
  const id = await dueOrder();
  const due = (await orderOf(id)).next_occurrence_utc;
  const waits = async () => {
    const [row] = await database.query<{ seconds: number }>(
      `SELECT extract(epoch FROM next_attempt_utc - now())::float8 AS seconds FROM processing_cycles WHERE scheduled_order_id = $1`,
      [id],
    );
    return Math.round(row!.seconds / 60);
  };
  const minutes: number[] = [];
  for (let round = 0; round < 3; round++) {
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject(HELD);
    expect(await orderOf(id)).toMatchObject({ status: 'Active', next_occurrence_utc: due });
    minutes.push(await waits());
    await comeDue(id);
  }
  expect(minutes).toEqual([1, 24 * 60, 24 * 60]);
  const description = `1010 NotPushable: ${MESSAGE}`;
  expect(await eventsOf(id)).toEqual([{ event_type: 'ScheduledOrderHeld', description }]);
  expect(await errorsOf(id)).toHaveLength(1);
  expect([await pushes.rows(siteId), woo.books.orders.size]).toEqual([[], 0]);
});

it.each([
  ['its product gets the id that the shop has', {}, async (made: Made) => made.named()],
  ['PushAnyway is set', {}, async (made: Made) => made.shop({ PushAnyway: true })],
  ['Push is Off', {}, async (made: Made) => made.shop({ Push: 'Off' })],
  ['another receiver goes by its SKU', { sku: 'C-1' }, async (made: Made) => made.shop({ Receiver: 'Http' })],
])('is charged as soon as %s', async (_, product, correct) => {
  const made = await site();
  if ('sku' in product) await database.query(`UPDATE products SET sku = 'C-1' WHERE id = $1`, [made.productId]);
  const id = await made.dueOrder();
  await worker.drain();
  expect(await cycleOf(id)).toMatchObject(HELD);
  await correct(made);
  await worker.drain();
  expect(await cycleOf(id)).toMatchObject(CHARGED);
});
type Made = Awaited<ReturnType<typeof site>>;

it('is charged as soon as what the shop does not have is no part of it', async () => {
  const made = await site();
  const id = await made.dueOrder();
  const known = await given.product(made.siteId, { externalId: '10', title: 'Tea' });
  await given.item(made.siteId, id, known);
  const [item] = await database.query<{ id: string }>(
    `SELECT id FROM scheduled_order_items WHERE scheduled_order_id = $1 AND product_id = $2`,
    [id, made.productId],
  );
  await worker.drain();
  expect(await cycleOf(id)).toMatchObject(HELD);
  expect((await made.request('DELETE', `/api/ScheduledOrderItems/${item!.id}`)).status).toBe(204);
  await worker.drain();
  expect(await cycleOf(id)).toMatchObject(CHARGED);
});

it.each([
  ['Verify finds it sold', (made: Made) => made.request('POST', `/api/Site/${made.siteId}/Shop/Verify`)],
  [
    'a push of it is retried',
    async (made: Made) => {
      const [row] = await pushes.rows(made.siteId);
      const path = `/api/ScheduledOrders/${row!.scheduled_order_id}/Cycles/${row!.cycle}/Push/Retry`;
      const retried = await made.request('POST', path);
      await worker.drain();
      return retried;
    },
  ],
])('is held once the shop has said that it does not sell it, until %s', async (_, correct) => {
  const made = await site();
  await made.named();
  woo.products.set(10, { id: 10, name: 'Coffee', price: '12.50', status: 'draft' });
  await made.dueOrder();
  await worker.drain();
  stock(woo);
  expect(await pushes.rows(made.siteId)).toMatchObject([{ state: 'Failed' }]);
  const id = await made.dueOrder();
  await worker.drain();
  expect(await cycleOf(id)).toMatchObject(HELD);
  const Message = '"Coffee" is not published in the shop (draft). Correct that in the shop, and verify it.';
  expect(await made.quote(id)).toEqual([{ Code: 1010, Name: 'NotPushable', Message }]);
  expect((await correct(made)).status).toBe(200);
  await worker.drain();
  expect(await cycleOf(id)).toMatchObject(CHARGED);
});

it('is asked for by Verify whichever of the site’s products it is', async () => {
  const made = await site();
  const id = await given.product(made.siteId, { externalId: '10', unsellable: 'It was not sold.' });
  expect((await made.request('POST', `/api/Site/${made.siteId}/Shop/Verify`)).status).toBe(200);
  expect(await database.query(`SELECT unsellable FROM products WHERE id = $1`, [id])).toEqual([{ unsellable: null }]);
});

it('keeps no push from being recorded while another order of its product is worked on', async () => {
  const made = await site();
  await made.named();
  woo.products.set(10, { id: 10, name: 'Coffee', price: '12.50', status: 'draft' });
  const failed = await made.dueOrder();
  await worker.drain();
  stock(woo);
  const id = await made.dueOrder();
  await worker.drain();
  expect(await cycleOf(id)).toMatchObject(HELD);
  await database.pool.transaction(async (tx) => {
    await tx.execute(`SELECT 1 FROM processing_cycles WHERE scheduled_order_id = $1 FOR UPDATE`, [id]);
    await made.request('POST', `/api/ScheduledOrders/${failed}/Cycles/1/Push/Retry`);
    await worker.drain();
    expect(await pushes.rows(made.siteId)).toMatchObject([{ state: 'Pushed' }]);
  });
});

it('is neither held nor a problem where it does not matter', async () => {
  for (const [values, receiver] of [
    [{ push: false }, 'WooCommerceRest'],
    [{ pushAnyway: true }, 'WooCommerceRest'],
  ] as const) {
    const made = await site(values, receiver);
    const id = await made.dueOrder();
    expect(await made.quote(id)).toEqual([]);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject(CHARGED);
  }
});

it('is said by Quote, before it is due; what is left out does not matter', async () => {
  const made = await site();
  const id = await made.dueOrder({ nextOccurrenceUtc: new Date('2040-01-01T09:00:00Z') });
  expect(await made.quote(id)).toEqual([{ Code: 1010, Name: 'NotPushable', Message: MESSAGE }]);
  const { body } = await made.request('GET', `/api/ScheduledOrders/${id}/Explain`);
  expect(body.IfItFails.Sentence).toBe(
    `As it stands, the order cannot be charged and is held: 1010 NotPushable: ${MESSAGE}`,
  );
  const known = await given.product(made.siteId, { externalId: '10', title: 'Tea' });
  await given.item(made.siteId, id, known);
  await database.query(`UPDATE products SET availability = 'OutOfStock' WHERE id = $1`, [made.productId]);
  expect(await made.quote(id)).toEqual([]);
});

it('has too many lines where the shop says so', async () => {
  const made = await site();
  await made.named();
  const id = await made.dueOrder({ nextOccurrenceUtc: new Date('2040-01-01T09:00:00Z') });
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT $1, $2, $3, 1, 1 FROM generate_series(1, 100)`,
    [made.siteId, id, made.productId],
  );
  const message = 'The order has 101 lines, and the shop takes at most 100: make two orders of it.';
  expect(await made.quote(id)).toEqual([{ Code: 1010, Name: 'NotPushable', Message: message }]);
  await made.shop({ Receiver: 'Http' });
  expect(await made.quote(id)).toEqual([]);
});

it('is not processed by request: Explain says so before, and what lifts it', async () => {
  const made = await site();
  const id = await made.dueOrder();
  await worker.drain();
  const refused = await made.request('POST', `/api/ScheduledOrders/${id}/Process`);
  const because = `The order cannot be processed now: 1010 NotPushable: ${MESSAGE} Correct that first, or set PushAnyway of the site's Shop.`;
  expect([refused.status, refused.body.detail]).toEqual([409, because]);
  const { body } = await made.request('GET', `/api/ScheduledOrders/${id}/Explain`);
  expect(body.When).toMatchObject({ Reason: 'Held', Overdue: false });
  expect(body.When.Sentence).toContain(
    `The order is held, and nothing is charged: 1010 NotPushable: ${MESSAGE} It goes on when that is corrected, or when PushAnyway of the Shop is set.`,
  );
  expect(body.LastTime).toMatchObject({ Result: 'Waiting', FailureCode: 1010, FailureName: 'NotPushable' });
  expect(body.IfItFails.Sentence).toBe('Nothing is charged while the order is held.');
  expect((body.MayNow as { Action: string }[]).find(({ Action }) => Action === 'Process')).toEqual({
    ...{ Action: 'Process', Allowed: false, Because: because },
  });
  expect(body.HowMuch.Problems).toMatchObject([{ Code: 1010 }]);
  const { body: timeline } = await made.request('GET', `/api/ScheduledOrders/${id}/Timeline`);
  expect((timeline as { Kind: string; Sentence: string }[]).find(({ Kind }) => Kind === 'Cycle')!.Sentence).toMatch(
    /is held by 1010 NotPushable: its shop could not take the Order\.$/,
  );
  const { body: found } = await made.request('GET', `/api/ScheduledOrders?SiteId=${made.siteId}&Problem=1010`);
  expect((found as { Id: number }[]).map(({ Id }) => Id)).toEqual([id]);
});

it('is not processed by a customer’s request either, who learns of the wait only', async () => {
  const made = await site();
  const id = await made.dueOrder();
  const [owner] = await database.query<{ id: string }>(`SELECT user_id AS id FROM sites WHERE id = $1`, [made.siteId]);
  const token = await given.token(Number(owner!.id), { customerId: made.customerId });
  const { status, body } = await api.request('POST', `/api/ScheduledOrders/${id}/Process`, { token });
  const because = 'The order cannot be processed now: the shop has to prepare it first.';
  expect([status, body.detail]).toEqual([409, because]);
});

it('and pushed in the end, is said so by Explain', async () => {
  const made = await site();
  await made.named();
  const id = await made.dueOrder();
  await worker.drain();
  const [row] = await pushes.rows(made.siteId);
  const { body } = await made.request('GET', `/api/ScheduledOrders/${id}/Explain`);
  expect(body.LastTime).toMatchObject({ Result: 'Completed', PushState: 'Pushed' });
  expect(body.LastTime.Sentence).toMatch(
    new RegExp(
      `12\\.50 USD paid\\. Order ${row!.order_id} of cycle 1 is in the shop as order ${row!.shop_order_number}\\.`,
    ),
  );
});

it('is at risk in calendar and forecast', async () => {
  const made = await site();
  await made.dueOrder({ nextOccurrenceUtc: new Date('2040-01-15T09:00:00Z') });
  const range = '?From=2040-01-01&To=2040-02-01';
  const atRisk = async () => {
    const calendar = await made.request('GET', `/api/Site/${made.siteId}/Calendar${range}`);
    const forecast = await made.request('GET', `/api/Site/${made.siteId}/Forecast${range}`);
    return [calendar.body[0].AtRisk, forecast.body.Rows[0].UnitsAtRisk] as unknown[];
  };
  expect(await atRisk()).toEqual([1, 1]);
  await made.named();
  expect(await atRisk()).toEqual([0, 0]);
});
