import * as fc from 'fast-check';
import { columnOf, Customer, Product } from '#libs/entities';
import { customerView, productView, scheduledOrderView, type View } from '#libs/records';
import { fillJson } from '../apps/cli/src/migrate/fill-json.js';
import { Patience } from '../apps/cli/src/migrate/patience.js';
import { useApi } from './support/api.js';
import { useDatabase } from './support/database.js';
import { makeDemo } from './support/demo.js';
import { given as givenIn } from './support/given.js';
import { SEED } from './support/random.js';

const ROWS = 300;

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const VIEWS = [productView, customerView] as const;
let token: string;
let siteId: number;

/** Text as somebody could store it: PostgreSQL stores no NUL and no half of a pair. */
const text = (maxLength: number) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        '',
        ' ',
        '"',
        '\\',
        '\\u0000',
        '{"Id":1}',
        '</script>',
        'é',
        'e\u0301',
        '\u2028',
        '🛒',
      ),
    },
    { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength }).map((made) => made.replaceAll('\0', '')) },
  );
const price = fc.oneof(
  fc.constantFrom(null, '0', '0.0000', '10.5000', '100', '1200.0100', '99999999999.9999'),
  fc
    .bigInt({ min: 0n, max: 10n ** 15n - 1n })
    .map((units) => `${units / 10_000n}.${String(units % 10_000n).padStart(4, '0')}`),
);
const instant = fc.oneof(
  fc.constantFrom(
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59.999Z',
    '2024-02-29T00:00:00.1Z',
    '2026-03-29T01:30:00+01:00',
  ),
  fc.constantFrom('9999-12-31T23:59:59.999Z', '12026-01-01T00:00:00Z', '0044-03-15 12:00:00+00 BC'),
  fc
    .date({ min: new Date('1800-01-01Z'), max: new Date('2200-01-01Z'), noInvalidDate: true })
    .map((at) => at.toISOString()),
);

function valueOf(type: unknown, length: string): fc.Arbitrary<unknown> {
  if (type === 'numeric') return price;
  if (type === 'timestamp with time zone') return instant;
  if (type === 'boolean') return fc.boolean();
  return text(Number(length));
}

/** A row of random values in all columns that a record has of its own. */
function randomRow(entity: typeof Product | typeof Customer): fc.Arbitrary<Record<string, unknown>> {
  const own = database.dataSource
    .getMetadata(entity)
    .columns.filter(({ propertyName, isSelect }) => isSelect && !['id', 'siteId'].includes(propertyName));
  return fc.record(
    Object.fromEntries(
      own.map(({ propertyName, type, length, isNullable }) => {
        const value = valueOf(type, length);
        return [propertyName, isNullable ? fc.option(value) : value];
      }),
    ),
  );
}

const sample = (entity: typeof Product | typeof Customer, seed: number) =>
  fc.sample(randomRow(entity), { seed, numRuns: ROWS });

/** Rows of which the JSON is not, byte for byte, what is built from the columns. */
const wrong = (view: View) =>
  database.query(`SELECT x.id, x.json::text AS stored, ${view.built('x')}::text AS built FROM ${view.table} x
    WHERE x.json::text IS DISTINCT FROM ${view.built('x')}::text`);

/** As the migration leaves the rows that were there before it. */
async function strip(): Promise<void> {
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(`SET LOCAL session_replication_role = replica`);
  for (const { table } of VIEWS) {
    await runner.query(`UPDATE ${table} SET json = NULL`);
    await runner.query(
      `INSERT INTO json_fills (table_name) VALUES ('${table}') ON CONFLICT (table_name) DO UPDATE SET filled_upto = 0`,
    );
  }
  await runner.commitTransaction();
  await runner.release();
}

