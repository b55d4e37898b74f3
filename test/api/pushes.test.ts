import { nextLink, useApi } from '../support/api.js';
import { itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const get = (token: string, path: string, headers = {}) => api.request('GET', path, { token, headers });
const post = (token: string, path: string, body?: object, key?: string) =>
  api.request('POST', path, { token, body, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) });

type Key = Awaited<ReturnType<typeof given.push>>;

const ofOrder = ({ orderId }: Key) => `/api/Orders/${orderId}/Push`;
const ofCycle = ({ scheduledOrderId, cycle }: Key) => `/api/ScheduledOrders/${scheduledOrderId}/Cycles/${cycle}/Push`;
const PATHS = [
  ['of an Order', ofOrder],
  ['of a cycle', ofCycle],
] as const;

async function merchant() {
  const made = await given.merchant();
  return { ...made, token: made.tokenAuth, customerId: await given.customer(made.siteId) };
}

/** A push of a new shop. */
async function pushed(values: Record<string, unknown> = {}) {
  const made = await merchant();
  return { ...made, key: await given.push(made.siteId, made.customerId, values) };
}

const DIFFERS = {
  state: 'Differs',
  shopOrderId: '98231',
  shopOrderNumber: 'A-98231',
  shopTotal: '32.07',
  linesThatDiffer: JSON.stringify([{ ProductExternalId: '7', Ours: 2, Theirs: 0 }]),
  attempts: 1,
  message: 'The shop has other products or quantities in it.',
};

const ALL = { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 };
const pushOf = ({ siteId, customerId }: World, values = {}) => given.push(siteId, customerId, values);

itReaches(api, database, [
  { route: 'GET /api/Orders/{orderId}/Push', path: async (world) => ofOrder(await pushOf(world)), answers: ALL },
  { route: 'GET /api/…/Push', path: async (world) => ofCycle(await pushOf(world)), answers: ALL },
  ...['Retry', 'Accept', 'Link'].map((request) => ({
    route: `POST /api/…/Push/${request}`,
    path: async (world: World) => `${ofCycle(await pushOf(world, DIFFERS))}/${request}`,
    body: () => (request === 'Link' ? { ShopOrderId: '98231' } : {}),
    answers: ALL,
  })),
  ...['', '/Count'].map((rest) => ({
    route: `GET /api/Site/{id}/Pushes${rest}`,
    path: ({ siteId }: World) => `/api/Site/${siteId}/Pushes${rest}`,
    answers: ALL,
  })),
]);

describe.each(PATHS)('GET the push %s', (_, pathOf) => {
  it('says how the Order stands in the shop', async () => {
    const { token, siteId, key } = await pushed(DIFFERS);
    expect((await get(token, pathOf(key))).body).toEqual({
      ...{ SiteId: siteId, ScheduledOrderId: key.scheduledOrderId, Cycle: 1, OrderId: key.orderId, State: 'Differs' },
      ...{ ShopOrderId: '98231', ShopOrderNumber: 'A-98231', ShopTotal: 32.07, ChargedTotal: 32.06 },
      ...{ LinesThatDiffer: [{ ProductExternalId: '7', Ours: 2, Theirs: 0 }], EndedInShop: null },
      ...{ Attempts: 1, Message: 'The shop has other products or quantities in it.', NextAttemptUtc: null },
      ...{ CreatedUtc: expect.any(String) as string, UpdatedUtc: expect.any(String) as string },
    });
  });

  it('is Off where nothing was pushed', async () => {
    const { token, siteId, key } = await pushed();
    await database.query(`DELETE FROM order_pushes WHERE site_id = $1`, [siteId]);
    expect((await get(token, pathOf(key))).body).toEqual({
      ...{ SiteId: siteId, ScheduledOrderId: key.scheduledOrderId, Cycle: 1, OrderId: key.orderId, State: 'Off' },
      ...{ ShopOrderId: null, ShopOrderNumber: null, ShopTotal: null, ChargedTotal: 32.06, LinesThatDiffer: [] },
      ...{ EndedInShop: null, Attempts: 0, Message: null, NextAttemptUtc: null, CreatedUtc: null, UpdatedUtc: null },
    });
    for (const request of ['Retry', 'Accept', 'Link']) {
      const body = request === 'Link' ? { ShopOrderId: '1' } : undefined;
      const answered = await post(token, `${ofCycle(key)}/${request}`, body);
      expect([answered.status, answered.body.detail]).toEqual([404, expect.stringContaining('Nothing is pushed')]);
    }
  });
});

