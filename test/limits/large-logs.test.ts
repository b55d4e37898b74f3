import { readFileSync } from 'node:fs';
import { get as open, type IncomingMessage } from 'node:http';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { requestTo, useApi } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { heapOf, measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

afterEach(endApis);

const MB = 1e6;
/** `npm run test:scale` makes three of each, of a larger order: more than the longest string of JavaScript has. */
const COPIES = Number(process.env.LOG_COPIES ?? 1);
/** Also the smallest log, as one text, needs more memory than its process may have. */
const ITEMS = COPIES === 1 ? (ALL_CASES ? 3_000 : 1_800) : 12_000;
const LEAST_BYTES = ITEMS * (COPIES === 1 ? 21_000 : 45_000);
const LARGEST_BYTES = ITEMS * 10_000;
/** Between the order with all its items and one with a sixth of them. */
const LARGE_BYTES = ITEMS * 5_000;
/** A process has some 150 anyway; with the log as one text it would have more than three times the log besides. */
const MOST_MEMORY_MB = COPIES === 1 ? 300 : 400;
/** A large one, and six smaller ones, or three times six: a log shows the last 20. */
const ENTRIES = 1 + 6 * COPIES;

async function orderWithItems(items: number, product: Record<string, unknown>) {
  const { tokenAuth: token, siteId } = await given.merchant();
  const customerId = await given.customer(siteId);
  const productId = await given.product(siteId, product);
  const id = await given.scheduledOrder(siteId, customerId);
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT $1, $2, $3, 1, 1 FROM generate_series(1, $4::int)`,
    [siteId, id, productId, items],
  );
  return { token, siteId, id };
}

const stream = (url: string, token: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    open(url, { headers: { authorization: `Basic ${token}` }, agent: false }, resolve).on('error', reject);
  });

/** The most memory that a process has had, in MB. */
const peakMb = (pid: number) =>
  Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);

itInAllCases(
  `A log of more than ${LEAST_BYTES / MB} MB is sent in pieces: the process lives, and its memory stays flat`,
  async () => {
    const words = 'coffee '.repeat(285);
    const { token, siteId, id } = await orderWithItems(ITEMS, {
      description: words,
      imageUrl: words,
      imageThumbUrl: words,
    });
    // One entry has the order with all its items, more than is read of a snapshot at once; the others with a sixth of
    // them each.
    const entries = await database.query<{ bytes: number }>(
      `WITH o AS (SELECT json_build_object('Id', $2::bigint, 'ScheduledOrderItems', json_agg(
         json_build_object('Id', i.id, 'Product', row_to_json(p)))) AS json
       FROM scheduled_order_items i JOIN products p ON p.id = i.product_id WHERE i.scheduled_order_id = $2
       GROUP BY GROUPING SETS ((), (i.id % 6)))
     INSERT INTO action_logs (site_id, scheduled_order_id, action_type, access_token, previous_scheduled_order, new_scheduled_order)
     SELECT $1, $2, 'UpdateScheduledOrder', '{}', json, json
     FROM o, generate_series(1, CASE WHEN octet_length(json::text) > $3::int THEN 1 ELSE $4::int END)
     RETURNING octet_length(previous_scheduled_order::text) + octet_length(new_scheduled_order::text) AS bytes`,
      [siteId, id, LARGE_BYTES, COPIES],
    );
    expect(entries).toHaveLength(ENTRIES);
    expect(Math.max(...entries.map(({ bytes }) => bytes))).toBeGreaterThan(LARGEST_BYTES);
    expect(entries.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(LEAST_BYTES);

    const process = startApi({ DATABASE_URL: database.url, ...heapOf(128) });
    const url = await process.url();
    const answer = await stream(`${url}/api/ScheduledOrders/${id}/ActionLogs`, token);
    const type = '"ActionType":"UpdateScheduledOrder"';
    let [bytes, sent, last] = [0, 0, ''];
    for await (const piece of answer as AsyncIterable<Buffer>) {
      bytes += piece.length;
      const text = last + piece.toString('latin1');
      sent += text.split(type).length - 1;
      last = text.slice(1 - type.length);
    }
    expect([answer.statusCode, sent, last.slice(-2)]).toEqual([200, ENTRIES, '}]']);
    expect(bytes).toBeGreaterThan(LEAST_BYTES);
    expect((await requestTo(url)('GET', '/health/live')).status).toBe(200);
    expect(peakMb(process.child.pid!)).toBeLessThan(measured(MOST_MEMORY_MB));
  },
);

it('A log that is sent in pieces is, letter for letter, what it is as a whole', async () => {
  const words = 'Kaffee ☕ "\\ 😀 null '.repeat(90);
  const { token, id } = await orderWithItems(400, { description: words, imageUrl: words });
  const put = (body: object) => api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body });
  await put({ Status: 'Paused', ShippingCity: '"PreviousScheduledOrder":null' });
  await put({ Status: 'Active', ShippingStreet1: words.slice(0, 200) });
  const { token: other, id: small } = await orderWithItems(1, {});
  await api.request('PUT', `/api/ScheduledOrders/${small}`, { token: other, body: { Cycles: 3 } });
  await database.query(`UPDATE action_logs SET scheduled_order_id = $1 WHERE scheduled_order_id = $2`, [id, small]);
  const expected = await database.query<{ id: string; previous: object; changed: object }>(
    `SELECT id, previous_scheduled_order AS previous, new_scheduled_order AS changed FROM action_logs
     WHERE scheduled_order_id = $1 ORDER BY id DESC`,
    [id],
  );
  const answered = await api.request('GET', `/api/ScheduledOrders/${id}/ActionLogs`, { token });
  expect(answered.headers.get('transfer-encoding')).toBe('chunked');
  const body = answered.body as { Id: string; PreviousScheduledOrder: object; NewScheduledOrder: object }[];
  expect(body.map((entry) => [entry.Id, entry.PreviousScheduledOrder, entry.NewScheduledOrder])).toEqual(
    expected.map((entry) => [entry.id, entry.previous, entry.changed]),
  );
  expect(body).toHaveLength(3);
});

// Half a gigabyte.
itInAllCases(
  'An answer of the database that is more than a string can be is an error of one request, not the end of the process',
  async () => {
    const runner = database.dataSource.createQueryRunner();
    const error: unknown = await runner
      .query(`SELECT repeat('x', 540000000) AS text`)
      .catch((thrown: unknown) => thrown);
    await runner.release();
    expect(error).toMatchObject({ code: 'ERR_STRING_TOO_LONG' });
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  },
  600_000,
);
