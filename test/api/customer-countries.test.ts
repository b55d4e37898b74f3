import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

/** A customer in the United States with a product to order: 10.00, and 10 % tax in the United States. */
async function shop({ customer = {}, taxed = true }: { customer?: object; taxed?: boolean } = {}) {
  const { userId, siteId, tokenAuth: merchant } = await given.merchant();
  if (taxed) await given.taxRate(siteId, { country: 'USA', name: 'Sales tax', rate: '10' });
  const customerId = await given.customer(siteId, { shippingCountry: 'US', ...customer });
  const product = await given.product(siteId, { price: '10.00' });
  const token = await given.token(userId, { customerId });
  const items = { ScheduledOrderItems: [{ ProductId: product }] };
  return {
    siteId,
    merchant,
    token,
    customerId,
    create: (body: object) => api.request('POST', '/api/Customers', { token: merchant, body }),
    read: () => api.request('GET', `/api/Customers/${customerId}`, { token: merchant }),
    move: (by: string, body: object) => api.request('PUT', `/api/Customers/${customerId}`, { token: by, body }),
    order: (by: string, body: object = {}) =>
      api.request('POST', '/api/ScheduledOrders', { token: by, body: { CustomerId: customerId, ...items, ...body } }),
  };
}

const rejected = (shown: string) => ({
  status: 400,
  body: {
    errors: [
      {
        field: 'ShippingCountry',
        message: `${shown} must be a country: an ISO 3166-1 code such as US, or its English name.`,
      },
    ],
  },
});

describe('The shipping country of a customer', () => {
  it.each([
    ['Nowhere', '"Nowhere"'],
    ['Bavaria', '"Bavaria"'],
    [' ', 'An empty country'],
    ['', 'An empty country'],
    [null, 'An empty country'],
  ])('is not made %j by a Customer token', async (ShippingCountry, shown) => {
    const { token, move, order } = await shop();
    expect(await move(token, { ShippingCountry, FirstName: 'Eve' })).toMatchObject(rejected(shown));
    expect((await order(token)).body).toMatchObject({ ShippingCountry: 'US', TaxTotal: 100, Total: 1100 });
  });

  it('is not made so either where the site has no tax rates: it may get some', async () => {
    const { token, move } = await shop({ taxed: false });
    expect(await move(token, { ShippingCountry: null })).toMatchObject(rejected('An empty country'));
  });

  it.each(['DE', 'deu', ' Germany '])('may be made %j', async (ShippingCountry) => {
    const { token, move } = await shop();
    expect(await move(token, { ShippingCountry })).toMatchObject({ status: 200, body: { ShippingCountry } });
  });

  it.each([
    [null, ''],
    ['Narnia', 'narnia '],
  ])('may stay the %j that the shop set', async (standing, sent) => {
    const { token, move } = await shop({ customer: { shippingCountry: standing } });
    expect((await move(token, { ShippingCountry: standing, FirstName: 'Ada' })).status).toBe(200);
    expect((await move(token, { ShippingCountry: sent })).status).toBe(200);
  });

  it.each(['Nowhere', 'Deutschland', 'Bavaria'])('is not made %j by the shop either', async (ShippingCountry) => {
    const { merchant, move, create } = await shop();
    const words = rejected(`"${ShippingCountry}"`);
    expect(await move(merchant, { ShippingCountry, FirstName: 'Eve' })).toMatchObject(words);
    expect(await create({ ShippingCountry })).toMatchObject(words);
  });

  it('may stay what is stored when the shop writes back what it read', async () => {
    const { merchant, move, read } = await shop({ customer: { shippingCountry: 'Narnia' } });
    const stored = (await read()).body as { ShippingCountry: string };
    expect(stored.ShippingCountry).toBe('Narnia');
    expect((await move(merchant, stored)).status).toBe(200);
    expect((await move(merchant, { ShippingCountry: 'Nowhere' })).status).toBe(400);
  });

  it.each([null, '', 'DE'])('may be made %j by the shop', async (ShippingCountry) => {
    const { merchant, move } = await shop();
    expect(await move(merchant, { ShippingCountry })).toMatchObject({ status: 200, body: { ShippingCountry } });
  });

  it('is not its billing country, which is free', async () => {
    const { token, move } = await shop();
    expect((await move(token, { BillingCountry: 'Nowhere' })).status).toBe(200);
  });
});

describe('A new order where the site has tax rates', () => {
  it.each([
    [null, {}, 'An empty country'],
    [null, { ShippingCity: 'Los Angeles' }, 'An empty country'],
    ['Nowhere', {}, '"Nowhere"'],
    ['US', { ShippingCity: 'Los Angeles' }, 'An empty country'],
  ])('of a customer in %j is not created with %j by a Customer token', async (shippingCountry, body, shown) => {
    const { merchant, token, order } = await shop({ customer: { shippingCountry } });
    expect(await order(token, body)).toMatchObject(rejected(shown));
    expect((await order(merchant, body)).status).toBe(201);
  });

  it('ships to no text that is no country, whoever creates it', async () => {
    const { merchant, token, order } = await shop();
    for (const by of [token, merchant])
      expect(await order(by, { ShippingCountry: 'Nowhere' })).toMatchObject(rejected('"Nowhere"'));
  });

  it('ships to a country that the order names itself', async () => {
    const { token, order } = await shop({ customer: { shippingCountry: null } });
    const { status, body } = await order(token, { ShippingCountry: 'United States' });
    expect([status, body.TaxTotal]).toEqual([201, 100]);
  });

  it('ships to a country in the shop’s own spelling, which its tax rates have as well', async () => {
    const { siteId, token, order } = await shop({ customer: { shippingCountry: ' Deutschland' } });
    await given.taxRate(siteId, { country: 'DEUTSCHLAND ', name: 'MwSt', rate: '19' });
    const { status, body } = await order(token);
    expect([status, body.TaxTotal]).toEqual([201, 190]);
  });
});

describe('A new order where the site has no tax rates', () => {
  it.each([null, 'Nowhere'])('takes the %j of its customer', async (shippingCountry) => {
    const { siteId, token, order } = await shop({ customer: { shippingCountry }, taxed: false });
    await given.taxRate(siteId, { country: 'US', name: 'Abolished', rate: '10', deletedUtc: new Date() });
    expect(await order(token)).toMatchObject({ status: 201, body: { ShippingCountry: shippingCountry, TaxTotal: 0 } });
  });
});

describe('The shipping country of an order', () => {
  const change = (token: string, id: number, body: object) =>
    api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body });

  it('is not made what is no country by the shop; what is stored stays, and may be cleared', async () => {
    const { siteId, merchant, customerId } = await shop();
    const id = await given.scheduledOrder(siteId, customerId, { shippingCountry: 'Narnia' });
    expect(await change(merchant, id, { ShippingCountry: 'Nowhere' })).toMatchObject(rejected('"Nowhere"'));
    const read = await api.request('GET', `/api/ScheduledOrders/${id}`, { token: merchant });
    const kept = await change(merchant, id, { ...read.body, ShippingCity: 'Cair Paravel' });
    expect(kept).toMatchObject({ status: 200, body: { ShippingCountry: 'Narnia', ShippingCity: 'Cair Paravel' } });
    expect((await change(merchant, id, { ShippingCountry: null })).status).toBe(200);
    expect(await change(merchant, id, { ShippingCountry: 'Narnia' })).toMatchObject(rejected('"Narnia"'));
  });
});
