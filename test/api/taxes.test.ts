import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const DEFAULTS = {
  Prices: 'Net',
  HomeCountry: null,
  HomeState: null,
  HomeCity: null,
  HomePostcode: null,
  GrossOutside: 'Keep',
  MinSubtotalGross: false,
  ShippingPrices: 'Net',
  ShippingTax: 'None',
  RoundTax: 'Line',
  KeepEvents: false,
  UpcomingNoticeDays: 3,
};

/** A German shop with a customer in a country, whose rates are for shipping too. */
async function shop(country = 'DE') {
  const { siteId, tokenAuth: token } = await given.merchant();
  const taxes = {
    DE: await given.taxRate(siteId, { country: 'DE', rate: '19', name: 'VAT', appliesToShipping: true }),
    FR: await given.taxRate(siteId, { country: 'FR', rate: '20', name: 'VAT', appliesToShipping: true }),
  };
  await given.shippingRate(siteId, { basePrice: '5', name: 'Post' });
  const customerId = await given.customer(siteId, { shippingCountry: country });
  const productId = await given.product(siteId, { price: '119' });
  const ask = (method: string, path: string, body?: object) => api.request(method, path, { token, body });
  const set = (body: object) => ask('PUT', `/api/Site/${siteId}/Settings`, body);
  const order = async () => {
    const { body } = await ask('POST', '/api/ScheduledOrders', {
      CustomerId: customerId,
      ScheduledOrderItems: [{ ProductId: productId }],
    });
    return body as { Id: number; ShippingTotal: number; TaxTotal: number; Total: number };
  };
  const quote = async (id: number) => (await ask('GET', `/api/ScheduledOrders/${id}/Quote`)).body as object;
  return { siteId, token, customerId, productId, taxes, ask, set, order, quote };
}

describe('GET and PUT /api/Site/{siteId}/Settings', () => {
  it('has the defaults until something is set, and keeps what is left out', async () => {
    const { siteId, ask, set } = await shop();
    expect(await ask('GET', `/api/Site/${siteId}/Settings`)).toMatchObject({ status: 200, body: DEFAULTS });
    expect(await set({})).toMatchObject({ status: 200, body: DEFAULTS });
    expect(await set(DEFAULTS)).toMatchObject({ status: 200, body: DEFAULTS });
    expect(await database.query(`SELECT 1 FROM site_settings WHERE site_id = $1`, [siteId])).toEqual([]);
    const gross = { ...DEFAULTS, Prices: 'Gross', HomeCountry: 'Germany', GrossOutside: 'Adjust' };
    expect(await set({ Prices: 'Gross', HomeCountry: 'Germany', GrossOutside: 'Adjust' })).toMatchObject({
      status: 200,
      body: gross,
    });
    expect((await set({ HomeCity: 'Berlin' })).body).toEqual({ ...gross, HomeCity: 'Berlin' });
    expect((await ask('GET', `/api/Site/${siteId}/Settings`)).body).toEqual({ ...gross, HomeCity: 'Berlin' });
  });

  it.each([
    [{ Prices: 'gross' }, 'Prices', '"gross" must be one of Net, Gross.'],
    [{ Prices: null }, 'Prices', 'must not be null: leave it out instead.'],
    [
      { HomeCountry: 'Narnia' },
      'HomeCountry',
      '"Narnia" must be a country: an ISO 3166-1 code such as US, or its English name.',
    ],
    [{ HomeCity: 'Berlin' }, 'HomeCity', 'requires HomeCountry.'],
    [
      { Prices: 'Gross', GrossOutside: 'Adjust' },
      'HomeCountry',
      'is required by GrossOutside Adjust: it says whose tax the prices have in them.',
    ],
    [
      { ShippingPrices: 'Gross', GrossOutside: 'RemoveTax' },
      'HomeCountry',
      'is required by GrossOutside RemoveTax: it says whose tax the prices have in them.',
    ],
  ])('refuses %j', async (body, field, message) => {
    const { siteId, ask, set } = await shop();
    expect(await set(body)).toMatchObject({ status: 400, body: { errors: [{ field, message }] } });
    expect((await ask('GET', `/api/Site/${siteId}/Settings`)).body).toEqual(DEFAULTS);
  });

  it('is Forbidden for another account, and Not Found where there is none', async () => {
    const { siteId } = await shop();
    const { ask } = await shop();
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { RoundTax: 'Total' } : undefined;
      expect((await ask(method, `/api/Site/${siteId}/Settings`, body)).status).toBe(403);
      expect((await ask(method, `/api/Site/999999999/Settings`, body)).status).toBe(404);
    }
  });
});

