import { ConnectionPool, type Statement } from '#libs/platform';
import { useApi } from './support/api.js';
import { useDatabase } from './support/database.js';
import { given as givenIn } from './support/given.js';
import { nodesOf, PLAN_MODES, planOf, scannedBy } from './support/sql/query-plan.js';

const MORE_SITES = 10_000;

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

/** What a request has read: each statement, with its rows. */
interface Read {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rows: readonly object[];
}
let reads: Read[] = [];

/**
 * What only notes something, such as the use of a token, returns no rows. One statement is sent now and then, whatever
 * is requested.
 */
const BY_THE_CLOCK = 'minimum_version';
beforeAll(() => {
  const methods = ConnectionPool.prototype as unknown as Record<string, (...args: unknown[]) => Promise<object[]>>;
  for (const name of ['execute', 'read', 'readBytes']) {
    const method = methods[name]!;
    jest.spyOn(methods, name).mockImplementation(async function (this: unknown, ...args: unknown[]) {
      const rows = await method.apply(this, args);
      const [statement, values = []] = args as [Statement | string, unknown[]?];
      const text = typeof statement === 'string' ? statement : statement.text;
      if (rows.length > 0 && !text.includes(BY_THE_CLOCK)) reads.push({ text, values, rows });
      return rows;
    });
  }
});
afterAll(() => jest.restoreAllMocks());

let userId: number;
let token: string;
let key: string;
let customerToken: string;
let customerId: number;
let foreignId: number;

beforeAll(async () => {
  const [merchant, other] = [await given.merchant(), await given.merchant()];
  ({ userId, tokenAuth: token } = merchant);
  customerId = await given.customer(merchant.siteId);
  foreignId = await given.customer(other.siteId);
  key = (await given.apiKey(userId, [merchant.siteId])).value;
  customerToken = await given.token(userId, { customerId });
});

/** What is read for a request, and its answer. */
async function readFor(path: string, by: string) {
  reads = [];
  const { status, body } = await api.request('GET', path, { token: by });
  return { status, body: body as object, reads };
}

const addSites = async (count: number) => {
  await database.query(`INSERT INTO sites (user_id, name) SELECT $1, 'Shop ' || n FROM generate_series(1, $2::int) n`, [
    userId,
    count,
  ]);
  await database.query(`ANALYZE sites`);
};

it('a request reads no more for an account with 10,000 sites, and reaches no more', async () => {
  const one = `/api/Customers/${customerId}`;
  const lists = [token, key].flatMap((by) =>
    ['?page=1', '?limit=10'].map((page) => ({ path: `/api/Customers${page}`, by })),
  );
  const requests = [...[token, key, customerToken].map((by) => ({ path: one, by })), ...lists];
  const measure = async () => {
    const measured = [];
    for (const { path, by } of requests) {
      const { status, body, reads } = await readFor(path, by);
      const rows = reads.map((read) => read.rows.length);
      measured.push({ path, status, body, rows, size: JSON.stringify(reads.map((read) => read.rows)).length });
    }
    return measured;
  };
  const before = await measure();
  await addSites(MORE_SITES);
  expect(await measure()).toEqual(before);
  expect(before.map(({ rows }) => rows.length)).toEqual([2, 2, 2, 2, 3, 2, 3]);
  expect(before.every(({ status }) => status === 200)).toBe(true);

  for (const by of [token, key, customerToken]) {
    const { status } = await readFor(`/api/Customers/${foreignId}`, by);
    expect(status).toBe(403);
  }
  for (const { text, values } of (await readFor(one, token)).reads)
    for (const mode of PLAN_MODES) {
      const plan = await planOf(database, text, values, mode);
      const rows = nodesOf(plan).map((node) => node['Actual Rows'] * node['Actual Loops']);
      expect({ text, scanned: scannedBy(plan), isFew: Math.max(...rows) < 5 }).toMatchObject({
        scanned: [],
        isFew: true,
      });
    }
});

it('a message names twenty sites, and how many more there are', async () => {
  const { body } = await api.request('POST', '/api/Customers', { token, body: {} });
  const rows = await database.query<{ id: string }>(`SELECT id FROM sites WHERE user_id = $1 ORDER BY id LIMIT 30`, [
    userId,
  ]);
  const first = rows.map(({ id }) => Number(id));
  const named = first.slice(0, 20).join(', ');
  expect(body.errors).toEqual([
    {
      field: 'SiteId',
      message: `is required, because the account has several sites: ${named} and ${MORE_SITES - 19} more.`,
    },
  ]);
  const limited = await given.apiKey(userId, first);
  const refused = await api.request('GET', `/api/Customers/${foreignId}`, { token: limited.value });
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    `Customer ${foreignId} cannot be reached with this API key, which is limited to the sites ${named} and 10 more.`,
  ]);
});
