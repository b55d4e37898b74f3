import { useDatabase } from '../../../../../test/support/database.js';
import { Statement } from '../statements/statement.js';
import type { ConnectionPool } from './connection-pool.js';
import { propertyOf } from './driver.js';

describe('A row', () => {
  const database = useDatabase();

  /** Every way to send a statement. */
  const ways: Record<string, (pool: ConnectionPool, text: string) => Promise<object[]>> = {
    'a text': (pool, text) => pool.execute(text),
    'a prepared statement': (pool, text) => pool.execute(Statement.named(text)),
    'a short read': (pool, text) => pool.read(Statement.named(text), []),
    'a transaction': (pool, text) => pool.transaction((tx) => tx.execute(text)),
  };

  describe.each(Object.entries(ways))('of %s', (_, send) => {
    const rowOf = async (sql: string) => (await send(database.pool, `SELECT ${sql}`))[0];

    it('has properties in camel case, and JSON as it was written', async () => {
      expect(await rowOf(`1 AS due_utc, 2 AS "isLeased", 3 AS total, '{"site_id": 4}'::jsonb AS open_charges`)).toEqual(
        {
          dueUtc: 1,
          isLeased: 2,
          total: 3,
          openCharges: { site_id: 4 },
        },
      );
    });

    it('has numbers for bigint, and text for numeric', async () => {
      expect(
        await rowOf(`9007199254740991::bigint AS most, -7::bigint AS less, NULL::bigint AS none, 7::int AS four,
          1.50::numeric AS price, '9007199254740993' AS text`),
      ).toEqual({
        most: Number.MAX_SAFE_INTEGER,
        less: -7,
        none: null,
        four: 7,
        price: '1.50',
        text: '9007199254740993',
      });
    });

    it('has arrays of numbers for arrays of bigint', async () => {
      expect(
        await rowOf(
          `ARRAY[1, NULL, -9007199254740991]::bigint[] AS some, '{}'::bigint[] AS empty, NULL::bigint[] AS none`,
        ),
      ).toEqual({ some: [1, null, -Number.MAX_SAFE_INTEGER], empty: [], none: null });
    });

    it.each(['9007199254740992::bigint', '-9007199254740993::bigint', `'{1, 9007199254740993}'::bigint[]`])(
      'is refused where a number would be another one: %s',
      async (sql) => {
        await expect(rowOf(`${sql} AS id`)).rejects.toThrow(
          /^PostgreSQL sent the bigint -?900719925474099[23], beyond/,
        );
        expect(await rowOf('1::bigint AS id')).toEqual({ id: 1 });
      },
    );
  });

  it('of bytes is as PostgreSQL sends it', async () => {
    const statement = Statement.named(`SELECT '{"a_b": 1}'::json AS json, 7::text AS last_id`);
    expect(await database.pool.readBytes(statement, [])).toEqual([
      { json: Buffer.from('{"a_b": 1}'), last_id: Buffer.from('7') },
    ]);
  });
});

it.each([
  ['id', 'id'],
  ['due_utc', 'dueUtc'],
  ['api_key1', 'apiKey1'],
  ['last_10_days', 'last10Days'],
  ['scheduledOrderId', 'scheduledOrderId'],
  ['?column?', '?column?'],
  ['_private', '_private'],
  ['trailing_', 'trailing_'],
  ['two__lines', 'two__lines'],
  ['QUERY PLAN', 'QUERY PLAN'],
])('the column %s is the property %s', (column, property) => expect(propertyOf(column)).toBe(property));
