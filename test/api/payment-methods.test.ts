import { itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn, type GivenMerchant } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const STAMPS = { CreatedUtc: expect.stringMatching(TIME), UpdatedUtc: expect.stringMatching(TIME) };

const CARD = { Type: 'GatewayOne', GatewayCustomerId: 'cus_1', GatewayPaymentId: 'pm_1' };
const VISA = {
  ...CARD,
  Description: 'Visa ending in 4242',
  BillingFirstName: 'Ada',
  BillingLastName: 'Lovelace',
  BillingStreet1: '12 St James Square',
  BillingStreet2: 'Flat 3',
  BillingCity: 'Los Angeles',
  BillingState: 'CA',
  BillingPostcode: '90001',
  BillingCountry: 'US',
};
const EMPTY = Object.fromEntries(Object.keys(VISA).map((field) => [field, null]));

const ROW = { type: 'GatewayOne', gatewayCustomerId: 'cus_1', gatewayPaymentId: 'pm_1', description: 'Visa' };
const PAID_WITH = {
  paymentMethodType: 'GatewayOne',
  paymentMethodCustomerId: 'cus_1',
  paymentMethodId: 'pm_1',
  paymentMethodDescription: 'Visa',
};

interface Shop extends GivenMerchant {
  customerId: number;
  /** The customer's own token. */
  ownToken: string;
}

async function givenShop(): Promise<Shop> {
  const merchant = await given.merchant();
  const customerId = await given.customer(merchant.siteId);
  return { ...merchant, customerId, ownToken: await given.token(merchant.userId, { customerId }) };
}

const many = (customerId: number) => `/api/Customers/${customerId}/PaymentMethods`;
const one = ({ customerId }: { customerId: number }, id: number) => `${many(customerId)}/${id}`;
const create = (token: string, customerId: number, body: object) =>
  api.request('POST', many(customerId), { token, body });
const givenVisa = ({ siteId, customerId }: Shop, values: object = {}) =>
  given.paymentMethod(siteId, customerId, { ...ROW, ...values });
const givenOrder = ({ siteId, customerId }: Shop, values: object = {}) =>
  given.scheduledOrder(siteId, customerId, { ...PAID_WITH, ...values });
const getOrder = async ({ tokenAuth: token }: Shop, id: number) =>
  (await api.request('GET', `/api/ScheduledOrders/${id}`, { token })).body as { UpdatedUtc: string };

