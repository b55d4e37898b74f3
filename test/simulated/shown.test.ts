import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { givenSimulatedShop, type SimulatedShop } from '../support/shops/simulated.js';
import { createWorker, ENCRYPTION_KEY, vault } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0', PAYMENT_RETRY_SCHEDULE: 'P1D,P3D' });

const DAY = 86_400_000;
const START = '2024-01-31T12:00:00.000Z';
const END = '2024-03-31T12:00:00.000Z';
const RANGE = 'From=2024-01-31&To=2024-04-01';
const after = (days: number, from = END) => new Date(Date.parse(from) + days * DAY).toISOString();

interface Row {
  readonly Day: string;
  readonly ProductId: number;
  readonly Orders: number;
  readonly Units: number;
  readonly Amount: number;
  readonly CurrencyIso: string;
}

interface Forecast {
  readonly AsOfUtc: string;
  readonly Rows: readonly Row[];
}

async function drain(): Promise<void> {
  const worker = createWorker(database, { PAYMENT_RETRY_SCHEDULE: 'P1D,P3D' });
  await worker.drain();
  await worker.end();
}

/** A record of any resource. */
type Shown = Readonly<Record<string, unknown>>;

async function get<T = Shown>({ tokenAuth: token }: SimulatedShop, path: string): Promise<T> {
  const { status, body } = await api.request('GET', path, { token });
  expect([path, status, status === 200 ? null : body]).toEqual([path, 200, null]);
  return body as T;
}

const overview = (shop: SimulatedShop) => get(shop, `/api/Site/${shop.siteId}/Overview`);
const calendar = (shop: SimulatedShop) => get<Shown[]>(shop, `/api/Site/${shop.siteId}/Calendar?${RANGE}`);
const forecast = (shop: SimulatedShop) =>
  get<Forecast>(shop, `/api/Site/${shop.siteId}/Forecast?${RANGE}&By=ProductDay&Amounts=true`);

/** Orders that fall due in all ways of the schedule, none of them at the start. */
const SCHEDULES = [
  { frequencyType: 'Days', frequency: 10, nextOccurrenceUtc: '2024-02-01T09:00:00Z' },
  { frequencyType: 'Weeks', frequency: 1, nextOccurrenceUtc: '2024-02-03T09:00:00Z' },
  { frequencyType: 'Months', frequency: 1, nextOccurrenceUtc: '2024-02-29T09:00:00Z', anchor: '2024-01-31T09:00:00Z' },
  { frequencyType: 'DayOfTheWeek', frequency: 2, nextOccurrenceUtc: '2024-02-05T09:00:00Z' },
  { frequencyType: 'DayOfTheMonth', frequency: 31, nextOccurrenceUtc: '2024-02-29T09:00:00Z' },
];

async function shopWithOrders(): Promise<{ shop: SimulatedShop; ids: number[] }> {
  const shop = await givenSimulatedShop(database, START);
  const ids: number[] = [];
  for (const { anchor, ...values } of SCHEDULES) {
    ids.push(await shop.order({ ...values, scheduleAnchorUtc: anchor ?? values.nextOccurrenceUtc }));
  }
  return { shop, ids };
}

/** The Orders that were written, as rows of a forecast. */
const written = (shop: SimulatedShop) =>
  database.query(
    `SELECT to_char(o.date_created AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "Day", i.product_id::int AS "ProductId", count(DISTINCT o.id)::int AS "Orders",
       sum(i.quantity)::int AS "Units", (sum(i.subtotal) * 100)::int AS "Amount", o.currency_iso AS "CurrencyIso"
     FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.site_id = $1 GROUP BY 1, 2, 6 ORDER BY 1, 2, 6`,
    [shop.siteId],
  );