const missing = async (table: string) => {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE json IS NULL`,
  );
  return row!.count;
};

/** What the API answers about all records, as text. */
async function answers(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const [one] = await database.query<{ product: number; customer: number; scheduled: number; order: number }>(
    `SELECT (SELECT max(id) FROM products WHERE site_id = $1 AND deleted_utc IS NULL)::int AS product,
       (SELECT max(id) FROM customers WHERE site_id = $1 AND deleted_utc IS NULL)::int AS customer,
       (SELECT max(id) FROM scheduled_orders WHERE site_id = $1)::int AS scheduled, (SELECT max(id) FROM orders WHERE site_id = $1)::int AS order`,
    [siteId],
  );
  const lists = ['Products', 'Customers', 'ScheduledOrders', 'Orders'].flatMap((name) => [name, `${name}?page=1`]);
  const single = [
    `Products/${one!.product}`,
    `Customers/${one!.customer}`,
    `ScheduledOrders/${one!.scheduled}`,
    `Orders/${one!.order}`,
  ];
  for (const path of [...lists, ...single]) {
    const response = await fetch(`${api.url}/api/${path}`, { headers: { authorization: `Basic ${token}` } });
    found[path] = await response.text();
    expect([path, response.status, found[path].slice(0, 200)]).toEqual([path, 200, expect.stringMatching(/^[[{]/)]);
  }
  return found;
}

beforeAll(async () => {
  await (await makeDemo(database, api)).end();
  const [demo] = await database.query<{ id: string; user: string }>(`SELECT id, user_id AS user FROM sites`);
  siteId = Number(demo!.id);
  token = await given.token(Number(demo!.user));
  const products = sample(Product, SEED);
  for (const [index, values] of sample(Customer, SEED).entries()) {
    const customerId = await given.customer(siteId, { ...values, externalId: `random-${index}` });
    const productId = await given.product(siteId, { ...products[index], externalId: `random-${index}` });
    await given.item(siteId, await given.scheduledOrder(siteId, customerId), productId);
  }
});

describe('The JSON that products and customers have ready', () => {
  it.each(VIEWS)('is what is built from the columns: $table', async (view) => {
    const [row] = await database.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${view.table}`);
    expect(row!.rows).toBeGreaterThan(ROWS);
    expect(await wrong(view)).toEqual([]);
  });

  it.each([
    [productView, Product],
    [customerView, Customer],
  ] as const)('stays so when rows are changed, whoever changes them: $0.table', async (view, entity) => {
    const values = sample(entity, SEED + 1);
    const [first] = await database.query<{ id: number }>(
      `SELECT id::int FROM ${view.table} WHERE external_id = 'random-0'`,
    );
    for (const [index, { externalId: _, ...changed }] of values.entries()) {
      // A quarter with one column alone, some with a JSON of their own, as nobody should write it.
      const columns = Object.entries(
        index % 4 === 0 ? Object.fromEntries([Object.entries(changed)[index % 15]!]) : changed,
      );
      if (index % 5 === 0) columns.push(['json', '{"Id":0}']);
      const sets = columns.map(([name], place) => `${columnOf(name)} = $${place + 2}`).join(', ');
      await database.query(`UPDATE ${view.table} SET ${sets} WHERE id = $1`, [
        first!.id + index,
        ...columns.map(([, value]) => value),
      ]);
    }
    expect(await wrong(view)).toEqual([]);
  });

  it.each(VIEWS)('has the fields of the contract and nothing else: $table', async ({ table, fields }) => {
    const keys = await database.query<{ keys: string[] }>(
      `SELECT DISTINCT ARRAY (SELECT json_object_keys(x.json)) AS keys FROM ${table} x`,
    );
    expect(keys).toEqual([{ keys: fields }]);
  });

  it('is answered as what was built for each answer before: lists, pages and records', async () => {
    const order = `SELECT x.id, ${scheduledOrderView.json('x')}::text AS json FROM scheduled_orders x ORDER BY x.id`;
    const [ready, stored] = [await answers(), await database.query(order)];
    await strip();
    for (const { table } of VIEWS) expect(await missing(table)).toBeGreaterThan(ROWS);
    expect(await database.query(order)).toEqual(stored);
    expect(await answers()).toEqual(ready);
  });
});

describe('migrate, where rows have no JSON yet', () => {
  const said: string[] = [];
  const fill = (waitMs: number) => fillJson(database.pool, new Patience(waitMs), (sentence) => said.push(sentence));
  const updated = () => database.query(`SELECT id, updated_utc FROM customers ORDER BY id`);
  const progress = () => database.query(`SELECT table_name, filled_upto::int FROM json_fills ORDER BY table_name`);

  beforeEach(async () => {
    said.splice(0);
    await database.query(
      `INSERT INTO customers (site_id, email) SELECT $1, 'many' || n FROM generate_series(1, 700) n`,
      [siteId],
    );
    await strip();
  });

  it('makes it, and changes nothing else', async () => {
    const before = await updated();
    await fill(0);
    for (const view of VIEWS) expect([await missing(view.table), await wrong(view)]).toEqual([0, []]);
    expect(await updated()).toEqual(before);
    expect([await progress(), said.length]).toEqual([[], 2]);
    await fill(0);
    expect(said.length).toBe(2);
  });

  it('waits for nobody: what others have locked is made later, and the next run goes on from there', async () => {
    const others = database.dataSource.createQueryRunner();
    await others.startTransaction();
    const [locked] = await database.query<{ id: number }>(
      `SELECT id::int FROM customers ORDER BY id OFFSET 600 LIMIT 1`,
    );
    await others.query(`SELECT FROM customers WHERE id = $1 FOR SHARE`, [locked!.id]);
    const [piece] = await database.query<{ id: number }>(
      `SELECT id::int FROM customers ORDER BY id OFFSET 499 LIMIT 1`,
    );
    await fill(0);
    expect(said).toContain(
      'Rows of customers that others have locked: 1. They work without it; the next migrate makes their JSON.',
    );
    expect([await missing('customers'), await missing('products')]).toEqual([1, 0]);
    expect(await progress()).toEqual([{ table_name: 'customers', filled_upto: piece!.id }]);

    const filled = fill(600_000);
    await others.query(`UPDATE customers SET first_name = 'Grace' WHERE id = $1`, [locked!.id]);
    await others.commitTransaction();
    await others.release();
    await filled;
    expect([await missing('customers'), await wrong(customerView), await progress()]).toEqual([0, [], []]);
  });
});