describe('POST /api/Customers/{customerId}/PaymentMethods', () => {
  it('keeps a payment method, and says where it is', async () => {
    const { tokenAuth: token, customerId } = await givenShop();
    const created = await create(token, customerId, VISA);
    const { Id } = created.body;
    expect([created.status, created.body]).toEqual([201, { Id, CustomerId: customerId, ...VISA, ...STAMPS }]);
    expect(Object.keys(created.body)).toEqual(['Id', 'CustomerId', ...Object.keys(VISA), 'CreatedUtc', 'UpdatedUtc']);
    expect(created.headers.get('location')).toBe(one({ customerId }, Id));
    const read = await api.request('GET', created.headers.get('location')!, { token });
    expect([read.status, read.body]).toEqual([200, created.body]);
  });

  it('needs no field at all', async () => {
    const { tokenAuth: token, customerId } = await givenShop();
    const { status, body } = await create(token, customerId, {});
    expect([status, body]).toEqual([201, { Id: body.Id, CustomerId: customerId, ...EMPTY, ...STAMPS }]);
  });

  it('takes the customer of the path, and no other', async () => {
    const { tokenAuth: token, siteId, customerId } = await givenShop();
    expect((await create(token, customerId, { CustomerId: customerId })).status).toBe(201);
    const other = await given.customer(siteId);
    const { status, body } = await create(token, customerId, { CustomerId: other });
    const message = `The payment method is customer ${customerId}'s, as the path says: leave it out.`;
    expect([status, body.errors]).toEqual([400, [{ field: 'CustomerId', message }]]);
  });

  it('keeps one record per customer, type and pair of gateway ids, and names the one that is there', async () => {
    const { tokenAuth: token, siteId, customerId } = await givenShop();
    const { body: first } = await create(token, customerId, VISA);
    const second = await create(token, customerId, CARD);
    const message = `PaymentMethod ${first.Id} of customer ${customerId} is this card already: update that one.`;
    expect([second.status, second.body.errors]).toEqual([400, [{ field: 'GatewayPaymentId', message }]]);
    for (const body of [
      { ...CARD, Type: 'GatewayTwo' },
      { ...CARD, GatewayPaymentId: 'pm_2' },
      { ...CARD, GatewayPaymentId: null },
    ]) {
      expect((await create(token, customerId, body)).status).toBe(201);
    }
    expect((await create(token, await given.customer(siteId), CARD)).status).toBe(201);
    await api.request('DELETE', one({ customerId }, first.Id), { token });
    expect((await create(token, customerId, CARD)).status).toBe(201);
  });

  it('makes one of many requests at once', async () => {
    const { tokenAuth: token, customerId } = await givenShop();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(token, customerId, CARD)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
  });

  it('is made once for an Idempotency-Key', async () => {
    const { tokenAuth: token, customerId } = await givenShop();
    const headers = { 'idempotency-key': 'one' };
    const first = await api.request('POST', many(customerId), { token, body: VISA, headers });
    const again = await api.request('POST', many(customerId), { token, body: VISA, headers });
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
  });

  it('names every fault of a body at once', async () => {
    const { tokenAuth: token, customerId } = await givenShop();
    const body = {
      CustomerId: null,
      Type: 'Stripe',
      GatewayCustomerId: 1,
      GatewayPaymentId: 'x'.repeat(256),
      Description: 'x'.repeat(2001),
      BillingCity: 'a\u0000',
      gatewayPaymentId: 'pm_1',
    };
    const { status, body: answer } = await create(token, customerId, body);
    expect(status).toBe(400);
    expect(answer.errors).toEqual([
      { field: 'gatewayPaymentId', message: 'is not a field of this resource; did you mean GatewayPaymentId?' },
      { field: 'CustomerId', message: 'must not be null: leave it out instead.' },
      { field: 'Type', message: '"Stripe" must be one of GatewayOne, GatewayTwo.' },
      { field: 'GatewayCustomerId', message: '1 must be text.' },
      { field: 'GatewayPaymentId', message: 'must have at most 255 characters; it has 256.' },
      { field: 'Description', message: 'must have at most 2000 characters; it has 2001.' },
      { field: 'BillingCity', message: 'must not contain a NUL character.' },
    ]);
  });
});

describe('Whose card it is', () => {
  const refusal = 'The shop has not recorded this gateway customer, with this type, for this customer.';

  it('is recorded by a merchant who names it, for this customer and type alone', async () => {
    const shop = await givenShop();
    const { tokenAuth: token, siteId, userId, customerId, ownToken } = shop;
    expect((await create(ownToken, customerId, CARD)).body.detail).toBe(refusal);
    await create(token, customerId, CARD);
    expect((await create(ownToken, customerId, { ...CARD, GatewayPaymentId: 'pm_2' })).status).toBe(201);
    for (const body of [
      { ...CARD, Type: 'GatewayTwo' },
      { ...CARD, Type: null },
      { ...CARD, GatewayCustomerId: 'cus_2' },
    ]) {
      const refused = await create(ownToken, customerId, { ...body, GatewayPaymentId: 'pm_3' });
      expect([refused.status, refused.body.detail]).toEqual([403, refusal]);
    }
    const otherId = await given.customer(siteId);
    const other = await given.token(userId, { customerId: otherId });
    expect((await create(other, otherId, CARD)).status).toBe(403);
  });

  it('is recorded by a merchant’s PUT and by a merchant’s scheduled order, too', async () => {
    const { tokenAuth: token, customerId, ownToken } = await givenShop();
    const { body: method } = await create(token, customerId, { Type: 'GatewayTwo' });
    await api.request('PUT', one({ customerId }, method.Id), { token, body: { GatewayCustomerId: '900' } });
    expect((await create(ownToken, customerId, { Type: 'GatewayTwo', GatewayCustomerId: '900' })).status).toBe(201);
    const body = { CustomerId: customerId, PaymentMethodType: 'GatewayOne', PaymentMethodCustomerId: 'cus_7' };
    await api.request('POST', '/api/ScheduledOrders', { token, body });
    expect((await create(ownToken, customerId, { Type: 'GatewayOne', GatewayCustomerId: 'cus_7' })).status).toBe(201);
  });

  it('does not matter where no gateway customer is named', async () => {
    const { customerId, ownToken } = await givenShop();
    expect((await create(ownToken, customerId, { Type: 'GatewayOne', Description: 'Invoice' })).status).toBe(201);
  });
});

