import { amountOf, inCurrency, isRoundingOf, sixPlaces, surplusOf } from './amounts.js';

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
  ['32.0612', 'USD', '32.0612'],
  ['32.0610', 'USD', '32.061'],
  ['10.5000', 'JPY', '10.5'],
])('%s %s is sent as %s', (amount, currencyIso, expected) => {
  expect(inCurrency(amount, currencyIso)).toBe(expected);
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

it.each([
  ['0.02', 2, '37.85', 'USD', true],
  ['-0.03', 2, '37.85', 'USD', false],
  ['1', 2, '16', 'USD', true],
  ['1.02', 2, '16', 'USD', false],
  ['2', 2, '1083.58', 'JPY', true],
  ['3', 2, '1083.58', 'JPY', false],
])(
  'a gap of %s between sums of %d amounts, where the shop shows %s %s, can come of rounding: %p',
  (gap, parts, shown, currencyIso, expected) => {
    expect(isRoundingOf(amountOf(gap)!, parts, shown, currencyIso)).toBe(expected);
  },
);

it.each([null, undefined, '', '1,00', 'NaN', {}, 1e21])('%p is no amount', (value) => {
  expect(amountOf(value)).toBeNull();
});
