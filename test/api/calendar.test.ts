import { dueOrders } from '../../apps/api/src/reports/calendar/due-orders.js';
import { type Json, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { ENCRYPTION_KEY, vault } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const DAY = 86_400_000;
const today = () => Math.floor(Date.now() / DAY) * DAY;
const dayOf = (instant: number | string) => new Date(instant).toISOString().slice(0, 10);
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length]!;

async function calendar(token: string, siteId: number, from: string, to: string): Promise<Json> {
  const { status, body } = await api.request('GET', `/api/Site/${siteId}/Calendar?From=${from}&To=${to}`, { token });
  expect([status, status === 200 ? null : body]).toEqual([200, null]);
  return body;
}

const CARD = { paymentMethodType: 'GatewayOne', paymentMethodCustomerId: 'cus_1', paymentMethodId: 'pm_1' };

const RULES = [
  ['Days', 1],
  ['Days', 3],
  ['Weeks', 1],
  ['Weeks', 2],
  ['Months', 1],
  ['DayOfTheWeek', 4],
  ['DayOfTheMonth', 31],
] as const;

/** Two sites of one account, with orders of every kind, a price that depends on the number of cycles, and taxes. */
async function givenShop() {
  const merchant = await given.merchant();
  const sites = [merchant.siteId, await given.site(merchant.userId)];
  await given.integration(vault, sites[0]!);
  const orders = new Map<number, number[]>();
  for (const siteId of sites) {
    const customers = [await given.customer(siteId), await given.customer(siteId, { taxExempt: true })];
    const products = [
      await given.product(siteId),
      await given.product(siteId, { taxClass: 'food' }),
      await given.product(siteId, { availability: 'Sold out' }),
      await given.product(siteId, { deletedUtc: new Date() }),
    ];
    await given.shippingRate(siteId, { country: 'US', basePrice: '4' });
    await given.shippingRate(siteId, { country: 'US', basePrice: '1.5', minCycles: 5 });
    await given.shippingRate(siteId, { country: 'US', basePrice: '0.5', minCycles: 12 });
    await given.taxRate(siteId, { taxClass: 'food', country: 'US', rate: '8.25' });
    await given.taxRate(siteId, { country: 'Utopia', rate: '1' });
    const ids: number[] = [];
    for (let n = 0; n < 56; n++) {
      const [frequencyType, frequency] = pick(RULES, n);
      const anchor = today() - 40 * DAY + ((n * 7_919) % 86_400) * 1_000;
      const isReplaced = n % 9 === 4;
      const next = n % 11 === 5 ? Date.now() - (n % 4) * DAY - 3_600_000 : Date.now() + ((n * 37) % 500) * 3_600_000;
      const id = await given.scheduledOrder(siteId, pick(customers, n), {
        status: n % 13 === 6 ? 'Paused' : n % 13 === 7 ? 'Pending' : 'Active',
        frequencyType,
        frequency,
        cycles: n % 8,
        currencyIso: pick(['USD', 'USD', 'JPY'], n),
        scheduleAnchorUtc: new Date(anchor),
        nextOccurrenceUtc: new Date(next),
        replacedOccurrenceUtc: isReplaced ? new Date(next + 20 * 3_600_000) : null,
        shippingCountry: pick(['US', 'US', 'US', 'Nowhere', 'Utopia', 'DE', null], n >> 1),
        deletedUtc: n % 17 === 8 ? new Date() : null,
        ...(n % 10 === 9 ? {} : { ...CARD, paymentMethodType: n % 12 === 1 ? 'GatewayTwo' : 'GatewayOne' }),
        ...(n % 14 === 3 ? { shippingTotalFixed: true, shippingTotal: 777 } : {}),
      });
      for (const productId of products.filter((_, index) => (n >> index) % 2 === 1)) {
        await given.item(siteId, id, productId, { price: pick(['12.50', '3', '0'], n), quantity: 1 + (n % 3) });
      }
      ids.push(id);
    }
    orders.set(siteId, ids);
  }
  return { ...merchant, sites, orders };
}

