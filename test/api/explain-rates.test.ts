import { type Json, useApi } from '../support/api.js';
import { givenKeys, givenWorld, itReaches } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { MAX_ITEMS_PER_ORDER: '5' });
const given = givenIn(database);

interface Quoted {
  Lines: object[];
  Problems: { Code: number }[];
}

const HOME = { ShippingCountry: 'US', ShippingState: 'CA', ShippingCity: 'Los Angeles', ShippingPostcode: '90001' };

/** A shop with classes, thresholds and taxes of places; and an order of the same cart. */
async function shop(siteValues: Record<string, unknown> = {}) {
  const { siteId, tokenAuth: token, userId } = await given.merchant(siteValues);
  await given.shippingRate(siteId, {
    name: 'Ground',
    shippingClass: 'parcel',
    country: 'US',
    basePrice: '4',
    pricePerUnit: '0.505',
  });
  await given.shippingRate(siteId, {
    name: 'Regulars',
    shippingClass: 'parcel',
    country: 'US',
    basePrice: '1',
    minCycles: 3,
  });
  await given.shippingRate(siteId, { name: 'Letter', basePrice: '1' });
  await given.taxRate(siteId, { name: 'Sales tax', taxClass: 'food', country: 'US', state: 'CA', rate: '8.25' });
  await given.taxRate(siteId, { name: 'VAT', country: 'DE', rate: '19', appliesToShipping: true });
  const coffee = await given.product(siteId, { price: '12.5', shippingClass: 'Parcel', taxClass: 'food' });
  const mug = await given.product(siteId, { price: '9.99', salePrice: '7.5050' });
  const gone = await given.product(siteId, { price: '4', availability: 'Sold out' });
  const ask = (body: unknown, path = `/api/Site/${siteId}/Explain/Rates`) => api.request('POST', path, { token, body });
  /** The quote of a real order with this cart: without its item's ids, and without what is wrong with its payment. */
  const quoteOfOrder = async ({
    Address,
    Lines,
    CustomerId,
  }: {
    Address: object;
    Lines: Json[];
    CustomerId?: number;
  }) => {
    const customerId = CustomerId ?? (await given.customer(siteId));
    const order = { CustomerId: customerId, ...Address, FrequencyType: 'Months', Frequency: 1 };
    const made = await api.request('POST', '/api/ScheduledOrders', {
      token,
      body: { ...order, ScheduledOrderItems: Lines },
    });
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
    const answer = await api.request('GET', `/api/ScheduledOrders/${made.body.Id}/Quote`, { token });
    const body = answer.body as Quoted;
    return {
      ...body,
      Lines: body.Lines.map((line) => ({ ...line, ScheduledOrderItemId: null })),
      Problems: body.Problems.filter(({ Code }) => Code !== 1003 && Code !== 1004),
    };
  };
  return { siteId, userId, token, coffee, mug, gone, ask, quoteOfOrder };
}

const rows = async () =>
  (
    await database.query(
      `SELECT (SELECT count(*) FROM scheduled_orders) AS orders, (SELECT count(*) FROM scheduled_order_items) AS items,
         (SELECT count(*) FROM action_logs) AS actions, (SELECT count(*) FROM idempotency_keys) AS keys`,
    )
  )[0];

