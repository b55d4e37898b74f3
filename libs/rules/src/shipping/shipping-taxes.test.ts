import { type PriceSettings, type QuotableItem, type QuotableOrder, quote, type TaxRateRow } from '../index.js';
import { item, order } from '../testing/quotables.js';
import { site, totals } from '../testing/sites.js';

const goods = (...lines: readonly (readonly [price: string, taxClass: string | null])[]): Partial<QuotableOrder> => ({
  items: lines.map(([price, taxClass]): QuotableItem => item({ price }, { taxClass })),
});
const RATES: Partial<TaxRateRow>[] = [
  { rate: '20', appliesToShipping: true },
  { rate: '10', taxClass: 'reduced', appliesToShipping: true },
  { rate: '50', taxClass: 'books', appliesToShipping: false },
];
const shop = (settings: Partial<PriceSettings>, shipping = '6.00') => site(settings, RATES, shipping);
/** Of all shipping: its net amount, and the tax on it by rate. */
function shippingOf(settings: Partial<PriceSettings>, fields: Partial<QuotableOrder>, shipping?: string) {
  const { shippingTotal, steps } = quote(order(fields), shop(settings, shipping));
  return [shippingTotal, steps?.shippingTaxes.map(({ taxRateId, amount }) => [taxRateId, amount])];
}

describe('shipping is taxed', () => {
  test.each([
    ['not, unless said', 'None', [['100', null]], undefined],
    ['by the class of the goods', 'ByRate', [['100', 'reduced']], [[2, 60]]],
    ['by the standard class where the goods have none', 'ByRate', [['100', null]], [[1, 120]]],
    [
      'by the standard class where one of them has none',
      'ByRate',
      [
        ['100', 'reduced'],
        ['1', null],
      ],
      [[1, 120]],
    ],
    [
      'by the first class where all have one',
      'ByRate',
      [
        ['1', 'reduced'],
        ['9', 'books'],
      ],
      [[2, 60]],
    ],
    ['by the standard class where no rate of theirs is for shipping', 'ByRate', [['100', 'books']], [[1, 120]]],
    ['by the standard class where theirs is unknown', 'ByRate', [['100', 'spice']], [[1, 120]]],
    ['not with goods that are not taxable', 'ByRate', [['100', 'Not-Taxed']], []],
    [
      'as the others with goods that are not taxable',
      'ByRate',
      [
        ['100', 'not-taxed'],
        ['1', 'reduced'],
      ],
      [[2, 60]],
    ],
    [
      'in proportion to the goods',
      'Proportional',
      [
        ['10', 'reduced'],
        ['20', null],
      ],
      [
        [2, 20],
        [1, 80],
      ],
    ],
    [
      'in proportion, also by rates that are not for shipping',
      'Proportional',
      [
        ['10', 'books'],
        ['20', null],
      ],
      [
        [3, 100],
        [1, 80],
      ],
    ],
    [
      'as the first of goods that cost nothing',
      'Proportional',
      [
        ['0', 'reduced'],
        ['0', null],
      ],
      [
        [2, 60],
        [1, 0],
      ],
    ],
    [
      'not in proportion to what is not taxable',
      'Proportional',
      [
        ['10', 'not-taxed'],
        ['20', null],
      ],
      [[1, 120]],
    ],
    [
      'by the highest rate',
      'HighestRate',
      [
        ['10', 'reduced'],
        ['1', 'books'],
        ['9', null],
      ],
      [[3, 300]],
    ],
  ] as const)('%s', (_, shippingTax, lines, taxes) => {
    expect(shippingOf({ shippingTax }, goods(...lines))).toEqual([600, taxes]);
  });

  it('with what compound rates come to, where the highest is looked for', () => {
    const rates = site(
      { shippingTax: 'HighestRate' },
      [
        { rate: '11', taxClass: 'a' },
        { rate: '11', taxClass: 'b' },
        { rate: '1', taxClass: 'b', isCompound: true },
        { rate: '12', taxClass: 'a' },
      ],
      '10.00',
    );
    const { steps } = quote(order(goods(['1', 'b'], ['1', 'a'])), rates);
    expect(steps!.shippingTaxes.map(({ amount }) => amount)).toEqual([110, 120]);
  });

  it('as the first of equal ones', () => {
    const rates = site(
      { shippingTax: 'HighestRate' },
      [
        { rate: '11', taxClass: 'a' },
        { rate: '11', taxClass: 'b' },
      ],
      '10',
    );
    const { steps } = quote(order(goods(['1', 'b'], ['1', 'a'])), rates);
    expect(steps!.shippingTaxes.map(({ taxRateId }) => taxRateId)).toEqual([2]);
  });

  it('in each class of its own, and adds up', () => {
    const items = [item({ price: '10' }), item({ price: '10' }, { shippingClass: 'bulky' })];
    const rates = shop({ shippingTax: 'ByRate' }, '0.12');
    const [small] = rates.shipping.get('')!.get('')!;
    const both = {
      ...rates,
      shipping: new Map(['', 'bulky'].map((shippingClass) => [shippingClass, new Map([['', [small!]]])])),
    };
    const quoted = quote(order({ items }), both);
    expect(quoted.shipping.map(({ amount, steps }) => [amount, steps])).toEqual([
      [12, { listed: 12, gross: 14, taxes: [{ taxRateId: 1, name: 'tax 1', rate: '20', amount: 2 }] }],
      [12, { listed: 12, gross: 14, taxes: [{ taxRateId: 1, name: 'tax 1', rate: '20', amount: 2 }] }],
    ]);
    expect(quoted.steps!.shippingTaxes).toEqual([{ taxRateId: 1, name: 'tax 1', rate: '20', amount: 4 }]);
    expect([quoted.shippingTotal, quoted.taxTotal, quoted.total]).toEqual([24, 404, 2428]);
  });

  it('in proportion to all goods of a class together', () => {
    const rates = [{ rate: '10' }, { rate: '20', taxClass: 'toys' }];
    const items = [item({ price: '5' }), item({ price: '20' }, { taxClass: 'toys' }), item({ price: '5' })];
    expect(totals(site({ shippingTax: 'Proportional' }, rates, '6'), { items })).toEqual([3000, 600, 600, 4200]);
  });

  it('only of available goods', () => {
    const items = [item({ price: '10' }, { taxClass: 'books', availability: 'SoldOut' }), item({ price: '10' })];
    expect(shippingOf({ shippingTax: 'HighestRate' }, { items })).toEqual([600, [[1, 120]]]);
    expect(shippingOf({ shippingTax: 'HighestRate' }, { items: items.slice(0, 1) })).toEqual([0, []]);
  });

  it('by the most specific rate, also where that is not for shipping', () => {
    const rates = [
      { rate: '20', name: 'VAT', appliesToShipping: true },
      { rate: '7', name: 'VAT', country: 'US', appliesToShipping: false },
    ];
    expect(totals(site({ shippingTax: 'ByRate' }, rates, '6'), goods(['100', null]))).toEqual([10000, 600, 700, 11300]);
  });
});

