import { type PriceSettings, quote } from '../index.js';
import { item, order } from '../testing/quotables.js';
import { site, totals } from '../testing/sites.js';

const TOTAL: Partial<PriceSettings> = { roundTax: 'Total' };
const priced = (...prices: string[]) => ({ items: prices.map((price) => item({ price })) });
/** Of each line its net amount, its taxes and its gross amount. */
const lines = (settings: Partial<PriceSettings>, rates: string[], prices: string[], currencyIso = 'USD') =>
  quote(
    order({ ...priced(...prices), currencyIso }),
    site(
      { ...TOTAL, ...settings },
      rates.map((rate) => ({ rate })),
    ),
  ).lines.map(({ amount, taxes, steps }) => [amount, taxes.map((tax) => tax.amount), steps!.gross]);

describe('taxes that are rounded in total', () => {
  it('are not what they are line by line', () => {
    const prices = priced('10.05', '10.05', '10.05');
    expect(totals(site({}, [{ rate: '10' }]), prices)).toEqual([3015, 0, 303, 3318]);
    expect(totals(site(TOTAL, [{ rate: '10' }]), prices)).toEqual([3015, 0, 302, 3317]);
  });

  test.each([
    [
      'net',
      {},
      ['10'],
      ['10.05', '10.05', '10.05'],
      [
        [1005, [101], 1106],
        [1005, [101], 1106],
        [1005, [100], 1105],
      ],
    ],
    [
      'gross',
      { prices: 'Gross' },
      ['20'],
      ['9.99', '9.99', '9.99'],
      [
        [832, [167], 999],
        [833, [166], 999],
        [833, [166], 999],
      ],
    ],
    [
      'two taxes',
      { prices: 'Gross' },
      ['5', '7'],
      ['10.03', '10.03'],
      [
        [895, [45, 63], 1003],
        [896, [45, 62], 1003],
      ],
    ],
    [
      'prices of less than a cent',
      {},
      ['10'],
      ['0.0040', '0.0040', '0.0040'],
      [
        [1, [0], 1],
        [0, [0], 0],
        [0, [0], 0],
      ],
    ],
    [
      'several cents of prices of less than a cent',
      {},
      ['0'],
      ['0.0040', '0.0040', '0.0040', '0.0040', '0.0040'],
      [
        [1, [0], 1],
        [1, [0], 1],
        [0, [0], 0],
        [0, [0], 0],
        [0, [0], 0],
      ],
    ],
    [
      'gross prices of less than a cent',
      { prices: 'Gross' },
      ['300'],
      ['0.0060', '0.0060'],
      [
        [0, [1], 1],
        [0, [0], 0],
      ],
    ],
    [
      'nothing',
      {},
      ['10'],
      ['0', '0'],
      [
        [0, [0], 0],
        [0, [0], 0],
      ],
    ],
  ] as const)('are shown in shares: %s', (_, settings, rates, prices, expected) => {
    expect(lines(settings, [...rates], [...prices])).toEqual(expected);
  });

  it('are halves rounded down in prices that have them, and away from zero on others', () => {
    expect(totals(site({ ...TOTAL, prices: 'Gross' }, [{ rate: '20' }]), priced('9.99'))).toEqual([833, 0, 166, 999]);
    expect(totals(site(TOTAL, [{ rate: '50' }]), priced('0.01'))).toEqual([1, 0, 1, 2]);
  });

  it('are rounded to what the currency has', () => {
    expect(lines({}, ['10'], ['1.255', '1.250'], 'KWD')).toEqual([
      [1260, [130], 1390],
      [1250, [120], 1370],
    ]);
    expect(lines({ prices: 'Gross' }, ['20'], ['9.990', '0.010'], 'KWD')).toEqual([
      [8320, [1670], 9990],
      [10, [0], 10],
    ]);
  });

  it('leave no line with more tax than it costs', () => {
    expect(lines({ prices: 'Gross' }, ['400', '400'], ['0.01', '0.01', '0.01'])).toEqual([
      [0, [1, 0], 1],
      [0, [1, 0], 1],
      [0, [0, 1], 1],
    ]);
    expect(lines({ prices: 'Gross' }, ['150', '150', '150'], ['0.01', '0.01', '0.02'])).toEqual([
      [0, [0, 0, 1], 1],
      [1, [0, 0, 0], 1],
      [0, [1, 1, 0], 2],
    ]);
    expect(lines({ prices: 'Gross' }, ['800', '800', '800'], ['0.05', '0.01', '0.01'])).toEqual([
      [0, [2, 2, 1], 5],
      [0, [1, 0, 0], 1],
      [0, [0, 0, 1], 1],
    ]);
  });

  it('are rounded on shipping together with those on goods', () => {
    const rates = [{ rate: '21', appliesToShipping: true }];
    const set = { ...TOTAL, shippingTax: 'ByRate' } as const;
    expect(totals(site({ ...set, roundTax: 'Line' }, rates, '4.50'), priced('15.42'))).toEqual([1542, 450, 419, 2411]);
    expect(totals(site(set, rates, '4.50'), priced('15.42'))).toEqual([1542, 450, 418, 2410]);
    expect(totals(site(set, rates), { ...priced('15.42'), shippingTotal: 450, shippingTotalFixed: true })).toEqual([
      1542, 450, 418, 2410,
    ]);
    expect(totals(site({ ...set, prices: 'Gross' }, rates, '4.50'), priced('15.42'))).toEqual([1274, 450, 363, 2087]);
    expect(totals(site({ ...set, prices: 'Gross' }, rates, '4.50'), priced('15.4160'))).toEqual([1274, 450, 362, 2086]);
    expect(totals(site({ ...set, shippingPrices: 'Gross' }, rates, '4.50'), priced('15.42'))).toEqual([
      1542, 372, 402, 2316,
    ]);
  });

  it('are shared among several amounts of shipping', () => {
    const items = [item({ price: '0.05' }), item({ price: '0.05' }, { shippingClass: 'bulky' })];
    const rates = site({ ...TOTAL, shippingTax: 'ByRate' }, [{ rate: '10', appliesToShipping: true }], '0.05');
    const [small] = rates.shipping.get('')!.get('')!;
    const both = { ...rates, shipping: new Map(['', 'bulky'].map((name) => [name, new Map([['', [small!]]])])) };
    const quoted = quote(order({ items }), both);
    expect([quoted.subtotal, quoted.shippingTotal, quoted.taxTotal]).toEqual([10, 10, 2]);
    expect(quoted.shipping.map(({ steps }) => steps!.taxes[0]!.amount)).toEqual([1, 0]);
  });

  it('leave net prices as they are, whatever the taxes on them come to', () => {
    const canada = ['5', '9.975'];
    expect(lines({}, canada, ['10.05'])).toEqual([[1005, [50, 100], 1155]]);
    expect(lines({}, canada, ['10.10'])).toEqual([[1010, [50, 101], 1161]]);
    expect(lines({}, ['5.25', '4.25'], ['10.00'])).toEqual([[1000, [53, 42], 1095]]);
    expect(lines({}, ['5.6', '4.6'], ['10.00', '10.00'])).toEqual([
      [1000, [56, 46], 1102],
      [1000, [56, 46], 1102],
    ]);
  });
});