describe('PUT /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}', () => {
  const put = (token: string, shop: Shop, id: number, body: object) =>
    api.request('PUT', one(shop, id), { token, body });

  it('changes what is sent, clears what is null, and takes back what GET returned', async () => {
    const shop = await givenShop();
    const token = shop.tokenAuth;
    const { body: visa } = await create(token, shop.customerId, VISA);
    const body = { Description: null, BillingCity: 'Austin', GatewayPaymentId: 'pm_2' };
    const changed = await put(token, shop, visa.Id, body);
    expect([changed.status, changed.body]).toEqual([200, { ...visa, ...body, UpdatedUtc: expect.any(String) }]);
    expect(changed.body.UpdatedUtc > visa.UpdatedUtc).toBe(true);
    const again = await put(token, shop, visa.Id, changed.body);
    expect([again.status, again.body]).toEqual([200, { ...changed.body, UpdatedUtc: expect.stringMatching(TIME) }]);
  });

  it('lets a Customer token change Description and billing fields, and repeat the rest', async () => {
    const shop = await givenShop();
    const { body: visa } = await create(shop.tokenAuth, shop.customerId, VISA);
    const body = { ...visa, Description: 'My Visa', BillingCity: 'Austin' };
    const changed = await put(shop.ownToken, shop, visa.Id, body);
    expect([changed.status, changed.body]).toEqual([200, { ...body, UpdatedUtc: expect.stringMatching(TIME) }]);
    for (const card of [
      { Type: 'GatewayTwo' },
      { Type: null },
      { GatewayCustomerId: 'cus_2' },
      { GatewayPaymentId: 'pm_2' },
      { GatewayPaymentId: null },
    ]) {
      const refused = await put(shop.ownToken, shop, visa.Id, card);
      const detail = 'The card is the shop’s to change: a Customer token may change Description and billing fields.';
      expect([refused.status, refused.body.detail]).toEqual([403, detail]);
    }
    expect((await api.request('GET', one(shop, visa.Id), { token: shop.ownToken })).body).toEqual(changed.body);
  });

  it('keeps a payment method with its customer', async () => {
    const shop = await givenShop();
    const id = await givenVisa(shop);
    const other = await given.customer(shop.siteId);
    const { status, body } = await put(shop.tokenAuth, shop, id, { CustomerId: other });
    expect([status, body.errors[0].field]).toEqual([400, 'CustomerId']);
  });

  it('does not make two records of one card', async () => {
    const shop = await givenShop();
    const [first, second] = [await givenVisa(shop), await givenVisa(shop, { gatewayPaymentId: 'pm_2' })];
    const { body } = await put(shop.tokenAuth, shop, second, { GatewayPaymentId: 'pm_1' });
    const message = `PaymentMethod ${first} of customer ${shop.customerId} is this card already: update that one.`;
    expect(body.errors).toEqual([{ field: 'GatewayPaymentId', message }]);
  });

  it('takes the scheduled orders that use the card along, each with its log entry', async () => {
    const shop = await givenShop();
    const token = shop.tokenAuth;
    const id = await givenVisa(shop);
    const [first, paused] = [await givenOrder(shop), await givenOrder(shop, { status: 'Paused' })];
    const others = [
      await givenOrder(shop, { paymentMethodId: 'pm_9' }),
      await givenOrder(shop, { paymentMethodType: 'GatewayTwo' }),
      await given.scheduledOrder(shop.siteId, await given.customer(shop.siteId), PAID_WITH),
    ];
    const deleted = await givenOrder(shop, { deletedUtc: new Date() });
    const before = await Promise.all([first, paused, ...others].map((orderId) => getOrder(shop, orderId)));
    const changed = await put(token, shop, id, { GatewayCustomerId: 'cus_2', GatewayPaymentId: 'pm_2' });
    expect(changed.body).toMatchObject({ Id: id, GatewayCustomerId: 'cus_2', GatewayPaymentId: 'pm_2' });

    const after = await Promise.all([first, paused, ...others].map((orderId) => getOrder(shop, orderId)));
    const followed = { PaymentMethodCustomerId: 'cus_2', PaymentMethodId: 'pm_2', UpdatedUtc: expect.any(String) };
    expect(after).toEqual([{ ...before[0], ...followed }, { ...before[1], ...followed }, ...before.slice(2)]);
    expect(after[0]!.UpdatedUtc > before[0]!.UpdatedUtc).toBe(true);
    for (const [index, orderId] of [first, paused].entries()) {
      const { body: log } = await api.request('GET', `/api/ScheduledOrders/${orderId}/ActionLogs`, { token });
      expect(log).toEqual([
        {
          Id: expect.any(String),
          SiteId: shop.siteId,
          ScheduledOrderId: orderId,
          ActionType: 'UpdateScheduledOrder',
          AccessToken: expect.objectContaining({ UserId: shop.userId, TokenAuth: null, AccessScope: 'Merchant' }),
          PreviousScheduledOrder: before[index],
          NewScheduledOrder: after[index],
          Description: `Follows payment method ${id} by a Merchant token.`,
          ...STAMPS,
        },
      ]);
    }
    const [row] = await database.query(`SELECT payment_method_id FROM scheduled_orders WHERE id = $1`, [deleted]);
    expect(row).toEqual({ payment_method_id: 'pm_1' });
  });

  it('gives the orders the new card’s type, and its description where that is new', async () => {
    const shop = await givenShop();
    const id = await givenVisa(shop);
    const orderId = await givenOrder(shop);
    const before = await getOrder(shop, orderId);
    await put(shop.tokenAuth, shop, id, { Description: 'My Visa' });
    expect(await getOrder(shop, orderId)).toEqual(before);
    const body = { Type: 'GatewayTwo', GatewayCustomerId: '900', GatewayPaymentId: '901', Description: 'Mastercard' };
    await put(shop.tokenAuth, shop, id, body);
    expect(await getOrder(shop, orderId)).toMatchObject({
      PaymentMethodType: 'GatewayTwo',
      PaymentMethodCustomerId: '900',
      PaymentMethodId: '901',
      PaymentMethodDescription: 'Mastercard',
    });
  });

  it('does not clear the ids of a card that is in use', async () => {
    const shop = await givenShop();
    const id = await givenVisa(shop);
    const orderId = await givenOrder(shop);
    const cleared = await put(shop.tokenAuth, shop, id, { Type: null, GatewayPaymentId: null });
    const message = `is used by scheduled orders ${orderId}: give them another payment method first.`;
    expect([cleared.status, cleared.body.errors]).toEqual([
      400,
      [
        { field: 'Type', message },
        { field: 'GatewayPaymentId', message },
      ],
    ]);
    await api.request('DELETE', `/api/ScheduledOrders/${orderId}`, { token: shop.tokenAuth });
    expect((await put(shop.tokenAuth, shop, id, { Type: null, GatewayPaymentId: null })).status).toBe(200);
  });
});