describe('Gross prices', () => {
  it.each([
    ['DE', 'Adjust', [500, 1900, 12400]],
    ['FR', 'Adjust', [500, 2000, 12500]],
    ['CH', 'Adjust', [500, 0, 10500]],
    ['FR', 'Keep', [500, 1983, 12400]],
    ['CH', 'Keep', [500, 0, 12400]],
    ['FR', 'RemoveTax', [500, 1983, 12400]],
    ['CH', 'RemoveTax', [500, 0, 10500]],
  ])('in %s, %s: shipping, tax and total are %p', async (country, GrossOutside, [shipping, tax, total]) => {
    const { set, order, quote } = await shop(country);
    await set({ Prices: 'Gross', HomeCountry: 'DE', GrossOutside });
    const made = await order();
    expect(made).toMatchObject({ ShippingTotal: shipping, TaxTotal: tax, Total: total });
    expect(await quote(made.Id)).toMatchObject({ ShippingTotal: shipping, TaxTotal: tax, Total: total });
  });

  it('show every step in the quote', async () => {
    const { set, order, quote, taxes } = await shop('FR');
    await set({ Prices: 'Gross', HomeCountry: 'DE', GrossOutside: 'Adjust', ShippingTax: 'ByRate' });
    const { Id } = await order();
    const shippingTax = { TaxRateId: taxes.FR, Name: 'VAT', Rate: 20, Amount: 100 };
    expect(await quote(Id)).toMatchObject({
      Lines: [
        {
          UnitPrice: 119,
          Amount: 10000,
          Taxes: [{ TaxRateId: taxes.FR, Name: 'VAT', Rate: 20, Amount: 2000 }],
          ListedAmount: 11900,
          TakenOut: [{ TaxRateId: taxes.DE, Name: 'VAT', Rate: 19 }],
          GrossAmount: 12000,
        },
      ],
      Shipping: [{ Amount: 500, ListedAmount: 500, Taxes: [shippingTax], GrossAmount: 600 }],
      Subtotal: 10000,
      ShippingTotal: 500,
      TaxTotal: 2100,
      Total: 12600,
      GrossSubtotal: 12000,
      ShippingTaxes: [shippingTax],
      Prices: 'Gross',
      GrossOutside: 'Adjust',
      ShippingPrices: 'Net',
      ShippingTax: 'ByRate',
      RoundTax: 'Line',
      TaxExempt: false,
    });
  });

  it('hold for the next change of an order that was made before', async () => {
    const { ask, set, order, quote } = await shop('DE');
    const { Id, Total } = await order();
    expect(Total).toBe(14661);
    await set({ Prices: 'Gross' });
    expect(await quote(Id)).toMatchObject({ Total: 12400 });
    expect((await ask('PUT', `/api/ScheduledOrders/${Id}`, { Cycles: 1 })).body).toMatchObject({ Total: 12400 });
  });
});

describe('GET and PUT /api/TaxRate/{taxRateId}/Terms', () => {
  it('is by name and not for shipping, until something is set', async () => {
    const { siteId, ask } = await shop();
    const id = await given.taxRate(siteId, { country: 'US', name: 'Tax' });
    const terms = (body?: object) => ask(body ? 'PUT' : 'GET', `/api/TaxRate/${id}/Terms`, body);
    expect(await terms()).toMatchObject({ status: 200, body: { Priority: null, AppliesToShipping: false } });
    const set = { Priority: 2, AppliesToShipping: true };
    expect(await terms(set)).toMatchObject({ status: 200, body: set });
    expect((await terms({ Priority: null })).body).toEqual({ ...set, Priority: null });
    expect((await ask('GET', `/api/TaxRate/${id}`)).body).not.toHaveProperty('Priority');
    expect((await terms({ Priority: 1.5 })).status).toBe(400);
    expect((await terms({ AppliesToShipping: null })).status).toBe(400);
  });

  it('makes one tax of two names, and two of one', async () => {
    const { siteId, ask, order } = await shop('CA');
    const [gst, hst] = [
      await given.taxRate(siteId, { country: 'CA', rate: '5', name: 'GST' }),
      await given.taxRate(siteId, { country: 'CA', rate: '13', name: 'HST' }),
    ];
    expect((await order()).TaxTotal).toBe(2142);
    for (const id of [gst, hst]) await ask('PUT', `/api/TaxRate/${id}/Terms`, { Priority: 1 });
    expect((await order()).TaxTotal).toBe(595);
    await ask('PUT', `/api/TaxRate/${hst}`, { Name: 'GST' });
    await ask('PUT', `/api/TaxRate/${hst}/Terms`, { Priority: 2 });
    expect((await order()).TaxTotal).toBe(2142);
  });

  it('is Forbidden for another account', async () => {
    const { taxes } = await shop();
    const { ask } = await shop();
    expect((await ask('GET', `/api/TaxRate/${taxes.DE}/Terms`)).status).toBe(403);
    expect((await ask('PUT', `/api/TaxRate/${taxes.DE}/Terms`, { Priority: 1 })).status).toBe(403);
  });
});