/** Of WooCommerce's own tests and reports: what the customer pays with "Round tax at subtotal level". */
describe('a total of WooCommerce that is rounded at subtotal level', () => {
  test.each([
    // The parts that WooCommerce shows (30.83 + 6.17) do not add up to what it charges. Here the net amount gives way.
    ['a price of more than two places', 'Net', ['20'], ['30.8250'], 'USD', [3082, 617, 3699]],
    ['a gross price of more places than its currency', 'Gross', ['23'], ['301.9091'], 'JPY', [246, 56, 302]],
    ['a gross price with two taxes', 'Gross', ['24', '24'], ['599.00'], 'USD', [40473, 19427, 59900]],
    ['gross prices at 27 %', 'Gross', ['27'], ['240', '1250', '1990', '3390', '6200'], 'JPY', [10291, 2779, 13070]],
  ] as const)('%s', (_, prices, rates, listed, currencyIso, expected) => {
    const taxes = rates.map((rate) => ({ rate }));
    const quoted = quote(order({ ...priced(...listed), currencyIso }), site({ ...TOTAL, prices }, taxes));
    expect([quoted.subtotal, quoted.taxTotal, quoted.total]).toEqual(expected);
  });

  it('is another one line by line', () => {
    expect(totals(site({}, [{ rate: '20' }]), priced('30.8250'))).toEqual([3083, 0, 617, 3700]);
  });
});
