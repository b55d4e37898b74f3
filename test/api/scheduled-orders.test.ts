import { type Json, useApi } from '../support/api.js';
import { givenWorld, itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY = 86_400_000;

const ADDRESS = {
  ShippingFirstName: 'Ada',
  ShippingLastName: 'Lovelace',
  ShippingStreet1: '12 St James Square',
  ShippingStreet2: 'Flat 3',
  ShippingCity: 'Los Angeles',
  ShippingState: 'CA',
  ShippingPostcode: '90001',
  ShippingCountry: 'US',
};
const NO_ADDRESS = Object.fromEntries(Object.keys(ADDRESS).map((field) => [field, null]));
const CARD = {
  PaymentMethodType: 'GatewayOne',
  PaymentMethodCustomerId: 'cus_1',
  PaymentMethodId: 'pm_1',
  PaymentMethodDescription: 'Visa ending in 4242',
};
const MONTHLY = { FrequencyType: 'Months', Frequency: 1 };

/** The fields that an order has besides those that a test is about. */
const EMPTY = {
  LastOccurrenceUtc: null,
  NextOccurrenceUtc: null,
  Status: 'Pending',
  FrequencyType: null,
  Frequency: null,
  Cycles: 0,
  CurrencyIso: 'USD',
  PaymentMethodType: null,
  PaymentMethodCustomerId: null,
  PaymentMethodId: null,
  PaymentMethodDescription: null,
  ShippingTotal: 0,
  TaxTotal: 0,
  Total: 0,
  ...NO_ADDRESS,
  ScheduledOrderItems: [],
  CreatedUtc: expect.stringMatching(TIME),
  UpdatedUtc: expect.stringMatching(TIME),
};

const rejects = (field: string, message: unknown) => ({ status: 400, errors: [{ field, message }] });

async function post(token: string, body: object, headers = {}) {
  return api.request('POST', '/api/ScheduledOrders', { token, body, headers });
}
const put = (token: string, id: number, body: object) =>
  api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body });
const get = async (token: string, path: string): Promise<Json> => (await api.request('GET', path, { token })).body;

const logsOf = (id: number) =>
  database.query<{ type: string; previous: Json; next: Json; token: Json; description: string }>(
    `SELECT action_type AS type, previous_scheduled_order AS previous, new_scheduled_order AS next, access_token AS token, description
     FROM action_logs WHERE scheduled_order_id = $1 ORDER BY id`,
    [id],
  );

async function shop(customerValues = {}) {
  const merchant = await given.merchant();
  const customerId = await given.customer(merchant.siteId, customerValues);
  return { ...merchant, token: merchant.tokenAuth, customerId };
}

