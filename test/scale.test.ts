import { get as open, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { FilteredList, type Position, type Reach, reachOfSite } from '#libs/records';
import { orderFilters, orderSort } from '../apps/api/src/scheduled-orders/filters/order-filters.js';
import type { OrderFilters } from '../apps/api/src/scheduled-orders/filters/order-query.js';
import { describeInAllCases } from './support/all-cases.js';
import { type ApiProcess, endApis, startApi } from './support/api-process.js';
import { BOUNDS, heapOf, measured } from './support/bounds.js';
import { useDatabase } from './support/database.js';
import { given as givenIn } from './support/given.js';
import { explain, pagesOf, scannedBy } from './support/sql/query-plan.js';
import { until } from './support/until.js';

/** `npm run test:scale` reads a million of them. */
const ORDERS = Number(process.env.SCALE_ORDERS ?? 20_000);
const CUSTOMERS = 1_000;
const MIB = 1024 * 1024;

const database = useDatabase();
const given = givenIn(database);
let api: ApiProcess;
let url: string;
let token: string;
let siteId: number;
let userId: number;
let productIds: number[];

/** What was measured, for whoever runs this to see. */
const figures: Record<string, number | string> = { orders: ORDERS };

beforeAll(async () => {
  const merchant = await given.merchant();
  token = merchant.tokenAuth;
  ({ siteId, userId } = merchant);
  productIds = [await given.product(siteId), await given.product(siteId)];
  await givenOrders();
  api = startApi({ DATABASE_URL: database.url, MAX_LIST_STREAMS: '8', RATE_LIMIT_PER_SECOND: '0', ...heapOf(192) });
  url = await api.url();
  // What the process needs anyway, before it is weighed.
  for (let round = 0; round < 200; round++) await request('/api/ScheduledOrders?page=1');
}, 900_000);

afterAll(() => {
  endApis();
  process.stderr.write(`${JSON.stringify(figures)}\n`);
});

/**
 * The oldest tenth is paused, one in a thousand is pending. Everybody buys the first product, 40 orders the second one.
 * Each order has a cycle that went well or has failed once; of two in a hundred the newest one has a problem.
 */
async function givenOrders(): Promise<void> {
  await database.query(
    `INSERT INTO customers (site_id, email, first_name, last_name) SELECT $1, 'c' || n || '@mail.example', 'Ada', 'Name ' || n FROM generate_series(1, $2::int) n`,
    [siteId, CUSTOMERS],
  );
  await database.query(
    `INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc,
       next_occurrence_utc, shipping_street1, shipping_country)
     SELECT $1, c.first + n % $2, CASE WHEN n <= $3 / 10 THEN 'Paused' WHEN n % 1000 = 0 THEN 'Pending' ELSE 'Active' END, 'Months', 1, 'USD', now(),
       now() + interval '1 day' + (n::bigint * 7919 % 2592000) * interval '1 second', '12 St James Square', 'US'
     FROM generate_series(1, $3::int) n, (SELECT min(id) AS first FROM customers WHERE site_id = $1) c`,
    [siteId, CUSTOMERS, ORDERS],
  );
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT site_id, id, $1::bigint, 12.5, 1 FROM scheduled_orders
     UNION ALL (SELECT site_id, id, $2::bigint, 1, 1 FROM scheduled_orders ORDER BY id DESC LIMIT 40)`,
    productIds,
  );
  await database.query(
    `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, failure_code, order_id)
     SELECT o.site_id, o.id, 1, CASE WHEN o.id % 20 = 0 THEN 'Failed' ELSE 'Completed' END, false, now(),
       CASE WHEN o.id % 20 = 0 THEN 1001 END, CASE WHEN o.id % 20 <> 0 THEN o.id END
     FROM scheduled_orders o`,
  );
  await database.query(
    `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, failure_code, order_id)
     SELECT o.site_id, o.id, 2, k.state, k.state IN ('Retrying', 'Waiting', 'Unknown'), now(), k.code, CASE WHEN k.state = 'Completed' THEN o.id END
     FROM scheduled_orders o CROSS JOIN LATERAL (SELECT CASE WHEN o.id % 50 = 1 THEN 'Retrying' WHEN o.id % 200 = 3 THEN 'Failed'
         WHEN o.id % 5000 = 7 THEN 'Unknown' WHEN o.id % 1000 = 9 THEN 'Waiting' WHEN o.id % 40 = 0 THEN 'Completed' END AS state,
       CASE WHEN o.id % 50 = 1 OR o.id % 200 = 3 THEN 2000 WHEN o.id % 5000 = 7 THEN 2001 WHEN o.id % 1000 = 9 THEN 1003 END AS code) k
     WHERE k.state IS NOT NULL`,
  );
  await database.query(`VACUUM ANALYZE customers, scheduled_orders, scheduled_order_items, processing_cycles`);
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

describeInAllCases(`A list of ${ORDERS.toLocaleString('en')} scheduled orders`, () => {
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
    expect(peak - idle).toBeLessThan(measured(100));
  }, 900_000);

  it('holds neither a connection nor a snapshot, and piles nothing up, while its reader does not read', async () => {
    const before = await memory();
    const stream = await openListWithPlace();
    await until(async () => (await busy()).length === 0);
    await until(async () => Date.now() - (await lastAsked()) > 2_000);
    expect(await busy()).toEqual([]);
    const grown = (await memory()) - before;
    figures.stalledMib = Math.round(grown);
    expect(grown).toBeLessThan(measured(50));
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
    await until(async () => Date.now() - (await lastAsked()) > 1_000);
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

const NOTHING: OrderFilters = {
  status: null,
  customerId: null,
  productId: null,
  externalId: null,
  next: { from: null, to: null },
  problem: null,
  isDeleted: false,
};

/**
 * Along the id a page costs little, whatever the filter. Along the next occurrence, orders with a problem are looked
 * for among all, or sorted.
 */
const mostBuffers = (sort: string) => (sort.endsWith('Id') ? 15_000 : 120_000);

/** Small, or read from its beginning only until enough rows are found: everybody buys the product. */
const mayScan = (name: string, table: string) =>
  table === 'customers' || (table === 'scheduled_order_items' && name.startsWith('ProductId of everybody'));

describeInAllCases('A list of them that is asked', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const questions = async (): Promise<[string, Partial<OrderFilters>, string?][]> => {
    const [customer] = await database.query<{ id: string }>(`SELECT id FROM customers ORDER BY id OFFSET 7 LIMIT 1`);
    return [
      ['no filter', {}],
      ['Active', { status: 'Active' }],
      ['Paused', { status: 'Paused' }],
      ['Pending', { status: 'Pending' }],
      ['CustomerId', { customerId: Number(customer!.id) }],
      ['ProductId of everybody', { productId: productIds[0]! }],
      ['ProductId of few', { productId: productIds[1]! }],
      ['ProductId of everybody, Pending', { productId: productIds[0]!, status: 'Pending' }],
      ['a day', { next: { from: inDays(5), to: inDays(6) } }],
      ['a minute', { next: { from: inDays(5), to: new Date(inDays(5).getTime() + 60_000) } }],
      ['Problem 2000', { problem: { code: 2000 } }],
      ['Problem 1001', { problem: { code: 1001 } }],
      ['Problem Retrying', { problem: { state: 'Retrying' } }],
      ['Problem Waiting', { problem: { state: 'Waiting' } }],
      ['Problem Unknown', { problem: { state: 'Unknown' } }],
      ['Problem Failed', { problem: { state: 'Failed' } }],
      ['q of one', {}, 'c77@mail.example'],
      ['q of many', {}, 'name'],
      ['q of nobody', {}, 'nobody'],
    ];
  };

  /** Reads a page; what all of its statements took. */
  async function pageOf(filter: Partial<OrderFilters>, text: string | undefined, sort: string, after: Position | null) {
    const { list, taken } = listOf(filter, text, sort);
    return { taken, page: await list.page(after, 100) };
  }

  /** A list, and what its statements take. */
  function listOf(filter: Partial<OrderFilters>, text: string | undefined, sort: string, reach = reachOfSite(siteId)) {
    const taken = { ms: 0, buffers: 0, scanned: [] as string[], each: [] as number[] };
    const execute = async <Row extends object>(statement: unknown, values?: unknown[]): Promise<Row[]> => {
      const sql = statement as string;
      const { plan, ms } = await explain(database, sql, values);
      taken.ms += ms;
      taken.each.push(pagesOf(plan));
      taken.buffers += taken.each.at(-1)!;
      taken.scanned.push(...scannedBy(plan));
      return database.pool.execute<Row>(sql, values);
    };
    const filters = { ...NOTHING, ...filter };
    const q = text === undefined ? null : { text, id: null };
    const order = { name: sort.replace('-', ''), isDescending: sort.startsWith('-') };
    const list = new FilteredList(
      { execute },
      {
        table: 'scheduled_orders',
        reach,
        filters: orderFilters({ siteId: null, q, filters }, (alias, id) => `${alias}.customer_id = ${id}`, order),
        sort: orderSort(order, filters),
      },
    );
    return { list, taken };
  }

  it('reads every first page, and the one behind it, by indexes', async () => {
    const dear: unknown[] = [];
    const times: Record<string, string> = {};
    for (const [name, filter, text] of await questions()) {
      for (const sort of ['Id', '-Id', 'NextOccurrenceUtc', '-NextOccurrenceUtc']) {
        // The first time warms the cache.
        await pageOf(filter, text, sort, null);
        const { taken, page } = await pageOf(filter, text, sort, null);
        times[`${name}, ${sort}`] = `${taken.ms.toFixed(1)} ms, ${taken.buffers} buffers`;
        const following = page.last === null ? null : await pageOf(filter, text, sort, page.last);
        for (const { scanned, buffers } of [taken, ...(following === null ? [] : [following.taken])])
          if (buffers > mostBuffers(sort) || !scanned.every((table) => mayScan(name, table)))
            dear.push({ name, sort, buffers, scanned });
      }
    }
    figures.firstPages = JSON.stringify(times, null, 1);
    expect(dear).toEqual([]);
  });

  it('reads nothing by a product or a customer of another account', async () => {
    const other = await given.merchant();
    const [customer] = await database.query<{ id: string }>(`SELECT min(id) AS id FROM customers`);
    for (const filter of [{ productId: productIds[0]! }, { customerId: Number(customer!.id) }]) {
      for (const sort of ['Id', 'NextOccurrenceUtc']) {
        const { list, taken } = listOf(filter, undefined, sort, reachOfSite(other.siteId));
        await list.page(null, 100);
        await list.count();
        expect({ filter, sort, isLittle: Math.max(...taken.each) < 15 }).toEqual({ filter, sort, isLittle: true });
      }
    }
  });

  it('asks once how many a filter finds, and counts no further than it says', async () => {
    const { list, taken } = listOf({ productId: productIds[1]! }, undefined, 'NextOccurrenceUtc');
    const first = await list.page(null, 15);
    await list.page(first.last, 15);
    expect(taken.each).toHaveLength(3);
    const counted = async (reach: Reach) => {
      const { list, taken } = listOf({ status: 'Active' }, undefined, 'Id', reach);
      expect(await list.count()).toEqual({ count: 10_000, isMore: true });
      return taken.each.at(-1)!;
    };
    // The site twice: as the account's, and by itself.
    expect(await counted([userId, null, siteId, null])).toBeLessThan(1.5 * (await counted(reachOfSite(siteId))));
  });

  it('looks up no more than 5,001 customers to know whether a search finds few', async () => {
    await database.query(
      `INSERT INTO customers (site_id, first_name, last_name) SELECT $1, 'Ada', 'Idle ' || n FROM generate_series(1, 20000) n`,
      [siteId],
    );
    await database.query(`VACUUM ANALYZE customers`);
    const { list, taken } = listOf({}, 'idle', 'Id');
    expect((await list.page(null, 100)).ids).toEqual([]);
    figures.idleCustomers = taken.each.join(', ');
    expect(taken.each[0]).toBeLessThan(25_000);
  });
});
