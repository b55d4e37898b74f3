import { afterCompletion, afterSkip, type BoxItem, isInBox } from '../index.js';
import { item } from '../testing/quotables.js';

const counted = (id: number, remainingCycles: number | null, fields: Partial<BoxItem> = {}): BoxItem => ({
  ...item({ id }),
  remainingCycles,
  ...fields,
});

describe('the box of an order', () => {
  test.each<[string, BoxItem, boolean]>([
    ['an item', counted(1, null), true],
    ['an item that is counted', counted(1, 1), true],
    ['one that is left out for once', counted(1, 1, { skipNext: true }), false],
    ['one that is not', counted(1, 1, { skipNext: false }), true],
    ['one that is sold out', item({}, { availability: 'SoldOut' }), false],
    ['one whose level is 0, as a word', item({}, { stockLevel: '0' }), true],
  ])('has %s: %p', (_, one, expected) => {
    expect(isInBox(one)).toBe(expected);
  });

  it('goes by the stock rule of its site', () => {
    const [empty, few] = [item({}, { stockLevel: '0' }), item({ quantity: 3 }, { stockLevel: '2' })];
    const counting = { outOfStock: 'LeaveOut', isCounted: true } as const;
    expect([empty, few].map((one) => isInBox(one, counting))).toEqual([false, false]);
    expect([empty, few].map((one) => isInBox(one, { ...counting, outOfStock: 'ShipAnyway' }))).toEqual([true, true]);
  });
});

describe('the items of an order', () => {
  it('that were in a completed cycle have one less, and go after their last', () => {
    const [forEver, twice, once] = [counted(1, null), counted(2, 2), counted(3, 1)];
    expect(afterCompletion([forEver, twice, once], () => true)).toEqual({
      items: [forEver, counted(2, 1, { skipNext: false })],
      usedUp: [once],
    });
  });

  it('that were left out keep their count, and what was left out for once comes again', () => {
    const [out, skipped] = [counted(2, 1), counted(3, 1, { skipNext: true })];
    expect(afterCompletion([out, skipped], () => false)).toEqual({
      items: [out, counted(3, 1, { skipNext: false })],
      usedUp: [],
    });
  });

  it('are the same list where nothing changes', () => {
    const items = [counted(1, null), item({ id: 2 })];
    expect(afterCompletion(items, () => true).items).toBe(items);
    expect(afterSkip(items)).toBe(items);
  });

  it('keep their count when the occurrence is skipped, and come again', () => {
    expect(afterSkip([counted(1, 1), counted(2, 1, { skipNext: true })])).toEqual([
      counted(1, 1),
      counted(2, 1, { skipNext: false }),
    ]);
  });
});