describe('POST /api/Site/{siteId}/Explain/Rates', () => {
  it('is the Quote of an order with the same cart', async () => {
    const { coffee, mug, gone, ask, quoteOfOrder, siteId } = await shop();
    const exempt = await given.customer(siteId, { taxExempt: true });
    const Lines = [{ ProductId: coffee, Quantity: 2 }, { ProductId: mug }, { ProductId: gone, Quantity: 3 }];
    const carts = [
      { Address: HOME, Lines },
      { Address: { ShippingCountry: 'Germany' }, Lines },
      { Address: { ShippingCountry: null }, Lines: Lines.slice(1) },
      { Address: HOME, Lines: [{ ProductId: gone }] },
      { Address: HOME, Lines: [] },
      { Address: HOME, Lines: [{ ProductId: coffee, Quantity: 1, Price: 99.99 }, ...Lines] },
      { Address: HOME, Lines: [{ ProductId: mug, Price: null }] },
      { Address: HOME, Lines, CustomerId: exempt },
    ];
    for (const cart of carts) {
      const { status, body } = await ask(cart);
      expect([status, body]).toEqual([200, await quoteOfOrder(cart)]);
    }
  });

  it('knows the shop’s own spelling of a country, and names what is none', async () => {
    const { coffee, ask, siteId } = await shop();
    const cart = { Address: { ShippingCountry: 'The Shire' }, Lines: [{ ProductId: coffee }] };
    const codes = async () => ((await ask(cart)).body as Quoted).Problems.map(({ Code }) => Code);
    expect(await codes()).toEqual([1002, 1006]);
    await given.taxRate(siteId, { name: 'Tithe', country: 'the shire', taxClass: 'food', rate: '10' });
    expect([await codes(), (await ask(cart)).body.TaxTotal]).toEqual([[1002], 125]);
  });

  it('follows the settings and the currency of the site', async () => {
    const { coffee, mug, ask, quoteOfOrder, siteId, token } = await shop({ currencyIso: 'JPY' });
    const settings = {
      Prices: 'Gross',
      HomeCountry: 'DE',
      GrossOutside: 'Adjust',
      ShippingTax: 'ByRate',
      RoundTax: 'Total',
    };
    expect((await api.request('PUT', `/api/Site/${siteId}/Settings`, { token, body: settings })).status).toBe(200);
    const Lines = [
      { ProductId: coffee, Quantity: 7 },
      { ProductId: mug, Quantity: 2 },
    ];
    for (const Address of [{ ShippingCountry: 'DE' }, HOME]) {
      const { status, body } = await ask({ Address, Lines });
      expect([status, body]).toEqual([200, await quoteOfOrder({ Address, Lines })]);
      expect(body).toMatchObject({ Prices: 'Gross', GrossOutside: 'Adjust', RoundTax: 'Total' });
    }
  });

  it('says why each rate was passed over, and writes nothing', async () => {
    const { coffee, ask } = await shop();
    const before = await rows();
    const { body } = await ask({ Address: HOME, Lines: [{ ProductId: coffee, Quantity: 2 }] });
    expect(body.Shipping[0].Name).toBe('Ground');
    expect(
      (body.Shipping[0].PassedOver as Json[]).map(({ Name, Reason }) => [Name as string, Reason as string]),
    ).toEqual([
      ['Regulars', expect.stringContaining('3')],
      ['Letter', 'It is for items without a shipping class, not for class "Parcel".'],
    ]);
    expect([body.Subtotal, body.ShippingTotal, body.TaxTotal, body.Total]).toEqual([2500, 501, 206, 3207]);
    expect(await rows()).toEqual(before);
  });

  it('refuses what a new order would refuse, and names each field', async () => {
    const { coffee, ask, siteId, userId } = await shop();
    const priceless = await given.product(siteId, { price: null });
    const deleted = await given.product(siteId, { deletedUtc: new Date() });
    const otherSite = await given.site(userId);
    const elsewhere = await given.product(otherSite);
    const customerElsewhere = await given.customer(otherSite);
    const refusal = async (body: unknown) => {
      const { status, body: answer } = await ask(body);
      return [status, answer.errors as unknown];
    };
    const cart = (...Lines: object[]) => ({ Address: HOME, Lines });
    const one = (field: string, message: unknown) => [400, [{ field, message }]];
    expect(await refusal({})).toEqual([
      400,
      [
        { field: 'Address', message: 'is required.' },
        { field: 'Lines', message: 'is required.' },
      ],
    ]);
    expect(await refusal({ Address: 'US', Lines: null })).toEqual([
      400,
      [
        { field: 'Address', message: 'must be an object.' },
        { field: 'Lines', message: 'is required.' },
      ],
    ]);
    expect(await refusal({ Address: { Country: 'US', ShippingCity: 7 }, Lines: [] })).toEqual([
      400,
      [
        {
          field: 'Address.Country',
          message:
            'is not a field of this resource; its fields are ShippingCountry, ShippingState, ShippingCity, ShippingPostcode.',
        },
        { field: 'Address.ShippingCity', message: '7 must be text.' },
      ],
    ]);
    expect(await refusal(cart({ Quantity: 0 }, 'x' as never))).toEqual([
      400,
      [
        { field: 'Lines[0].ProductId', message: 'is required.' },
        { field: 'Lines[0].Quantity', message: '0 must be an integer from 1 to 1000000.' },
        { field: 'Lines[1]', message: 'must be an object.' },
      ],
    ]);
    expect(await refusal(cart(...Array.from({ length: 6 }, () => ({ ProductId: coffee }))))).toEqual(
      one('Lines', expect.stringContaining('has 6 elements; at most 5 are allowed (MAX_ITEMS_PER_ORDER)')),
    );
    expect(await refusal(cart({ ProductId: coffee }, { ProductId: priceless }))).toEqual(
      one('Lines[1].Price', `Product ${priceless} has no price: send one.`),
    );
    expect(await refusal(cart({ ProductId: deleted }))).toEqual(
      one('Lines[0].ProductId', `There is no Product ${deleted}.`),
    );
    expect(await refusal(cart({ ProductId: elsewhere }))).toEqual(
      one('Lines[0].ProductId', `Product ${elsewhere} is on site ${otherSite}, not on site ${siteId} as it must be.`),
    );
    expect(await refusal({ ...cart(), CustomerId: customerElsewhere })).toEqual(
      one('CustomerId', `Customer ${customerElsewhere} is on site ${otherSite}, not on site ${siteId} as it must be.`),
    );
    expect(await refusal({ ...cart(), CustomerId: 999_999_999 })).toEqual(
      one('CustomerId', 'There is no Customer 999999999.'),
    );
    expect(await refusal(cart({ ProductId: coffee, Price: 99_999_999_999, Quantity: 1_000_000 }))).toEqual([
      400,
      expect.any(Array),
    ]);
  });

  it('is 404 of no site, 403 with a product or customer of another account', async () => {
    const { ask, coffee } = await shop();
    const other = await shop();
    const customer = await given.customer(other.siteId);
    const cart = { Address: HOME, Lines: [{ ProductId: coffee }] };
    expect((await ask(cart, '/api/Site/999999999/Explain/Rates')).status).toBe(404);
    expect((await ask({ ...cart, Lines: [{ ProductId: other.coffee }] })).status).toBe(403);
    expect((await ask({ ...cart, CustomerId: customer })).status).toBe(403);
  });

  it('ignores an Idempotency-Key: there is nothing to do twice', async () => {
    const { token, siteId, coffee } = await shop();
    const send = (Quantity: number) =>
      api.request('POST', `/api/Site/${siteId}/Explain/Rates`, {
        token,
        headers: { 'idempotency-key': 'again' },
        body: { Address: HOME, Lines: [{ ProductId: coffee, Quantity }] },
      });
    const [one, two] = [await send(1), await send(2)];
    expect([one.status, two.status, one.body.Subtotal, two.body.Subtotal]).toEqual([200, 200, 1250, 2500]);
    expect(two.headers.get('idempotent-replayed')).toBeNull();
  });

  itReaches(api, database, [
    {
      route: 'POST /api/Site/{siteId}/Explain/Rates',
      path: ({ siteId }) => `/api/Site/${siteId}/Explain/Rates`,
      body: () => ({ Address: HOME, Lines: [] }),
      answers: { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 },
    },
  ]);

  it('answers API keys of its site, also those that may only read', async () => {
    const world = await givenWorld(database);
    const keys = await givenKeys(database, world);
    const statuses: Record<string, number> = {};
    for (const [asker, token] of Object.entries(keys)) {
      const body = { Address: HOME, Lines: [] };
      statuses[asker] = (await api.request('POST', `/api/Site/${world.siteId}/Explain/Rates`, { token, body })).status;
    }
    expect(statuses).toEqual({
      'a key of its site': 200,
      'a key of several sites': 200,
      'a Read key of its site': 200,
      'a key of another site': 403,
      'a Read key of another site': 403,
      'a key of another account': 403,
      'a revoked key': 401,
      'an expired key': 401,
    });
  });
});
