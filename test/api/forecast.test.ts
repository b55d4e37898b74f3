import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { Vault } from '#libs/platform';
import { FREQUENCY_TYPES } from '#libs/rules';
import { ALL_CASES } from '../support/all-cases.js';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);

const DAY = 86_400_000;
const LARGEST = { Days: 40, Weeks: 6, Months: 4, DayOfTheWeek: 7, DayOfTheMonth: 31 };
const CARD = { paymentMethodType: 'GatewayOne', paymentMethodCustomerId: 'cus_1', paymentMethodId: 'pm_1' };

const day = (instant: Date | number) => new Date(instant).toISOString().slice(0, 10);
/** No occurrence is near the present, so that it does not matter when in a test somebody asks. */
const START = Date.now();
const atSomeTime = (days: number, minutes: number) => new Date(START + days * DAY + minutes * 60_000);
const minutes = fc.integer({ min: 60, max: 23 * 60 });

interface Row {
  Day: string | null;
  ProductId: number | null;
  Orders: number;
  Units: number;
  UnitsAtRisk: number;
  Amount: number | null;
  CurrencyIso: string | null;
  RunsOutOn: string | null;
}

interface Forecast {
  AsOfUtc: string;
  Orders: number;
  Occurrences: number;
  Rows: Row[];
  LeftOut: { Reason: string; Orders: number }[];
}

interface Upcoming {
  OccurrenceUtc: string;
  ShippingTotal: number;
  TaxTotal: number;
  Total: number;
}

interface Quote {
  Problems: { Code: number }[];
  Lines: { Available: boolean; Quantity: number }[];
}

interface Question {
  From: string;
  To: string;
  By?: string;
  Amounts?: string;
}

const pathOf = (siteId: number, question: Question) =>
  `/api/Site/${siteId}/Forecast?${new URLSearchParams({ ...question }).toString()}`;

async function forecast(siteId: number, token: string, question: Question): Promise<Forecast> {
  const { status, body } = await api.request('GET', pathOf(siteId, question), { token });
  expect([status, body.detail ?? null, body.errors ?? null]).toEqual([200, null, null]);
  return body as Forecast;
}

/** From today, so many days. */
const coming = (days: number): Question => ({ From: day(START), To: day(START + days * DAY) });

