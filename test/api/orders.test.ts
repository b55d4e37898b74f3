import { useApi } from '../support/api.js';
import { givenWorld, itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const HISTORY = {
  ExternalId: '98231',
  OrderNumber: 'A-98231',
  CustomerId: 0,
  DateCreated: '2026-01-31T09:00:00.000Z',
  DateCompleted: '2026-02-02T15:30:00.000Z',
  DatePaid: '2026-01-31T09:00:01.500Z',
  Subtotal: 25,
  Total: 32.06,
  ShippingTotal: 5,
  TaxTotal: 2.0601,
  IsRecurring: true,
  ShippingFirstName: 'Ada',
  ShippingLastName: 'Lovelace',
  ShippingStreet1: '12 St James Square',
  ShippingStreet2: 'Flat 3',
  ShippingCity: 'Los Angeles',
  ShippingState: 'CA',
  ShippingPostcode: '90001',
  ShippingCountry: 'US',
  BillingFirstName: 'Annabella',
  BillingLastName: 'Byron',
  BillingStreet1: '1 Main Street',
  BillingStreet2: 'Door 2',
  BillingCity: 'Austin',
  BillingState: 'TX',
  BillingPostcode: '73301',
  BillingCountry: 'US',
};

const NOTHING = { ...Object.fromEntries(Object.keys(HISTORY).map((field) => [field, null])), IsRecurring: false };

const STAMPS = { CreatedUtc: expect.stringMatching(TIME), UpdatedUtc: expect.stringMatching(TIME) };

const fault = (field: string, message: string) => ({
  type: '/docs/errors#bad-request',
  title: 'Bad Request',
  status: 400,
  detail: `${field}: ${message}`,
  instance: expect.any(String),
  errors: [{ field, message }],
});

/** An account with a customer and a product, whose JSON the orders' items embed. */
async function shop() {
  const merchant = await given.merchant();
  const token = merchant.tokenAuth;
  const customerId = await given.customer(merchant.siteId);
  const productId = await given.product(merchant.siteId);
  const { body: product } = await api.request('GET', `/api/Products/${productId}`, { token });
  const post = (body: object) => api.request('POST', '/api/Orders', { token, body });
  return { ...merchant, token, customerId, productId, product, post };
}

const idsOf = (records: { Id: number }[]) => records.map(({ Id }) => Id);

describe('POST /api/Orders', () => {
  it('records an order with its items, amounts as sent, and says where it is', async () => {
    const { token, customerId, productId, product, post } = await shop();
    const OrderItems = [
      { ProductId: productId, Name: 'Coffee then', Subtotal: 25, Total: 20.5, TaxTotal: 0.0001, Quantity: 2 },
      { Name: 'Gift wrap', IsRecurring: false },
    ];
    const sent = { ...HISTORY, CustomerId: customerId };
    const created = await post({ ...sent, OrderItems });
    const { Id, OrderItems: items } = created.body;
    const nothing = { ProductId: null, Product: null, Subtotal: null, Total: null, TaxTotal: null, Quantity: 1 };
    expect([created.status, created.body]).toEqual([
      201,
      {
        Id,
        ...sent,
        OrderItems: [
          { Id: items[0].Id, OrderId: Id, ...OrderItems[0], Product: product, IsRecurring: true, ...STAMPS },
          { Id: items[1].Id, OrderId: Id, ...nothing, ...OrderItems[1], ...STAMPS },
        ],
        ...STAMPS,
      },
    ]);
    expect(Object.keys(created.body)).toEqual(['Id', ...Object.keys(sent), 'OrderItems', 'CreatedUtc', 'UpdatedUtc']);
    expect(created.headers.get('location')).toBe(`/api/Orders/${Id}`);
    expect((await api.request('GET', `/api/Orders/${Id}`, { token })).body).toEqual(created.body);
  });

  it('needs a customer, and nothing else', async () => {
    const { customerId, post } = await shop();
    expect((await post({})).body).toEqual(fault('CustomerId', 'is required.'));
    expect((await post({ CustomerId: null })).body).toEqual(
      fault('CustomerId', 'must not be null: leave it out instead.'),
    );
    const { body } = await post({ CustomerId: customerId, OrderItems: null });
    expect(body).toEqual({ Id: body.Id, ...NOTHING, CustomerId: customerId, OrderItems: [], ...STAMPS });
  });

  it('takes the site of its customer, also where the account has several', async () => {
    const { userId, token, post } = await shop();
    const second = await given.site(userId);
    const CustomerId = await given.customer(second);
    const { status, body } = await post({ CustomerId, OrderItems: [{ ProductId: await given.product(second) }] });
    expect(status).toBe(201);
    const [row] = await database.query(`SELECT site_id FROM orders WHERE id = ${body.Id}`);
    expect(row).toEqual({ site_id: String(second) });
    expect((await api.request('GET', `/api/Orders/${body.Id}`, { token })).status).toBe(200);
  });

  it('gives a copy of what GET returned items of its own', async () => {
    const { customerId, productId, post } = await shop();
    const { body: first } = await post({ CustomerId: customerId, OrderItems: [{ ProductId: productId }] });
    const { status, body: second } = await post(first);
    expect(status).toBe(201);
    const ids = { Id: 'x', OrderId: 'x' };
    expect((await post({ CustomerId: customerId, OrderItems: [ids] })).body.OrderItems).toHaveLength(1);
    const [item] = second.OrderItems;
    expect(item.Id).not.toBe(first.OrderItems[0].Id);
    expect(second).toEqual({
      ...first,
      Id: second.Id,
      OrderItems: [{ ...first.OrderItems[0], Id: item.Id, OrderId: second.Id, ...STAMPS }],
      ...STAMPS,
    });
  });

  it('refuses customers that are not there, and those of another account', async () => {
    const { siteId, post } = await shop();
    const deleted = await given.customer(siteId, { deletedUtc: new Date() });
    for (const id of [deleted, 999_999]) {
      expect((await post({ CustomerId: id })).body).toEqual(fault('CustomerId', `There is no Customer ${id}.`));
    }
    const foreign = await given.customer((await given.merchant()).siteId);
    const { status, body } = await post({ CustomerId: foreign });
    expect([status, body.detail]).toEqual([403, `Customer ${foreign} belongs to another account.`]);
  });

  it('refuses products that are not there, of another site, and of another account; nothing is written', async () => {
    const { userId, siteId, customerId, token, productId, post } = await shop();
    const deleted = await given.product(siteId, { deletedUtc: new Date() });
    const second = await given.site(userId);
    const elsewhere = await given.product(second);
    const { status, body } = await post({
      CustomerId: customerId,
      OrderItems: [{ ProductId: deleted }, { ProductId: productId }, { ProductId: elsewhere }],
    });
    expect([status, body.errors]).toEqual([
      400,
      [
        { field: 'OrderItems[0].ProductId', message: `There is no Product ${deleted}.` },
        {
          field: 'OrderItems[2].ProductId',
          message: `Product ${elsewhere} is on site ${second}, not on site ${siteId} as it must be.`,
        },
      ],
    ]);
    const foreign = await given.product((await given.merchant()).siteId);
    expect((await post({ CustomerId: customerId, OrderItems: [{ ProductId: foreign }] })).status).toBe(403);
    expect((await api.request('GET', '/api/Orders', { token })).body).toEqual([]);
  });

  it('says why it takes no SiteId', async () => {
    const { customerId, post } = await shop();
    const { body } = await post({ CustomerId: customerId, SiteId: 1 });
    const message = 'is not accepted: an order is on the site of its customer. Leave it out: CustomerId says it.';
    expect(body).toEqual(fault('SiteId', message));
  });

  it('lists the fields of its items once, however many of them are wrong', async () => {
    const { customerId, post } = await shop();
    const { body } = await post({ CustomerId: customerId, OrderItems: [{ Sku: 1 }, { Sku: 2 }] });
    expect(body.errors).toEqual([
      {
        field: 'OrderItems[0].Sku',
        message: expect.stringMatching(/^is not a field of this resource; its fields are Id, OrderId, /),
      },
      { field: 'OrderItems[1].Sku', message: 'is not a field of this resource.' },
    ]);
  });

  it('names every fault of the order and of its items at once', async () => {
    const { customerId, post } = await shop();
    const { status, body } = await post({
      CustomerId: customerId,
      SiteId: 1,
      Total: -1,
      DatePaid: 'today',
      IsRecurring: 'yes',
      OrderItems: [{ Quantity: 0 }, 7, { Name: 'x'.repeat(256), Subtotal: 0.00001 }, { Quantity: 1_000_001, Sku: '' }],
    });
    expect(status).toBe(400);
    expect((body.errors as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'DatePaid',
      'IsRecurring',
      'OrderItems[0].Quantity',
      'OrderItems[1]',
      'OrderItems[2].Name',
      'OrderItems[2].Subtotal',
      'OrderItems[3].Quantity',
      'OrderItems[3].Sku',
      'SiteId',
      'Total',
    ]);
  });

  it('refuses a second ExternalId on a site', async () => {
    const { customerId, post } = await shop();
    const { body: first } = await post({ CustomerId: customerId, ExternalId: 'x-1' });
    const { body } = await post({ CustomerId: customerId, ExternalId: 'x-1' });
    const message = `"x-1" belongs to Order ${first.Id} already: update that one, or send another.`;
    expect(body).toEqual(fault('ExternalId', message));
  });

  it('answers the same again for the same Idempotency-Key, and makes one order', async () => {
    const { token, customerId } = await shop();
    const request = { token, body: { CustomerId: customerId }, headers: { 'idempotency-key': 'once' } };
    const first = await api.request('POST', '/api/Orders', request);
    const again = await api.request('POST', '/api/Orders', request);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(idsOf((await api.request('GET', '/api/Orders', { token })).body)).toEqual([first.body.Id]);
  });
});

describe('PUT /api/Orders/{orderId}', () => {
  it('changes the fields sent, clears what is null, and takes back what GET returned', async () => {
    const { token, customerId, productId, post } = await shop();
    const { body: order } = await post({
      ...HISTORY,
      CustomerId: customerId,
      OrderItems: [{ ProductId: productId, Subtotal: 25 }],
    });
    const path = `/api/Orders/${order.Id}`;
    const body = { Total: null, OrderNumber: 'B', IsRecurring: false };
    const updated = await api.request('PUT', path, { token, body });
    expect([updated.status, updated.body]).toEqual([200, { ...order, ...body, ...STAMPS }]);
    const again = await api.request('PUT', path, { token, body: updated.body });
    const items = [{ ...order.OrderItems[0], ...STAMPS }];
    expect([again.status, again.body]).toEqual([200, { ...updated.body, OrderItems: items, ...STAMPS }]);
  });

  it('changes the items named, makes those without Id, and leaves the others', async () => {
    const { token, siteId, customerId, productId, product, post } = await shop();
    const { body: order } = await post({
      CustomerId: customerId,
      IsRecurring: true,
      OrderItems: [{ Name: 'one', Total: 1 }, { Name: 'two', Total: 2 }, { Name: 'three' }],
    });
    const [one, two, three] = order.OrderItems;
    const { body } = await api.request('PUT', `/api/Orders/${order.Id}`, {
      token,
      body: {
        OrderItems: [
          { Id: three.Id, ProductId: productId },
          { Id: two.Id, Total: null, Quantity: 3 },
          { Id: null, Name: 'four' },
        ],
      },
    });
    const four = body.OrderItems[3];
    expect(body).toEqual({
      ...order,
      OrderItems: [
        one,
        { ...two, Total: null, Quantity: 3, ...STAMPS },
        { ...three, ProductId: productId, Product: product, ...STAMPS },
        { ...three, Id: four.Id, Name: 'four', ...STAMPS },
      ],
      ...STAMPS,
    });
    expect(body.UpdatedUtc > order.UpdatedUtc).toBe(true);
    const rows = await database.query(`SELECT DISTINCT site_id FROM order_items WHERE order_id = ${order.Id}`);
    expect(rows).toEqual([{ site_id: String(siteId) }]);
  });

  it('keeps a product that was deleted since', async () => {
    const { token, customerId, productId, product, post } = await shop();
    const { body: order } = await post({ CustomerId: customerId, OrderItems: [{ ProductId: productId }] });
    await api.request('DELETE', `/api/Products/${productId}`, { token });
    const again = await api.request('PUT', `/api/Orders/${order.Id}`, { token, body: order });
    const { UpdatedUtc } = again.body.OrderItems[0].Product;
    expect([again.status, again.body]).toEqual([
      200,
      { ...order, OrderItems: [{ ...order.OrderItems[0], Product: { ...product, UpdatedUtc }, ...STAMPS }], ...STAMPS },
    ]);
  });

  it('changes no item of another order, also where that has the same Id', async () => {
    const { token, customerId, post } = await shop();
    const [mine, other] = [
      (await post({ CustomerId: customerId, OrderItems: [{ Name: 'mine' }] })).body,
      (await post({ CustomerId: customerId })).body,
    ];
    const { Id } = mine.OrderItems[0];
    await given.insert('order_items', {
      id: Id,
      siteId: (await given.merchant()).siteId,
      orderId: other.Id,
      name: 'other',
    });
    const { status } = await api.request('PUT', `/api/Orders/${mine.Id}`, {
      token,
      body: { OrderItems: [{ Id, Name: 'changed' }] },
    });
    const names = await database.query(`SELECT name FROM order_items WHERE id = $1 ORDER BY order_id`, [Id]);
    expect([status, names]).toEqual([200, [{ name: 'changed' }, { name: 'other' }]]);
  });

  it('refuses the items of another order, and the same item twice', async () => {
    const { token, customerId, post } = await shop();
    const { body: other } = await post({ CustomerId: customerId, OrderItems: [{}] });
    const { body: order } = await post({ CustomerId: customerId, OrderItems: [{}] });
    const [foreign, own] = [other.OrderItems[0].Id, order.OrderItems[0].Id];
    const { status, body } = await api.request('PUT', `/api/Orders/${order.Id}`, {
      token,
      body: { OrderItems: [{ Id: own }, { Id: foreign }, { Id: own }] },
    });
    expect([status, body.errors]).toEqual([
      400,
      [
        { field: 'OrderItems[1].Id', message: `${foreign} is not an item of Order ${order.Id}.` },
        { field: 'OrderItems[2].Id', message: `${own} is named twice.` },
      ],
    ]);
  });

  it('may change hands on its site, and never leaves it', async () => {
    const { token, userId, siteId, customerId, post } = await shop();
    const { body: order } = await post({ CustomerId: customerId });
    const path = `/api/Orders/${order.Id}`;
    const CustomerId = await given.customer(siteId);
    const { body } = await api.request('PUT', path, { token, body: { CustomerId } });
    expect(body).toEqual({ ...order, CustomerId, ...STAMPS });
    const second = await given.site(userId);
    const elsewhere = await given.customer(second);
    expect((await api.request('PUT', path, { token, body: { CustomerId: elsewhere } })).body).toEqual(
      fault('CustomerId', `Customer ${elsewhere} is on site ${second}, not on site ${siteId} as it must be.`),
    );
  });

  it('loses no item when two requests change it at once', async () => {
    const { token, customerId, post } = await shop();
    const { body: order } = await post({ CustomerId: customerId });
    const path = `/api/Orders/${order.Id}`;
    const names = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(
      names.map((Name) => api.request('PUT', path, { token, body: { OrderItems: [{ Name }] } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await api.request('GET', path, { token });
    expect((body.OrderItems as { Name: string }[]).map(({ Name }) => Name).sort()).toEqual(names);
  });
});

describe('An order’s id in the path', () => {
  it.each(['abc', '1.5', '0', '-1', '+1', '01', '9007199254740992', '9223372036854775808', '1e3', '%00', '%20'])(
    '%s matches no order',
    async (id) => {
      const { tokenAuth: token } = await given.merchant();
      expect((await api.request('GET', `/api/Orders/${id}`, { token })).status).toBe(404);
      expect((await api.request('PUT', `/api/Orders/${id}`, { token, body: {} })).status).toBe(404);
    },
  );

  it('is an int64 for DELETE', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body } = await api.request('DELETE', '/api/Orders/abc', { token });
    expect(body).toEqual(fault('orderId', '"abc" in the path must be an int64.'));
    expect((await api.request('DELETE', '/api/Orders/9007199254740992', { token })).status).toBe(404);
  });
});

describe('DELETE /api/Orders/{orderId}', () => {
  it('is final', async () => {
    const { token, customerId, post } = await shop();
    const { body: order } = await post({ CustomerId: customerId, ExternalId: 'x' });
    const path = `/api/Orders/${order.Id}`;
    expect((await api.request('DELETE', path, { token })).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await api.request(method, path, { token })).status).toBe(404);
    expect((await api.request('PUT', path, { token, body: {} })).status).toBe(404);
    expect((await api.request('GET', '/api/Orders', { token })).body).toEqual([]);
    expect((await post({ CustomerId: customerId, ExternalId: 'x' })).status).toBe(201);
  });
});

describe('GET /api/Orders', () => {
  it('gives the whole list by Id, or a page of it', async () => {
    const { token, siteId, customerId } = await shop();
    const ids: number[] = [];
    for (let index = 0; index < 101; index++) ids.push(await given.order(siteId, customerId));
    const whole = await api.request('GET', '/api/Orders', { token });
    expect(idsOf(whole.body)).toEqual(ids);
    const { body: one } = await api.request('GET', `/api/Orders/${ids[0]}`, { token });
    expect(whole.body[0]).toEqual(one);
    const last = await api.request('GET', '/api/Orders?page=2', { token });
    expect(idsOf(last.body)).toEqual([ids[100]]);
    expect(last.headers.get('link')).toBe('</api/Orders?page=1>; rel="first", </api/Orders?page=1>; rel="prev"');
  });

  it('stays when customer and product go: orders are history', async () => {
    const { token, customerId, productId, post } = await shop();
    const { body: order } = await post({ CustomerId: customerId, OrderItems: [{ ProductId: productId }] });
    expect((await api.request('DELETE', `/api/Products/${productId}`, { token })).status).toBe(204);
    expect((await api.request('DELETE', `/api/Customers/${customerId}`, { token })).status).toBe(204);
    const { status, body } = await api.request('GET', `/api/Orders/${order.Id}`, { token });
    expect([status, body.CustomerId, body.OrderItems[0].Product.Id]).toEqual([200, customerId, productId]);
    expect(idsOf((await api.request('GET', '/api/Orders', { token })).body)).toEqual([order.Id]);
  });
});

describe('Who reaches orders', () => {
  const one = async ({ siteId, customerId }: World) => `/api/Orders/${await given.order(siteId, customerId)}`;
  const written = { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 };
  itReaches(api, database, [
    { route: 'GET /api/Orders/{orderId}', path: one, answers: { ...written, 'own customer': 200 } },
    { route: 'PUT /api/Orders/{orderId}', path: one, body: () => ({}), answers: written },
    { route: 'DELETE /api/Orders/{orderId}', path: one, answers: { ...written, 'own account': 204 } },
    {
      route: 'POST /api/Orders',
      path: () => '/api/Orders',
      body: ({ customerId }) => ({ CustomerId: customerId }),
      answers: { ...written, 'own account': 201 },
    },
    {
      route: 'GET /api/Orders',
      path: () => '/api/Orders',
      answers: { 'own account': 200, 'another account': 200, 'own customer': 200, 'another customer': 200 },
    },
  ]);

  it('lists to each their own', async () => {
    const { siteId, customerId, otherCustomerId, tokens } = await givenWorld(database);
    const first = await given.order(siteId, customerId);
    const second = await given.order(siteId, otherCustomerId);
    const listed = async (asker: keyof typeof tokens) =>
      idsOf((await api.request('GET', '/api/Orders', { token: tokens[asker] })).body);
    expect(await listed('own account')).toEqual([first, second]);
    expect(await listed('own customer')).toEqual([first]);
    expect(await listed('another customer')).toEqual([second]);
    expect(await listed('another account')).toEqual([]);
  });
});