describe('POST /api/ScheduledOrders', () => {
  it('creates an order with its items, priced, active, due in a period, and says where it is', async () => {
    const { token, siteId, customerId } = await shop();
    const coffee = await given.product(siteId, {
      price: '12.50',
      salePrice: '9.99',
      shippingClass: 'parcel',
      taxClass: 'standard',
    });
    const tea = await given.product(siteId, { price: '3' });
    await given.shippingRate(siteId, { shippingClass: 'parcel', basePrice: '5', pricePerUnit: '0.5' });
    await given.shippingRate(siteId, { basePrice: '1' });
    await given.taxRate(siteId, { taxClass: 'standard', country: 'USA', state: 'ca', name: 'Sales tax', rate: '10' });
    const before = Date.now();
    const created = await post(token, {
      CustomerId: customerId,
      ...MONTHLY,
      ...CARD,
      ...ADDRESS,
      ScheduledOrderItems: [
        { ProductId: coffee, Quantity: 2 },
        { ProductId: tea, Price: 2.5 },
      ],
    });
    expect(created.status).toBe(201);
    const item = { ScheduledOrderId: created.body.Id, CreatedUtc: expect.any(String), UpdatedUtc: expect.any(String) };
    expect(created.body).toEqual({
      ...EMPTY,
      ...MONTHLY,
      ...CARD,
      ...ADDRESS,
      Id: created.body.Id,
      CustomerId: customerId,
      Customer: await get(token, `/api/Customers/${customerId}`),
      Status: 'Active',
      NextOccurrenceUtc: expect.stringMatching(TIME),
      ShippingTotal: 500 + 100 + 100,
      TaxTotal: 200,
      Total: 1998 + 250 + 700 + 200,
      ScheduledOrderItems: [
        {
          ...item,
          Id: expect.any(Number),
          ProductId: coffee,
          Product: await get(token, `/api/Products/${coffee}`),
          Price: 12.5,
          SalePrice: 9.99,
          Quantity: 2,
        },
        {
          ...item,
          Id: expect.any(Number),
          ProductId: tea,
          Product: await get(token, `/api/Products/${tea}`),
          Price: 2.5,
          SalePrice: null,
          Quantity: 1,
        },
      ],
    });
    const wait = Date.parse(created.body.NextOccurrenceUtc) - before;
    expect(wait).toBeGreaterThan(27 * DAY);
    expect(wait).toBeLessThan(32 * DAY);
    expect(created.headers.get('location')).toBe(`/api/ScheduledOrders/${created.body.Id}`);
    expect(await get(token, `/api/ScheduledOrders/${created.body.Id}`)).toEqual(created.body);
  });

  it('logs the creation with the token, without its secret', async () => {
    const { token, customerId, userId } = await shop();
    const { body } = await post(token, { CustomerId: customerId });
    const [log, ...more] = await logsOf(body.Id);
    expect(more).toEqual([]);
    expect(log).toEqual({
      type: 'CreateScheduledOrder',
      previous: null,
      next: body,
      description: 'CreateScheduledOrder by a Merchant token.',
      token: {
        Id: expect.any(Number),
        UserId: userId,
        TokenAuth: null,
        AccessScope: 'Merchant',
        CustomerId: null,
        CreatedUtc: expect.stringMatching(TIME),
        UpdatedUtc: expect.stringMatching(TIME),
        ExpiresUtc: expect.stringMatching(TIME),
      },
    });
  });

  it('needs its customer only, and takes the customer’s address and the site’s currency', async () => {
    const { tokenAuth: token, siteId } = await given.merchant({ currencyIso: 'EUR' });
    const customerId = await given.customer(siteId, { shippingCity: 'Paris', shippingCountry: 'FR' });
    const { body } = await post(token, { CustomerId: customerId });
    expect(body).toEqual({
      ...EMPTY,
      Id: expect.any(Number),
      CustomerId: customerId,
      Customer: expect.objectContaining({ Id: customerId, ShippingCity: 'Paris' }),
      CurrencyIso: 'EUR',
      ShippingCity: 'Paris',
      ShippingCountry: 'FR',
    });
    const own = await post(token, { CustomerId: customerId, ShippingCountry: 'DE' });
    expect(own.body).toMatchObject({ ShippingCity: null, ShippingCountry: 'DE' });
  });

  it.each([
    [{}, { Status: 'Pending', NextOccurrenceUtc: null }],
    [MONTHLY, { Status: 'Active', NextOccurrenceUtc: expect.any(String) }],
    [
      { ...MONTHLY, Status: 'Paused' },
      { Status: 'Paused', NextOccurrenceUtc: expect.any(String) },
    ],
    [
      { ...MONTHLY, Status: 'Pending' },
      { Status: 'Pending', NextOccurrenceUtc: expect.any(String) },
    ],
  ])('with %j is %j', async (sent, expected) => {
    const { token, customerId } = await shop();
    expect((await post(token, { CustomerId: customerId, ...sent })).body).toMatchObject(expected);
  });

  it.each([
    [
      { Frequency: 1 },
      'Frequency',
      '1 needs a FrequencyType: one of Days, Weeks, Months, DayOfTheWeek, DayOfTheMonth.',
    ],
    [{ FrequencyType: 'Days' }, 'Frequency', 'is required with FrequencyType Days: an integer from 1 to 3650.'],
    [
      { FrequencyType: 'DayOfTheMonth', Frequency: 32 },
      'Frequency',
      '32 must be an integer from 1 to 31 for FrequencyType DayOfTheMonth.',
    ],
    [
      { FrequencyType: 'Years', Frequency: 1 },
      'FrequencyType',
      '"Years" must be one of Days, Weeks, Months, DayOfTheWeek, DayOfTheMonth.',
    ],
    [
      { FrequencyType: 'Days', Frequency: 1.5 },
      'Frequency',
      '1.5 must be an integer from 1 to 3650 for FrequencyType Days.',
    ],
    [
      { FrequencyType: 'DayOfTheWeek', Frequency: 0 },
      'Frequency',
      '0 must be an integer from 1 (Sunday) to 7 (Saturday) for FrequencyType DayOfTheWeek.',
    ],
    [
      { Frequency: 0 },
      'Frequency',
      '0 must be an integer that the FrequencyType allows: Days 1 to 3650, Weeks 1 to 520, Months 1 to 120, DayOfTheWeek 1 (Sunday) to 7 (Saturday), DayOfTheMonth 1 to 31.',
    ],
    [
      { FrequencyType: 'Days', Frequency: '3' },
      'Frequency',
      expect.stringMatching(/^"3" must be an integer that the FrequencyType allows: Days 1 to 3650, /),
    ],
    [{ Status: 'Active' }, 'Status', 'Active needs a frequency: send FrequencyType and Frequency.'],
    [{ Status: 'active' }, 'Status', '"active" must be one of Active, Pending, Paused.'],
    [{ Status: null }, 'Status', 'must not be null: leave it out instead.'],
    [{ CurrencyIso: 'XXX' }, 'CurrencyIso', '"XXX" must be an ISO 4217 currency code such as USD.'],
    [{ CurrencyIso: 'usd' }, 'CurrencyIso', '"usd" must be an ISO 4217 currency code such as USD.'],
    [{ Cycles: -1 }, 'Cycles', '-1 must be an integer from 0 to 9007199254740991.'],
    [{ ShippingTotal: 1.5 }, 'ShippingTotal', '1.5 must be an integer from 0 to 9007199254740991.'],
    [{ ScheduledOrderItems: {} }, 'ScheduledOrderItems', 'must be an array, or null.'],
    [{ ScheduledOrderItems: [[]] }, 'ScheduledOrderItems[0]', 'must be an object.'],
    [{ ScheduledOrderItems: [{}] }, 'ScheduledOrderItems[0].ProductId', 'is required.'],
    [
      { ScheduledOrderItems: [{ ProductId: 1, Quantity: 0 }] },
      'ScheduledOrderItems[0].Quantity',
      '0 must be an integer from 1 to 1000000.',
    ],
    [
      { ScheduledOrderItems: [{ ProductId: 999_999_999 }] },
      'ScheduledOrderItems[0].ProductId',
      'There is no Product 999999999.',
    ],
    [
      { ScheduledOrderItems: [{ ProductID: 1 }] },
      'ScheduledOrderItems[0].ProductID',
      'is not a field of this resource; did you mean ProductId?',
    ],
    [{ Sites: 1 }, 'Sites', expect.stringMatching(/^is not a field of this resource; its fields are Id, CustomerId, /)],
    [
      { SiteId: 1 },
      'SiteId',
      'is not accepted: a scheduled order is on the site of its customer. Leave it out: CustomerId says it.',
    ],
    [
      { ScheduledOrderItems: [{ SiteId: 1, ProductId: 1 }] },
      'ScheduledOrderItems[0].SiteId',
      expect.stringMatching(/^is not a field of this resource; its fields are Id, ScheduledOrderId, /),
    ],
  ])('refuses %j', async (sent, field, message) => {
    const { token, customerId } = await shop();
    const { body } = await post(token, { CustomerId: customerId, ...sent });
    expect(body).toMatchObject(rejects(field, message));
  });

  it('refuses a customer that is missing, unknown, deleted or another account’s', async () => {
    const { token, siteId } = await shop();
    const deleted = await given.customer(siteId, { deletedUtc: new Date() });
    const foreign = await given.customer((await given.merchant()).siteId);
    expect((await post(token, {})).body).toMatchObject(rejects('CustomerId', 'is required.'));
    expect((await post(token, { CustomerId: 987654321 })).body).toMatchObject(
      rejects('CustomerId', 'There is no Customer 987654321.'),
    );
    expect((await post(token, { CustomerId: deleted })).body).toMatchObject(
      rejects('CustomerId', `There is no Customer ${deleted}.`),
    );
    expect((await post(token, { CustomerId: foreign })).status).toBe(403);
  });

  it('refuses a product of another site, and of another account', async () => {
    const { token, userId, customerId, siteId } = await shop();
    const elsewhere = await given.site(userId);
    const product = await given.product(elsewhere);
    const foreign = await given.product((await given.merchant()).siteId);
    const withProduct = (ProductId: number) =>
      post(token, { CustomerId: customerId, ScheduledOrderItems: [{ ProductId }] });
    expect((await withProduct(product)).body).toMatchObject(
      rejects(
        'ScheduledOrderItems[0].ProductId',
        `Product ${product} is on site ${elsewhere}, not on site ${siteId} as it must be.`,
      ),
    );
    expect((await withProduct(foreign)).status).toBe(403);
  });

  it('names every fault at once, also those that only the records show', async () => {
    const { token, siteId } = await shop();
    const { body } = await post(token, {
      Status: 'Active',
      FrequencyType: 'DayOfTheWeek',
      Frequency: 9,
      CurrencyIso: 'XXQ',
      ScheduledOrderItems: [{}, { ProductId: await given.product(siteId, { price: '1' }) }, { Quantity: 2 }],
    });
    expect(body.errors).toEqual([
      { field: 'CustomerId', message: 'is required.' },
      {
        field: 'Frequency',
        message: '9 must be an integer from 1 (Sunday) to 7 (Saturday) for FrequencyType DayOfTheWeek.',
      },
      { field: 'CurrencyIso', message: '"XXQ" must be an ISO 4217 currency code such as USD.' },
      { field: 'ScheduledOrderItems[0].ProductId', message: 'is required.' },
      { field: 'ScheduledOrderItems[2].ProductId', message: 'is required.' },
    ]);
    const many = await post(token, { ScheduledOrderItems: Array(150).fill({}) });
    expect(many.body.errors).toHaveLength(100);
  });

  it('refuses an item without a price anywhere', async () => {
    const { token, siteId, customerId } = await shop();
    const ProductId = await given.product(siteId, { price: null });
    const { body } = await post(token, { CustomerId: customerId, ScheduledOrderItems: [{ ProductId }] });
    expect(body).toMatchObject(rejects('ScheduledOrderItems[0].Price', `Product ${ProductId} has no price: send one.`));
    const [row] = await database.query(`SELECT count(*)::int AS orders FROM scheduled_orders WHERE customer_id = $1`, [
      customerId,
    ]);
    expect(row).toEqual({ orders: 0 });
  });

  it('keeps totals that the shop sends, whatever the rates say', async () => {
    const { token, siteId, customerId } = await shop();
    const ProductId = await given.product(siteId, { price: '10' });
    await given.shippingRate(siteId, { basePrice: '5' });
    const { body } = await post(token, {
      CustomerId: customerId,
      ShippingTotal: 0,
      TaxTotal: 77,
      ScheduledOrderItems: [{ ProductId }],
    });
    expect(body).toMatchObject({ ShippingTotal: 0, TaxTotal: 77, Total: 1077 });
  });

  it('records the card that a merchant names, and a payment method of all three ids', async () => {
    const { token, customerId } = await shop();
    await post(token, { CustomerId: customerId, ...CARD });
    await post(token, { CustomerId: customerId, ...CARD, PaymentMethodDescription: 'Visa 4242' });
    const methods = await database.query(
      `SELECT type, gateway_customer_id, gateway_payment_id, description FROM payment_methods WHERE customer_id = $1`,
      [customerId],
    );
    expect(methods).toEqual([
      { type: 'GatewayOne', gateway_customer_id: 'cus_1', gateway_payment_id: 'pm_1', description: 'Visa 4242' },
    ]);
    const known = await database.query(
      `SELECT type, gateway_customer_id FROM gateway_customers WHERE customer_id = $1`,
      [customerId],
    );
    expect(known).toEqual([{ type: 'GatewayOne', gateway_customer_id: 'cus_1' }]);
  });

  it('takes what a GET of another order returned, with items of its own', async () => {
    const { token, siteId, customerId } = await shop();
    const ProductId = await given.product(siteId);
    const { body: first } = await post(token, {
      CustomerId: customerId,
      ...MONTHLY,
      ScheduledOrderItems: [{ ProductId }],
    });
    const { status, body: second } = await post(token, first);
    expect(status).toBe(201);
    expect(second.ScheduledOrderItems[0].Id).not.toBe(first.ScheduledOrderItems[0].Id);
    expect(second.ScheduledOrderItems[0].ScheduledOrderId).toBe(second.Id);
  });
});

