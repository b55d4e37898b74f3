import { setTimeout as pause } from 'node:timers/promises';
import { FilteredList } from '#libs/records';
import { BY_ID } from '../apps/api/src/http/query/index.js';
import { PAST } from '../apps/api/src/reports/calendar/past.sql.js';
import { figureOf, ORDER_FIGURES } from '../apps/api/src/reports/overview/figures.js';
import { orderFilters, orderSort } from '../apps/api/src/scheduled-orders/filters/order-filters.js';
import { describeInAllCases } from './support/all-cases.js';
import type { Json } from './support/api.js';
import { type ApiProcess, endApis, startApi } from './support/api-process.js';
import { heapOf, measured } from './support/bounds.js';
import { useDatabase } from './support/database.js';
import { given as givenIn } from './support/given.js';
import { explain, nodesOf, scannedBy } from './support/sql/query-plan.js';

/** `npm run test:scale` has a million of them. */
const ORDERS = Number(process.env.SCALE_ORDERS ?? 20_000);
const MIB = 1024 * 1024;
const DAY = 86_400_000;

const database = useDatabase();
const given = givenIn(database);
let api: ApiProcess;
let url: string;
let token: string;
let siteId: number;
let otherSiteId: number;

/** What was measured, for whoever runs this to see. */
const figures: Record<string, number | string> = { orders: ORDERS };

beforeAll(async () => {
  const merchant = await given.merchant();
  token = merchant.tokenAuth;
  siteId = merchant.siteId;
  otherSiteId = await given.site(merchant.userId);
  await givenOrders(siteId, ORDERS);
  await givenOrders(otherSiteId, 200);
  await database.query(`VACUUM ANALYZE customers, scheduled_orders, scheduled_order_items, processing_cycles, orders`);
  api = startApi({ DATABASE_URL: database.url, RATE_LIMIT_PER_SECOND: '0', ...heapOf(256) });
  url = await api.url();
}, 900_000);

afterAll(() => {
  endApis();
  process.stderr.write(`${JSON.stringify(figures)}\n`);
});

/**
 * Weekly orders with an item each. In the last 90 days each had a cycle that was paid; of one in twenty it failed or
 * was skipped. A tenth is Pending.
 */
