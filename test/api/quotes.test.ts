import { Vault } from '#libs/platform';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);

const IN_2040 = '2040-03-15T10:00:00.000Z';
const CARD = { paymentMethodType: 'GatewayOne', paymentMethodCustomerId: 'cus_1', paymentMethodId: 'pm_1' };
const HOME = { shippingCountry: 'US', shippingState: 'CA', shippingCity: 'Los Angeles', shippingPostcode: '90001' };

/** An order shipped to Los Angeles, paid by card, on a site that is connected to the sandbox. */
async function shop(values: object = {}) {
  const merchant = await given.merchant();
  const { siteId, tokenAuth: token } = merchant;
  await connect(siteId, 'sandbox');
  const customerId = await given.customer(siteId);
  const order = { nextOccurrenceUtc: IN_2040, ...HOME, ...CARD, ...values };
  const id = await given.scheduledOrder(siteId, customerId, order);
  const read = (part: string) => api.request('GET', `/api/ScheduledOrders/${id}/${part}`, { token });
  const item = async (product: Record<string, unknown>, values: Record<string, unknown>) => {
    const productId = await given.product(siteId, product);
    return { productId, itemId: await given.item(siteId, id, productId, values) };
  };
  return { ...merchant, token, id, read, item };
}

const connect = (siteId: number, apiKey1: string, values: object = {}) =>
  given.integration(vault, siteId, { apiKey1, ...values });

const codesOf = ({ body }: { body: { Problems: { Code: number }[] } }) => body.Problems.map(({ Code }) => Code);

