import * as fc from 'fast-check';
import { columnOf, Customer, Product } from '#libs/entities';
import { customerView, productView, type View } from '#libs/records';
import { ALL_CASES } from './support/all-cases.js';
import { useApi } from './support/api.js';
import { useDatabase } from './support/database.js';
import { given as givenIn } from './support/given.js';
import { SEED } from './support/random.js';
import { makeDemo } from './support/shops/demo.js';

const ROWS = ALL_CASES ? 300 : 100;

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const VIEWS = [productView, customerView] as const;
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

beforeAll(async () => {
  await (await makeDemo(database, api)).end();
  const [demo] = await database.query<{ id: string }>(`SELECT id FROM sites`);
  siteId = Number(demo!.id);
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
});
