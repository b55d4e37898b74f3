import {
  isAvailable,
  leftOutBecause,
  soldDespite,
  type StockRule,
  stockUnits,
  unavailableBecause,
  WORDS_ALONE,
} from '../index.js';
import { item } from '../testing/quotables.js';

describe('availability', () => {
  test.each([
    [null, null],
    ['', ''],
    ['InStock', '12'],
    ['LimitedAvailability', '0'],
    ['PreOrder', 'BackOrder'],
    ['not discontinued', 'out of stocks'],
  ])('%p with stock level %p is available', (availability, stockLevel) => {
    expect(isAvailable({ availability, stockLevel })).toBe(true);
    expect(unavailableBecause({ availability, stockLevel })).toBeNull();
  });

  test.each([
    ['OutOfStock', null, 'The product\'s Availability is "OutOfStock".'],
    ['out-of-stock', 'InStock', 'The product\'s Availability is "out-of-stock".'],
    ['SoldOut', 'SoldOut', 'The product\'s Availability is "SoldOut".'],
    [' Discontinued! ', null, 'The product\'s Availability is " Discontinued! ".'],
    ['Unavailable', null, 'The product\'s Availability is "Unavailable".'],
    [null, 'out of stock', 'The product\'s StockLevel is "out of stock".'],
    ['InStock', 'sold_out (0)', 'The product\'s StockLevel is "sold_out (0)".'],
    ['', 'DISCONTINUED', 'The product\'s StockLevel is "DISCONTINUED".'],
    ['InStock', 'unavailable', 'The product\'s StockLevel is "unavailable".'],
  ])('%p with stock level %p is unavailable', (availability, stockLevel, sentence) => {
    expect(isAvailable({ availability, stockLevel })).toBe(false);
    expect(unavailableBecause({ availability, stockLevel })).toBe(sentence);
  });
});

describe('the units in stock', () => {
  test.each([
    ['12', 12],
    [' 0 ', 0],
    ['-3', -3],
    ['+7', 7],
    ['12.5', 12.5],
    ['999999999999999', 999_999_999_999_999],
  ])('%p is %d', (stockLevel, units) => {
    expect(stockUnits({ stockLevel })).toBe(units);
  });

  test.each([
    [null],
    [''],
    ['12 left'],
    ['x12'],
    ['1,000'],
    ['1e3'],
    ['.5'],
    ['5.'],
    ['InStock'],
    ['1234567890123456'],
  ])('%p is no number', (stockLevel) => {
    expect(stockUnits({ stockLevel })).toBeNull();
  });
});

describe('the stock rule of a site', () => {
  const counting = { outOfStock: 'LeaveOut', isCounted: true } as const;
  const shipping = { outOfStock: 'ShipAnyway', isCounted: true } as const;
  const product = (fields: object) => item({}, fields).product;
  const empty = product({ stockLevel: '0' });
  const few = product({ stockLevel: '2' });
  const soldOut = product({ availability: 'SoldOut' });
  const discontinued = product({ stockLevel: 'Dis-continued' });
  const deleted = product({ deletedUtc: '2026-01-01T00:00:00Z' });
  const enough = product({ availability: 'InStock', stockLevel: '3' });

  const says = (level: string, needed = '') => `The product's StockLevel is "${level}"${needed}.`;
  const tooFew = says('2', ', less than the quantity, 3');
  const gone = 'The product was deleted.';
  const noMore = says('Dis-continued');
  const notThere = 'The product\'s Availability is "SoldOut".';
  const anyway = ' It is shipped anyway.';
  const uncounted = ' Numbers are not counted: it is sold.';

  test.each<[string, typeof empty, StockRule, string | null, string | null]>([
    ['none', empty, WORDS_ALONE, null, says('0') + uncounted],
    ['fewer than none', product({ stockLevel: '-1' }), WORDS_ALONE, null, says('-1') + uncounted],
    ['too few', few, WORDS_ALONE, null, tooFew + uncounted],
    ['enough', enough, WORDS_ALONE, null, null],
    ['a word', soldOut, WORDS_ALONE, notThere, null],
    ['none, counted', empty, counting, says('0'), null],
    ['too few, counted', few, counting, tooFew, null],
    [
      'half of one, counted',
      product({ stockLevel: '0.5' }),
      counting,
      says('0.5', ', less than the quantity, 3'),
      null,
    ],
    ['enough, counted', enough, counting, null, null],
    ['a word where numbers are counted', soldOut, counting, notThere, null],
    ['a word that says nothing', product({ stockLevel: 'plenty' }), counting, null, null],
    ['none, shipped anyway', empty, shipping, null, says('0') + anyway],
    ['too few, shipped anyway', few, shipping, null, tooFew + anyway],
    ['a word, shipped anyway', soldOut, shipping, null, notThere + anyway],
    ['none, not counted, shipped anyway', empty, { ...shipping, isCounted: false }, null, says('0') + uncounted],
    ['enough, shipped anyway', enough, shipping, null, null],
    ['discontinued', discontinued, counting, noMore, null],
    ['discontinued, shipped anyway', discontinued, shipping, noMore, null],
    [
      'discontinued by its availability',
      product({ availability: 'discontinued', stockLevel: '0' }),
      shipping,
      'The product\'s Availability is "discontinued".',
      null,
    ],
    ['deleted', deleted, WORDS_ALONE, gone, null],
    ['deleted, shipped anyway', deleted, shipping, gone, null],
  ])('of three of %s', (_, one, rule, leftOut, despite) => {
    expect([leftOutBecause(one, 3, rule), soldDespite(one, 3, rule)]).toEqual([leftOut, despite]);
  });

  it('counts the whole of what is there', () => {
    expect(leftOutBecause(enough, 3, counting)).toBeNull();
    expect(leftOutBecause(enough, 4, counting)).toBe(says('3', ', less than the quantity, 4'));
  });

  it('is words alone for one unit, where nothing is said', () => {
    expect([empty, soldOut].map((one) => leftOutBecause(one))).toEqual([null, notThere]);
  });
});
