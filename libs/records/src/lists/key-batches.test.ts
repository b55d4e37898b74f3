import { AFTER_ALL_IDS, FIRST_RANGE, type FoundKeys, nextRange } from './key-batches.js';

const found = (count: number, first: number, last: number): FoundKeys => ({
  pieces: [],
  count,
  first,
  last,
  newest: 0,
});

describe('The ranges in which the ids of a list are read', () => {
  it('end with the first one when it has less than the first piece', () => {
    expect(nextRange(FIRST_RANGE, found(49, 1, 49), 1_000_000)).toBeNull();
    expect(nextRange(FIRST_RANGE, found(0, 0, 0), 1_000_000)).toBeNull();
    expect(nextRange(FIRST_RANGE, found(50, 1, 50), 50)).toBeNull();
  });

  it('are as wide as a batch probably is', () => {
    const first = nextRange(FIRST_RANGE, found(50, 1_000_001, 1_000_100), 90_000_000);
    expect(first).toEqual({ after: 1_000_100, upto: 1_100_100, most: 50_000 });
    expect(nextRange(first!, found(40_000, 1_000_101, 1_100_099), 90_000_000)).toEqual({
      after: 1_100_100,
      upto: 1_225_100,
      most: 50_000,
    });
  });

  it('go on behind the last id where there were more, and grow eightfold at most where there were few or none', () => {
    const range = { after: 1_000, upto: 201_000, most: 50_000 };
    expect(nextRange(range, found(50_000, 1_001, 61_000), 90_000_000)).toEqual({
      after: 61_000,
      upto: 121_000,
      most: 50_000,
    });
    for (const few of [0, 1]) {
      expect(nextRange(range, found(few, 1_001, 1_001), 90_000_000)).toEqual({
        after: 201_000,
        upto: 1_801_000,
        most: 50_000,
      });
    }
  });

  it('are never narrower than a batch, and end with the newest id', () => {
    expect(nextRange({ after: 0, upto: AFTER_ALL_IDS, most: 50 }, found(50, 1, 50), 40_000)).toEqual({
      after: 50,
      upto: 40_000,
      most: 50_000,
    });
    expect(nextRange({ after: 50, upto: 40_000, most: 50_000 }, found(10, 60, 70), 40_000)).toBeNull();
  });
});