async function givenOrders(site: number, count: number): Promise<void> {
  const customerId = await given.customer(site);
  const productId = await given.product(site);
  await given.shippingRate(site, { basePrice: '4' });
  await database.query(
    `INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc, next_occurrence_utc)
     SELECT $1, $2, CASE WHEN n % 10 = 0 THEN 'Pending' ELSE 'Active' END, 'Weeks', 1, 'USD', at, at
     FROM generate_series(1, $3::int) n, LATERAL (SELECT date_trunc('second', now()) + interval '1 minute' + n % 604800 * interval '1 second' AS at) s`,
    [site, customerId, count],
  );
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT site_id, id, $2, 12.5, 1 FROM scheduled_orders WHERE site_id = $1`,
    [site, productId],
  );
  await database.query(
    `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, failure_code, order_id, amount, currency_iso, ended_utc)
     SELECT o.site_id, o.id, 1, k.state, false, k.at, CASE WHEN k.state = 'Failed' THEN 2000 END, CASE WHEN k.state <> 'Skipped' THEN o.id END, 1250, 'USD',
       CASE WHEN k.state <> 'Completed' THEN k.at END
     FROM scheduled_orders o CROSS JOIN LATERAL (SELECT CASE WHEN o.id % 40 = 0 THEN 'Failed' WHEN o.id % 40 = 1 THEN 'Skipped' ELSE 'Completed' END AS state,
       now() - interval '90 days' + (o.id % $2::int) * interval '90 days' / $2 AS at) k
     WHERE o.site_id = $1`,
    [site, count],
  );
  // In the order in which they are written.
  await database.query(
    `INSERT INTO orders (site_id, customer_id, scheduled_order_id, cycle, date_created, total, currency_iso)
     SELECT c.site_id, $2, c.scheduled_order_id, c.cycle, c.due_utc, 12.5, c.currency_iso FROM processing_cycles c
     WHERE c.site_id = $1 AND c.state = 'Completed' ORDER BY c.due_utc`,
    [site, customerId],
  );
}

const dayAt = (days: number) => new Date(Math.floor(Date.now() / DAY) * DAY + days * DAY).toISOString().slice(0, 10);

async function request(path: string): Promise<Json> {
  const response = await fetch(url + path, { headers: { authorization: `Basic ${token}` } });
  expect(response.status).toBe(200);
  return response.json();
}

async function timed(path: string): Promise<[number, Json]> {
  const startedMs = performance.now();
  const body = await request(path);
  return [Math.round(performance.now() - startedMs), body];
}

async function memory(): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)![1]) / MIB;
}

async function mostMemoryDuring<T>(work: Promise<T>): Promise<[number, T]> {
  const samples = [await memory()];
  const done = work.then(() => true);
  while (!(await Promise.race([done, pause(100, false)]))) samples.push(await memory());
  return [Math.max(...samples), await work];
}

async function explained(sql: string, values: unknown[]) {
  const { plan, ms } = await explain(database, sql, values);
  return { ms, scanned: scannedBy(plan), indexes: nodesOf(plan).flatMap((node) => node['Index Name'] ?? []) };
}

describeInAllCases(`A site with ${ORDERS.toLocaleString('en')} scheduled orders`, () => {
  it('has a calendar of two months in bounded memory', async () => {
    for (let round = 0; round < 20; round++)
      await request(`/api/Site/${otherSiteId}/Calendar?From=${dayAt(0)}&To=${dayAt(62)}`);
    const idle = await memory();
    const [peak, [ms, rows]] = await mostMemoryDuring(
      timed(`/api/Site/${siteId}/Calendar?From=${dayAt(0)}&To=${dayAt(62)}`),
    );
    figures.futureMs = ms;
    figures.idleMib = Math.round(idle);
    figures.peakMib = Math.round(peak);
    const due = (rows as { Due: number }[]).reduce((sum, { Due }) => sum + Due, 0);
    figures.occurrences = due;
    expect(due).toBeGreaterThan(ORDERS * 0.9 * 7);
    expect(peak - idle).toBeLessThan(measured(200));
  }, 900_000);

  it('has a past that is read by indexes, and only where it was', async () => {
    const wanted = (site: number, from: number, to: number) => [site, dayAt(from), dayAt(to)];
    const week = await explained(PAST, wanted(siteId, -30, -29));
    figures.dayOfPast = `${week.ms.toFixed(1)} ms by ${week.indexes.join(', ')}`;
    expect(week.scanned).toEqual([]);
    expect(week.indexes).toEqual(expect.arrayContaining(['ix_orders_processed', 'ix_processing_cycles_ended']));
    const other = await explained(PAST, wanted(otherSiteId, -62, 0));
    figures.monthsOfSmallSite = `${other.ms.toFixed(1)} ms by ${other.indexes.join(', ')}`;
    expect(other.scanned).toEqual([]);
    expect(other.indexes).toContain('ix_orders_site');
    const [ms, rows] = await timed(`/api/Site/${siteId}/Calendar?From=${dayAt(-62)}&To=${dayAt(0)}`);
    figures.pastMs = ms;
    const sum = (name: string) => (rows as Record<string, number>[]).reduce((total, row) => total + row[name]!, 0);
    const part = (62 / 90) * ORDERS;
    expect(sum('Processed') / part).toBeCloseTo(0.95, 1);
    expect(sum('Failed') / part).toBeCloseTo(0.025, 2);
    expect(sum('Total')).toBe(sum('Processed') * 1_250);
  });

  it('has an overview whose figures are read by indexes', async () => {
    const taken: Record<string, string> = {};
    const scans: string[] = [];
    for (const name of ORDER_FIGURES) {
      const { filter } = figureOf(name, siteId, new Date(Date.now() + 3_600_000));
      const execute = async <Row extends object>(sql: unknown, values?: unknown[]): Promise<Row[]> => {
        await database.query(sql as string, values);
        const { ms, scanned } = await explained(sql as string, values ?? []);
        taken[name] = `${(taken[name] ?? '').slice(0, -3)}${taken[name] ? ' + ' : ''}${ms.toFixed(1)} ms`;
        scans.push(...scanned);
        return database.pool.execute<Row>(sql as string, values);
      };
      const filters = orderFilters(filter, (alias, id) => `${alias}.customer_id = ${id}`, BY_ID);
      const sort = orderSort(BY_ID, filter.filters);
      await new FilteredList(
        { execute },
        { table: 'scheduled_orders', reach: [null, null, siteId, null], filters, sort },
      ).count();
    }
    const today = await explained(PAST, [siteId, dayAt(0), dayAt(1)]);
    figures.overview = JSON.stringify({ ...taken, Today: `${today.ms.toFixed(1)} ms` });
    expect([...scans, ...today.scanned]).toEqual([]);
    await request(`/api/Site/${siteId}/Overview`);
    figures.overviewMs = (await timed(`/api/Site/${siteId}/Overview`))[0];
  });
});