describe('DELETE /api/Customers/{customerId}/PaymentMethods/{paymentMethodId}', () => {
  it('is final', async () => {
    const shop = await givenShop();
    const id = await givenVisa(shop);
    const deleted = await api.request('DELETE', one(shop, id), { token: shop.ownToken });
    expect([deleted.status, deleted.body]).toEqual([204, '']);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? {} : undefined;
      const answered = await api.request(method, one(shop, id), { token: shop.tokenAuth, body });
      const detail = `Customer ${shop.customerId} has no PaymentMethod ${id}.`;
      expect([answered.status, answered.body.detail]).toEqual([404, detail]);
    }
    expect((await api.request('GET', many(shop.customerId), { token: shop.tokenAuth })).body).toEqual([]);
  });

  it('is refused while scheduled orders use it, and names them', async () => {
    const shop = await givenShop();
    const id = await givenVisa(shop);
    const orders: number[] = [];
    for (let index = 0; index < 22; index++) orders.push(await givenOrder(shop, { status: 'Paused' }));
    const refused = await api.request('DELETE', one(shop, id), { token: shop.ownToken });
    const named = orders.slice(0, 20).join(', ');
    const message = `is used by scheduled orders ${named} and 2 more: give them another payment method first.`;
    expect([refused.status, refused.body.errors]).toEqual([400, [{ field: 'paymentMethodId', message }]]);
    await database.query(`UPDATE scheduled_orders SET deleted_utc = now() WHERE id = ANY ($1)`, [orders]);
    expect((await api.request('DELETE', one(shop, id), { token: shop.ownToken })).status).toBe(204);
  });

  itInAllCases('never leaves an order whose card is not kept, whoever is faster', async () => {
    const shop = await givenShop();
    const { tokenAuth: token, customerId } = shop;
    const body = {
      CustomerId: customerId,
      PaymentMethodType: 'GatewayOne',
      PaymentMethodCustomerId: 'cus_1',
      PaymentMethodId: 'pm_1',
      PaymentMethodDescription: 'Visa',
    };
    for (let round = 0; round < 10; round++) {
      const id = await givenVisa(shop);
      const [order, deleted] = await Promise.all([
        api.request('POST', '/api/ScheduledOrders', { token, body }),
        api.request('DELETE', one(shop, id), { token }),
      ]);
      expect([order.status, [204, 400].includes(deleted.status)]).toEqual([201, true]);
      const { body: kept } = await api.request('GET', many(customerId), { token });
      expect(kept).toEqual([
        expect.objectContaining({ GatewayCustomerId: 'cus_1', GatewayPaymentId: 'pm_1', Description: 'Visa' }),
      ]);
      await api.request('DELETE', `/api/ScheduledOrders/${order.body.Id}`, { token });
      expect((await api.request('DELETE', one(shop, kept[0].Id), { token })).status).toBe(204);
    }
  });

  itInAllCases('and changes of card and order at the same time lose nothing', async () => {
    const shop = await givenShop();
    const { tokenAuth: token } = shop;
    const id = await givenVisa(shop);
    const orderId = await givenOrder(shop);
    for (let round = 1; round <= 5; round++) {
      const GatewayPaymentId = `pm_${round + 1}`;
      const [method, order] = await Promise.all([
        api.request('PUT', one(shop, id), { token, body: { GatewayPaymentId } }),
        api.request('PUT', `/api/ScheduledOrders/${orderId}`, {
          token,
          body: { PaymentMethodDescription: `Visa ${round}` },
        }),
      ]);
      expect([method.status, order.status]).toEqual([200, 200]);
      expect(await getOrder(shop, orderId)).toMatchObject({
        PaymentMethodId: GatewayPaymentId,
        PaymentMethodDescription: `Visa ${round}`,
      });
    }
  });
});

