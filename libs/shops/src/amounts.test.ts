import { amountOf, exactNet, inCurrency, sixPlaces, surplusOf } from './amounts.js';

const rates = (...list: [string, boolean?][]) => list.map(([rate, isCompound = false]) => ({ rate, isCompound }));

it.each([
  ['29.97', '29.970000'],
  ['29.9700', '29.970000'],
  [0.06, '0.060000'],
  ['500', '500.000000'],
  ['8.394958', '8.394958'],
])('%s has six places as %s', (amount, expected) => {
  expect(sixPlaces(amount)).toBe(expected);
});

it('more places than six are an error, not a rounding', () => {
  expect(() => sixPlaces('8.3949581')).toThrow(RangeError);
});

it.each([
  ['29.9700', 'EUR', '29.97'],
  ['5', 'USD', '5.00'],
  ['500.0000', 'JPY', '500'],
  ['1.2300', 'KWD', '1.230'],
])('%s %s is sent as %s', (amount, currencyIso, expected) => {
  expect(inCurrency(amount, currencyIso)).toBe(expected);
});

describe('exactNet', () => {
  it.each([
    ['9.99', rates(['19']), '8.394958', 'the facts of a real shop'],
    ['29.97', rates(['19']), '25.184874', 'the same of three'],
    ['9.99', rates(['20']), '8.325000', 'a rate of 20 %'],
    ['10.03', rates(['5'], ['7']), '8.955357', 'two simple rates'],
    ['11.55', rates(['5'], ['10', true]), '10.000000', 'a compound rate on top'],
    ['9.99', rates(), '9.990000', 'no tax'],
  ])('of %s at %j is %s: %s', (gross, taxes, expected) => {
    expect(exactNet(gross, taxes)).toBe(expected);
  });
});

it.each([
  ['37.85', '37.85', 'USD', 0],
  [37.85, '37.8500', 'USD', 0],
  ['10.81', '10.80', 'USD', 1],
  ['9.98', '9.99', 'EUR', -1],
  ['1083.58', '1083', 'JPY', 1],
  ['16', '15.74', 'USD', 26],
  ['1.234', '1.230', 'KWD', 4],
  ['0.001', '0', 'USD', 1],
  ['-0.001', '0', 'USD', -1],
])('a shop’s %s is %s %s and %d minor units', (theirs, ours, currencyIso, expected) => {
  expect(surplusOf(amountOf(theirs)!, ours, currencyIso)).toBe(expected);
});

it.each([null, undefined, '', '1,00', 'NaN', {}, 1e21])('%p is no amount', (value) => {
  expect(amountOf(value)).toBeNull();
});