describe('PUT /api/ScheduledOrders/{scheduledOrderId}', () => {
  async function order(values = {}, customerValues = {}) {
    const { token, siteId, customerId, userId } = await shop(customerValues);
    const ProductId = await given.product(siteId, { price: '10' });
    const { body } = await post(token, {
      CustomerId: customerId,
      ...MONTHLY,
      ScheduledOrderItems: [{ ProductId, Quantity: 2 }],
      ...values,
    });
    const customerToken = await given.token(userId, { customerId });
    return { token, customerToken, siteId, customerId, userId, ProductId, body, id: body.Id as number };
  }

  it('takes back what GET returned, and changes and logs nothing', async () => {
    const { token, customerToken, id, body } = await order({ ...CARD, ...ADDRESS, ShippingTotal: 500 });
    for (const by of [token, customerToken]) {
      const again = await put(by, id, body);
      expect([again.status, again.body]).toEqual([200, body]);
    }
    expect((await logsOf(id)).map(({ type }) => type)).toEqual(['CreateScheduledOrder']);
  });

  it('changes what is sent, clears what is null, logs what it replaced', async () => {
    const { token, id, body } = await order({ ...CARD, ...ADDRESS });
    const changes = { ShippingStreet2: null, ShippingCity: 'San Diego', PaymentMethodDescription: 'Visa', Cycles: 7 };
    const updated = await put(token, id, changes);
    expect(updated.body).toEqual({ ...body, ...changes, UpdatedUtc: expect.stringMatching(TIME) });
    expect(updated.body.UpdatedUtc > body.UpdatedUtc).toBe(true);
    const [, log] = await logsOf(id);
    expect(log).toMatchObject({ type: 'UpdateScheduledOrder', previous: body, next: updated.body });
  });

  it('refuses a stale write, and writes nothing of it', async () => {
    const { token, id, body } = await order();
    const { body: newer } = await put(token, id, { Cycles: 1 });
    const stale = await put(token, id, { UpdatedUtc: body.UpdatedUtc, Cycles: 2 });
    expect(stale).toMatchObject({ status: 409, body: { title: 'Conflict', type: '/docs/errors#conflict' } });
    expect(await get(token, `/api/ScheduledOrders/${id}`)).toEqual(newer);
    expect((await put(token, id, { UpdatedUtc: newer.UpdatedUtc, Cycles: 2 })).status).toBe(200);
  });

  it('sees a change of an item as a change of the order', async () => {
    const { token, id, body } = await order();
    await api.request('PUT', `/api/ScheduledOrderItems/${body.ScheduledOrderItems[0].Id}`, {
      token,
      body: { Quantity: 3 },
    });
    expect((await put(token, id, body)).status).toBe(409);
  });

  it('takes an item whose Id and ScheduledOrderId are null, as typed clients send new ones', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const item = { Id: null, ScheduledOrderId: null, ProductId: await given.product(siteId) };
    const body = { CustomerId: customerId, ScheduledOrderItems: [item] };
    const created = await api.request('POST', '/api/ScheduledOrders', { token, body });
    expect([created.status, created.body.ScheduledOrderItems.length]).toEqual([201, 1]);
    const updated = await api.request('PUT', `/api/ScheduledOrders/${created.body.Id}`, {
      token,
      body: { ScheduledOrderItems: [item] },
    });
    expect([updated.status, updated.body.ScheduledOrderItems.length]).toEqual([200, 2]);
    const orphan = await api.request('POST', '/api/ScheduledOrderItems', { token, body: item });
    expect(orphan).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'ScheduledOrderId', message: 'is required.' }] },
    });
  });

  it.each([0, 'x', 1.5, {}, []])('ignores what the service sets, also where it is %j', async (garbage) => {
    const { token, id, customerId, ProductId } = await order();
    const ids = { Id: garbage, ScheduledOrderId: garbage, Product: garbage, CreatedUtc: garbage, UpdatedUtc: garbage };
    const items = { ScheduledOrderItems: [{ ...ids, ProductId }] };
    const stamps = {
      Id: garbage,
      CreatedUtc: garbage,
      UpdatedUtc: garbage,
      NextOccurrenceUtc: garbage,
      Total: garbage,
    };
    const created = await post(token, { ...stamps, ...items, CustomerId: customerId, Customer: garbage });
    expect([created.status, created.body.ScheduledOrderItems.length]).toEqual([201, 1]);
    const item = await api.request('POST', '/api/ScheduledOrderItems', {
      token,
      body: { ...ids, ProductId, ScheduledOrderId: id },
    });
    expect([item.status, item.body.ScheduledOrderId]).toEqual([201, id]);
    const path = `/api/ScheduledOrderItems/${item.body.Id}`;
    expect(await api.request('PUT', path, { token, body: ids })).toMatchObject({ status: 200, body: item.body });
    const added = await put(token, id, { ScheduledOrderItems: [{ ScheduledOrderId: garbage, ProductId }] });
    expect([added.status, added.body.ScheduledOrderItems.length]).toEqual([200, 3]);
  });

  it.each([
    [{ UpdatedUtc: 'x' }, 'UpdatedUtc', '"x" must be an ISO 8601 time such as 2026-01-31T09:00:00.000Z.'],
    [
      { ScheduledOrderItems: [{ Id: 0 }] },
      'ScheduledOrderItems[0].Id',
      '0 must be an integer from 1 to 9007199254740991.',
    ],
  ])('refuses %j, which it would mean something by', async (sent, field, message) => {
    const { token, id } = await order();
    expect(await put(token, id, sent)).toMatchObject({ status: 400, body: rejects(field, message) });
  });

  it('updates the items that it names, creates those without an Id, leaves the others', async () => {
    const { token, id, body, siteId, ProductId } = await order();
    const tea = await given.product(siteId, { price: '3', salePrice: '2' });
    const [first] = body.ScheduledOrderItems;
    const updated = await put(token, id, { ScheduledOrderItems: [{ ProductId: tea }, { Id: first.Id, Quantity: 5 }] });
    expect(updated.body.ScheduledOrderItems).toEqual([
      { ...first, Quantity: 5, UpdatedUtc: expect.any(String) },
      expect.objectContaining({ ProductId: tea, Price: 3, SalePrice: 2, Quantity: 1, ScheduledOrderId: id }),
    ]);
    expect(updated.body.Total).toBe(5000 + 200);
    const kept = await put(token, id, { ScheduledOrderItems: [{ ProductId, Price: 1 }] });
    expect(kept.body.ScheduledOrderItems).toHaveLength(3);
    expect((await put(token, id, { ScheduledOrderItems: null })).body).toEqual(kept.body);
    expect((await logsOf(id)).map(({ type }) => type)).toEqual([
      'CreateScheduledOrder',
      'UpdateScheduledOrder',
      'UpdateScheduledOrder',
    ]);
  });

  it('refuses an item of another order, and one named twice', async () => {
    const { token, id, body } = await order();
    const other = await order();
    const foreign = other.body.ScheduledOrderItems[0].Id;
    const own = body.ScheduledOrderItems[0].Id;
    expect((await put(token, id, { ScheduledOrderItems: [{ Id: foreign }] })).body).toMatchObject(
      rejects('ScheduledOrderItems[0].Id', `${foreign} is not an item of this order: leave it out to create one.`),
    );
    expect((await put(token, id, { ScheduledOrderItems: [{ Id: own }, { Id: own }] })).body).toMatchObject(
      rejects('ScheduledOrderItems[1].Id', `${own} is named more than once.`),
    );
  });

  it('takes another product’s prices, unless a merchant sends a Price', async () => {
    const { token, customerToken, id, body, siteId } = await order();
    const tea = await given.product(siteId, { price: '3', salePrice: '2' });
    const [{ Id }] = body.ScheduledOrderItems;
    const priced = await put(token, id, { ScheduledOrderItems: [{ Id, ProductId: tea, Price: 4 }] });
    expect(priced.body.ScheduledOrderItems[0]).toMatchObject({ ProductId: tea, Price: 4, SalePrice: null });
    const juice = await given.product(siteId, { price: '5' });
    const [item] = priced.body.ScheduledOrderItems;
    const sent = { ScheduledOrderItems: [{ ...item, ProductId: juice }] };
    const swapped = await put(customerToken, id, sent);
    expect(swapped.body.ScheduledOrderItems[0]).toMatchObject({ ProductId: juice, Price: 5, SalePrice: null });
  });

  it('does not ask again for a product that was deleted since; it counts as unavailable', async () => {
    const { token, id, body, ProductId } = await order();
    await api.request('DELETE', `/api/Products/${ProductId}`, { token });
    const updated = await put(token, id, { ...body, UpdatedUtc: undefined });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({ Total: 0, ScheduledOrderItems: [{ ProductId, Product: { Id: ProductId } }] });
  });

  it('fixes a total that differs, hands it back for null, and for another currency', async () => {
    const { token, id, siteId } = await order();
    await given.shippingRate(siteId, { basePrice: '5' });
    const totals = async (sent: object) => {
      const { ShippingTotal, TaxTotal, Total } = (await put(token, id, sent)).body as Record<string, number>;
      return [ShippingTotal, TaxTotal, Total];
    };
    expect(await totals({ Cycles: 1 })).toEqual([500, 0, 2500]);
    expect(await totals({ ShippingTotal: 500, Total: 1 })).toEqual([500, 0, 2500]);
    expect(await totals({ ShippingTotal: 100, TaxTotal: 9 })).toEqual([100, 9, 2109]);
    expect(await totals({ Cycles: 2 })).toEqual([100, 9, 2109]);
    expect(await totals({ ShippingTotal: null })).toEqual([500, 9, 2509]);
    expect(await totals({ ShippingTotal: 100 })).toEqual([100, 9, 2109]);
    expect(await totals({ CurrencyIso: 'EUR' })).toEqual([500, 0, 2500]);
    expect(await totals({ CurrencyIso: 'JPY', TaxTotal: 3 })).toEqual([5, 3, 28]);
  });

  it('names every fault at once, also those that only the records show', async () => {
    const { token, id, customerId, body: before } = await order();
    const { body } = await put(token, id, {
      CustomerId: customerId + 1,
      CurrencyIso: 'XXQ',
      Frequency: 300,
      ScheduledOrderItems: [{ Id: 999_999_999 }, { ProductId: 999_999_999 }, {}],
    });
    expect(body.errors).toEqual([
      { field: 'ScheduledOrderItems[1].ProductId', message: 'There is no Product 999999999.' },
      {
        field: 'ScheduledOrderItems[0].Id',
        message: '999999999 is not an item of this order: leave it out to create one.',
      },
      { field: 'ScheduledOrderItems[2].ProductId', message: 'is required.' },
      { field: 'CustomerId', message: `A scheduled order stays with its customer ${customerId}: leave it out.` },
      { field: 'CurrencyIso', message: '"XXQ" must be an ISO 4217 currency code such as USD.' },
      { field: 'Frequency', message: '300 must be an integer from 1 to 120 for FrequencyType Months.' },
    ]);
    expect(await get(token, `/api/ScheduledOrders/${id}`)).toEqual(before);
  });

  it('keeps its customer', async () => {
    const { token, customerToken, id, siteId, customerId } = await order();
    const other = await given.customer(siteId);
    expect((await put(token, id, { CustomerId: other })).body).toMatchObject(
      rejects('CustomerId', `A scheduled order stays with its customer ${customerId}: leave it out.`),
    );
    expect((await put(customerToken, id, { CustomerId: other })).status).toBe(403);
  });

  it('moves the anchor for a real change of frequency only', async () => {
    const { token, id } = await order();
    const past = new Date(Date.now() - 400 * DAY);
    past.setUTCMilliseconds(0);
    await database.query(`UPDATE scheduled_orders SET schedule_anchor_utc = $2 WHERE id = $1`, [id, past]);
    const anchor = async () =>
      (
        await database.query<{ at: Date }>(`SELECT schedule_anchor_utc AS at FROM scheduled_orders WHERE id = $1`, [id])
      )[0]!.at;
    await put(token, id, { ...MONTHLY, Cycles: 1 });
    expect(await anchor()).toEqual(past);
    const { body } = await put(token, id, { FrequencyType: 'Days', Frequency: 10 });
    const moved = await anchor();
    expect(moved.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(body.NextOccurrenceUtc).toBe(new Date(moved.getTime() + 10 * DAY).toISOString());
  });

  it('validates type and frequency together; clearing both makes it Pending', async () => {
    const { token, id } = await order({ FrequencyType: 'Days', Frequency: 300 });
    expect((await put(token, id, { FrequencyType: 'Months' })).body).toMatchObject(
      rejects('Frequency', '300 must be an integer from 1 to 120 for FrequencyType Months.'),
    );
    expect((await put(token, id, { Frequency: null })).status).toBe(400);
    const { body } = await put(token, id, { Frequency: null, FrequencyType: null });
    expect(body).toMatchObject({ Status: 'Pending', Frequency: null, FrequencyType: null, NextOccurrenceUtc: null });
    expect((await put(token, id, { Status: 'Active' })).body).toMatchObject(
      rejects('Status', 'Active needs a frequency: send FrequencyType and Frequency.'),
    );
    const again = await put(token, id, { ...MONTHLY, Status: 'Active' });
    expect(again.body).toMatchObject({ Status: 'Active', NextOccurrenceUtc: expect.any(String) });
  });

  it.each([
    ['Active', 'Paused', 200, 200, 'PauseScheduledOrder'],
    ['Active', 'Pending', 200, 403, 'UpdateScheduledOrder'],
    ['Paused', 'Active', 200, 200, 'ActivateScheduledOrder'],
    ['Paused', 'Pending', 200, 403, 'UpdateScheduledOrder'],
    ['Pending', 'Active', 200, 200, 'ActivateScheduledOrder'],
    ['Pending', 'Paused', 200, 200, 'PauseScheduledOrder'],
  ])('%s → %s is %i for a merchant, %i for a customer', async (from, to, merchants, customers, action) => {
    const { token, customerToken, id } = await order({ Status: from });
    const byCustomer = await put(customerToken, id, { Status: to });
    expect([byCustomer.status, (await get(token, `/api/ScheduledOrders/${id}`)).Status]).toEqual([
      customers,
      customers === 200 ? to : from,
    ]);
    const other = await order({ Status: from });
    const byMerchant = await put(other.token, other.id, { Status: to });
    expect([byMerchant.status, byMerchant.body.Status]).toEqual([merchants, to]);
    expect((await logsOf(other.id)).map(({ type }) => type)).toEqual(['CreateScheduledOrder', action]);
  });

  it('lets no Customer token clear the frequency of an order that runs: that makes it Pending', async () => {
    const { customerToken, id } = await order();
    expect((await put(customerToken, id, { Frequency: null, FrequencyType: null })).status).toBe(403);
  });

  it('rolls a date that passed while Paused forward, and charges nothing for the time on hold', async () => {
    const { token, id } = await order({ Status: 'Paused' });
    await database.query(
      `UPDATE scheduled_orders SET schedule_anchor_utc = now() - interval '100 days', next_occurrence_utc = now() - interval '50 days' WHERE id = $1`,
      [id],
    );
    const { body } = await put(token, id, { Status: 'Active' });
    expect(Date.parse(body.NextOccurrenceUtc)).toBeGreaterThan(Date.now());
  });

  it.each([
    [{ CurrencyIso: 'EUR' }, 403],
    [{ CurrencyIso: 'USD' }, 200],
    [{ Cycles: 1 }, 403],
    [{ Cycles: 0 }, 200],
    [{ ShippingTotal: 1 }, 403],
    [{ ShippingTotal: 0 }, 200],
    [{ ShippingTotal: null }, 200],
    [{ TaxTotal: 1 }, 403],
    [{ ShippingCountry: 'Nowhere' }, 400],
    [{ ShippingCountry: null }, 400],
    [{ ShippingCountry: 'DE' }, 200],
    [{ ShippingCity: 'Berlin' }, 200],
  ])('answers a Customer token that sends %j with %i', async (sent, status) => {
    const { customerToken, id } = await order(ADDRESS);
    expect((await put(customerToken, id, sent)).status).toBe(status);
  });

  it('lets a Customer token hand back no total that the shop fixed', async () => {
    const { customerToken, id } = await order({ ShippingTotal: 500 });
    expect((await put(customerToken, id, { ShippingTotal: null })).status).toBe(403);
    expect((await put(customerToken, id, { ShippingTotal: 500 })).status).toBe(200);
  });

  it.each([
    [{ Price: 1 }, 403],
    [{ Price: 10 }, 200],
    [{ SalePrice: 1 }, 403],
    [{ SalePrice: null }, 200],
    [{ Quantity: 9 }, 200],
  ])('answers a Customer token that sends an item with %j with %i', async (sent, status) => {
    const { customerToken, id, body } = await order();
    const items = [{ Id: body.ScheduledOrderItems[0].Id, ...sent }];
    expect((await put(customerToken, id, { ScheduledOrderItems: items })).status).toBe(status);
  });

  it('lets a Customer token use the cards that the shop has recorded for it, with their type, and no others', async () => {
    const { customerToken, id, siteId, userId } = await order(CARD);
    const choose = async (sent: object) => (await put(customerToken, id, sent)).status;
    expect(await choose({ PaymentMethodId: 'pm_2' })).toBe(200);
    expect(await choose({ PaymentMethodCustomerId: 'cus_2' })).toBe(403);
    expect(await choose({ PaymentMethodType: 'GatewayTwo' })).toBe(403);
    expect(await choose({ PaymentMethodCustomerId: null })).toBe(200);
    expect(await choose({ PaymentMethodCustomerId: 'cus_1' })).toBe(200);
    const other = await given.customer(siteId);
    const stranger = await given.token(userId, { customerId: other });
    expect((await post(stranger, { ...CARD })).status).toBe(403);
  });

  it('loses none of many changes at once, and each log entry replaced the one before it', async () => {
    const { token, id } = await order();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => put(token, id, { Cycles: index + 1, ShippingCity: `City ${index}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const logs = await logsOf(id);
    expect(logs).toHaveLength(11);
    logs.slice(1).forEach((log, index) => expect(log.previous).toEqual(logs[index]!.next));
    const stamps = logs.map(({ next }) => next.UpdatedUtc as string);
    expect(new Set(stamps).size).toBe(11);
    expect([...stamps].sort()).toEqual(stamps);
  });
});

describe('DELETE /api/ScheduledOrders/{scheduledOrderId}', () => {
  it('is final, for its items too, and logged', async () => {
    const { token, siteId, customerId } = await shop();
    const ProductId = await given.product(siteId);
    const { body } = await post(token, { CustomerId: customerId, ...MONTHLY, ScheduledOrderItems: [{ ProductId }] });
    const path = `/api/ScheduledOrders/${body.Id}`;
    const deleted = await api.request('DELETE', path, { token });
    expect([deleted.status, deleted.body]).toEqual([204, '']);
    for (const gone of [path, `/api/ScheduledOrderItems/${body.ScheduledOrderItems[0].Id}`]) {
      expect((await api.request('GET', gone, { token })).status).toBe(404);
      expect((await api.request('PUT', gone, { token, body: {} })).status).toBe(404);
      expect((await api.request('DELETE', gone, { token })).status).toBe(404);
    }
    expect(await get(token, '/api/ScheduledOrders')).toEqual([]);
    expect(await get(token, '/api/ScheduledOrderItems')).toEqual([]);
    const [, log] = await logsOf(body.Id);
    expect(log).toMatchObject({ type: 'DeleteScheduledOrder', previous: body, next: null });
  });

  it('comes with the customer’s deletion', async () => {
    const { token, customerId } = await shop();
    const { body } = await post(token, { CustomerId: customerId });
    const before = await get(token, `/api/ScheduledOrders/${body.Id}`);
    await api.request('DELETE', `/api/Customers/${customerId}`, { token });
    expect((await api.request('GET', `/api/ScheduledOrders/${body.Id}`, { token })).status).toBe(404);
    const [, log] = await logsOf(body.Id);
    expect(log).toMatchObject({
      type: 'DeleteScheduledOrder',
      previous: { ...before, Customer: expect.objectContaining({ Id: customerId }) },
      next: null,
      description: `Deleted with customer ${customerId} by a Merchant token.`,
    });
  });
});

describe('GET /api/ScheduledOrders', () => {
  it('is the whole array by Id, or a page of it with links', async () => {
    const { token, siteId, customerId, userId } = await shop();
    const second = await given.site(userId);
    const elsewhere = await given.customer(second);
    const ids: number[] = [];
    for (let index = 0; index < 130; index++) {
      ids.push(
        await (index % 3 === 0 ? given.scheduledOrder(second, elsewhere) : given.scheduledOrder(siteId, customerId)),
      );
    }
    const idsOf = (orders: { Id: number }[]) => orders.map(({ Id }) => Id);
    expect(idsOf(await get(token, '/api/ScheduledOrders'))).toEqual(ids);
    const page = await api.request('GET', '/api/scheduledorders?page=2', { token });
    expect(idsOf(page.body)).toEqual(ids.slice(100));
    expect(page.headers.get('link')).toBe(
      '</api/scheduledorders?page=1>; rel="first", </api/scheduledorders?page=1>; rel="prev"',
    );
    const customerToken = await given.token(userId, { customerId: elsewhere });
    expect(idsOf(await get(customerToken, '/api/ScheduledOrders'))).toEqual(ids.filter((_, index) => index % 3 === 0));
  });
});

describe('Scheduled order items', () => {
  async function orderWithItem() {
    const { token, siteId, customerId, userId } = await shop();
    const ProductId = await given.product(siteId, { price: '10' });
    const { body } = await post(token, { CustomerId: customerId, ...MONTHLY, ScheduledOrderItems: [{ ProductId }] });
    return { token, siteId, customerId, userId, ProductId, order: body, item: body.ScheduledOrderItems[0] };
  }

  it('POST adds to the order: totals, UpdatedUtc, log', async () => {
    const { token, order, ProductId } = await orderWithItem();
    const created = await api.request('POST', '/api/ScheduledOrderItems', {
      token,
      body: { ScheduledOrderId: order.Id, ProductId, Quantity: 3, SalePrice: 8 },
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      Id: expect.any(Number),
      ScheduledOrderId: order.Id,
      ProductId,
      Product: order.ScheduledOrderItems[0].Product,
      Price: 10,
      SalePrice: 8,
      Quantity: 3,
      CreatedUtc: expect.stringMatching(TIME),
      UpdatedUtc: expect.stringMatching(TIME),
    });
    expect(created.headers.get('location')).toBe(`/api/ScheduledOrderItems/${created.body.Id}`);
    const after = await get(token, `/api/ScheduledOrders/${order.Id}`);
    expect(after).toMatchObject({ Total: 3400, ScheduledOrderItems: [order.ScheduledOrderItems[0], created.body] });
    expect(after.UpdatedUtc > order.UpdatedUtc).toBe(true);
    const [, log] = await logsOf(order.Id);
    expect(log).toMatchObject({ type: 'CreateScheduledOrderItem', previous: order, next: after });
  });

  it('PUT changes what is sent and takes back what GET returned', async () => {
    const { token, order, item } = await orderWithItem();
    const path = `/api/ScheduledOrderItems/${item.Id}`;
    expect(await get(token, path)).toEqual(item);
    expect((await api.request('PUT', path, { token, body: item })).body).toEqual(item);
    const updated = await api.request('PUT', path, { token, body: { Quantity: 4, Price: 2.5, ScheduledOrderId: 999 } });
    expect(updated.body).toEqual({ ...item, Quantity: 4, Price: 2.5, UpdatedUtc: expect.any(String) });
    const [, log, ...more] = await logsOf(order.Id);
    expect(log).toMatchObject({ type: 'UpdateScheduledOrderItem', previous: order, next: { Total: 1000 } });
    expect(more).toEqual([]);
  });

  it('DELETE takes it out of the order', async () => {
    const { token, order, item } = await orderWithItem();
    expect((await api.request('DELETE', `/api/ScheduledOrderItems/${item.Id}`, { token })).status).toBe(204);
    expect(await get(token, `/api/ScheduledOrders/${order.Id}`)).toMatchObject({ Total: 0, ScheduledOrderItems: [] });
    const [, log] = await logsOf(order.Id);
    expect(log).toMatchObject({ type: 'DeleteScheduledOrderItem', previous: order, next: { ScheduledOrderItems: [] } });
  });

  it('POST wants its order and its product', async () => {
    const { token, order, ProductId } = await orderWithItem();
    const send = async (body: object): Promise<Json> =>
      (await api.request('POST', '/api/ScheduledOrderItems', { token, body })).body;
    expect(await send({ ProductId })).toMatchObject(rejects('ScheduledOrderId', 'is required.'));
    expect(await send({ ScheduledOrderId: order.Id })).toMatchObject(rejects('ProductId', 'is required.'));
    expect(await send({ ScheduledOrderId: 123456789, ProductId })).toMatchObject(
      rejects('ScheduledOrderId', 'There is no ScheduledOrder 123456789.'),
    );
  });
});

describe('Who reaches scheduled orders and their items', () => {
  const order = ({ siteId, customerId }: World) => given.scheduledOrder(siteId, customerId);
  const orderPath = async (world: World) => `/api/ScheduledOrders/${await order(world)}`;
  const itemPath = async (world: World) =>
    `/api/ScheduledOrderItems/${await given.item(world.siteId, await order(world), await given.product(world.siteId))}`;
  const owners = { 'own account': 200, 'another account': 403, 'own customer': 200, 'another customer': 403 };
  const gone = { ...owners, 'own account': 204, 'own customer': 204 };
  const everybody = { 'own account': 200, 'another account': 200, 'own customer': 200, 'another customer': 200 };
  itReaches(api, database, [
    { route: 'GET /api/ScheduledOrders/{scheduledOrderId}', path: orderPath, answers: owners },
    { route: 'PUT /api/ScheduledOrders/{scheduledOrderId}', path: orderPath, body: () => ({}), answers: owners },
    { route: 'DELETE /api/ScheduledOrders/{scheduledOrderId}', path: orderPath, answers: gone },
    { route: 'GET /api/ScheduledOrders', path: () => '/api/ScheduledOrders', answers: everybody },
    {
      route: 'POST /api/ScheduledOrders',
      path: () => '/api/ScheduledOrders',
      body: ({ customerId }) => ({ CustomerId: customerId }),
      answers: { ...owners, 'own account': 201, 'own customer': 201 },
    },
    { route: 'GET /api/ScheduledOrderItems/{scheduledOrderItemId}', path: itemPath, answers: owners },
    { route: 'PUT /api/ScheduledOrderItems/{scheduledOrderItemId}', path: itemPath, body: () => ({}), answers: owners },
    { route: 'DELETE /api/ScheduledOrderItems/{scheduledOrderItemId}', path: itemPath, answers: gone },
    { route: 'GET /api/ScheduledOrderItems', path: () => '/api/ScheduledOrderItems', answers: everybody },
  ]);

  it('adds items to nobody else’s orders', async () => {
    const world = await givenWorld(database);
    const body = { ScheduledOrderId: await order(world), ProductId: await given.product(world.siteId) };
    const status = async (token: string | undefined) =>
      (await api.request('POST', '/api/ScheduledOrderItems', { token, body })).status;
    expect(await status(world.tokens['own account'])).toBe(201);
    expect(await status(world.tokens['own customer'])).toBe(201);
    expect(await status(world.tokens['another customer'])).toBe(403);
    expect(await status(world.tokens['another account'])).toBe(403);
  });

  it('gives a Customer token an order without naming the customer', async () => {
    const { tokens, customerId } = await givenWorld(database);
    const { status, body } = await post(tokens['own customer']!, {});
    expect([status, body.CustomerId]).toEqual([201, customerId]);
  });
});
