import { archiveCycles } from '#libs/ledger';
import { ConnectionPool } from '#libs/platform';
import { ALL_CASES, describeInAllCases } from '../support/all-cases.js';
import { nextLink, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { Random, SEED } from '../support/random.js';
import { nodesOf, pagesOf, PLAN_MODES, planOf } from '../support/sql/query-plan.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const DAY = 86_400_000;
const LOGS = [
  [
    'Action',
    'action_logs',
    `action_type, description`,
    `'PauseScheduledOrder', 'PauseScheduledOrder by a Merchant token.'`,
  ],
  ['Event', 'event_logs', `event_type, description`, `'ScheduledOrderHeld', 'Held.'`],
  ['Error', 'error_logs', `description, exception_info`, `'2000 PaymentFailed: No.', '{"Message": "No."}'::json`],
] as const;

/** SQL: a UUIDv7 of this instant. */
const uuidOf = (instant: string) =>
  `encode(int8send((((extract(epoch FROM ${instant}) * 1000)::bigint) << 16) | 28672) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid`;

/** Log entries of an order at these instants, each written by a transaction that had begun up to two seconds before. */
async function insertLogs(siteId: number, id: number, instants: readonly Date[], which = LOGS): Promise<void> {
  for (const [, table, columns, values] of which) {
    await database.query(
      `INSERT INTO ${table} (id, created_utc, site_id, scheduled_order_id, ${columns})
       SELECT ${uuidOf('i.at')}, i.at - (row_number() OVER () % 3) * interval '1 second', $1, $2, ${values} FROM unnest($3::timestamptz[]) i (at)`,
      [siteId, id, instants],
    );
  }
}

const insertCycles = (siteId: number, id: number, instants: readonly Date[]) =>
  database.query(
    `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, created_utc, updated_utc)
     SELECT $1, $2, i.n, 'Skipped', false, i.at, i.at, i.at FROM unnest($3::timestamptz[]) WITH ORDINALITY i (at, n)`,
    [siteId, id, instants],
  );

const insertDeliveries = (siteId: number, id: number, endpointId: number, instants: readonly Date[]) =>
  database.query(
    `INSERT INTO webhook_deliveries (site_id, webhook_endpoint_id, sequence, event_id, event_type, scheduled_order_id, state, created_utc)
     SELECT $1, $3, $2 * 100000 + (SELECT count(*) FROM webhook_deliveries) + i.n, uuid_v7(), 'scheduled_order.updated', $2, 'Delivered', i.at
     FROM unnest($4::timestamptz[]) WITH ORDINALITY i (at, n)`,
    [siteId, id, endpointId, instants],
  );

const insertDifferences = (siteId: number, id: number, instants: readonly Date[]) =>
  database.query(
    `INSERT INTO payment_differences (site_id, kind, fact, scheduled_order_id, holds, created_utc)
     SELECT $1, 'RefundUnseen', 'refund ' || i.n, $2, false, i.at FROM unnest($3::timestamptz[]) WITH ORDINALITY i (at, n)`,
    [siteId, id, instants],
  );

const insertPushes = (siteId: number, id: number, instants: readonly Date[]) =>
  database.query(
    `INSERT INTO order_pushes (site_id, scheduled_order_id, cycle, order_id, push_name, created_utc)
     SELECT $1, $2::bigint, i.n, $2::bigint * 100000 + i.n, 'installation-' || $2::bigint || '-' || i.n, i.at FROM unnest($3::timestamptz[]) WITH ORDINALITY i (at, n)`,
    [siteId, id, instants],
  );

type Key = `${string} ${string}`;

/**
 * All entries of an order from all sources, without any of the service's code, in the order of (AtUtc, Kind, Id), the
 * newest first.
 */
async function plainSort(id: number, kinds: readonly string[]): Promise<Key[]> {
  const rows = await database.query<{ kind: string; id: string }>(
    `SELECT kind, id FROM (
       SELECT 'Action' AS kind, id::text, ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint AS at, 0 AS number FROM action_logs WHERE scheduled_order_id = $1
       UNION ALL SELECT 'Event', id::text, ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint, 0 FROM event_logs WHERE scheduled_order_id = $1
       UNION ALL SELECT 'Error', id::text, ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint, 0 FROM error_logs WHERE scheduled_order_id = $1
       UNION ALL SELECT 'Cycle', cycle::text, (extract(epoch FROM created_utc) * 1000)::bigint, cycle FROM processing_cycles WHERE scheduled_order_id = $1
       UNION ALL SELECT 'Cycle', c ->> 'cycle', (extract(epoch FROM (c ->> 'created_utc')::timestamptz) * 1000)::bigint, (c ->> 'cycle')::bigint
         FROM archived_cycles a, jsonb_array_elements(a.cycles) c WHERE a.scheduled_order_id = $1
       UNION ALL SELECT 'Delivery', id::text, (extract(epoch FROM created_utc) * 1000)::bigint, id FROM webhook_deliveries WHERE scheduled_order_id = $1
       UNION ALL SELECT 'Push', cycle::text, (extract(epoch FROM created_utc) * 1000)::bigint, cycle FROM order_pushes WHERE scheduled_order_id = $1
       UNION ALL SELECT 'Difference', id::text, (extract(epoch FROM created_utc) * 1000)::bigint, id FROM payment_differences WHERE scheduled_order_id = $1
     ) e WHERE kind = ANY ($2) ORDER BY at DESC, kind COLLATE "C" DESC, number DESC, id COLLATE "C" DESC`,
    [id, kinds],
  );
  return rows.map((row): Key => `${row.kind} ${row.id}`);
}

const keysOf = (body: unknown): Key[] =>
  (body as { Kind: string; Id: string }[]).map(({ Kind, Id }): Key => `${Kind} ${Id}`);

/** Page by page; `sizes` in turn. `between` is done after each page. */
async function read(
  token: string,
  id: number,
  sizes: readonly number[],
  between = () => Promise.resolve(),
): Promise<Key[]> {
  const keys: Key[] = [];
  let next: string | undefined = `/api/ScheduledOrders/${id}/Timeline`;
  for (let page = 0; next !== undefined; page++) {
    const size = sizes[page % sizes.length]!;
    const url = new URL(next, api.url);
    url.searchParams.set('limit', String(size));
    const { status, headers, body } = await api.request('GET', url.pathname + url.search, { token });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    next = nextLink(headers);
    const found = keysOf(body);
    if (next !== undefined && found.length !== size) throw new Error(`A page of ${found.length}, not ${size}`);
    keys.push(...found);
    await between();
  }
  return keys;
}

const ALL = ['Action', 'Cycle', 'Delivery', 'Difference', 'Error', 'Event', 'Push'];
const OF_CUSTOMERS = ['Action', 'Cycle', 'Event'];

async function givenOrder(createdUtc = new Date(Date.now() - 1_200 * DAY)) {
  const merchant = await given.merchant();
  const customerId = await given.customer(merchant.siteId);
  const id = await given.scheduledOrder(merchant.siteId, customerId, { createdUtc });
  return { ...merchant, token: merchant.tokenAuth, id, customer: await given.token(merchant.userId, { customerId }) };
}

/** The others have a row or two in these tests. */
const LARGE = /^((action|event|error)_logs.*|processing_cycles|archived_cycles|webhook_deliveries)$/;

/** What the statements of a request for a timeline read, by table: rows, and tables that are read whole. */
async function readBy(path: string, token: string, mode: (typeof PLAN_MODES)[number] = PLAN_MODES[0]) {
  const sent: [string, unknown[]][] = [];
  const pool = ConnectionPool.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  const execute = pool.execute!;
  const spy = jest.spyOn(pool, 'execute').mockImplementation(function (this: unknown, ...given: unknown[]) {
    const [statement, values] = given as [string | { text: string }, unknown[]];
    const text = typeof statement === 'string' ? statement : statement.text;
    if (text.includes('_logs')) sent.push([text, values]);
    return execute.apply(this, given);
  });
  const answered = await api.request('GET', path, { token });
  spy.mockRestore();
  const [rows, scanned] = [new Map<string, number>(), [] as string[]];
  let blocks = 0;
  for (const [text, values] of sent) {
    const plan = await planOf(database, text, values, mode);
    blocks += pagesOf(plan);
    for (const node of nodesOf(plan)) {
      const table = node['Relation Name'];
      if (table === undefined || node['Actual Loops'] === 0) continue;
      const count = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
      rows.set(table, (rows.get(table) ?? 0) + count);
      if (node['Node Type'] === 'Seq Scan' && LARGE.test(table)) scanned.push(table);
    }
  }
  return { answered, rows, scanned, blocks, statements: sent.length };
}

describeInAllCases('A page of a large order', () => {
  // Of each kind more than a hundred in a month, so that a page has to read a few months of logs and no more.
  const [ENTRIES, CYCLES, MONTHS] = [10_000, 500, 30];
  let order: Awaited<ReturnType<typeof givenOrder>>;

  beforeAll(async () => {
    // As a service has them that has run for years.
    for (const [, table] of LOGS) {
      for (let month = 1; month <= MONTHS; month++) {
        await database.query(
          `DO $$ DECLARE month timestamptz := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '${month} months'; BEGIN
             EXECUTE format('CREATE TABLE ${table}_%s PARTITION OF ${table} FOR VALUES FROM (%L) TO (%L)', to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'), month, month + interval '1 month');
           END $$`,
        );
      }
    }
    order = await givenOrder();
    const { siteId, id } = order;
    const other = await givenOrder();
    const spread = (count: number) =>
      Array.from({ length: count }, (_, n) => new Date(Date.now() - (n * MONTHS * 28 * DAY) / count));
    await insertLogs(siteId, id, spread(ENTRIES));
    await insertCycles(siteId, id, spread(CYCLES).reverse());
    const endpointId = await given.insert('webhook_endpoints', { siteId, url: 'https://a.example', secret: 'x' });
    await insertDeliveries(siteId, id, endpointId, spread(ENTRIES));
    // Others have a few entries each, as most orders have.
    for (const [, table, columns, values] of LOGS) {
      await database.query(
        `INSERT INTO ${table} (id, created_utc, site_id, scheduled_order_id, ${columns})
         SELECT ${uuidOf('i.at')}, i.at, $1, 1000000 + i.n % 4000, ${values}
         FROM (SELECT n, now() - n * interval '1 minute' * 60 FROM generate_series(1, 20000) n) i (n, at)`,
        [other.siteId],
      );
    }
    await database.query(
      `INSERT INTO webhook_deliveries (site_id, webhook_endpoint_id, sequence, event_id, event_type, scheduled_order_id, state)
       SELECT $1, $2, 2000000000 + n, uuid_v7(), 'scheduled_order.updated', 1000000 + n % 4000, 'Delivered' FROM generate_series(1, 20000) n`,
      [other.siteId, endpointId],
    );
    await database.query(
      `WITH o AS (INSERT INTO scheduled_orders (site_id, customer_id, status, currency_iso, schedule_anchor_utc, archived_cycle)
         SELECT o.site_id, o.customer_id, 'Pending', 'USD', now(), 1 FROM scheduled_orders o, generate_series(1, 2000) WHERE o.id = $1 RETURNING id, site_id)
       INSERT INTO archived_cycles (scheduled_order_id, last_cycle, site_id, cycles) SELECT id, 1, site_id, '[]' FROM o`,
      [other.id],
    );
    await database.query(`ANALYZE`);
  });

  it.each(PLAN_MODES)(
    'reads a page’s entries of each kind by index, of the months that it needs (%s)',
    async (mode) => {
      const path = `/api/ScheduledOrders/${order.id}/Timeline`;
      const { answered, rows, scanned, blocks, statements } = await readBy(path, order.token, mode);
      expect([answered.body.length, statements]).toEqual([100, 2]);
      expect(scanned).toEqual([]);
      const read = Object.fromEntries(rows);
      expect(Math.max(...rows.values())).toBeLessThanOrEqual(202);
      expect([read.processing_cycles, read.webhook_deliveries]).toEqual([101, 101]);
      // Three months and a day back from the first of this one, this one, the three ahead, and the rest.
      const months = [...rows.keys()].filter((table) => /^event_logs_/.test(table));
      expect(months.length).toBeLessThanOrEqual(9);
      expect(blocks).toBeLessThan(2_500);
      const following = await readBy(nextLink(answered.headers)!, order.token, mode);
      expect([following.answered.body.length, following.scanned]).toEqual([100, []]);
      expect(Math.max(...following.rows.values())).toBeLessThanOrEqual(202);
    },
  );

  it.each(PLAN_MODES)('in the middle of years reads no month that is newer or much older (%s)', async (mode) => {
    const [row] = await database.query<{ id: string; at: string }>(
      `SELECT id::text, ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint AS at FROM event_logs
       WHERE scheduled_order_id = $1 ORDER BY id DESC OFFSET ${ENTRIES / 2} LIMIT 1`,
      [order.id],
    );
    const cursor = Buffer.from(`${order.id} ${row!.at} Event ${row!.id} ${CYCLES / 2}`).toString('base64url');
    const path = `/api/ScheduledOrders/${order.id}/Timeline?cursor=${cursor}`;
    const { answered, rows, scanned } = await readBy(path, order.token, mode);
    expect([answered.body.length, scanned]).toEqual([100, []]);
    expect(Math.max(...rows.values())).toBeLessThanOrEqual(202);
    const months = [...rows.keys()].filter((table) => /^action_logs_\d/.test(table)).sort();
    const at = new Date(Number(row!.at));
    // Three months and a day back from the first of that one, that one, and the next one where it begins within a day.
    const isLastDay = new Date(at.getTime() + DAY).getUTCMonth() !== at.getUTCMonth();
    expect(months.length).toBeLessThanOrEqual(isLastDay ? 6 : 5);
    const next = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
      .toISOString()
      .slice(0, 7)
      .replace('-', '_');
    expect(months.every((table) => table <= `action_logs_${next}`)).toBe(true);
  });

  it('reads the archive only behind the ledger, and of it only the blocks that it needs', async () => {
    for (const months of [25, 22, 19, 16, 13, 10]) await archiveCycles(database.pool, months);
    const [ledger] = await database.query<{ least: string }>(
      `SELECT min(cycle) AS least FROM processing_cycles WHERE scheduled_order_id = $1`,
      [order.id],
    );
    const at = (cycle: number) => {
      const cursor = Buffer.from(`${order.id} 1 Cycle 1 ${cycle}`).toString('base64url');
      return `/api/ScheduledOrders/${order.id}/Timeline?limit=20&cursor=${cursor}`;
    };
    const newest = await readBy(`/api/ScheduledOrders/${order.id}/Timeline`, order.token);
    expect(newest.rows.get('archived_cycles') ?? 0).toBe(0);
    const middle = await readBy(at(Number(ledger!.least) - 60), order.token);
    expect(middle.answered.body).toHaveLength(20);
    // Where the block of the cycle is, that one, the next one, and the one that shows where it ends.
    expect(middle.rows.get('archived_cycles')).toBeLessThanOrEqual(4);
    const keys = await read(order.token, order.id, [500]);
    expect(keys.filter((key) => key.startsWith('Cycle'))).toEqual(
      Array.from({ length: CYCLES }, (_, n): Key => `Cycle ${CYCLES - n}`),
    );
  });
});

describe('The pages of a timeline', () => {
  const MOST = ALL_CASES ? 80 : 40;
  // With an odd number all within weeks, with an even one over years.
  it.each(ALL_CASES ? [1, 2, 3, 4] : [1, 2])(
    'have every entry once, in order, whatever their sizes (%i)',
    async (round) => {
      const random = new Random(SEED, String(round));
      const pick = (below: number) => random.below(below);
      const { siteId, token, customer, id } = await givenOrder();
      const now = Math.floor(Date.now() / 1_000) * 1_000;
      // Many share their millisecond; some times have many entries, and some have none for months.
      const times = Array.from({ length: 25 }, () => now - pick(round % 2 === 0 ? 1_100 : 40) * DAY - pick(3) * 1_000);
      const some = (most: number) =>
        Array.from({ length: most / 4 + pick((most * 3) / 4) }, () => times[pick(times.length)]! + pick(3))
          .sort((one, other) => one - other)
          .map((at) => new Date(at));
      for (const log of LOGS) await insertLogs(siteId, id, some(MOST), [log] as unknown as typeof LOGS);
      await insertCycles(siteId, id, some(MOST));
      await insertDeliveries(
        siteId,
        id,
        await given.insert('webhook_endpoints', { siteId, url: 'https://a.example', secret: 'x' }),
        some(MOST),
      );
      await insertDifferences(siteId, id, some(20));
      await insertPushes(siteId, id, some(20));
      expect(await archiveCycles(database.pool, 3)).toMatchObject({ orders: expect.any(Number) });
      const [whole, own] = [await plainSort(id, ALL), await plainSort(id, OF_CUSTOMERS)];
      expect(whole.length).toBeGreaterThan(MOST / 2);
      for (const sizes of [[500], [1, 2, 3], [7], [pick(50) + 1, pick(9) + 1, 100]]) {
        expect([sizes, await read(token, id, sizes)]).toEqual([sizes, whole]);
        expect([sizes, await read(customer, id, sizes)]).toEqual([sizes, own]);
      }
    },
  );

  it('lose and repeat nothing while new entries arrive', async () => {
    const { siteId, token, id } = await givenOrder();
    const days = (first: number, count: number) =>
      Array.from({ length: count }, (_, n) => new Date(Date.now() - (first + n) * DAY));
    await insertLogs(siteId, id, days(2, 30));
    await insertCycles(siteId, id, days(2, 20).reverse());
    const endpointId = await given.insert('webhook_endpoints', { siteId, url: 'https://a.example', secret: 'x' });
    await insertDeliveries(siteId, id, endpointId, days(2, 20));
    const before = await plainSort(id, ALL);
    let cycle = 20;
    const arrive = async () => {
      await insertLogs(siteId, id, [new Date()]);
      await database.query(
        `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc) VALUES ($1, $2, $3, 'Skipped', false, now())`,
        [siteId, id, ++cycle],
      );
      await insertDeliveries(siteId, id, endpointId, [new Date()]);
    };
    expect(await read(token, id, [9], arrive)).toEqual(before);
  });

  it('have every cycle once, though the clocks of two were not the same', async () => {
    const { siteId, token, id } = await givenOrder();
    const at = Date.now() - 10 * DAY;
    await insertCycles(
      siteId,
      id,
      [at, at + 9_000, at + 3_000, at + 6_000, at + 20_000].map((ms) => new Date(ms)),
    );
    await insertLogs(
      siteId,
      id,
      [at + 4_000, at + 7_000].map((ms) => new Date(ms)),
    );
    const whole = await plainSort(id, ALL);
    for (const size of [1, 2, 3, 4, 100]) {
      const keys = await read(token, id, [size]);
      expect([size, [...keys].sort()]).toEqual([size, [...whole].sort()]);
      expect(keys.filter((key) => key.startsWith('Cycle'))).toEqual([
        'Cycle 5',
        'Cycle 4',
        'Cycle 3',
        'Cycle 2',
        'Cycle 1',
      ]);
    }
  });

  it('are 100 entries unless asked, without a link after the last', async () => {
    const { siteId, token, id } = await givenOrder();
    await insertLogs(
      siteId,
      id,
      Array.from({ length: 34 }, (_, n) => new Date(Date.now() - n * 1_000)),
    );
    const path = `/api/ScheduledOrders/${id}/Timeline`;
    const first = await api.request('GET', path, { token });
    expect([first.body.length, first.headers.get('content-type')]).toEqual([100, 'application/json; charset=utf-8']);
    const last = await api.request('GET', nextLink(first.headers)!, { token });
    expect([last.body.length, last.headers.get('link')]).toEqual([2, null]);
    const whole = await api.request('GET', `${path}?limit=102`, { token });
    expect([whole.body.length, whole.headers.get('link')]).toEqual([102, null]);
  });

  it('are empty for an order of which nothing was recorded', async () => {
    const { token, id } = await givenOrder();
    const { status, body, headers } = await api.request('GET', `/api/ScheduledOrders/${id}/Timeline`, { token });
    expect([status, body, headers.get('link')]).toEqual([200, [], null]);
  });
});