it('an Order without a cycle, and a cycle without an Order, are Off', async () => {
  const { token, siteId, customerId } = await merchant();
  const orderId = await given.order(siteId, customerId, { total: '5' });
  expect((await get(token, `/api/Orders/${orderId}/Push`)).body).toMatchObject({
    ...{ OrderId: orderId, ScheduledOrderId: null, Cycle: null, State: 'Off', ChargedTotal: 5 },
  });
  const scheduledOrderId = await given.scheduledOrder(siteId, customerId);
  const cycle = { siteId, scheduledOrderId, cycle: 2, state: 'Failed', open: false, dueUtc: new Date() };
  await given.insert('processing_cycles', cycle);
  expect((await get(token, `/api/ScheduledOrders/${scheduledOrderId}/Cycles/2/Push`)).body).toMatchObject({
    ...{ OrderId: null, ScheduledOrderId: scheduledOrderId, Cycle: 2, State: 'Off', ChargedTotal: null },
  });
});

it('what is not there is not found', async () => {
  const { token, key } = await pushed();
  const { scheduledOrderId, orderId } = key;
  expect(await get(token, `/api/ScheduledOrders/${scheduledOrderId}/Cycles/9/Push`)).toMatchObject({
    status: 404,
    body: { detail: `ScheduledOrder ${scheduledOrderId} has no cycle 9.` },
  });
  await database.query(`UPDATE scheduled_orders SET deleted_utc = now() WHERE id = $1`, [scheduledOrderId]);
  expect((await get(token, ofCycle(key))).status).toBe(404);
  // It is charged, and arrives all the same.
  expect((await get(token, ofOrder(key))).body).toMatchObject({ State: 'Pushed' });
  await database.query(`UPDATE orders SET deleted_utc = now() WHERE id = $1`, [orderId]);
  expect((await get(token, ofOrder(key))).status).toBe(404);
  for (const path of [
    '/api/Orders/987654/Push',
    '/api/ScheduledOrders/987654/Cycles/1/Push',
    '/api/Site/987654/Pushes',
  ])
    expect((await get(token, path)).status).toBe(404);
});

describe('A person decides a push:', () => {
  it('Retry begins one that has failed anew, once under its Idempotency-Key', async () => {
    const { token, key } = await pushed({ state: 'Failed', attempts: 7, message: 'No.' });
    const path = `${ofCycle(key)}/Retry`;
    const { status, body } = await post(token, path, undefined, 'retry-1');
    expect([status, body]).toMatchObject([200, { State: 'Waiting', Attempts: 0, Message: null }]);
    await database.query(`UPDATE order_pushes SET state = 'Failed' WHERE order_id = $1`, [key.orderId]);
    expect((await post(token, path, undefined, 'retry-1')).body).toEqual(body);
    expect((await get(token, ofCycle(key))).body).toMatchObject({ State: 'Failed' });
  });

  it('Accept takes what differs as the shop has it', async () => {
    const { token, key } = await pushed(DIFFERS);
    expect(await post(token, `${ofCycle(key)}/Accept`)).toMatchObject({
      status: 200,
      body: { State: 'Pushed', ShopOrderId: '98231', Message: 'Accepted as the shop has it.' },
    });
    expect(await post(token, `${ofCycle(key)}/Accept`)).toMatchObject({ status: 409 });
  });

  it('Link names the order of the shop, which the Order gets as its ExternalId', async () => {
    const { token, key } = await pushed({ state: 'Failed' });
    expect(await post(token, `${ofCycle(key)}/Link`, { ShopOrderId: '98231' })).toMatchObject({
      status: 200,
      body: { State: 'Pushed', ShopOrderId: '98231' },
    });
    expect((await get(token, `/api/Orders/${key.orderId}`)).body).toMatchObject({ ExternalId: '98231' });
  });

  it.each([
    [{}, 'is required.'],
    [{ ShopOrderId: null }, 'is required.'],
    [{ ShopOrderId: ' ' }, '" " must be the id of an order in the shop.'],
    [{ ShopOrderId: 7 }, '7 must be text.'],
    [{ ShopOrderId: 'x'.repeat(256) }, 'must have at most 255 characters; it has 256.'],
  ])('Link refuses %j: %s', async (body, message) => {
    const { token, key } = await pushed({ state: 'Failed' });
    const refused = await post(token, `${ofCycle(key)}/Link`, body);
    expect([refused.status, refused.body.errors]).toEqual([400, [{ field: 'ShopOrderId', message }]]);
  });

  it.each([
    ['Retry', null, 409],
    ['Link', null, 409],
    ['Retry', 'Cancelled', 409],
    ['Retry', 'Deleted', 200],
    ['Link', 'Deleted', 200],
  ])('%s of what has arrived, and was ended there as %p, is %d', async (request, endedInShop, status) => {
    const { token, key } = await pushed({ shopOrderId: '98231', endedInShop });
    const body = request === 'Link' ? { ShopOrderId: '1' } : undefined;
    expect((await get(token, ofCycle(key))).body).toMatchObject({ EndedInShop: endedInShop });
    expect((await post(token, `${ofCycle(key)}/${request}`, body)).status).toBe(status);
  });
});

it('an Order’s id in the shop cannot be linked to another one', async () => {
  const { token, siteId, customerId, key } = await pushed({ state: 'Failed' });
  const other = await given.order(siteId, customerId, { externalId: '98231' });
  const refused = await post(token, `${ofCycle(key)}/Link`, { ShopOrderId: '98231' });
  expect([refused.status, refused.body.detail]).toEqual([409, `The shop's order 98231 is Order ${other} already.`]);
  expect((await get(token, ofOrder(key))).body).toMatchObject({ State: 'Failed' });
});

