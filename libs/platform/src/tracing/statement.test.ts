import { statementOperation } from './index.js';

test.each([
  ['SELECT a FROM products p JOIN sites s ON s.id = p.site_id', 'SELECT products sites'],
  [`INSERT INTO customers (email) VALUES ($1) RETURNING id`, 'INSERT customers'],
  ['SELECT id FROM scheduled_orders WHERE id = $1 FOR UPDATE', 'SELECT scheduled_orders'],
  ['WITH due AS MATERIALIZED (SELECT id FROM sites) UPDATE orders SET x = 1 FROM due', 'UPDATE sites orders'],
  ['SELECT x FROM unnest($1::bigint[]) AS x', 'SELECT'],
  ['START TRANSACTION', 'START TRANSACTION'],
  ['COMMIT', 'COMMIT'],
])('%s is named %s', (text, name) => expect(statementOperation(text).name).toBe(name));

it('has its text without literals, in one line, and not too much of it', () => {
  const text = `SELECT 1\n  FROM sites WHERE name = 'O''Brien' AND url = 'x'`;
  expect(statementOperation(text).attributes['db.query.text']).toBe(
    `SELECT 1 FROM sites WHERE name = '?' AND url = '?'`,
  );
  expect(String(statementOperation('SELECT '.padEnd(9_000, 'x')).attributes['db.query.text'])).toHaveLength(1_500);
});