describe('GET /api/ScheduledOrders/{scheduledOrderId}/Quote', () => {
  it('says what the order would cost now and why: unit prices as decimals, amounts in minor units', async () => {
    const { siteId, read, item } = await shop();
    const coffee = await item({ shippingClass: 'Parcel', taxClass: 'food' }, { price: '12.5000', quantity: 2 });
    const mug = await item({}, { price: '9.99', salePrice: '7.5050' });
    const tea = await item({ availability: 'Sold out' }, { price: '4' });
    const ground = await given.shippingRate(siteId, {
      name: 'Ground',
      shippingClass: 'parcel',
      country: 'US',
      basePrice: '4',
      pricePerUnit: '0.505',
    });
    const far = await given.shippingRate(siteId, { name: null, shippingClass: 'parcel', country: 'DE' });
    const letter = await given.shippingRate(siteId, { name: 'Letter', basePrice: '1' });
    const state = await given.taxRate(siteId, {
      taxClass: 'food',
      country: 'US',
      state: 'CA',
      rate: '8.250000',
      name: 'Sales tax',
    });
    const { status, body } = await read('Quote');
    expect([status, body]).toEqual([
      200,
      {
        Lines: [
          {
            ScheduledOrderItemId: coffee.itemId,
            ProductId: coffee.productId,
            UnitPrice: 12.5,
            Quantity: 2,
            Amount: 2500,
            Available: true,
            UnavailableBecause: null,
            Taxes: [{ TaxRateId: state, Name: 'Sales tax', Rate: 8.25, Amount: 206 }],
          },
          {
            ScheduledOrderItemId: mug.itemId,
            ProductId: mug.productId,
            UnitPrice: 7.505,
            Quantity: 1,
            Amount: 751,
            Available: true,
            UnavailableBecause: null,
            Taxes: [],
          },
          {
            ScheduledOrderItemId: tea.itemId,
            ProductId: tea.productId,
            UnitPrice: 4,
            Quantity: 1,
            Amount: 0,
            Available: false,
            UnavailableBecause: expect.stringContaining('Sold out'),
            Taxes: [],
          },
        ],
        Shipping: [
          {
            ShippingClass: 'Parcel',
            Units: 2,
            ShippingRateId: ground,
            Name: 'Ground',
            Amount: 501,
            PassedOver: [
              {
                ShippingRateId: far,
                Name: null,
                Reason: 'Its country is "DE", the shipping address has another or none.',
              },
              {
                ShippingRateId: letter,
                Name: 'Letter',
                Reason: 'It is for items without a shipping class, not for class "Parcel".',
              },
            ],
          },
          {
            ShippingClass: null,
            Units: 1,
            ShippingRateId: letter,
            Name: 'Letter',
            Amount: 100,
            PassedOver: [
              {
                ShippingRateId: ground,
                Name: 'Ground',
                Reason: 'It is for class "parcel", not for items without a shipping class.',
              },
              {
                ShippingRateId: far,
                Name: null,
                Reason: 'It is for class "parcel", not for items without a shipping class.',
              },
            ],
          },
        ],
        Fixed: [],
        Subtotal: 3251,
        ShippingTotal: 601,
        TaxTotal: 206,
        Total: 4058,
        Problems: [],
      },
    ]);
  });

  it('agrees with the totals that a change of the order is answered with', async () => {
    const { id, token, siteId, read, item } = await shop({ currencyIso: 'JPY' });
    await item({ taxClass: 'x' }, { price: '333', quantity: 3 });
    await given.taxRate(siteId, { taxClass: 'x', country: 'US', rate: '10', name: 'Tax' });
    await given.shippingRate(siteId, { basePrice: '120.5' });
    const { body: order } = await api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body: { Cycles: 1 } });
    const { body } = await read('Quote');
    const totals = { ShippingTotal: 121, TaxTotal: 100, Total: 1220 };
    expect([order, body]).toMatchObject([totals, totals]);
  });

  it('names the totals that the shop fixed, and calculates nothing in their place', async () => {
    const fixed = { shippingTotal: 700, shippingTotalFixed: true, taxTotal: 55, taxTotalFixed: true };
    const { siteId, read, item } = await shop(fixed);
    await item({ taxClass: 'x' }, { price: '10' });
    await given.taxRate(siteId, { taxClass: 'x', country: 'US', rate: '10', name: 'Tax' });
    const { body } = await read('Quote');
    expect(body).toMatchObject({
      Lines: [{ Amount: 1000, Taxes: [] }],
      Shipping: [],
      Fixed: ['ShippingTotal', 'TaxTotal'],
      Subtotal: 1000,
      ShippingTotal: 700,
      TaxTotal: 55,
      Total: 1755,
      Problems: [],
    });
  });

  it('has nothing to say of an order without items, but that', async () => {
    const { body } = await (await shop()).read('Quote');
    expect(body).toEqual({
      Lines: [],
      Shipping: [],
      Fixed: [],
      Subtotal: 0,
      ShippingTotal: 0,
      TaxTotal: 0,
      Total: 0,
      Problems: [{ Code: 1000, Name: 'EmptyScheduledOrder', Message: 'The order has no items.' }],
    });
  });

  it('foresees what processing would fail with', async () => {
    const { siteId, read, item } = await shop({ ...CARD, paymentMethodId: null });
    await item({ shippingClass: 'parcel' }, {});
    await given.shippingRate(siteId, { shippingClass: 'letter' });
    const { body } = await read('Quote');
    expect(body.Problems).toEqual([
      { Code: 1002, Name: 'ShippingRateNotFound', Message: 'No shipping rate matches class "parcel".' },
      { Code: 1004, Name: 'PaymentMethodNull', Message: 'The order has no payment method.' },
    ]);
  });

  it('foresees that nothing can be shipped, and asks no payment method of a total of 0', async () => {
    const { read, item } = await shop({ paymentMethodType: null });
    await item({ deletedUtc: new Date() }, {});
    expect(codesOf(await read('Quote'))).toEqual([1001]);
  });

  it('foresees a missing integration', async () => {
    const { read, item } = await shop({ ...CARD, paymentMethodType: 'GatewayTwo' });
    await item({}, {});
    const { body } = await read('Quote');
    expect(body.Problems).toEqual([
      { Code: 1003, Name: 'PaymentIntegrationNotFound', Message: 'The shop is not connected to GatewayTwo.' },
    ]);
  });

  it('names a shipping country that is stored and is none, with what processing would fail with', async () => {
    const { read, item } = await shop({ shippingCountry: 'Nowhere', paymentMethodType: null });
    await item({}, { price: '10' });
    const { status, body } = await read('Quote');
    expect([status, body.Problems]).toEqual([
      200,
      [
        {
          Code: 1006,
          Name: 'ShippingCountryUnknown',
          Message:
            'The ShippingCountry "Nowhere" is no country, so that taxes and shipping of a country do not apply: ' +
            'change it to an ISO 3166-1 code such as US, or to its English name.',
        },
        { Code: 1004, Name: 'PaymentMethodNull', Message: 'The order has no payment method.' },
      ],
    ]);
  });

  it.each([null, ' ', 'Germany'])('names no shipping country that is %j', async (shippingCountry) => {
    const { read, item } = await shop({ shippingCountry });
    await item({}, { price: '10' });
    expect(codesOf(await read('Quote'))).toEqual([]);
  });

  it('names none in the shop’s own spelling, which its tax rates have as well', async () => {
    const { siteId, read, item } = await shop({ shippingCountry: 'Deutschland' });
    await item({}, { price: '10' });
    expect(codesOf(await read('Quote'))).toEqual([1006]);
    await given.taxRate(siteId, { country: ' deutschland', name: 'MwSt', rate: '19' });
    const { body } = await read('Quote');
    expect([body.Problems, body.TaxTotal]).toEqual([[], 190]);
  });

  it('foresees an amount that the gateway cannot take; the sandbox takes all', async () => {
    const { siteId, read, item } = await shop({ currencyIso: 'MGA' });
    await item({}, { price: '10.50' });
    expect(codesOf(await read('Quote'))).toEqual([]);
    await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = ${siteId}`);
    await connect(siteId, 'sk_test_1');
    const { body } = await read('Quote');
    expect(body.Problems).toEqual([
      {
        Code: 1005,
        Name: 'AmountNotChargeable',
        Message: 'The payment gateway cannot take exactly this amount of MGA.',
      },
    ]);
  });
});

describe('GET /api/ScheduledOrders/{scheduledOrderId}/Upcoming', () => {
  it('gives the next twelve occurrences with what they will cost by then, the first being the next', async () => {
    const { siteId, read, item } = await shop({ cycles: 1, scheduleAnchorUtc: '2026-01-31T10:00:00Z' });
    await item({}, { price: '10' });
    await given.shippingRate(siteId, { basePrice: '5' });
    await given.shippingRate(siteId, { basePrice: '0', minCycles: 3 });
    const { status, body } = await read('Upcoming');
    const occurrence = (OccurrenceUtc: string, Cycles: number, ShippingTotal: number) => ({
      OccurrenceUtc,
      Cycles,
      ShippingTotal,
      TaxTotal: 0,
      Total: 1000 + ShippingTotal,
    });
    expect(status).toBe(200);
    expect(body).toHaveLength(12);
    expect((body as object[]).slice(0, 4)).toEqual([
      occurrence(IN_2040, 1, 500),
      occurrence('2040-03-31T10:00:00.000Z', 2, 500),
      occurrence('2040-04-30T10:00:00.000Z', 3, 0),
      occurrence('2040-05-31T10:00:00.000Z', 4, 0),
    ]);
    expect(body[11]).toEqual(occurrence('2041-01-31T10:00:00.000Z', 12, 0));
  });

  it('does not come back to the occurrence that was moved', async () => {
    const { read } = await shop({
      scheduleAnchorUtc: '2026-01-15T10:00:00Z',
      nextOccurrenceUtc: '2040-03-10T10:00:00Z',
      replacedOccurrenceUtc: IN_2040,
    });
    const { body } = await read('Upcoming?count=2');
    expect((body as { OccurrenceUtc: string }[]).map(({ OccurrenceUtc }) => OccurrenceUtc)).toEqual([
      '2040-03-10T10:00:00.000Z',
      '2040-04-15T10:00:00.000Z',
    ]);
  });

  it('costs nothing without items, whatever the shop fixed', async () => {
    const { read } = await shop({ shippingTotal: 700, shippingTotalFixed: true });
    const { body } = await read('Upcoming?count=1');
    expect(body).toEqual([{ OccurrenceUtc: IN_2040, Cycles: 0, ShippingTotal: 0, TaxTotal: 0, Total: 0 }]);
  });

  it('is empty for an order without a frequency', async () => {
    const nothing = { status: 'Pending', frequencyType: null, frequency: null, nextOccurrenceUtc: null };
    const { status, body } = await (await shop(nothing)).read('Upcoming');
    expect([status, body]).toEqual([200, []]);
  });

  it('gives what is left of the calendar', async () => {
    const { read } = await shop({ nextOccurrenceUtc: '9999-11-15T10:00:00Z' });
    const { status, body } = await read('Upcoming');
    expect(status).toBe(200);
    expect((body as { OccurrenceUtc: string }[]).map(({ OccurrenceUtc }) => OccurrenceUtc)).toEqual([
      '9999-11-15T10:00:00.000Z',
      '9999-12-15T10:00:00.000Z',
    ]);
  });

  it.each(['1', '7', '100', '007'])('gives as many as count=%s says', async (count) => {
    const { body } = await (await shop()).read(`Upcoming?count=${count}`);
    expect(body).toHaveLength(Number(count));
  });

  it.each(['0', '101', '-1', '1.5', 'x', '', '1e1', '0x10'])('refuses count=%s', async (count) => {
    const { status, body } = await (await shop()).read(`Upcoming?count=${count}`);
    const message = `"${count}" must be an integer from 1 to 100.`;
    expect([status, body.errors]).toEqual([400, [{ field: 'count', message }]]);
  });

  it('refuses a repeated count', async () => {
    const { body } = await (await shop()).read('Upcoming?count=1&count=2');
    expect(body.errors).toEqual([{ field: 'count', message: 'A list must be an integer from 1 to 100.' }]);
  });
});

describe('A look ahead', () => {
  it('outlives a migration that adds a column', async () => {
    const { read, item } = await shop();
    await item({}, { price: '10' });
    const answers = async () =>
      [await read('Quote'), await read('Upcoming')].map(({ status, body }) => ({ status, body: body as unknown }));
    const before = await answers();
    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    await database.query('ALTER TABLE scheduled_orders ADD COLUMN newer text');
    try {
      const after = await answers();
      expect(after).toEqual(before);
    } finally {
      await database.query('ALTER TABLE scheduled_orders DROP COLUMN newer');
    }
  });
});

describe('An order whose price is very much work', () => {
  /** An order of 500 items to Los Angeles, where so many taxes apply. */
  async function heavy(taxes: number) {
    const made = await shop({ status: 'Active' });
    const { productId } = await made.item({}, { price: '1' });
    await database.query(
      `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, quantity, price)
       SELECT $1, $2, $3, 1, 1 FROM generate_series(2, 500)`,
      [made.siteId, made.id, productId],
    );
    await addTaxes(made.siteId, taxes);
    const call = (method: string, path: string, body: object) => api.request(method, path, { token: made.token, body });
    return { ...made, productId, call };
  }
  const addTaxes = (siteId: number, taxes: number) =>
    database.query(
      `INSERT INTO tax_rates (site_id, name, country, rate) SELECT $1, gen_random_uuid(), 'US', 0.01 FROM generate_series(1, $2::int)`,
      [siteId, taxes],
    );
  const TOO_MUCH = {
    status: 400,
    errors: [
      {
        field: 'ScheduledOrderItems',
        message:
          '500 lines have 100500 taxes in all at this address; at most 100000 are calculated: order fewer items, or give the place fewer tax rates.',
      },
    ],
  };

  it('is priced up to 100,000 taxes; one tax rate more is refused with the figures, and it can still be paused', async () => {
    const { read, id, siteId, productId, call } = await heavy(200);
    expect((await read('Quote')).status).toBe(200);
    const dear = await read('Upcoming?count=100');
    expect([dear.status, dear.body.length, dear.body[99].Total]).toEqual([200, 100, 50_000]);
    await addTaxes(siteId, 1);

    for (const part of ['Quote', 'Upcoming', 'Explain']) expect((await read(part)).body).toMatchObject(TOO_MUCH);
    const Lines = Array.from({ length: 500 }, () => ({ ProductId: productId }));
    const Address = { ShippingCountry: 'US' };
    expect((await call('POST', `/api/Site/${siteId}/Explain/Rates`, { Address, Lines })).body).toMatchObject(TOO_MUCH);
    const path = `/api/ScheduledOrders/${id}`;
    expect((await call('PUT', path, { ShippingCity: 'Oakland' })).body).toMatchObject(TOO_MUCH);
    const item = { ScheduledOrderId: id, ProductId: productId, Quantity: 1 };
    expect((await call('POST', '/api/ScheduledOrderItems', item)).status).toBe(400);
    const paused = await call('PUT', path, { Status: 'Paused' });
    expect([paused.status, paused.body.Status]).toEqual([200, 'Paused']);
    expect((await call('PUT', path, { ShippingCountry: 'DE' })).status).toBe(200);
    expect((await read('Quote')).status).toBe(200);
  });

  it('is explained with up to 20,000 shipping rates that were passed over', async () => {
    const { siteId, read, item } = await shop();
    await item({ shippingClass: 'Parcel' }, { price: '1' });
    const addRates = (rates: number) =>
      database.query(
        `INSERT INTO shipping_rates (site_id, country, shipping_class) SELECT $1, 'US', 'parcel' FROM generate_series(1, $2::int)`,
        [siteId, rates],
      );
    await addRates(20_000);
    const quoted = await read('Quote');
    expect([quoted.status, quoted.body.Shipping[0].PassedOver.length]).toEqual([200, 19_999]);
    const message = (classes: number, rates: number) =>
      `have ${classes} shipping classes, for which ${rates} shipping rates or more would be explained; at most 20000 are: have fewer classes or rates. Upcoming says what the order costs.`;
    const refused = (text: string) => ({ status: 400, errors: [{ field: 'ScheduledOrderItems', message: text }] });
    await addRates(10);
    expect((await read('Quote')).body).toMatchObject(refused(message(1, 20_001)));
    expect((await read('Upcoming')).status).toBe(200);
    await item({ shippingClass: 'Letter' }, { price: '1' });
    expect((await read('Explain')).body).toMatchObject(refused(message(2, 40_002)));
  });

  it('costs another price from the occurrence on at which a threshold of cycles is reached', async () => {
    const { siteId, read, item } = await shop({ cycles: 3, frequencyType: 'Weeks', frequency: 1 });
    await item({}, { price: '1' });
    for (const [basePrice, minCycles] of [
      ['9', 0],
      ['8', 2],
      ['7', 3],
      ['6', 5],
      ['5', 6],
    ] as const)
      await given.shippingRate(siteId, { basePrice, minCycles });
    const { body } = await read('Upcoming?count=5');
    const shipping = (body as { ShippingTotal: number }[]).map(({ ShippingTotal }) => ShippingTotal);
    expect(shipping).toEqual([700, 700, 600, 500, 500]);
  });
});