describe('GET and PUT /api/Customers/{customerId}/Settings', () => {
  it('exempts a customer from tax', async () => {
    const { customerId, ask, order, quote } = await shop();
    const settings = (body?: object) => ask(body ? 'PUT' : 'GET', `/api/Customers/${customerId}/Settings`, body);
    expect(await settings()).toMatchObject({ status: 200, body: { TaxExempt: false, VatNumber: null } });
    const set = { TaxExempt: true, VatNumber: 'DE 123.456.789' };
    expect(await settings(set)).toMatchObject({ status: 200, body: set });
    const { Id, TaxTotal } = await order();
    expect(TaxTotal).toBe(0);
    expect(await quote(Id)).toMatchObject({ TaxTotal: 0, TaxExempt: true });
    expect((await ask('GET', `/api/ScheduledOrders/${Id}/Upcoming?count=1`)).body).toEqual([]);
    expect((await ask('GET', `/api/Customers/${customerId}`)).body).not.toHaveProperty('TaxExempt');
  });

  it.each(['123456789', 'D', 'DE', 'DE1', 'DE12345678901234567'])('refuses the VAT number %j', async (VatNumber) => {
    const { customerId, ask } = await shop();
    const { status, body } = await ask('PUT', `/api/Customers/${customerId}/Settings`, { VatNumber });
    const message = `"${VatNumber}" must be a VAT number with the two letters of its country, such as DE123456789.`;
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'VatNumber', message }] }]);
  });

  it('is not for a Customer token, which cannot shed tax', async () => {
    const { customerId, siteId } = await shop();
    const [row] = await database.query<{ user_id: string }>(`SELECT user_id FROM sites WHERE id = $1`, [siteId]);
    const token = await given.token(Number(row!.user_id), { customerId });
    const path = `/api/Customers/${customerId}/Settings`;
    expect((await api.request('PUT', path, { token, body: { TaxExempt: true } })).status).toBe(403);
    expect((await api.request('GET', path, { token })).status).toBe(403);
  });
});

describe('A currency that was withdrawn', () => {
  it('is refused for a new order, and stays where an order has it', async () => {
    const { siteId, customerId, productId, ask } = await shop();
    const create = (CurrencyIso: string) =>
      ask('POST', '/api/ScheduledOrders', {
        CustomerId: customerId,
        CurrencyIso,
        ScheduledOrderItems: [{ ProductId: productId }],
      });
    expect(await create('BGN')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'CurrencyIso', message: '"BGN" was withdrawn: use EUR.' }] },
    });
    expect((await create('XAD')).status).toBe(201);
    const id = await given.scheduledOrder(siteId, customerId, { currencyIso: 'BGN' });
    const put = (body: object) => ask('PUT', `/api/ScheduledOrders/${id}`, body);
    expect((await put({ CurrencyIso: 'BGN', Cycles: 2 })).status).toBe(200);
    expect((await put({ CurrencyIso: 'ANG' })).status).toBe(400);
    expect((await put({ CurrencyIso: 'EUR' })).status).toBe(200);
  });

  it('is refused for a new order that takes it from its site', async () => {
    const { siteId, customerId, ask } = await shop();
    await database.query(`UPDATE sites SET currency_iso = 'CUC' WHERE id = $1`, [siteId]);
    const { status, body } = await ask('POST', '/api/ScheduledOrders', { CustomerId: customerId });
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ field: 'CurrencyIso', message: '"CUC" was withdrawn: use CUP.' }] },
    ]);
  });
});