interface Row {
  readonly Day: string;
  readonly CurrencyIso: string;
  readonly Due: number;
  readonly AtRisk: number;
  readonly Processed: number;
  readonly Failed: number;
  readonly Skipped: number;
  readonly Total: number;
}

/** What the API says of an Active order by itself. */
interface Upcoming {
  readonly CurrencyIso: string;
  readonly Problems: readonly object[];
  readonly occurrences: readonly { readonly OccurrenceUtc: string; readonly Total: number }[];
}

async function upcomingOf(token: string, ids: readonly number[]): Promise<Upcoming[]> {
  const upcoming: Upcoming[] = [];
  const read = (id: number, part: string) => api.request('GET', `/api/ScheduledOrders/${id}${part}`, { token });
  for (const id of ids) {
    const order = await read(id, '');
    if (order.status === 404 || order.body.Status !== 'Active') continue;
    const { CurrencyIso } = order.body as { CurrencyIso: string };
    const { Problems } = (await read(id, '/Quote')).body as { Problems: object[] };
    upcoming.push({ CurrencyIso, Problems, occurrences: (await read(id, '/Upcoming?count=100')).body });
  }
  return upcoming;
}

/** Without any of the calendar's code. */
function byUpcoming(upcoming: readonly Upcoming[], from: number, to: number): Row[] {
  const rows = new Map<string, Row>();
  for (const { CurrencyIso, Problems, occurrences } of upcoming) {
    for (const { OccurrenceUtc, Total } of occurrences) {
      const instant = Date.parse(OccurrenceUtc);
      if (instant < from || instant >= to) continue;
      const Day = dayOf(instant);
      const none = { Day, CurrencyIso, Due: 0, AtRisk: 0, Processed: 0, Failed: 0, Skipped: 0, Total: 0 };
      const row = rows.get(`${Day} ${CurrencyIso}`) ?? none;
      const AtRisk = row.AtRisk + (Problems.length > 0 ? 1 : 0);
      rows.set(`${Day} ${CurrencyIso}`, { ...row, Due: row.Due + 1, AtRisk, Total: row.Total + Total });
    }
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

describe('The days to come', () => {
  it('are, day by day, the sum of Upcoming and Quote of all Active orders of the site', async () => {
    const { tokenAuth: token, sites, orders } = await givenShop();
    const ranges = [
      [today() - 5 * DAY, today() + 57 * DAY],
      [today() + 3 * DAY + 36_000_000, today() + 20 * DAY + 7_200_000],
      [today() - 9 * DAY, today()],
    ] as const;
    for (const siteId of sites) {
      const upcoming = await upcomingOf(token, orders.get(siteId)!);
      for (const [from, to] of ranges) {
        const [begin, end] = [from, to].map((instant) => new Date(instant).toISOString());
        const expected = byUpcoming(upcoming, from, to);
        expect(await calendar(token, siteId, begin!, end!)).toEqual(expected);
        expect(expected.length).toBeGreaterThan(to > today() ? 10 : 1);
      }
    }
  });

  it('cost nothing to reach: a day in eight hundred years', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    await given.scheduledOrder(siteId, customerId, { frequencyType: 'Days', frequency: 1 });
    const due = { Due: 1, AtRisk: 1, Processed: 0, Failed: 0, Skipped: 0, Total: 0, CurrencyIso: 'USD' };
    expect(await calendar(token, siteId, '2826-05-01', '2826-05-03')).toEqual([
      { Day: '2826-05-01', ...due },
      { Day: '2826-05-02', ...due },
    ]);
  });

  it('have totals beyond the numbers of JavaScript, exactly', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const productId = await given.product(siteId);
    for (let n = 0; n < 3; n++) {
      const id = await given.scheduledOrder(siteId, customerId, {
        nextOccurrenceUtc: new Date('2040-01-01'),
        shippingTotalFixed: true,
        shippingTotal: '9007199254740989',
      });
      await given.item(siteId, id, productId, { price: '0.01' });
    }
    const path = `/api/Site/${siteId}/Calendar?From=2040-01-01&To=2040-01-02`;
    const response = await fetch(api.url + path, { headers: { authorization: `Basic ${token}` } });
    expect(await response.text()).toContain(
      '"Due":3,"AtRisk":3,"Processed":0,"Failed":0,"Skipped":0,"Total":27021597764222970}',
    );
  });

  it('leave out the price of an order that cannot be priced, which is at risk', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const id = await given.scheduledOrder(siteId, await given.customer(siteId), {
      nextOccurrenceUtc: new Date('2040-01-01'),
      shippingTotalFixed: true,
      shippingTotal: '9007199254740991',
    });
    await given.item(siteId, id, await given.product(siteId), { price: '1' });
    expect(await calendar(token, siteId, '2040-01-01', '2040-01-02')).toMatchObject([{ Due: 1, AtRisk: 1, Total: 0 }]);
  });

  it('are at risk where the credentials of the integration cannot be read', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const integration = await given.integration(vault, siteId);
    const customerId = await given.customer(siteId);
    const id = await given.scheduledOrder(siteId, customerId, { ...CARD, nextOccurrenceUtc: new Date('2040-01-01') });
    await given.item(siteId, id, await given.product(siteId));
    const day = () => calendar(token, siteId, '2040-01-01', '2040-01-02');
    expect(await day()).toMatchObject([{ Due: 1, AtRisk: 0, Total: 1250 }]);
    await database.query(`UPDATE payment_integrations SET api_key1 = 'v1:broken' WHERE id = $1`, [integration]);
    expect(await day()).toMatchObject([{ Due: 1, AtRisk: 1, Total: 1250 }]);
  });

  it('have orders with thousands of items whole', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const productId = await given.product(siteId);
    const id = await given.scheduledOrder(siteId, customerId, { nextOccurrenceUtc: new Date('2040-01-01') });
    await database.query(
      `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
       SELECT $1, $2, $3, 0.01, 1 FROM generate_series(1, 25000)`,
      [siteId, id, productId],
    );
    expect(await calendar(token, siteId, '2040-01-01', '2040-01-02')).toMatchObject([{ Due: 1, Total: 25_000 }]);
  });

  it('have every one of more orders than are read at once, once', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const id = await given.scheduledOrder(siteId, customerId, { nextOccurrenceUtc: new Date('2040-01-01') });
    const [columns] = await database.query<{ names: string }>(
      `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
       WHERE table_name = 'scheduled_orders' AND table_schema = 'public' AND column_name <> 'id'`,
    );
    await database.query(
      `INSERT INTO scheduled_orders (${columns!.names}) SELECT ${columns!.names} FROM scheduled_orders, generate_series(1, 2_500) WHERE id = $1`,
      [id],
    );
    // As autovacuum does in a database that is in use.
    await database.query(`ANALYZE scheduled_orders, scheduled_order_items`);
    expect(await calendar(token, siteId, '2040-01-01', '2040-01-02')).toMatchObject([{ Due: 2_501, AtRisk: 2_501 }]);
  });
});

