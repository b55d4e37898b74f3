import { NamedValues } from './named-values.js';

describe('Named values', () => {
  const named = new NamedValues({ worker: 'text', limit: 'bigint' }).and({ siteId: 'bigint' });

  it('have the numbers of their places, in the text and in the parameters', () => {
    const { $ } = named;
    expect(`${$.siteId}, ${$.worker}, ${$.limit}`).toBe('$3, $1, $2');
    expect(named.values({ siteId: 7, limit: 25, worker: 'w' })).toEqual(['w', 25, 7]);
  });

  it('are sent as they are, and arrays as literals', () => {
    const all = new NamedValues({
      ids: 'bigint[]',
      names: 'text[]',
      none: 'bigint[]',
      utc: 'timestamptz',
      is: 'boolean',
    });
    const utc = new Date('2026-01-31T10:00:00.123Z');
    expect(all.values({ ids: [1, 2], names: ['a', '"'], none: null, utc, is: false })).toEqual([
      '{1,2}',
      '{"a","\\""}',
      null,
      utc,
      false,
    ]);
  });

  it('do not compile with a name that is missing or misspelt, or a value of another type', () => {
    // @ts-expect-error a name is missing
    expect(named.values({ worker: 'w', limit: 25 })).toEqual(['w', 25, undefined]);
    // @ts-expect-error a name is misspelt
    expect(named.values({ worker: 'w', limit: 25, siteID: 7 })).toEqual(['w', 25, undefined]);
    // @ts-expect-error two neighbours are exchanged
    expect(named.values({ worker: 25, limit: 'w', siteId: 7 })).toEqual([25, 'w', 7]);
    // @ts-expect-error there is no such type
    expect(new NamedValues({ limit: 'bigjnt' }).$.limit).toBe('$1');
    // @ts-expect-error there is no such name
    expect(named.$.leaseMs).toBeUndefined();
  });
});
