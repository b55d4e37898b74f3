import * as fc from 'fast-check';
import { RateLoader } from '#libs/records';
import { ALL_CASES } from '../support/all-cases.js';
import { type Json, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { createWorker, ENCRYPTION_KEY, givenShop } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

interface Proposal {
  readonly Id?: number | null;
  readonly Terms?: object;
  readonly [field: string]: unknown;
}
interface Proposals {
  readonly TaxRates?: readonly Proposal[];
  readonly ShippingRates?: readonly Proposal[];
}

const KINDS = { TaxRates: 'TaxRate', ShippingRates: 'ShippingRate' } as const;
type Kind = keyof typeof KINDS;

const LA = { ShippingCountry: 'US', ShippingState: 'CA', ShippingCity: 'Los Angeles', ShippingPostcode: '90001' };
const BERLIN = { ShippingCountry: 'DE', ShippingState: 'Berlin', ShippingCity: 'Berlin', ShippingPostcode: '10117' };
const SHIRE = { ShippingCountry: 'The Shire' };

const GROSS = {
  Prices: 'Gross',
  HomeCountry: 'DE',
  GrossOutside: 'Adjust',
  ShippingPrices: 'Gross',
  ShippingTax: 'ByRate',
};

/** A shop with a rate of every sort, and what it is asked. */
async function shop(settings: object = {}) {
  const { siteId, tokenAuth: token } = await given.merchant();
  const rates = {
    salesTax: await given.taxRate(siteId, { name: 'Sales tax', country: 'US', state: 'CA', rate: '7.25' }),
    vat: await given.taxRate(siteId, { name: 'VAT', country: 'DE', rate: '19', appliesToShipping: true }),
    tithe: await given.taxRate(siteId, { name: 'Tithe', country: 'the shire', rate: '10' }),
    parcel: await given.shippingRate(siteId, { name: 'Parcel', country: 'US', basePrice: '5', pricePerUnit: '0.505' }),
    free: await given.shippingRate(siteId, { name: 'Free', country: 'US', basePrice: '0', minSubtotal: '100' }),
    abroad: await given.shippingRate(siteId, { name: 'Abroad', basePrice: '14' }),
  };
  const coffee = await given.product(siteId, { price: '12.50' });
  const tea = await given.product(siteId, { price: '9.99', taxClass: 'food', shippingClass: 'Fragile' });
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await api.request(method, path, { token, body });
    expect([path, answer.status, answer.body.errors]).toEqual([path, expect.any(Number), undefined]);
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  };
  if (Object.keys(settings).length > 0) await call('PUT', `/api/Site/${siteId}/Settings`, settings);
  const Lines = [
    { ProductId: coffee, Quantity: 3 },
    { ProductId: tea, Quantity: 2 },
  ];
  const ask = (Address: object, proposals: object = {}) =>
    call('POST', `/api/Site/${siteId}/Explain/Rates`, { Address, Lines, ...proposals });
  /** An order of the same cart, as the Quote of it without its own ids, and without what is wrong with its payment. */
  const quoteOfOrder = async (Address: object) => {
    const address = Object.entries(Address).map(([name, value]): [string, unknown] => {
      return [name[0]!.toLowerCase() + name.slice(1), value];
    });
    const customer = await given.customer(siteId);
    const order = await given.scheduledOrder(siteId, customer, Object.fromEntries(address));
    await given.item(siteId, order, coffee, { price: '12.50', quantity: 3 });
    await given.item(siteId, order, tea, { price: '9.99', quantity: 2 });
    const quoted = await call('GET', `/api/ScheduledOrders/${order}/Quote`);
    return {
      ...(quoted as object),
      Lines: (quoted.Lines as Json[]).map((line: object) => ({ ...line, ScheduledOrderItemId: null })),
      Problems: (quoted.Problems as Json[]).filter(({ Code }) => Code !== 1003 && Code !== 1004),
    };
  };
  return { siteId, token, rates, call, ask, quoteOfOrder };
}
type Shop = Awaited<ReturnType<typeof shop>>;

