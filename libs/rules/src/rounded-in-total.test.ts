import { type PriceSettings, quote } from './index.js';
import { item, order } from './testing/quotables.js';
import { site, totals } from './testing/sites.js';

const TOTAL: Partial<PriceSettings> = { roundTax: 'Total' };
const of = (...prices: string[]) => ({ items: prices.map((price) => item({ price })) });
/** Of each line its net amount, its taxes and its gross amount. */
const lines = (settings: Partial<PriceSettings>, rates: string[], prices: string[], currencyIso = 'USD') =>
  quote(
    order({ ...of(...prices), currencyIso }),
    site(
      { ...TOTAL, ...settings },
      rates.map((rate) => ({ rate })),
    ),
  ).lines.map(({ amount, taxes, steps }) => [amount, taxes.map((tax) => tax.amount), steps!.gross]);

describe('taxes that are rounded in total', () => {
  it('are not what they are line by line', () => {
    const prices = of('10.05', '10.05', '10.05');
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
    expect(totals(site({ ...TOTAL, prices: 'Gross' }, [{ rate: '20' }]), of('9.99'))).toEqual([833, 0, 166, 999]);
    expect(totals(site(TOTAL, [{ rate: '50' }]), of('0.01'))).toEqual([1, 0, 1, 2]);
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
      [0, [0, 1], 1],
      [1, [0, 0], 1],
    ]);
  });

  it('are rounded on shipping by themselves', () => {
    const items = [item({ price: '0.05' }), item({ price: '0.05' }, { shippingClass: 'bulky' })];
    const rates = site({ ...TOTAL, shippingTax: 'ByRate' }, [{ rate: '10', appliesToShipping: true }], '0.05');
    const [small] = rates.shipping.get('')!.get('')!;
    const both = { ...rates, shipping: new Map(['', 'bulky'].map((name) => [name, new Map([['', [small!]]])])) };
    const quoted = quote(order({ items }), both);
    expect([quoted.subtotal, quoted.shippingTotal, quoted.taxTotal]).toEqual([10, 10, 2]);
    expect(quoted.shipping.map(({ steps }) => steps!.taxes[0]!.amount)).toEqual([1, 0]);
  });
});