it('An order that is processed while a calendar is read counts once', async () => {
  const { siteId } = await given.merchant();
  const customerId = await given.customer(siteId);
  await database.query(
    `INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc, next_occurrence_utc)
     SELECT $1, $2, 'Active', 'Days', 1, 'USD', now(), now() - interval '1 hour' + n * interval '1 second' FROM generate_series(1, 1500) n`,
    [siteId, customerId],
  );
  const range = { from: new Date(today()), to: new Date(today() + 3 * DAY) };
  const seen: number[] = [];
  for await (const some of dueOrders(database.pool, siteId, range, new Date())) {
    seen.push(...some.keys());
    // As a worker does.
    await database.query(
      `UPDATE scheduled_orders SET next_occurrence_utc = next_occurrence_utc + interval '1 day' WHERE id = ANY ($1::bigint[])`,
      [[...some.keys()]],
    );
  }
  expect([seen.length, new Set(seen).size]).toEqual([1_500, 1_500]);
});

describe('As a table', () => {
  it('it has the same rows', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    await given.scheduledOrder(siteId, await given.customer(siteId), { nextOccurrenceUtc: new Date('2040-01-01') });
    const path = `/api/Site/${siteId}/Calendar?From=2040-01-01&To=2040-01-05`;
    const { status, headers, body } = await api.request('GET', path, { token, headers: { accept: 'text/csv' } });
    expect([status, headers.get('content-type'), headers.get('content-disposition'), body]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="Calendar.csv"',
      'Day,CurrencyIso,Due,AtRisk,Processed,Failed,Skipped,Total\r\n"2040-01-01","USD",1,1,0,0,0,0\r\n',
    ]);
  });
});