/** Really stores what was proposed. @returns the stored ids, with those that the proposals had. */
async function store({ siteId, call }: Shop, proposals: Proposals): Promise<Record<Kind, Map<number, number>>> {
  const ids = { TaxRates: new Map<number, number>(), ShippingRates: new Map<number, number>() };
  for (const kind of ['TaxRates', 'ShippingRates'] as const) {
    for (const [index, { Id, Terms, ...fields }] of (proposals[kind] ?? []).entries()) {
      let id = Id ?? null;
      if (id !== null) await call('PUT', `/api/${KINDS[kind]}/${id}`, fields);
      else {
        id = (await call('POST', `/api/${kind}`, { SiteId: siteId, ...fields })).Id as number;
        ids[kind].set(id, -1 - index);
      }
      if (Terms !== undefined) await call('PUT', `/api/TaxRate/${id}/Terms`, Terms);
    }
  }
  return ids;
}

/** With the ids of proposals in place of those of the stored rates. */
const withIds = (quote: Json, { TaxRates, ShippingRates }: Record<Kind, Map<number, number>>): Json =>
  JSON.parse(
    JSON.stringify(quote, (key, value: unknown) => {
      if (key === 'TaxRateId') return TaxRates.get(value as number) ?? value;
      return key === 'ShippingRateId' ? (ShippingRates.get(value as number) ?? value) : value;
    }),
  );

/** The answer with the proposals is that of the shop, and of the Quote of an order, once they are stored. */
async function assertSameWhenStored(made: Shop, proposals: Proposals, addresses: readonly object[]): Promise<Json[]> {
  const proposed: Json[] = [];
  for (const address of addresses) proposed.push(await made.ask(address, proposals));
  const ids = await store(made, proposals);
  for (const [index, address] of addresses.entries()) {
    expect(withIds(await made.ask(address), ids)).toEqual(proposed[index]);
    expect(withIds(await made.quoteOfOrder(address), ids)).toEqual(proposed[index]);
  }
  return proposed;
}

const taxes = (quote: Json) =>
  (quote.Lines as Json[]).map(({ Taxes }) =>
    (Taxes as Json[]).map(({ TaxRateId, Amount }) => [TaxRateId, Amount] as unknown),
  );
const shipping = (quote: Json) =>
  (quote.Shipping as Json[]).map(({ ShippingRateId, Amount }) => [ShippingRateId, Amount] as unknown);

