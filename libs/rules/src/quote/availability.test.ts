import { isAvailable, stockUnits, unavailableBecause } from '../index.js';

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