describe('GET /api/Site/{id}/Pushes', () => {
  it('lists them newest first, by state, page by page, counts them, and makes a table', async () => {
    const { token, siteId, customerId } = await merchant();
    const path = `/api/Site/${siteId}/Pushes`;
    expect((await get(token, path)).body).toEqual([]);
    const { orderId: first } = await given.push(siteId, customerId, DIFFERS);
    await database.query(
      `INSERT INTO order_pushes (site_id, scheduled_order_id, cycle, order_id, push_name, state)
       SELECT site_id, scheduled_order_id, cycle + n, order_id + n, push_name || '-' || n, 'Waiting'
       FROM order_pushes, generate_series(1, 150) n WHERE site_id = $1`,
      [siteId],
    );
    const page = await get(token, path);
    const ids = (page.body as { OrderId: number }[]).map(({ OrderId }) => OrderId);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, n) => first + 150 - n));
    const next = nextLink(page.headers)!;
    const rest = await get(token, next);
    const last = rest.body as { OrderId: number }[];
    expect([last.length, last.at(-1)!.OrderId, nextLink(rest.headers)]).toEqual([51, first, undefined]);
    const differing = await get(token, `${path}?State=Differs`);
    expect(differing.body).toEqual([(await get(token, `/api/Orders/${first}/Push`)).body]);
    expect((await get(token, `${path}?State=Waiting`)).body).toHaveLength(100);
    expect((await get(token, `${path}/Count`)).body).toEqual({ Count: 151, IsMore: false });
    expect((await get(token, `${path}/Count?State=Differs`)).body).toEqual({ Count: 1, IsMore: false });
    expect((await get(token, `${path}/Count?State=Failed`)).body).toEqual({ Count: 0, IsMore: false });
  });

  it('is a table with Accept: text/csv: all of it, or a page', async () => {
    const { token, siteId, customerId } = await merchant();
    const path = `/api/Site/${siteId}/Pushes`;
    const { orderId: first } = await given.push(siteId, customerId, DIFFERS);
    await database.query(
      `INSERT INTO order_pushes (site_id, scheduled_order_id, cycle, order_id, push_name)
       SELECT site_id, scheduled_order_id, cycle + n, order_id + n, push_name || '-' || n
       FROM order_pushes, generate_series(1, 250) n WHERE site_id = $1`,
      [siteId],
    );
    const csv = { accept: 'text/csv' };
    const whole = await get(token, path, csv);
    const lines = (whole.body as string).trimEnd().split('\r\n');
    expect(whole.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="Pushes.csv"');
    expect(lines[0]).toBe(
      'SiteId,ScheduledOrderId,Cycle,OrderId,State,ShopOrderId,ShopOrderNumber,ShopTotal,ChargedTotal,LinesThatDiffer,EndedInShop,Attempts,Message,NextAttemptUtc,CreatedUtc,UpdatedUtc',
    );
    expect(lines).toHaveLength(252);
    expect(lines.at(-1)).toContain(`,${first},"Differs","98231","A-98231",32.07,32.06,`);
    const differing = await get(token, `${path}?State=Differs`, csv);
    expect((differing.body as string).trimEnd().split('\r\n')).toEqual([lines[0], lines.at(-1)]);
    const page = await get(token, `${path}?cursor=${first + 250}`, csv);
    expect((page.body as string).trimEnd().split('\r\n')).toHaveLength(101);
    expect(nextLink(page.headers)).toBe(`${path}?cursor=${first + 150}`);
  });

  it.each([
    ['?State=Off', 'State', '"Off" must be one of Waiting, Sending, Unknown, Pushed, Differs, Failed.'],
    ['?cursor=x', 'cursor', '"x" is none: take it from the Link header.'],
    ['?State=Waiting&State=Failed', 'State', 'A list must be one of'],
    ['?Status=Waiting', 'Status', 'is not a query parameter of this route'],
  ])('refuses %s', async (query, field, message) => {
    const { token, siteId } = await merchant();
    const refused = await get(token, `/api/Site/${siteId}/Pushes${query}`);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ field, message: expect.stringContaining(message) as string }],
    ]);
  });

  it('has nothing of another site', async () => {
    const [one, other] = [await pushed(), await pushed()];
    expect((await get(one.token, `/api/Site/${one.siteId}/Pushes`)).body).toHaveLength(1);
    expect((await get(one.token, `/api/Site/${other.siteId}/Pushes`)).status).toBe(403);
    const { value } = await given.apiKey(one.userId, [one.siteId], { access: 'Read' });
    expect((await get(value, `/api/Site/${one.siteId}/Pushes`)).body).toHaveLength(1);
    expect((await post(value, `${ofCycle(one.key)}/Retry`)).status).toBe(403);
  });
});
