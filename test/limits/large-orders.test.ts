import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { itInAllCases } from '../support/all-cases.js';
import { endApis, startApi } from '../support/api-process.js';
import { heapOf, measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';
import { startWorker, stopWorkers } from '../support/worker.js';

const database = useDatabase();
const given = givenIn(database);

afterEach(async () => {
  endApis();
  await stopWorkers();
});

/** Orders as they can exist from before there was a bound; three are more than a worker holds at once. */
const ITEMS = [12_000, 9_000, 7_000, 1_000, 1_000, 1_000, 1_000, 1_000];
/** Each is an entry of the log, with all items before and after it. */
const CHANGES = ['Paused', 'Active', 'Paused', 'Active'].map((Status) => ({ Status }));
const ALL_ITEMS = ITEMS.reduce((sum, items) => sum + items);
const SMALL_HEAP = heapOf(96);

async function largeOrders() {
  const { tokenAuth: token, siteId } = await given.merchant();
  const customerId = await given.customer(siteId);
  const productId = await given.product(siteId);
  const ids: number[] = [];
  for (const _ of ITEMS) ids.push(await given.scheduledOrder(siteId, customerId));
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT $1, o.id, $2, 0, 1 FROM unnest($3::bigint[], $4::int[]) AS o(id, items), generate_series(1, o.items)`,
    [siteId, productId, ids, ITEMS],
  );
  return { token, ids };
}

/** The most memory that a process has had, in MB. */
const peakMb = (pid: number | undefined) =>
  Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);

interface RequestOptions {
  readonly method?: string;
  readonly body?: object;
  /** What is counted. */
  readonly mark?: string;
}

/** What an answer of any size comes to; `depth`: brackets that are open at its end. */
async function answerTo(
  url: string,
  token: string,
  { method = 'GET', body, mark = '"Quantity":' }: RequestOptions = {},
) {
  const headers = { authorization: `Basic ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, resolve).on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
  let [marks, depth, rest] = [0, 0, ''];
  for await (const piece of answer as AsyncIterable<Buffer>) {
    const text = rest + piece.toString('latin1');
    marks += text.split(mark).length - 1;
    rest = text.slice(1 - mark.length);
    for (const byte of piece) depth += byte === 0x7b || byte === 0x5b ? 1 : byte === 0x7d || byte === 0x5d ? -1 : 0;
  }
  return { status: answer.statusCode, marks, depth };
}

itInAllCases(
  'Orders of 12,000 items are read, listed, changed, logged and processed, and no process holds one of them whole',
  async () => {
    const { token, ids } = await largeOrders();
    const server = startApi({ DATABASE_URL: database.url, RATE_LIMIT_PER_SECOND: '0', ...SMALL_HEAP });
    const api = `${await server.url()}/api`;
    const order = `${api}/ScheduledOrders/${ids[0]}`;
    const whole = { status: 200, marks: 12_000, depth: 0 };
    for (const body of CHANGES) {
      expect(await answerTo(order, token, { method: 'PUT', body })).toEqual(whole);
    }
    expect(await answerTo(order, token)).toEqual(whole);
    expect(await answerTo(`${order}/ActionLogs`, token)).toEqual({ ...whole, marks: 2 * CHANGES.length * 12_000 });
    for (const list of ['ScheduledOrders', 'ScheduledOrders?page=1']) {
      expect(await answerTo(`${api}/${list}`, token)).toEqual({ ...whole, marks: ALL_ITEMS });
    }

    const due = ids.slice(0, 3);
    await database.query(
      `UPDATE scheduled_orders SET next_occurrence_utc = now() - interval '1 minute' WHERE id = ANY ($1)`,
      [due],
    );
    const worker = await startWorker(database, SMALL_HEAP);
    const processed = () =>
      database.query(
        `SELECT FROM scheduled_orders WHERE id = ANY ($1) AND cycles = 1 AND next_occurrence_utc > now()`,
        [due],
      );
    await until(async () => (await processed()).length === due.length);
    expect(await answerTo(`${order}/EventLogs`, token)).toEqual(whole);
    expect(await answerTo(`${api}/Orders?page=1`, token)).toEqual({ ...whole, marks: 28_000 });
    expect(await answerTo(order, token, { method: 'DELETE' })).toMatchObject({ status: 204 });

    expect([server.child.exitCode, worker.child.exitCode]).toEqual([null, null]);
    expect(Math.max(peakMb(server.child.pid), peakMb(worker.child.pid))).toBeLessThan(measured(280));
  },
);