describe('a shipping price with tax in it', () => {
  const gross = { shippingPrices: 'Gross', shippingTax: 'ByRate' } as const;

  test.each([
    ['is what is paid', gross, {}, [500, [[1, 100]]]],
    [
      'is parted and taxed in each part',
      { ...gross, shippingTax: 'Proportional' },
      goods(['10', 'reduced'], ['20', null]),
      [
        515,
        [
          [2, 18],
          [1, 67],
        ],
      ],
    ],
    ['loses the tax for who pays none', gross, { taxExempt: true }, [500, []]],
    ['loses the tax of home', { ...gross, homeCountry: 'DE', grossOutside: 'Adjust' }, {}, [500, [[1, 100]]]],
  ] as const)('%s', (_, settings, fields, expected) => {
    expect(shippingOf(settings, { ...goods(['100', null]), ...fields })).toEqual(expected);
  });

  it('is net where there is no tax on shipping', () => {
    expect(totals(shop({ shippingPrices: 'Gross' }), goods(['100', null]))).toEqual([10000, 600, 2000, 12600]);
  });
});

describe('a fixed total of shipping', () => {
  const fixed = { ...goods(['100', null]), shippingTotal: 777, shippingTotalFixed: true };

  test.each([
    [{ shippingTax: 'ByRate' }, [777, [[1, 155]]]],
    [{ shippingTax: 'ByRate', shippingPrices: 'Gross' }, [777, [[1, 155]]]],
    [{ shippingTax: 'None' }, [777, undefined]],
  ] as const)('is net, and taxed by %j', (settings, expected) => {
    expect(shippingOf(settings, fixed)).toEqual(expected);
  });

  it('stays what it is in a currency that has steps', () => {
    const quoted = quote(
      order({ ...fixed, currencyIso: 'KWD', shippingTotal: 1235 }),
      shop({ shippingTax: 'ByRate', roundTax: 'Total' }),
    );
    expect([quoted.shippingTotal, quoted.steps!.shippingTaxes[0]!.amount]).toEqual([1235, 250]);
  });

  it('is not taxed beside a fixed total of tax', () => {
    expect(shippingOf({ shippingTax: 'ByRate' }, { ...fixed, taxTotal: 5, taxTotalFixed: true })).toEqual([777, []]);
  });
});
