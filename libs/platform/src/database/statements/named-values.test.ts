import { NamedValues } from './named-values.js';

describe('Named values', () => {
  const named = new NamedValues('worker', 'limit').and('siteId');

  it('have the numbers of their places, in the text and in the parameters', () => {
    const { $ } = named;
    expect(`${$.siteId}, ${$.worker}, ${$.limit}`).toBe('$3, $1, $2');
    expect(named.values({ siteId: 7, limit: 25, worker: 'w' })).toEqual(['w', 25, 7]);
  });

  it('do not compile with a name that is missing or misspelt', () => {
    // @ts-expect-error a name is missing
    expect(named.values({ worker: 'w', limit: 25 })).toEqual(['w', 25, undefined]);
    // @ts-expect-error a name is misspelt
    expect(named.values({ worker: 'w', limit: 25, siteID: 7 })).toEqual(['w', 25, undefined]);
    // @ts-expect-error there is no such name
    expect(named.$.leaseMs).toBeUndefined();
  });
});
