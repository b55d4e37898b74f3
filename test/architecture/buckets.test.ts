import { useDatabase } from '../support/database.js';
import { inBucket, loadParser } from '../support/sql/bucketed.js';
import { refusalsOf, tablesOf, volatilityIn } from '../support/sql/distributable.js';
import { GIVE_BUCKETS, REFERENCE_TABLES } from '../support/sql/distribute.js';
import { hotStatements } from '../support/sql/statements.js';

/** Tables whose rows have a bucket, as on Citus. */
const database = useDatabase();
let distributed: Set<string>;
beforeAll(async () => {
  await loadParser();
  await database.pool.transaction((tx) => tx.execute(GIVE_BUCKETS));
  const tables = await database.query<{ name: string }>(
    `SELECT attrelid::regclass::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE attname = 'bucket' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  distributed = new Set(tables.map(({ name }) => name));
});

/** Written on the coordinator, from what the shards have given. */
const WRITTEN_APART = ['outbox'];
/**
 * It has no site. Only the clocks of simulated sites look at it, which were not tried on Citus
 * (deploy/citus/README.md).
 */
const UNTRIED = ['upcoming_notices'];

it('every statement of the processor can be sent for one bucket: with an equality for each table that it touches, and nothing that Citus refuses', async () => {
  const known = await volatilityIn(database);
  const faults: string[] = [];
  for (const [name, text] of await hotStatements()) {
    const bucketed = inBucket(text, 17, distributed).text;
    const { narrowed, others } = await tablesOf(database, bucketed, 17);
    const open = others.filter((table) => ![...REFERENCE_TABLES, ...WRITTEN_APART, ...UNTRIED].includes(table));
    faults.push(...open.map((table) => `${name}: ${table} has no bucket`));
    faults.push(...(await refusalsOf(database, known, bucketed)).map((why) => `${name}: ${why}`));
    expect([name, narrowed.length + others.length]).not.toEqual([name, 0]);
  }
  expect(faults).toEqual([]);
});

it.each([
  'SELECT o.id FROM scheduled_orders o',
  'SELECT o.id FROM scheduled_orders o WHERE o.bucket > 17',
  'SELECT o.id FROM scheduled_orders o WHERE o.bucket = 16',
  'SELECT c.id FROM customers c WHERE c.bucket = 17 AND EXISTS (SELECT 1 FROM scheduled_orders o WHERE o.customer_id = c.id)',
  'SELECT c.id FROM customers c LEFT JOIN scheduled_orders o ON o.customer_id = c.id WHERE c.bucket = 17',
  'WITH c AS (SELECT 1 FROM customers WHERE bucket = 17) UPDATE scheduled_orders SET cycles = 1 FROM c',
])('finds the table that is not narrowed, and narrows it: %s', async (text) => {
  expect((await tablesOf(database, text, 17)).others).toEqual(['scheduled_orders']);
  expect((await tablesOf(database, inBucket(text, 17, distributed).text, 17)).others).toEqual([]);
});

it('the bucket leads every primary key and unique index of a distributed table', async () => {
  const keys = await database.query<{ key: string; columns: string[] }>(
    `SELECT i.indexrelid::regclass::text AS key,
       ARRAY (SELECT a.attname::text FROM unnest(i.indkey) WITH ORDINALITY k (number, place)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number ORDER BY place) AS columns
     FROM pg_index i WHERE i.indisunique AND i.indrelid IN (SELECT to_regclass(name) FROM unnest($1::text[]) name)`,
    [[...distributed]],
  );
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter(({ columns }) => columns[0] !== 'bucket')).toEqual([]);
});