/** A shop with one product, connected to the sandbox. */
async function shop(product: Record<string, unknown> = {}) {
  const merchant = await given.merchant();
  const { siteId, tokenAuth: token } = merchant;
  await given.integration(vault, siteId);
  const customerId = await given.customer(siteId);
  const productId = await given.product(siteId, product);
  const order = async (values: Record<string, unknown> = {}, item: Record<string, unknown> = {}) => {
    const id = await given.scheduledOrder(siteId, customerId, { shippingCountry: 'US', ...CARD, ...values });
    await given.item(siteId, id, productId, item);
    return id;
  };
  const open = (id: number, state: string) =>
    database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc) VALUES ($1, $2, 1, $3, true, now())`,
      [siteId, id, state],
    );
  return { ...merchant, token, customerId, productId, order, open };
}

const STATES = ['Retrying', 'Waiting', 'Unknown', 'Claimed'] as const;

const orders = fc.record({
  frequency: fc.constantFrom(...FREQUENCY_TYPES).chain((frequencyType) =>
    fc.record({
      frequencyType: fc.constant(frequencyType),
      frequency: fc.integer({ min: 1, max: LARGEST[frequencyType] }),
    }),
  ),
  anchorMonth: fc.integer({ min: -14, max: 0 }),
  anchorDay: fc.oneof(fc.constantFrom(28, 29, 30, 31), fc.integer({ min: 1, max: 31 })),
  minutes,
  nextIn: fc.oneof({ weight: 1, arbitrary: fc.integer({ min: -40, max: -2 }) }, { weight: 4, arbitrary: fc.nat(50) }),
  replacedIn: fc.option(fc.integer({ min: 1, max: 60 }), { nil: null, freq: 3 }),
  status: fc.oneof({ weight: 9, arbitrary: fc.constant('Active') }, fc.constantFrom('Paused', 'Pending')),
  openState: fc.option(fc.constantFrom(...STATES), { nil: null, freq: 3 }),
  cycles: fc.nat(8),
  currencyIso: fc.constantFrom('USD', 'EUR', 'JPY', 'KWD'),
  shippingCountry: fc.constantFrom('US', 'DE', 'Nowhere', null),
  card: fc.constantFrom(CARD, CARD, { ...CARD, paymentMethodId: null }, { ...CARD, paymentMethodType: 'GatewayTwo' }),
  fixed: fc.constantFrom(
    {},
    {},
    { shippingTotal: 450, shippingTotalFixed: true },
    { taxTotal: 77, taxTotalFixed: true },
  ),
  items: fc.array(
    fc.record({
      product: fc.nat(4),
      price: fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
      quantity: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 4 },
  ),
});
type GivenOrder = typeof orders extends fc.Arbitrary<infer One> ? One : never;

const rates = fc.array(
  fc.record({
    basePrice: fc.integer({ min: 0, max: 2_000 }).map((cents) => (cents / 100).toFixed(2)),
    minCycles: fc.constantFrom(null, 0, 2, 3, 5, 9, 12, 20),
    country: fc.constantFrom(null, 'US', 'DE'),
  }),
  { maxLength: 6 },
);

const shops = fc.record({
  orders: fc.array(orders, { minLength: 12, maxLength: 30 }),
  rates,
  taxes: fc.array(fc.record({ country: fc.constantFrom('US', 'DE', 'nowhere'), rate: fc.constantFrom('7', '19') }), {
    maxLength: 3,
  }),
  settings: fc.constantFrom(
    {},
    { Prices: 'Gross', GrossOutside: 'Adjust', HomeCountry: 'DE', MinSubtotalGross: true },
    { ShippingTax: 'Proportional', RoundTax: 'Total' },
  ),
  stocks: fc.array(fc.constantFrom('0', '5', '40', '100', '400', '2000', 'plenty'), { minLength: 5, maxLength: 5 }),
  days: fc.integer({ min: 1, max: 60 }),
  fromIn: fc.constantFrom(0, 0, -3, 1, 12, 25),
});
type GivenShop = typeof shops extends fc.Arbitrary<infer One> ? One : never;

interface Stored {
  id: number;
  order: GivenOrder;
}

/** Products: 0 to 2 can be sold, 3 is sold out, 4 is deleted. */
async function store({ orders, rates, taxes, settings, stocks }: GivenShop) {
  const { siteId, tokenAuth: token } = await given.merchant();
  await given.integration(vault, siteId);
  const customers = [await given.customer(siteId), await given.customer(siteId, { taxExempt: true })];
  const products: number[] = [];
  for (const [index, stockLevel] of stocks.entries()) {
    const values = index === 3 ? { availability: 'SoldOut' } : index === 4 ? { deletedUtc: new Date() } : {};
    products.push(await given.product(siteId, { sku: `=S${index}`, stockLevel, ...values }));
  }
  for (const rate of rates) await given.shippingRate(siteId, rate);
  for (const { country, rate } of taxes) await given.taxRate(siteId, { country, rate, name: `Tax ${rate}` });
  await api.request('PUT', `/api/Site/${siteId}/Settings`, { token, body: settings });
  const stored: Stored[] = [];
  for (const [index, order] of orders.entries()) {
    const values = valuesOf(order);
    const id = await given.scheduledOrder(siteId, customers[index % 5 === 4 ? 1 : 0]!, values);
    for (const { product, ...item } of order.items) await given.item(siteId, id, products[product]!, item);
    if (order.openState !== null) {
      await database.query(
        `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc) VALUES ($1, $2, 1, $3, true, now())`,
        [siteId, id, order.openState],
      );
    }
    stored.push({ id, order });
  }
  return { siteId, token, products, stored };
}

function valuesOf(order: GivenOrder) {
  const now = new Date(START);
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + order.anchorMonth, 1);
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + order.anchorMonth + 1, 0)).getUTCDate();
  const anchorDay = month + (Math.min(order.anchorDay, last) - 1) * DAY;
  const time = atSomeTime(0, order.minutes).getTime() % DAY;
  const { status, cycles, currencyIso, shippingCountry, card, fixed, frequency, nextIn, replacedIn } = order;
  return {
    ...{ status, cycles, currencyIso, shippingCountry, ...card, ...fixed, ...frequency },
    scheduleAnchorUtc: new Date(Math.floor((anchorDay + time) / 1_000) * 1_000),
    nextOccurrenceUtc: atSomeTime(nextIn, order.minutes),
    replacedOccurrenceUtc: replacedIn === null ? null : atSomeTime(nextIn + replacedIn, order.minutes),
  };
}

/** Adds up rows with the same key. */
function sumBy(rows: readonly Partial<Row>[], ...keys: (keyof Row)[]): Record<string, number[]> {
  const sums: Record<string, number[]> = {};
  for (const row of rows) {
    const key = keys.map((name) => String(row[name])).join(' ');
    const sum = (sums[key] ??= [0, 0, 0, 0]);
    for (const [place, name] of (['Orders', 'Units', 'UnitsAtRisk', 'Amount'] as const).entries())
      sum[place]! += row[name] ?? 0;
  }
  return sums;
}

/** What the API's own Upcoming and Quote say of every order, one by one. */
async function oneByOne(
  { siteId: _, token, stored }: Awaited<ReturnType<typeof store>>,
  asOf: Date,
  from: Date,
  to: Date,
) {
  const rows: (Row & { Subtotal: number })[] = [];
  const leftOut: Record<string, number> = {};
  const leave = (reason: string) => (leftOut[reason] = (leftOut[reason] ?? 0) + 1);
  let [counted, occurrences] = [0, 0];
  for (const { id, order } of stored) {
    const read = async <Answer>(part: string) =>
      (await api.request('GET', `/api/ScheduledOrders/${id}/${part}`, { token })).body as Answer;
    if (order.status !== 'Active') leave(order.status);
    else if (order.openState === 'Waiting' || order.openState === 'Unknown') leave(order.openState);
    if (order.status !== 'Active' || order.openState === 'Waiting' || order.openState === 'Unknown') continue;
    const upcoming = await read<Upcoming[]>('Upcoming?count=100');
    const due = upcoming.map((one) => ({
      ...one,
      at: new Date(Math.max(new Date(one.OccurrenceUtc).getTime(), asOf.getTime())),
    }));
    const inRange = due.filter(({ at }) => at >= from && at < to);
    if (inRange.length === 0) {
      leave('NotInRange');
      continue;
    }
    const quoted = await read<Quote>('Quote');
    const codes = quoted.Problems.map(({ Code }) => Code);
    const lines = quoted.Lines.filter(({ Available }) => Available);
    if (codes.includes(1000)) leave('EmptyScheduledOrder');
    if (codes.includes(1001)) leave('NoItemsToShip');
    if (codes.includes(1000) || codes.includes(1001)) continue;
    if (lines.length < quoted.Lines.length) leave('UnavailableItems');
    counted++;
    occurrences += inRange.length;
    const units = lines.reduce((sum, { Quantity }) => sum + Quantity, 0);
    for (const { at, Total, ShippingTotal, TaxTotal } of inRange) {
      rows.push({
        Day: day(at),
        ProductId: null,
        Orders: 1,
        Units: units,
        UnitsAtRisk: codes.length > 0 ? units : 0,
        Amount: Total,
        CurrencyIso: order.currencyIso,
        RunsOutOn: null,
        Subtotal: Total - ShippingTotal - TaxTotal,
      });
    }
  }
  return { rows, leftOut, counted, occurrences };
}

const withoutOrders = (sums: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(sums).map(([key, [, ...others]]) => [key, others]));

describe('GET /api/Site/{siteId}/Forecast', () => {
  it('is the sum of Upcoming of all orders, by day, by product, and by both', async () => {
    await fc.assert(
      fc.asyncProperty(shops, async (givenShop) => {
        const stored = await store(givenShop);
        const { siteId, token, products } = stored;
        const from = new Date(`${day(START + givenShop.fromIn * DAY)}T00:00:00Z`);
        const to = new Date(from.getTime() + givenShop.days * DAY);
        const range = { From: from.toISOString(), To: day(to), Amounts: 'true' };
        const byDay = await forecast(siteId, token, { ...range, By: 'Day' });
        const expected = await oneByOne(stored, new Date(byDay.AsOfUtc), from, to);
        expect([byDay.Orders, byDay.Occurrences]).toEqual([expected.counted, expected.occurrences]);
        expect(sumBy(byDay.Rows, 'Day', 'CurrencyIso')).toEqual(sumBy(expected.rows, 'Day', 'CurrencyIso'));
        expect(Object.fromEntries(byDay.LeftOut.map(({ Reason, Orders }) => [Reason, Orders]))).toEqual(
          expected.leftOut,
        );

        const [byProduct, byBoth] = [
          await forecast(siteId, token, { ...range, By: 'Product' }),
          await forecast(siteId, token, { ...range, By: 'ProductDay' }),
        ];
        const goods = expected.rows.map((row) => ({ ...row, Amount: row.Subtotal }));
        expect(withoutOrders(sumBy(byBoth.Rows, 'Day', 'CurrencyIso'))).toEqual(
          withoutOrders(sumBy(goods, 'Day', 'CurrencyIso')),
        );
        expect(sumBy(byProduct.Rows, 'ProductId', 'CurrencyIso')).toEqual(
          sumBy(byBoth.Rows, 'ProductId', 'CurrencyIso'),
        );
        for (const { Orders, Occurrences, LeftOut } of [byProduct, byBoth])
          expect({ Orders, Occurrences, LeftOut }).toEqual({
            Orders: byDay.Orders,
            Occurrences: byDay.Occurrences,
            LeftOut: byDay.LeftOut,
          });

        const without = await forecast(siteId, token, { ...range, Amounts: 'false' });
        const withoutAmount = expected.rows.map((row) => ({ ...row, Amount: null }));
        expect(sumBy(without.Rows, 'Day')).toEqual(sumBy(withoutAmount, 'Day'));
        expect(without.Rows.every(({ Amount, CurrencyIso }) => Amount === null && CurrencyIso === null)).toBe(true);

        const sinceNow = { From: day(START - 5 * DAY), To: day(to), By: 'ProductDay' };
        const days = await forecast(siteId, token, sinceNow);
        for (const { ProductId, RunsOutOn } of byProduct.Rows) {
          const stock = Number(givenShop.stocks[products.indexOf(ProductId!)]);
          expect([ProductId, RunsOutOn]).toEqual([ProductId, recounted(days.Rows, ProductId!, stock, from)]);
        }
      }),
      { numRuns: ALL_CASES ? 12 : 4, endOnFailure: true },
    );
  });

  it('has every field, null where it says nothing', async () => {
    const { siteId, token, productId, order } = await shop({
      sku: 'TEA',
      title: 'Tea',
      stockLevel: '7',
      taxClass: 'x',
    });
    const first = atSomeTime(2, 90);
    const weekly = { frequencyType: 'Weeks', frequency: 1, scheduleAnchorUtc: first, nextOccurrenceUtc: first };
    await order(weekly, { price: '10', quantity: 3 });
    await given.taxRate(siteId, { taxClass: 'x', country: 'US', rate: '10' });
    await given.shippingRate(siteId, { basePrice: '4' });
    const [one, two, three] = [0, 7, 14].map((days) => day(first.getTime() + days * DAY));
    const answers: Record<string, Forecast> = {};
    for (const By of ['Day', 'Product', 'ProductDay'])
      answers[By] = await forecast(siteId, token, { ...coming(20), By, Amounts: 'true' });
    const head = { AsOfUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), Orders: 1, Occurrences: 3, LeftOut: [] };
    const product = { ProductId: productId, Sku: 'TEA', Title: 'Tea' };
    const sums = { Orders: 1, Units: 3, UnitsAtRisk: 0, Amount: 3000, CurrencyIso: 'USD', RunsOutOn: null };
    const none = { ProductId: null, Sku: null, Title: null };
    expect(answers).toEqual({
      Day: { ...head, Rows: [one, two, three].map((Day) => ({ Day, ...none, ...sums, Amount: 3700 })) },
      Product: {
        ...head,
        Rows: [{ Day: null, ...product, ...sums, Orders: 3, Units: 9, Amount: 9000, RunsOutOn: three }],
      },
      ProductDay: { ...head, Rows: [one, two, three].map((Day) => ({ Day, ...product, ...sums })) },
    });
    expect(Object.keys(answers.Day!)).toEqual(['AsOfUtc', 'Orders', 'Occurrences', 'Rows', 'LeftOut']);
  });

  it('is by day and without amounts unless it is asked otherwise, and empty of a site without orders', async () => {
    const { siteId, token, order } = await shop();
    const empty = await forecast(siteId, token, coming(400));
    expect(empty).toMatchObject({ Orders: 0, Occurrences: 0, Rows: [], LeftOut: [] });
    await order({ nextOccurrenceUtc: atSomeTime(1, 60) });
    const { Rows } = await forecast(siteId, token, coming(10));
    expect(Rows).toMatchObject([{ Day: day(atSomeTime(1, 60)), ProductId: null, Amount: null, CurrencyIso: null }]);
  });

  it('counts what is overdue today, once, and a retried occurrence when it is tried next', async () => {
    const { siteId, token, order, open } = await shop();
    const daily = { frequencyType: 'Days', frequency: 10, scheduleAnchorUtc: atSomeTime(-95, 60) };
    await order({ ...daily, nextOccurrenceUtc: atSomeTime(-35, 60) });
    const retried = await order({ ...daily, nextOccurrenceUtc: atSomeTime(2, 60) });
    await open(retried, 'Retrying');
    const { AsOfUtc, Rows } = await forecast(siteId, token, { From: day(START - DAY), To: day(START + 9 * DAY) });
    const [today, nextTry, regular] = [AsOfUtc, atSomeTime(2, 60), atSomeTime(5, 60)].map((at) => day(new Date(at)));
    expect(Rows.map(({ Day, Orders }) => [Day, Orders])).toEqual([
      [today, 1],
      [nextTry, 1],
      [regular, 2],
    ]);
    const later = await forecast(siteId, token, { From: day(START + DAY), To: day(START + 2 * DAY) });
    expect(later).toMatchObject({ Orders: 0, Rows: [], LeftOut: [{ Reason: 'NotInRange', Orders: 2 }] });
  });

  it('has From in the range and To not, to the millisecond', async () => {
    const { siteId, token, order } = await shop();
    const at = atSomeTime(3, 60);
    await order({ nextOccurrenceUtc: at });
    const [before, after] = [at.getTime() - DAY, at.getTime() + 1].map((ms) => new Date(ms).toISOString());
    const orders = async (From: string, To: string) => (await forecast(siteId, token, { From, To })).Orders;
    expect([
      await orders(at.toISOString(), after!),
      await orders(before!, at.toISOString()),
      await orders(after!, day(at.getTime() + DAY)),
    ]).toEqual([1, 0, 0]);
  });

  it('says why orders are left out, and which are counted without some of their items', async () => {
    const { siteId, token, productId, customerId, order, open } = await shop();
    const due = { nextOccurrenceUtc: atSomeTime(1, 60) };
    for (const state of ['Waiting', 'Unknown', 'Claimed', 'Charging']) await open(await order(due), state);
    await order({ ...due, status: 'Paused' });
    await order({ ...due, status: 'Pending', frequencyType: null, frequency: null, nextOccurrenceUtc: null });
    await order({ nextOccurrenceUtc: atSomeTime(90, 60) });
    await order({ ...due, deletedUtc: new Date() });
    await given.scheduledOrder(siteId, customerId, due);
    const soldOut = await given.product(siteId, { availability: 'Sold out' });
    const withoutGoods = await given.scheduledOrder(siteId, customerId, due);
    await given.item(siteId, withoutGoods, soldOut);
    await given.item(siteId, await order(due), soldOut);
    await order(due, { price: '99999999999', quantity: 1_000_000 });
    const { Orders, Rows, LeftOut } = await forecast(siteId, token, { ...coming(10), By: 'Product' });
    expect([Orders, Rows.map(({ ProductId, Orders }) => [ProductId, Orders])]).toEqual([3, [[productId, 3]]]);
    expect(LeftOut).toEqual([
      { Reason: 'Paused', Orders: 1 },
      { Reason: 'Pending', Orders: 1 },
      { Reason: 'Waiting', Orders: 1 },
      { Reason: 'Unknown', Orders: 1 },
      { Reason: 'NotInRange', Orders: 1 },
      { Reason: 'EmptyScheduledOrder', Orders: 1 },
      { Reason: 'NoItemsToShip', Orders: 1 },
      { Reason: 'NotPriceable', Orders: 1 },
      { Reason: 'UnavailableItems', Orders: 1 },
    ]);
  });

  it('adds up several items of a product, and counts the units at risk of those that have Problems', async () => {
    const { siteId, token, productId, order } = await shop({ stockLevel: ' 4 ' });
    const due = { nextOccurrenceUtc: atSomeTime(1, 60) };
    const twice = await order(due, { quantity: 2 });
    await given.item(siteId, twice, productId, { quantity: 3, price: '1' });
    await order({ ...due, paymentMethodId: null }, { quantity: 4 });
    await order({ ...due, shippingCountry: 'Nowhere' }, { quantity: 8 });
    const { Rows } = await forecast(siteId, token, { ...coming(5), By: 'Product', Amounts: 'true' });
    expect(Rows).toMatchObject([
      {
        Orders: 3,
        Units: 17,
        UnitsAtRisk: 12,
        Amount: 2 * 1250 + 3 * 100 + 12 * 1250,
        RunsOutOn: day(atSomeTime(1, 60)),
      },
    ]);
  });

  it('uses stock from now on, also before a range that begins later', async () => {
    const { siteId, token, order } = await shop({ stockLevel: '10' });
    const daily = { frequencyType: 'Days', frequency: 1, scheduleAnchorUtc: atSomeTime(-9, 60) };
    await order({ ...daily, nextOccurrenceUtc: atSomeTime(1, 60) }, { quantity: 2 });
    await order({ frequencyType: 'Months', frequency: 9, nextOccurrenceUtc: atSomeTime(2, 60) }, { quantity: 1 });
    const runsOutOn = async (from: number, to: number) => {
      const range = { From: day(atSomeTime(from, 60)), To: day(atSomeTime(to, 60)) };
      return (await forecast(siteId, token, { ...range, By: 'Product' })).Rows.map(({ RunsOutOn }) => RunsOutOn);
    };
    const [out, later] = [day(atSomeTime(5, 60)), day(atSomeTime(9, 60))];
    expect([await runsOutOn(0, 5), await runsOutOn(0, 9), await runsOutOn(4, 9), await runsOutOn(9, 12)]).toEqual([
      [null],
      [out],
      [out],
      [later],
    ]);
  });

  it('is a table for those who prefer CSV, in which nothing is a formula', async () => {
    const { siteId, token, productId, order } = await shop({ sku: '=1+1', title: 'Tea, "green"' });
    await order({ nextOccurrenceUtc: atSomeTime(1, 60) }, { quantity: 2, price: '3' });
    const table = async (question: Partial<Question>) => {
      const path = pathOf(siteId, { ...coming(5), ...question });
      return api.request('GET', path, { token, headers: { accept: 'text/csv' } });
    };
    const { status, headers, body } = await table({ By: 'ProductDay', Amounts: 'true' });
    const columns = 'Day,ProductId,Sku,Title,Orders,Units,UnitsAtRisk,Amount,CurrencyIso,RunsOutOn\r\n';
    const goods = `${productId},"'=1+1","Tea, ""green""",1,2,0,600,"USD",`;
    expect([status, body]).toEqual([200, `${columns}"${day(atSomeTime(1, 60))}",${goods}\r\n`]);
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="Forecast.csv"',
    ]);
    expect((await table({})).body).toBe(`${columns}"${day(atSomeTime(1, 60))}",,,,1,2,0,,,\r\n`);
    expect((await table({ From: '2039-01-01', To: '2039-01-02' })).body).toBe(columns);
  });

  it('sends many rows piece by piece, in order, as JSON and as CSV', async () => {
    const { siteId, token, customerId, productId } = await shop();
    await givenDaily(siteId, customerId, { orders: 1, products: 20 });
    const question = { ...coming(400), By: 'ProductDay' };
    const { Rows } = await forecast(siteId, token, question);
    const places = Rows.map(({ Day, ProductId }) => `${Day} ${String(ProductId).padStart(12, '0')}`);
    expect([places.length, new Set(places).size]).toEqual([7_980, 7_980]);
    expect(places).toEqual(places.toSorted());
    expect(Rows.some(({ ProductId }) => ProductId === productId)).toBe(false);
    const { body } = await api.request('GET', pathOf(siteId, question), { token, headers: { accept: 'text/csv' } });
    const lines = (body as string).split('\r\n').slice(1, -1);
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual(
      Rows.map(({ Day, ProductId }) => [`"${Day}"`, String(ProductId)]),
    );
  });

  it('has nothing of another site, and is for those who reach the site', async () => {
    const { userId, siteId, token, customerId, order } = await shop();
    await order({ nextOccurrenceUtc: atSomeTime(1, 60) }, { quantity: 2 });
    const second = await given.site(userId);
    const product = await given.product(second);
    const ofSecond = await given.scheduledOrder(second, await given.customer(second), {
      nextOccurrenceUtc: atSomeTime(1, 60),
    });
    await given.item(second, ofSecond, product, { quantity: 5 });
    const units = async (site: number, by: string) =>
      (await forecast(site, by, { ...coming(5), By: 'Product' })).Rows.map(({ Units }) => Units);
    const key = (await given.apiKey(userId, [second], { access: 'Read' })).value;
    expect([await units(siteId, token), await units(second, token), await units(second, key)]).toEqual([[2], [5], [5]]);
    const refused = async (by: string, site = siteId) => {
      const { status, body } = await api.request('GET', pathOf(site, coming(5)), { token: by });
      return [status, body.detail as string];
    };
    expect(await refused(key)).toEqual([
      403,
      `Site ${siteId} cannot be reached with this API key, which is limited to site ${second}.`,
    ]);
    expect(await refused((await given.merchant()).tokenAuth)).toEqual([
      403,
      `Site ${siteId} belongs to another account.`,
    ]);
    expect((await refused(await given.token(userId, { customerId })))[0]).toBe(403);
    expect(await refused(token, 9_000_000)).toEqual([404, 'There is no Site 9000000.']);
  });

  it.each<[string, Partial<Question>, string, string]>([
    ['no From', { From: undefined as never }, 'From', 'is required: a day or an ISO 8601 time, such as 2026-01-31.'],
    [
      'To that is no time',
      { To: 'soon' },
      'To',
      '"soon" must be a day or an ISO 8601 time of the years 1000 to 9999, such as 2026-01-31T09:00:00Z.',
    ],
    [
      'To that is not later',
      { From: '2030-01-02', To: '2030-01-02' },
      'To',
      '2030-01-02T00:00:00.000Z must be later than From, 2030-01-02T00:00:00.000Z.',
    ],
    [
      'more than 400 days',
      { From: '2030-01-01', To: '2031-02-06' },
      'To',
      '2031-02-06T00:00:00.000Z must be at most 400 days after From, 2030-01-01T00:00:00.000Z: not after 2031-02-05T00:00:00.000Z.',
    ],
    ['another By', { By: 'Week' }, 'By', '"Week" must be one of Day, Product, ProductDay.'],
    ['other Amounts', { Amounts: '1' }, 'Amounts', '"1" must be one of true, false.'],
  ])('refuses %s', async (_, sent, field, message) => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const query = Object.entries({ ...coming(5), ...sent }).filter(([, value]) => value !== undefined);
    const path = `/api/Site/${siteId}/Forecast?${new URLSearchParams(Object.fromEntries(query)).toString()}`;
    const { status, body } = await api.request('GET', path, { token });
    expect([status, body.errors]).toEqual([400, [{ field, message }]]);
  });

  it('refuses sums that a number of JSON cannot have', async () => {
    const { siteId, token, order } = await shop();
    const costly = { price: '50000000000', quantity: 1_000 };
    for (let order_ = 0; order_ < 2; order_++) await order({ nextOccurrenceUtc: atSomeTime(1, 60) }, costly);
    const { status, body } = await api.request('GET', pathOf(siteId, { ...coming(5), Amounts: 'true' }), { token });
    const message = 'makes a sum above the largest number, 9007199254740991: ask for fewer days at a time.';
    expect([status, body.errors]).toEqual([400, [{ field: 'To', message }]]);
    expect((await forecast(siteId, token, coming(5))).Rows).toMatchObject([{ Units: 2_000, Amount: null }]);
  });

  it('refuses more than 500,000 rows, and more days of stocks than it remembers', async () => {
    const { siteId, token, customerId } = await shop();
    await givenDaily(siteId, customerId, { orders: 1, products: 1_260 });
    const errors = async (By: string) =>
      (await api.request('GET', pathOf(siteId, { ...coming(400), By }), { token })).body.errors as object[];
    expect(await errors('ProductDay')).toEqual([
      { field: 'By', message: 'gives more than 500000 rows: ask for fewer days at a time, or for another By.' },
    ]);
    expect((await forecast(siteId, token, { ...coming(400), By: 'Product' })).Rows.length).toBe(1_260);
    await givenDaily(siteId, customerId, { orders: 1, products: 20_001, stockLevel: '9' });
    expect(await errors('Product')).toEqual([
      {
        field: 'To',
        message:
          'makes 400 days of at least 20001 products with a stock: ask for fewer days at a time, or for By=ProductDay.',
      },
    ]);
  });

  it('calculates two at a time for an account and lets others in between, and refuses more than 5,000,000 occurrences', async () => {
    const { siteId, token, customerId } = await shop();
    await givenDaily(siteId, customerId, { orders: 3_000, products: 1 });
    const long = pathOf(siteId, { ...coming(400), By: 'Product' });
    const three = [1, 2, 3].map(() => api.request('GET', long, { token }));
    const beside = await Promise.race([api.request('GET', `/api/Site/${siteId}`, { token }), pickLast(three)]);
    expect(beside).toMatchObject({ status: 200, body: { Id: siteId } });
    const answers = (await Promise.all(three)).toSorted((one, other) => one.status - other.status);
    expect(answers).toMatchObject([
      ...[1, 2].map(() => ({
        status: 200,
        body: { Orders: 3_000, Occurrences: 1_197_000, Rows: [{ Units: 1_197_000 }] },
      })),
      { status: 503, body: { detail: BUSY } },
    ]);
    expect(answers[2]!.headers.get('retry-after')).toBe('5');

    const gone = new AbortController();
    const headers = { authorization: `Basic ${token}` };
    const abandoned = [1, 2].map(() => fetch(api.url + long, { headers, signal: gone.signal }).catch(() => null));
    await pause(100);
    gone.abort();
    expect(await Promise.all(abandoned)).toEqual([null, null]);
    await until(async () => (await api.request('GET', long, { token })).status === 200);

    await givenDaily(siteId, customerId, { orders: 9_500, products: 1 });
    expect(await forecast(siteId, token, { ...coming(400), By: 'Product' })).toMatchObject({
      Orders: 12_500,
      Occurrences: 4_987_500,
    });
    await givenDaily(siteId, customerId, { orders: 40, products: 1 });
    const { status, body } = await api.request('GET', long, { token });
    const message = 'makes a range with more than 5000000 occurrences: ask for fewer days at a time.';
    expect([status, body.errors]).toEqual([400, [{ field: 'To', message }]]);
  });
});

const BUSY = 'This account has 2 forecasts already: try again later, and ask for one at a time.';

/** The answer that comes last. */
const pickLast = async <T>(requests: readonly Promise<T>[]) => (await Promise.all(requests)).at(-1)!;

/** Daily orders, the first time tomorrow, of one unit of each of some new products. */
/** Daily from tomorrow noon on: the same number of days at whatever time of day the test runs. */
async function givenDaily(
  siteId: number,
  customerId: number,
  { orders, products, stockLevel = null }: { orders: number; products: number; stockLevel?: string | null },
) {
  await database.query(
    `WITH made AS (INSERT INTO products (site_id, title, stock_level) SELECT $1, 'Tea ' || n, $6 FROM generate_series(1, $4::int) n RETURNING id),
       ordered AS (INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso,
           schedule_anchor_utc, next_occurrence_utc, shipping_country)
         SELECT $1, $2, 'Active', 'Days', 1, 'USD', $5, $5, 'US' FROM generate_series(1, $3::int) RETURNING id)
     INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT $1, o.id, p.id, 1, 1 FROM ordered o, made p`,
    [siteId, customerId, orders, products, `${day(START + DAY)}T12:00:00Z`, stockLevel],
  );
  await database.query('ANALYZE scheduled_orders, scheduled_order_items, products');
}

/** Day by day, what is left of a stock; NaN never runs out. */
function recounted(rows: readonly Row[], productId: number, stock: number, from: Date): string | null {
  let left = stock;
  for (const row of rows.filter(({ ProductId }) => ProductId === productId)) {
    left -= row.Units;
    if (left < 0) return row.Day! < day(from) ? day(from) : row.Day;
  }
  return null;
}