describe('From and To', () => {
  it.each([
    ['', ['From', 'is required'], ['To', 'is required']],
    ['?From=2026-01-01', ['To', 'is required: a day or an ISO 8601 time, such as 2026-01-31.']],
    ['?To=2026-01-01', ['From', 'is required']],
    ['?From=yesterday&To=2026-13-01', ['From', '"yesterday" must be a day'], ['To', '"2026-13-01" must be a day']],
    ['?From=2026-01-01&From=2026-01-02&To=2026-01-03', ['From', 'A list must be a day']],
    [
      '?From=2026-01-02&To=2026-01-02',
      ['To', '2026-01-02T00:00:00.000Z must be later than From, 2026-01-02T00:00:00.000Z.'],
    ],
    ['?From=2026-01-02&To=2026-01-01T23:59:59.999Z', ['To', '2026-01-01T23:59:59.999Z must be later than From']],
    [
      '?From=2026-01-01&To=2026-03-04T00:00:00.001Z',
      [
        'To',
        '2026-03-04T00:00:00.001Z must be at most 62 days after From, 2026-01-01T00:00:00.000Z: not after 2026-03-04T00:00:00.000Z.',
      ],
    ],
    [
      '?From=2026-01-01&To=2026-01-02&Till=x',
      ['Till', 'is not a query parameter of this route, which takes From, To.'],
    ],
  ])('%s is refused', async (query, ...faults) => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const { status, body } = await api.request('GET', `/api/Site/${siteId}/Calendar${query}`, { token });
    expect([status, body.errors]).toEqual([
      400,
      faults.map(([field, message]) => ({ field, message: expect.stringContaining(message!) as unknown })),
    ]);
  });

  it('may be 62 days apart, and have offsets', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    expect(await calendar(token, siteId, '2026-01-01', '2026-03-04')).toEqual([]);
    await given.scheduledOrder(siteId, await given.customer(siteId), {
      nextOccurrenceUtc: new Date('2040-01-01T01:30Z'),
    });
    const path = (from: string) => calendar(token, siteId, encodeURIComponent(from), '2040-01-02');
    expect(await path('2040-01-01T03:30:00+02:00')).toHaveLength(1);
    expect(await path('2040-01-01T03:30:01+02:00')).toEqual([]);
  });

  it('do not help to reach a site that is not there, or is another’s', async () => {
    const [own, other] = [await given.merchant(), await given.merchant()];
    const read = (siteId: number) =>
      api.request('GET', `/api/Site/${siteId}/Calendar?From=2026-01-01&To=2026-01-02`, { token: own.tokenAuth });
    expect((await read(other.siteId)).status).toBe(403);
    expect((await read(999_999_999)).status).toBe(404);
  });
});
