type Get = <T>(path: string) => Promise<T>;

interface Order {
  readonly Id: number;
  readonly Status: string;
  readonly Customer: { readonly ExternalId: string };
}

interface Day {
  readonly Processed: number;
  readonly Failed: number;
  readonly Skipped: number;
}

const SITE = 2;
const DAYS = 365;
const DAY_MS = 86_400_000;
/** The most of one calendar. */
const CALENDAR_DAYS = 62;

/** Each day's figures of the year that ends when the clock of the simulated shop stands. */
async function daysOfYear(get: Get): Promise<Day[]> {
  const { NowUtc } = await get<{ NowUtc: string }>(`/api/TestClock/${SITE}`);
  const dayAt = (days: number) => new Date(Date.parse(NowUtc) + days * DAY_MS).toISOString().slice(0, 10);
  const all: Day[] = [];
  for (let from = -DAYS; from <= 0; from += CALENDAR_DAYS) {
    const to = Math.min(from + CALENDAR_DAYS, 1);
    all.push(...(await get<Day[]>(`/api/Site/${SITE}/Calendar?From=${dayAt(from)}&To=${dayAt(to)}`)));
  }
  return all;
}

const sum = (days: readonly Day[], field: keyof Day) => days.reduce((total, day) => total + day[field], 0);

/** What the simulated demo shop has in it, by the API alone. */
export async function lookAtYear(get: Get) {
  const list = (filter: string) => get<Order[]>(`/api/ScheduledOrders?SiteId=${SITE}&limit=500${filter}`);
  const [orders, deleted] = [await list(''), await list('&Deleted=true')];
  const inState = async (state: string) => (await list(`&Problem=${state}`)).length;
  const withStatus = (status: string) => orders.filter(({ Status }) => Status === status).length;
  const days = await daysOfYear(get);
  const perCustomer = new Map<string, number>();
  for (const { Customer } of [...orders, ...deleted]) {
    perCustomer.set(Customer.ExternalId, (perCustomer.get(Customer.ExternalId) ?? 0) + 1);
  }
  const written = (await get<{ Count: number }>(`/api/Orders/Count?SiteId=${SITE}`)).Count;
  const forecast = await get<{ Rows: { RunsOutOn?: string | null }[]; LeftOut: { Reason: string }[] }>(
    `/api/Site/${SITE}/Forecast?From=${today()}&To=${today(90)}&By=Product`,
  );
  return {
    customers: (await get<object[]>(`/api/Customers?SiteId=${SITE}&limit=500`)).length,
    products: (await get<object[]>(`/api/Products?SiteId=${SITE}&limit=500`)).length,
    ordersOfEach: [...new Set(perCustomer.values())],
    deleted: deleted.length,
    paused: withStatus('Paused'),
    pending: withStatus('Pending'),
    retrying: await inState('Retrying'),
    waiting: await inState('Waiting'),
    orders: written,
    isInCalendar: sum(days, 'Processed') === written,
    skipped: sum(days, 'Skipped'),
    failed: sum(days, 'Failed'),
    runOut: forecast.Rows.filter(({ RunsOutOn }) => typeof RunsOutOn === 'string').length,
    leftOut: forecast.LeftOut.map(({ Reason }) => Reason),
    keys: (await get<object[]>('/api/ApiKeys')).length,
  };
}

const today = (days = 0) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

export const YEAR = {
  limitMs: 500_000,
  goesOn: 'A year of orders is being processed there now: a line says when it is over.',
  isOver: 'It has a year of orders behind it.',
  comesLater: 'Its year of orders comes with a start without --no-demo-year.',
  over: /has a year behind it now: (\d+) customers, (\d+) scheduled orders, (\d+) Orders\./,
  /** Whatever the day of the first start is. */
  exactly: {
    customers: 40,
    products: 35,
    ordersOfEach: [3],
    deleted: 7,
    paused: 6,
    isInCalendar: true,
    skipped: 14,
    keys: 0,
    leftOut: expect.arrayContaining(['Paused', 'Pending', 'Waiting']),
  },
  /** Not every month and weekday comes equally often in every year. */
  atLeast: { orders: 1_500, pending: 3, retrying: 3, waiting: 4, failed: 10, runOut: 4 },
} as const;
