import { useDatabase } from '../support/database.js';
import { refusalsOf, type Volatility, volatilityIn } from '../support/sql/distributable.js';
import { hotStatements } from '../support/sql/statements.js';

const database = useDatabase();
let known: Volatility;
beforeAll(async () => {
  known = await volatilityIn(database);
});

it('no statement of the processor has what Citus refuses', async () => {
  const statements = await hotStatements();
  const refused: string[] = [];
  for (const [name, text] of statements) {
    refused.push(...(await refusalsOf(database, known, text)).map((why) => `${name}: ${why}`));
  }
  expect(refused).toEqual([]);
  expect(statements.length).toBeGreaterThan(40);
});

describe('finds what Citus refuses', () => {
  it.each([
    ['UPDATE orders o SET updated_utc = clock_timestamp()', 'clock_timestamp() in an UPDATE, which is volatile'],
    ['UPDATE orders o SET id = (SELECT nextval($1))', 'nextval() in an UPDATE, which is volatile'],
    [
      `UPDATE orders o SET updated_utc = o.updated_utc + interval '1 ms'`,
      'timestamptz_pl_interval() with a column in an UPDATE',
    ],
    ['UPDATE orders o SET updated_utc = CASE WHEN o.id > 1 THEN now() END', 'now() in a CASE or coalesce of an UPDATE'],
    ['UPDATE orders o SET total = 1 RETURNING now()', 'now() in RETURNING'],
    ['INSERT INTO upcoming_look DEFAULT VALUES RETURNING (SELECT 1)', 'a sub-select in RETURNING'],
    ['WITH x AS (DELETE FROM orders o RETURNING uuid_v7()) SELECT * FROM x', 'uuid_v7() in RETURNING'],
    ['DELETE FROM orders o WHERE coalesce(o.deleted_utc, now()) < $1', 'now() in a CASE or coalesce of an UPDATE'],
    [
      `INSERT INTO upcoming_notices SELECT nextval('orders_id_seq'), now() FROM orders o FOR UPDATE`,
      'nextval() in an INSERT that locks rows',
    ],
    [
      'INSERT INTO upcoming_notices VALUES ($1, $2) ON CONFLICT (scheduled_order_id, occurrence_utc) DO UPDATE SET occurrence_utc = now()',
      'now() in ON CONFLICT',
    ],
  ])('%s', async (text, why) => {
    expect(await refusalsOf(database, known, text)).toContain(why);
  });

  it.each([
    'UPDATE orders o SET updated_utc = now() WHERE o.updated_utc < now()',
    'UPDATE orders o SET updated_utc = (SELECT greatest(b.clock, o.updated_utc + $1 * $2::interval)) FROM (SELECT now() AS clock) b RETURNING o.id',
    `SELECT nextval('orders_id_seq'), clock_timestamp() FROM orders o FOR UPDATE`,
  ])('and nothing in: %s', async (text) => {
    expect(await refusalsOf(database, known, text)).toEqual([]);
  });
});
