import { get as open, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiProcess, endApis, startApi } from './support/api-process.js';
import { BOUNDS } from './support/bounds.js';
import { useDatabase } from './support/database.js';
import { given as givenIn } from './support/given.js';
import { until } from './support/until.js';

/** `npm run test:scale` reads a million of them. */
const ORDERS = Number(process.env.SCALE_ORDERS ?? 30_000);
const CUSTOMERS = 1_000;
const MIB = 1024 * 1024;

const database = useDatabase();
const given = givenIn(database);
let api: ApiProcess;
let url: string;
let token: string;

/** What was measured, for whoever runs this to see. */
const figures: Record<string, number | string> = { orders: ORDERS };

beforeAll(async () => {
  const merchant = await given.merchant();
  token = merchant.tokenAuth;
  await givenOrders(merchant.siteId, await given.product(merchant.siteId));
  api = startApi({ DATABASE_URL: database.url, MAX_LIST_STREAMS: '2', RATE_LIMIT_PER_SECOND: '0' });
  url = await api.url();
  // What the process needs anyway, before it is weighed.
  for (let round = 0; round < 200; round++) await request('/api/ScheduledOrders?page=1');
}, 900_000);

afterAll(() => {
  endApis();
  process.stderr.write(`${JSON.stringify(figures)}\n`);
});

async function givenOrders(siteId: number, productId: number): Promise<void> {
  await database.query(
    `INSERT INTO customers (site_id, email, first_name) SELECT $1, 'c' || n || '@mail.example', 'Ada' FROM generate_series(1, $2::int) n`,
    [siteId, CUSTOMERS],
  );
  await database.query(
    `INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc,
       next_occurrence_utc, shipping_street1, shipping_country)
     SELECT $1, c.first + n % $2, 'Active', 'Months', 1, 'USD', now(), now() + interval '1 day', '12 St James Square', 'US'
     FROM generate_series(1, $3::int) n, (SELECT min(id) AS first FROM customers WHERE site_id = $1) c`,
    [siteId, CUSTOMERS, ORDERS],
  );
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT site_id, id, $1, 12.5, 1 FROM scheduled_orders`,
    [productId],
  );
  await database.query(`ANALYZE customers, scheduled_orders, scheduled_order_items`);
}

const headers = () => ({ authorization: `Basic ${token}` });
const request = (path: string) => fetch(url + path, { headers: headers() }).then((response) => response.text());

/** A whole list, opened; nobody has read anything of it yet. */
const openList = () =>
  new Promise<IncomingMessage>((resolve, reject) => {
    open(`${url}/api/ScheduledOrders`, { headers: headers(), agent: false }, resolve).on('error', reject);
  });

/** One that has a place: that of a reader who has gone away is free a moment later. */
const openListWithPlace = () =>
  until(async () => {
    const stream = await openList();
    if (stream.statusCode === 200) return stream;
    stream.resume();
    return null;
  });

/** The resident memory of the API's process in MiB, as it says itself. */
async function memory(): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)![1]) / MIB;
}

/** The most memory that the process has, asked again and again until `work` is done. */
async function mostMemoryDuring(work: Promise<unknown>): Promise<number> {
  const samples = [await memory()];
  const done = work.then(() => true);
  while (!(await Promise.race([done, pause(200, false)]))) samples.push(await memory());
  return Math.max(...samples);
}

interface Read {
  count: number;
  bytes: number;
  first: string;
  last: string;
  error: unknown;
}

/** Reads to the end without keeping it: how many orders, and how it begins and ends. */
async function read(stream: IncomingMessage): Promise<Read> {
  const result: Read = { count: 0, bytes: 0, first: '', last: '', error: null };
  let rest = '';
  try {
    for await (const piece of stream) {
      const text = rest + (piece as Buffer).toString('latin1');
      result.bytes += (piece as Buffer).length;
      result.first ||= text.slice(0, 1);
      result.last = text.slice(-1);
      const parts = text.split('"LastOccurrenceUtc"');
      result.count += parts.length - 1;
      rest = parts.at(-1)!.slice(-30);
    }
  } catch (error) {
    result.error = error;
  }
  return result;
}

/** Connections of the API that do something, or hold a snapshot. */
const busy = () =>
  database.query(
    `SELECT state, query FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'scheduled-orders-api' AND (state <> 'idle' OR backend_xmin IS NOT NULL)`,
  );

/** When the API last asked the database anything. */
const lastAsked = async () =>
  (
    await database.query<{ at: Date }>(
      `SELECT max(query_start) AS at FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'scheduled-orders-api'`,
    )
  )[0]!.at.getTime();

const WHOLE = { count: ORDERS, first: '[', last: ']', error: null };

describe(`A list of ${ORDERS.toLocaleString('en')} scheduled orders`, () => {
  it('is whole, begins at once, and needs no more memory than a short one', async () => {
    const idle = await memory();
    const startedMs = performance.now();
    const stream = await openList();
    await new Promise((resolve) => stream.once('readable', resolve));
    figures.firstByteMs = Math.round(performance.now() - startedMs);
    const reading = read(stream);
    const peak = await mostMemoryDuring(reading);
    const result = await reading;
    figures.seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    figures.mib = Math.round(result.bytes / MIB);
    figures.idleMib = Math.round(idle);
    figures.peakMib = Math.round(peak);
    expect(result).toMatchObject(WHOLE);
    expect(figures.firstByteMs).toBeLessThan(BOUNDS.promptMs);
    expect(peak - idle).toBeLessThan(100);
  }, 900_000);

  it('holds neither a connection nor a snapshot, and piles nothing up, while its reader does not read', async () => {
    const before = await memory();
    const stream = await openListWithPlace();
    await until(async () => (await busy()).length === 0);
    await until(async () => Date.now() - (await lastAsked()) > 2_000, 30_000);
    expect(await busy()).toEqual([]);
    const grown = (await memory()) - before;
    figures.stalledMib = Math.round(grown);
    expect(grown).toBeLessThan(50);
    stream.destroy();
  });

  it('is asked no further when its reader goes away, which makes room for others', async () => {
    const streams = [await openListWithPlace(), await openListWithPlace()];
    const refused = await fetch(`${url}/api/ScheduledOrders`, { headers: headers() });
    // Before its body is read: a whole list is too long to be shown.
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ title: 'Service Unavailable' });
    for (const stream of streams) {
      stream.resume();
      stream.on('error', () => undefined);
      await new Promise((resolve) => stream.once('data', resolve));
      stream.destroy();
    }
    await until(async () => (await busy()).length === 0);
    await until(async () => Date.now() - (await lastAsked()) > 1_000, 30_000);
    (await openListWithPlace()).destroy();
  });

  it('resets the connection when it fails in the middle, and never closes the bracket', async () => {
    const stream = await openListWithPlace();
    await until(async () => (await busy()).length === 0);
    await database.query(`ALTER TABLE products RENAME TO elsewhere`);
    const result = await read(stream);
    await database.query(`ALTER TABLE elsewhere RENAME TO products`);
    expect(result).toMatchObject({ first: '[', error: { code: 'ECONNRESET' } });
    expect(result.last).not.toBe(']');
    expect(result.count).toBeLessThan(ORDERS);
  });
});
