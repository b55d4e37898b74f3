import { isAvailable, unavailableBecause } from './index.js';

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