describe('The payment methods of a customer', () => {
  it('are listed by Id, 100 a page, and their pages counted', async () => {
    const shop = await givenShop();
    const { tokenAuth: token, siteId, customerId } = shop;
    const count = async () => (await api.request('GET', `${many(customerId)}/PageCount`, { token })).body as number;
    expect(await count()).toBe(0);
    expect((await api.request('GET', many(customerId), { token })).body).toEqual([]);
    const ids: number[] = [];
    for (let index = 0; index < 101; index++) ids.push(await givenVisa(shop, { gatewayPaymentId: `pm_${index}` }));
    await givenVisa(shop, { deletedUtc: new Date() });
    await given.paymentMethod(siteId, await given.customer(siteId), ROW);
    const page = (path: string) => api.request('GET', `${many(customerId)}${path}`, { token });
    const first = await page('');
    expect((first.body as { Id: number }[]).map(({ Id }) => Id)).toEqual(ids.slice(0, 100));
    const link = (rel: string, number: number) => `<${many(customerId)}?page=${number}>; rel="${rel}"`;
    expect(first.headers.get('link')).toBe(`${link('first', 1)}, ${link('next', 2)}`);
    expect(await page('?page=2')).toMatchObject({ status: 200, body: [{ Id: ids[100] }] });
    expect((await page('?page=3')).body).toEqual([]);
    expect((await page('?page=0')).status).toBe(400);
    expect(await count()).toBe(2);
  });

  it('are found by type and gateway ids, whichever are given', async () => {
    const shop = await givenShop();
    const { tokenAuth: token, customerId } = shop;
    const [a, b, c] = [
      await givenVisa(shop),
      await givenVisa(shop, { gatewayPaymentId: 'pm_2' }),
      await givenVisa(shop, { type: 'GatewayTwo', gatewayCustomerId: 'a&b=c' }),
    ];
    await given.paymentMethod(shop.siteId, await given.customer(shop.siteId), ROW);
    await givenVisa(shop, { deletedUtc: new Date() });
    const search = async (query: object) => {
      const path = `${many(customerId)}/Search?${new URLSearchParams(query as Record<string, string>).toString()}`;
      const { status, body } = await api.request('GET', path, { token });
      return [status, (body as { Id: number }[]).map(({ Id }) => Id)];
    };
    expect(await search({})).toEqual([200, [a, b, c]]);
    expect(await search({ type: 'GatewayOne' })).toEqual([200, [a, b]]);
    expect(await search({ gatewayPaymentId: 'pm_1' })).toEqual([200, [a, c]]);
    expect(await search({ gatewayCustomerId: 'a&b=c' })).toEqual([200, [c]]);
    expect(await search({ type: 'GatewayOne', gatewayPaymentId: 'pm_2', gatewayCustomerId: 'cus_1' })).toEqual([
      200,
      [b],
    ]);
    expect(await search({ type: 'GatewayTwo', gatewayPaymentId: 'pm_2' })).toEqual([200, []]);
    const whole = await api.request('GET', `${many(customerId)}/Search?gatewayPaymentId=pm_2`, { token });
    expect(whole.body).toEqual([(await api.request('GET', one(shop, b), { token })).body]);
  });

  it.each([
    ['type=Stripe', 'type', '"Stripe" must be one of GatewayOne, GatewayTwo.'],
    ['type=', 'type', '"" must be one of GatewayOne, GatewayTwo.'],
    ['gatewayPaymentId=a%00', 'gatewayPaymentId', 'must not contain a NUL character.'],
    ['gatewayPaymentId=a&gatewayPaymentId=b', 'gatewayPaymentId', '[…] must be text.'],
    [`gatewayCustomerId=${'x'.repeat(256)}`, 'gatewayCustomerId', 'must have at most 255 characters; it has 256.'],
  ])('are not searched by %s', async (query, field, message) => {
    const { tokenAuth: token, customerId } = await givenShop();
    const { status, body } = await api.request('GET', `${many(customerId)}/Search?${query}`, { token });
    expect([status, body.errors]).toEqual([400, [{ field, message }]]);
  });

  it('are those that scheduled orders were saved with, too: one record, whose description follows', async () => {
    const shop = await givenShop();
    const { tokenAuth: token, customerId } = shop;
    const paidWith = {
      PaymentMethodType: 'GatewayOne',
      PaymentMethodCustomerId: 'cus_1',
      PaymentMethodId: 'pm_1',
      PaymentMethodDescription: 'Visa',
    };
    const save = () =>
      api.request('POST', '/api/ScheduledOrders', { token, body: { CustomerId: customerId, ...paidWith } });
    await save();
    const { body: first } = await api.request('GET', many(customerId), { token });
    const { body: order } = await save();
    await api.request('PUT', `/api/ScheduledOrders/${order.Id}`, {
      token,
      body: { PaymentMethodDescription: 'My Visa' },
    });
    const { body: again } = await api.request('GET', many(customerId), { token });
    expect(first).toEqual([
      { Id: first[0].Id, CustomerId: customerId, ...EMPTY, ...CARD, Description: 'Visa', ...STAMPS },
    ]);
    expect(again).toEqual([{ ...first[0], Description: 'My Visa', UpdatedUtc: expect.stringMatching(TIME) }]);
  });
});

