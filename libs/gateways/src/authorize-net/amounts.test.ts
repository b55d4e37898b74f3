import { minorUnitExponent } from '#libs/rules';
import { decimalAmount, minorUnits } from './amounts.js';

describe('decimalAmount', () => {
  it.each(['AUD', 'CAD', 'CHF', 'DKK', 'EUR', 'GBP', 'NOK', 'NZD', 'PLN', 'SEK', 'USD'])('takes %s', (currencyIso) => {
    expect(decimalAmount(5, currencyIso)).toEqual({ amount: '0.05' });
    expect(minorUnitExponent(currencyIso)).toBe(2);
  });
});

describe('minorUnits', () => {
  it.each([
    [12.34, 1234],
    ['12.34', 1234],
    [12.3, 1230],
    [12, 1200],
    ['0.05', 5],
    [1018.88, 101_888],
  ])('%p is %d', (amount, expected) => {
    expect(minorUnits(amount)).toBe(expected);
  });
});