describe('a quote with proposed rates is the quote once they are stored', () => {
  it('a new tax rate', async () => {
    const made = await shop();
    const city = { Name: 'City tax', Country: 'US', State: 'CA', City: 'Los Angeles', Rate: 1.125 };
    const [la] = await assertSameWhenStored(made, { TaxRates: [city] }, [LA, BERLIN]);
    expect(taxes(la)).toEqual([
      [
        [made.rates.salesTax, 272],
        [-1, 42],
      ],
      [],
    ]);
    expect(la.TaxTotal).toBe(314);
  });

  it('several new tax rates, in their order, with terms', async () => {
    const made = await shop({ ShippingTax: 'ByRate' });
    const proposals = {
      TaxRates: [
        { Name: 'Compound', Country: 'US', Rate: 2, IsCompound: true },
        { Name: 'County', Country: 'US', State: 'CA', Rate: 0.25, Terms: { AppliesToShipping: true } },
        { Name: 'First', Country: 'US', Rate: 1, Terms: { Priority: 1, AppliesToShipping: false } },
        { Name: 'Food', Country: 'US', TaxClass: 'food', Rate: 3, Terms: null as never },
      ],
    };
    const [la] = await assertSameWhenStored(made, { TaxRates: proposals.TaxRates.slice(0, 3) }, [LA]);
    expect(taxes(la)[0]).toEqual([
      [-3, 38],
      [made.rates.salesTax, 272],
      [-2, 9],
      [-1, 81],
    ]);
    expect(la.ShippingTaxes).toMatchObject([{ TaxRateId: -2, Rate: 0.25 }]);
    expect(taxes(await made.ask(LA, proposals))[1]).toEqual([[-4, 60]]);
  });

  it('a new shipping rate', async () => {
    const made = await shop();
    const cheap = { Name: 'Bike', Country: 'US', BasePrice: 2.5, PricePerUnit: 0.1 };
    const fragile = { Name: 'Fragile', ShippingClass: 'fragile', BasePrice: 20.005 };
    const minimum = { Name: 'Large', Country: 'US', BasePrice: 0, MinSubtotal: 1000 };
    const [la, berlin] = await assertSameWhenStored(made, { ShippingRates: [cheap, minimum, fragile] }, [LA, BERLIN]);
    expect([shipping(la), shipping(berlin)]).toEqual([
      [
        [-1, 280],
        [-3, 2001],
      ],
      [
        [made.rates.abroad, 1400],
        [-3, 2001],
      ],
    ]);
    expect(la.Shipping[0].PassedOver).toContainEqual({
      ShippingRateId: -2,
      Name: 'Large',
      Reason: 'Its MinSubtotal is 1000.0000, the subtotal is 57.48.',
    });
  });

  it('a new shipping rate loses to a stored one of the same price', async () => {
    const made = await shop();
    const [berlin] = await assertSameWhenStored(made, { ShippingRates: [{ Name: 'Same', BasePrice: 14 }] }, [BERLIN]);
    expect(shipping(berlin)[0]).toEqual([made.rates.abroad, 1400]);
    expect(berlin.Shipping[0].PassedOver).toContainEqual({
      ShippingRateId: -1,
      Name: 'Same',
      Reason: 'It costs the same as the rate with the lower id.',
    });
  });

  it('the first shipping rate of a site', async () => {
    const made = await shop();
    for (const id of [made.rates.parcel, made.rates.free, made.rates.abroad])
      await database.query('UPDATE shipping_rates SET deleted_utc = now() WHERE id = $1', [id]);
    const [la, berlin] = await assertSameWhenStored(made, { ShippingRates: [{ Country: 'US', BasePrice: 3 }] }, [
      LA,
      BERLIN,
    ]);
    expect([shipping(la)[0], la.Problems.length > 0, berlin.Problems.length > 0]).toEqual([[-1, 300], true, true]);
  });

  it('a stored tax rate with another percentage, or elsewhere', async () => {
    const percentage = await shop();
    const [la] = await assertSameWhenStored(percentage, { TaxRates: [{ Id: percentage.rates.salesTax, Rate: 8 }] }, [
      LA,
      BERLIN,
    ]);
    expect(taxes(la)[0]).toEqual([[percentage.rates.salesTax, 300]]);

    const away = await shop();
    const oregon = { Id: away.rates.salesTax, State: 'OR' };
    expect(taxes((await assertSameWhenStored(away, { TaxRates: [oregon] }, [LA]))[0])[0]).toEqual([]);

    const hither = await shop();
    const california = { Id: hither.rates.vat, Country: 'US', State: 'CA' };
    const [both] = await assertSameWhenStored(hither, { TaxRates: [california] }, [LA, BERLIN]);
    expect(taxes(both)[0]).toEqual([
      [hither.rates.salesTax, 272],
      [hither.rates.vat, 713],
    ]);
  });

  it('a stored tax rate with other terms', async () => {
    const made = await shop({ ShippingTax: 'ByRate' });
    const change = { Id: made.rates.salesTax, Terms: { AppliesToShipping: true } };
    const [la] = await assertSameWhenStored(made, { TaxRates: [change] }, [LA]);
    expect(la.ShippingTaxes).toMatchObject([{ TaxRateId: made.rates.salesTax, Rate: 7.25 }]);
  });

  it('a stored shipping rate with another price, or without its place', async () => {
    const made = await shop();
    const { parcel, free } = made.rates;
    const changes = [
      { Id: parcel, BasePrice: 0.005, PricePerUnit: null },
      { Id: free, Country: null, MinSubtotal: 50 },
    ];
    const [la, berlin] = await assertSameWhenStored(made, { ShippingRates: changes }, [LA, BERLIN]);
    expect([shipping(la)[0], shipping(berlin)[0]]).toEqual([
      [parcel, 1],
      [free, 0],
    ]);
  });

  it('what GET answers of a rate, sent back with one field changed', async () => {
    const made = await shop();
    const { salesTax, parcel } = made.rates;
    const [tax, rate] = [
      await made.call('GET', `/api/TaxRate/${salesTax}`),
      await made.call('GET', `/api/ShippingRate/${parcel}`),
    ];
    const proposals = { TaxRates: [{ ...tax, Rate: 10 }], ShippingRates: [{ ...rate, BasePrice: 6 }] } as Proposals;
    const [la] = await assertSameWhenStored(made, proposals, [LA]);
    expect([taxes(la)[0], shipping(la)[0]]).toEqual([[[salesTax, 375]], [parcel, 752]]);
  });

  it('what is a country by a tax rate', async () => {
    const codes = ({ Problems }: Json) => (Problems as Json[]).map(({ Code }) => Code as number);
    const made = await shop();
    const [rivendell, shire] = [{ ShippingCountry: 'Rivendell ' }, SHIRE];
    expect([codes(await made.ask(rivendell)), codes(await made.ask(shire))]).toEqual([[1002, 1006], [1002]]);
    const proposals = {
      TaxRates: [
        { Country: ' RIVENDELL', Rate: 1 },
        { Id: made.rates.tithe, Country: 'Mordor' },
      ],
    };
    const answers = await assertSameWhenStored(made, proposals, [rivendell, shire]);
    expect(answers.map(codes)).toEqual([[1002], [1002, 1006]]);
  });

  it('rates of the shop’s home, where prices have tax in them', async () => {
    const made = await shop(GROSS);
    const proposals = {
      TaxRates: [
        { Id: made.rates.vat, Rate: 21 },
        { Name: 'Food', Country: 'DE', TaxClass: 'food', Rate: 7 },
      ],
      ShippingRates: [{ Country: 'US', BasePrice: 4.2 }],
    };
    const [la, berlin] = await assertSameWhenStored(made, proposals, [LA, BERLIN]);
    expect(la.Lines[1].TakenOut).toEqual([{ TaxRateId: -2, Name: 'Food', Rate: 7 }]);
    expect(berlin.Lines[0]).toMatchObject({ GrossAmount: 3750, Taxes: [{ TaxRateId: made.rates.vat, Amount: 651 }] });
  });

  const RUNS = ALL_CASES ? 20 : 8;
  it(`any mixture (${RUNS} of them)`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom({}, { ShippingTax: 'ByRate', RoundTax: 'Total' }, GROSS),
        mixtures,
        async (settings, mixture) => {
          const made = await shop(settings);
          await assertSameWhenStored(made, proposalsOf(made, mixture), [LA, BERLIN]);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

const PLACES = [
  {},
  { Country: null, State: null, City: null, Postcode: null },
  { Country: 'US', State: null, City: null, Postcode: null },
  { Country: 'Germany', State: '*', City: '*', Postcode: '101*' },
  { Country: 'us', State: 'ca', City: '*', Postcode: '90001' },
  { Country: 'US', State: 'CA', City: 'Los Angeles', Postcode: null },
];
const decimals = (most: number, places: number) =>
  fc.integer({ min: 0, max: most * 10 ** places }).map((value) => value / 10 ** places);
const some = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: ['place'] });
const CLASSES = fc.constantFrom(null, 'food', 'fragile');
const mixtures = fc.record({
  TaxRates: fc.array(
    some({
      place: fc.constantFrom(...PLACES),
      replaces: fc.constantFrom('salesTax', 'vat', 'tithe'),
      TaxClass: CLASSES,
      Rate: decimals(30, 6),
      Name: fc.constantFrom(null, 'VAT', 'Sales tax', 'Another'),
      IsCompound: fc.boolean(),
      Terms: fc.record(
        { Priority: fc.constantFrom(null, 1, 2), AppliesToShipping: fc.boolean() },
        { requiredKeys: [] },
      ),
    }),
    { maxLength: 4 },
  ),
  ShippingRates: fc.array(
    some({
      place: fc.constantFrom(...PLACES),
      replaces: fc.constantFrom('parcel', 'free', 'abroad'),
      ShippingClass: CLASSES,
      BasePrice: decimals(9, 2),
      PricePerUnit: decimals(1, 4),
      MinUnits: fc.integer({ min: 0, max: 8 }),
      MinCycles: fc.integer({ min: 0, max: 1 }),
      MinSubtotal: decimals(99, 2),
    }),
    { maxLength: 4 },
  ),
});

/** Each stored rate is replaced once at most. */
function proposalsOf({ rates }: Shop, mixture: Record<Kind, readonly Json[]>): Proposals {
  const taken = new Set<string>();
  const forKind = (kind: Kind) =>
    mixture[kind].map(({ place, replaces, ...fields }): Proposal => {
      const isNew = replaces === undefined || taken.has(replaces as string);
      if (!isNew) taken.add(replaces as string);
      return {
        ...(place as object),
        ...(fields as object),
        ...(isNew ? {} : { Id: rates[replaces as keyof typeof rates] }),
      };
    });
  return { TaxRates: forKind('TaxRates'), ShippingRates: forKind('ShippingRates') };
}

describe('a proposed rate', () => {
  const TABLES = ['tax_rates', 'shipping_rates', 'rate_versions', 'price_history', 'price_insertions', 'action_logs'];
  const all = () =>
    Promise.all(
      [...TABLES, 'outbox', 'idempotency_keys'].map(async (table) => [
        table,
        (await database.query<{ rows: unknown }>(`SELECT json_agg(t ORDER BY t::text) AS rows FROM ${table} t`))[0]!
          .rows,
      ]),
    );

  it('is not stored: no row, log or version is another one afterwards', async () => {
    const made = await shop();
    const before = await all();
    const TaxRates = [
      { Id: made.rates.salesTax, Rate: 8 },
      { Country: 'US', Rate: 1 },
    ];
    const ShippingRates = [{ Id: made.rates.parcel, BasePrice: 1 }, { BasePrice: 0 }];
    const proposed = await made.ask(LA, { TaxRates, ShippingRates });
    expect(await all()).toEqual(before);
    expect([(await made.ask(LA)).TaxTotal, proposed.TaxTotal]).toEqual([272, 338]);
  });

  it('is left out when null or nothing is sent', async () => {
    const made = await shop();
    const plain = await made.ask(LA);
    for (const none of [
      { TaxRates: null, ShippingRates: null },
      { TaxRates: [], ShippingRates: [] },
    ])
      expect(await made.ask(LA, none)).toEqual(plain);
    expect(
      taxes(await made.ask(LA, { TaxRates: [{ Id: null, Country: 'US', Rate: 1, SiteId: made.siteId }] }))[0],
    ).toEqual([
      [made.rates.salesTax, 272],
      [-1, 38],
    ]);
  });

  it('is never in the rates that a worker keeps, nor in those that an order is charged by', async () => {
    const made = await givenShop(database);
    const taxRate = await given.taxRate(made.siteId, { name: 'TVA', country: 'FR', rate: '20' });
    const shippingRate = await given.shippingRate(made.siteId, { basePrice: '5' });
    const [first, second] = [
      await made.dueOrder(),
      await made.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 9e6) }),
    ];
    const worker = createWorker(database);
    await worker.drain();
    let reads = 0;
    const loader = new RateLoader({
      execute: (statement, values) => (reads++, database.pool.execute(statement, values)),
    });
    const to = { shippingCountry: 'FR', shippingState: null, shippingCity: null, shippingPostcode: null };
    const kept = async () => {
      reads = 0;
      const batch = loader.portions([{ siteId: made.siteId, to }], await loader.begin([made.siteId]));
      for await (const { rates } of batch) return rates.get(made.siteId)!;
      throw new Error('No rates.');
    };
    const before = await kept();
    const rowsBefore = JSON.stringify(before.shippingRates.map(({ row }) => row));
    const forecast = () =>
      api.request('GET', `/api/Site/${made.siteId}/Forecast?From=2040-01-01&To=2040-02-01`, { token: made.tokenAuth });
    const forecastBefore = (await forecast()).body as { AsOfUtc: string };

    const { body: proposed } = await api.request('POST', `/api/Site/${made.siteId}/Explain/Rates`, {
      token: made.tokenAuth,
      body: {
        Address: { ShippingCountry: 'FR' },
        Lines: [{ ProductId: made.productId }],
        TaxRates: [
          { Id: taxRate, Rate: 50 },
          { Name: 'More', Rate: 10 },
        ],
        ShippingRates: [
          { Id: shippingRate, BasePrice: 99 },
          { Country: 'FR', BasePrice: 1 },
        ],
      },
    });
    expect([proposed.TaxTotal, proposed.ShippingTotal]).toEqual([750, 100]);

    expect([await kept(), reads]).toEqual([before, 1]);
    expect(await kept()).toBe(before);
    expect(JSON.stringify(before.shippingRates.map(({ row }) => row))).toBe(rowsBefore);
    expect({ ...(await forecast()).body, AsOfUtc: '' }).toEqual({ ...forecastBefore, AsOfUtc: '' });
    await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = now() - interval '1 hour' WHERE id = $1`, [
      second,
    ]);
    await worker.drain();
    await worker.end();
    const charged = await database.query<{ total: string }>(
      `SELECT o.total::float AS total FROM processing_cycles c JOIN orders o ON o.id = c.order_id
       WHERE c.scheduled_order_id = ANY ($1::bigint[]) ORDER BY c.scheduled_order_id`,
      [[first, second]],
    );
    expect(charged).toEqual([{ total: 20 }, { total: 20 }]);
  });
});