describe('Who reaches payment methods', () => {
  const ownOnly = { 'own account': 200, 'another account': 403, 'own customer': 200, 'another customer': 403 };
  const list = ({ customerId }: World) => many(customerId);
  const path = async ({ siteId, customerId }: World) =>
    one({ customerId }, await given.paymentMethod(siteId, customerId, ROW));
  const route = '/api/Customers/{customerId}/PaymentMethods';
  const created = { ...ownOnly, 'own account': 201, 'own customer': 201 };
  const deleted = { ...ownOnly, 'own account': 204, 'own customer': 204 };
  itReaches(api, database, [
    { route: `GET ${route}`, path: list, answers: ownOnly },
    { route: `GET ${route}/PageCount`, path: (world) => `${list(world)}/PageCount`, answers: ownOnly },
    { route: `GET ${route}/Search`, path: (world) => `${list(world)}/Search`, answers: ownOnly },
    { route: `POST ${route}`, path: list, body: () => ({}), answers: created },
    { route: `GET ${route}/{paymentMethodId}`, path, answers: ownOnly },
    { route: `PUT ${route}/{paymentMethodId}`, path, body: () => ({ Description: 'x' }), answers: ownOnly },
    { route: `DELETE ${route}/{paymentMethodId}`, path, answers: deleted },
  ]);

  const ROUTES = ['GET ', 'GET /PageCount', 'GET /Search', 'POST ', 'GET /1', 'PUT /1', 'DELETE /1'];

  it.each(ROUTES)('%s is 404 for a customer that there is not, or no more', async (named) => {
    const [method, rest] = named.split(' ');
    const { tokenAuth: token, siteId } = await given.merchant();
    const body = method === 'POST' || method === 'PUT' ? {} : undefined;
    for (const customerId of [999_999, await given.customer(siteId, { deletedUtc: new Date() })]) {
      const answered = await api.request(method!, many(customerId) + rest, { token, body });
      expect([answered.status, answered.body.detail]).toEqual([404, `There is no Customer ${customerId}.`]);
    }
  });

  it.each(['GET', 'PUT', 'DELETE'])('%s is 404 for a payment method of another customer', async (method) => {
    const shop = await givenShop();
    const id = await given.paymentMethod(shop.siteId, await given.customer(shop.siteId), ROW);
    const body = method === 'PUT' ? {} : undefined;
    for (const token of [shop.tokenAuth, shop.ownToken]) {
      const answered = await api.request(method, one(shop, id), { token, body });
      const detail = `Customer ${shop.customerId} has no PaymentMethod ${id}.`;
      expect([answered.status, answered.body.detail]).toEqual([404, detail]);
    }
  });
});
