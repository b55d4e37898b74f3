import { useDatabase } from '../../../../test/support/database.js';
import { flags, instants, numbers, texts } from './array-literal.js';

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
