import { useDatabase } from '../../../../../test/support/database.js';
import { Batch, flags, instants, numbers, texts } from './batch.js';

describe('An array literal', () => {
  const database = useDatabase();

  it('arrives as it was, whatever it holds', async () => {
    const odd = ['plain', '', null, 'a "quoted" \\ back{slash},', 'NULL', 'null', 'two\nlines', '漢字 😀', ' ', `'`];
    const [row] = await database.query<{ back: unknown[] }>(`SELECT $1::text[] AS back`, [texts(odd)]);
    expect(row!.back).toEqual(odd);
  });

  it('leaves out NUL, which PostgreSQL cannot store', async () => {
    const [row] = await database.query<{ back: unknown[] }>(`SELECT $1::text[] AS back`, [texts(['a\0b'])]);
    expect(row!.back).toEqual(['ab']);
  });

  it('carries numbers, flags and instants', async () => {
    const [row] = await database.query(
      `SELECT $1::bigint[]::text AS numbers, $2::boolean[]::text AS flags, $3::timestamptz[] AS instants`,
      [
        numbers([1, null, Number.MAX_SAFE_INTEGER]),
        flags([true, false]),
        instants([new Date('2026-01-31T10:00:00.123Z'), null]),
      ],
    );
    expect(row).toEqual({
      numbers: '{1,NULL,9007199254740991}',
      flags: '{t,f}',
      instants: [new Date('2026-01-31T10:00:00.123Z'), null],
    });
  });
});

describe('A batch', () => {
  const database = useDatabase();
  const columns = {
    id: 'bigint',
    name: 'text',
    is_new: 'boolean',
    due_utc: 'timestamptz',
    code: 'integer',
    more: 'jsonb',
  } as const;
  const batch = new Batch(columns, 2);

  it('is a table of its rows, whatever the order in which their values are given', async () => {
    const dueUtc = new Date('2026-01-31T10:00:00.123Z');
    const rows = [
      {
        more: '{"a": [1, "b"]}',
        code: 1003,
        due_utc: dueUtc,
        is_new: true,
        name: 'a "b", {c}',
        id: Number.MAX_SAFE_INTEGER,
      },
      { id: 1, name: null, is_new: false, due_utc: null, code: null, more: null },
    ];
    const read = await database.query(`SELECT $1::text AS head, b.* FROM ${batch.sql} ORDER BY id`, [
      'first',
      ...batch.values(rows),
    ]);
    expect(read).toEqual([
      { head: 'first', id: '1', name: null, is_new: false, due_utc: null, code: null, more: null },
      {
        head: 'first',
        id: '9007199254740991',
        name: 'a "b", {c}',
        is_new: true,
        due_utc: dueUtc,
        code: 1003,
        more: { a: [1, 'b'] },
      },
    ]);
  });

  it('of no rows is an empty table', async () => {
    expect(await database.query(`SELECT $1::text AS head, b.* FROM ${batch.sql}`, ['', ...batch.values([])])).toEqual(
      [],
    );
  });

  it('does not compile with a column that is missing, misspelt or of another type', () => {
    const two = new Batch({ id: 'bigint', name: 'text' });
    // @ts-expect-error a column is missing
    two.values([{ id: 1 }]);
    // @ts-expect-error a column is misspelt
    two.values([{ id: 1, nmae: 'a' }]);
    // @ts-expect-error two neighbours are exchanged
    two.values([{ id: 'a', name: 1 }]);
    // @ts-expect-error there is no such type
    expect(new Batch({ id: 'bigjnt' }).sql).toBe('unnest($1::bigjnt[]) AS b (id)');
  });
});