describe('A simulated shop', () => {
  let shop: SimulatedShop;
  let ids: number[];
  let before: { forecast: Forecast; calendar: Shown[] };

  beforeAll(async () => {
    ({ shop, ids } = await shopWithOrders());
    // By the real clock all of it would be due.
    expect(await overview(shop)).toMatchObject({ AsOfUtc: START, Due: 0, Overdue: 0, Today: [] });
    before = { forecast: await forecast(shop), calendar: await calendar(shop) };
    await shop.advance(END);
    await drain();
  });

  it('charges what was forecast, row by row', async () => {
    expect(before.forecast).toMatchObject({ AsOfUtc: START, LeftOut: [] });
    const rows = before.forecast.Rows.map(({ Day, ProductId, Orders, Units, Amount, CurrencyIso }) => ({
      Day,
      ProductId,
      Orders,
      Units,
      Amount,
      CurrencyIso,
    }));
    expect(rows.length).toBeGreaterThan(14);
    expect(await written(shop)).toEqual(rows);
    expect(await forecast(shop)).toMatchObject({ AsOfUtc: END, Rows: [] });
  });

  it('has a calendar whose past is the future that it had', async () => {
    const due = before.calendar.map(({ Due, ...day }) => ({ ...day, Due: 0, Processed: Due }));
    expect(due.length).toBeGreaterThan(14);
    expect(await calendar(shop)).toEqual(due);
  });

  it('has an overview of its own day', async () => {
    expect(await overview(shop)).toMatchObject({
      AsOfUtc: END,
      Due: 0,
      Today: [{ CurrencyIso: 'USD', Processed: 2, Charged: 2500, Failed: 0 }],
    });
  });

  it('explains past and future by its clock', async () => {
    const explained = await get(shop, `/api/ScheduledOrders/${ids[2]}/Explain`);
    expect(explained).toMatchObject({
      When: { NextOccurrenceUtc: '2024-04-30T09:00:00.000Z' },
      LastTime: { Result: 'Completed', AtUtc: '2024-03-31T09:00:00.000Z' },
      IfItFails: { Retries: [1, 4].map((days, n) => ({ Retry: n + 1, AtUtc: after(days, '2024-04-30T09:00:00Z') })) },
    });
    expect(await get(shop, `/api/ScheduledOrders/${ids[2]}/Cycles/1/Explain`)).toMatchObject({
      AtUtc: '2024-02-29T09:00:00.000Z',
      Equal: true,
    });
  });

  it('tells and dates what fails, and what is skipped, by its clock', async () => {
    const id = await shop.order({ paymentMethodId: 'pm_declined', nextOccurrenceUtc: END, scheduleAnchorUtc: END });
    await drain();
    expect(await overview(shop)).toMatchObject({ Retrying: 1, Due: 0 });
    expect(await get(shop, `/api/ScheduledOrders/${id}/Explain`)).toMatchObject({
      When: { Reason: 'Retry', Retry: { NextTryUtc: after(1) } },
      LastTime: { Result: 'Retrying', AtUtc: END },
      IfItFails: { Retries: [{ Retry: 2, AtUtc: after(4) }] },
    });
    await shop.advance(after(4));
    await drain();
    const skipped = ids[1]!;
    const { status } = await api.request('POST', `/api/ScheduledOrders/${skipped}/Skip`, { token: shop.tokenAuth });
    expect(status).toBe(200);
    const days = await get<Shown[]>(shop, `/api/Site/${shop.siteId}/Calendar?From=2024-04-04&To=2024-04-05`);
    expect(days).toMatchObject([{ Day: '2024-04-04', Failed: 1, Skipped: 1, Processed: 0 }]);
    const entries = await get<Shown[]>(shop, `/api/ScheduledOrders/${id}/Timeline`);
    expect(entries.map(({ Kind, AtUtc }) => [Kind, AtUtc]).filter(([kind]) => kind !== 'Error')).toEqual([
      ['Event', after(4)],
      ['Event', after(1)],
      ['Event', END],
      ['Cycle', END],
    ]);
    const [cycle, action] = await get<Shown[]>(shop, `/api/ScheduledOrders/${skipped}/Timeline`);
    expect([cycle, action].map((entry) => [entry!.Kind, entry!.AtUtc]).sort()).toEqual([
      ['Action', after(4)],
      ['Cycle', after(4)],
    ]);
  });

  it('is told in pages that go back in its own time only', async () => {
    const all: string[] = [];
    let path: string | null = `/api/ScheduledOrders/${ids[0]}/Timeline?limit=3`;
    while (path !== null) {
      const { headers, body } = await api.request('GET', path, { token: shop.tokenAuth });
      all.push(...(body as unknown as { AtUtc: string }[]).map(({ AtUtc }) => AtUtc));
      const next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      path = next === undefined ? null : next.replace(/^https?:\/\/[^/]+/, '');
    }
    expect(all.length).toBeGreaterThan(10);
    expect(all).toEqual([...all].sort().reverse());
    expect(all.every((at) => at >= START && at <= after(4))).toBe(true);
  });

  it('shows its deleted orders and its webhook endpoints only to those who ask for it', async () => {
    const make = given(database);
    await make.site(shop.userId);
    const id = ids[3]!;
    expect(await api.request('DELETE', `/api/ScheduledOrders/${id}`, { token: shop.tokenAuth })).toMatchObject({
      status: 204,
    });
    const { webhookEndpointId } = await make.webhook(vault, shop.siteId);
    expect(await get(shop, '/api/WebhookEndpoints')).toEqual([]);
    expect(await get(shop, `/api/WebhookEndpoints?SiteId=${shop.siteId}`)).toMatchObject([{ Id: webhookEndpointId }]);
    expect(await get(shop, '/api/ScheduledOrders?Deleted=true')).toEqual([]);
    expect(await get(shop, `/api/ScheduledOrders?Deleted=true&SiteId=${shop.siteId}`)).toMatchObject([{ Id: id }]);
  });
});
