import { Places } from './places.js';

const WHAT = { what: 'polls', advice: 'ask again later', isForCustomers: false };
/** A caller with any token or key. */
const account = (userId: number) => ({ userId, customerId: null });
const customer = (userId: number, customerId: number) => ({ userId, customerId });

/** Takes as many as it gets. @returns how many, what gives them back, and why not one more. */
function takeAll(places: Places, caller: ReturnType<typeof account> | ReturnType<typeof customer>) {
  const giveBack: (() => void)[] = [];
  for (;;) {
    try {
      giveBack.push(places.take(caller));
    } catch (error) {
      return { count: giveBack.length, giveBack, refusal: (error as Error).message };
    }
  }
}

describe('Places', () => {
  it('are half for one account; a tenth for each other once half are taken, and for itself then', () => {
    const places = new Places(20, WHAT);
    const one = takeAll(places, account(1));
    expect([one.count, one.refusal]).toEqual([10, 'This account has 10 polls already: ask again later.']);
    const others = [2, 3, 4, 5, 6, 7].map((userId) => takeAll(places, account(userId)).count);
    expect(others).toEqual([2, 2, 2, 2, 2, 0]);
    expect(() => places.take(account(7))).toThrow('All 20 places for polls are taken: ask again later.');
    expect(() => places.take(account(2))).toThrow('All 20 places');
    // While others wait, the account with the most gives places to them, and takes none.
    for (const giveBack of one.giveBack.slice(0, 8)) giveBack();
    expect([7, 1, 8].map((userId) => takeAll(places, account(userId)).count)).toEqual([2, 0, 2]);
    expect(() => places.take(account(1))).toThrow(
      'This account has 2 polls already, and others wait: ask again later.',
    );
  });

  it('are half again when they are given back', () => {
    const places = new Places(20, WHAT);
    for (let n = 0; n < 3; n++) {
      const { count, giveBack } = takeAll(places, account(1));
      expect(count).toBe(10);
      for (const one of giveBack) one();
    }
    expect(takeAll(places, account(2)).count).toBe(10);
  });

  it('are at least one for an account, and no more than there are', () => {
    expect([1, 2, 3, 4].map((most) => takeAll(new Places(most, WHAT), account(1)).count)).toEqual([1, 1, 1, 2]);
  });

  it('are halved between an account and its customers, of which one has two', () => {
    const places = new Places(40, { ...WHAT, isForCustomers: true });
    const found = [1, 2, 3, 4, 5, 6].map((id) => takeAll(places, customer(1, id)));
    expect(found.map(({ count }) => count)).toEqual([2, 2, 2, 2, 2, 0]);
    expect([found[0]!.refusal, found[5]!.refusal]).toEqual([
      'This customer has 2 polls already: ask again later.',
      'The account, by tokens of its customers, has 10 polls already: ask again later.',
    ]);
    expect(takeAll(places, account(1)).count).toBe(10);
    expect([takeAll(places, account(2)).count, takeAll(places, customer(2, 9)).count]).toEqual([2, 2]);
  });
});
