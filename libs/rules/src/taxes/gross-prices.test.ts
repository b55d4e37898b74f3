import { type QuotableOrder, quote } from '../index.js';
import { item, order } from '../testing/quotables.js';
import { site, totals } from '../testing/sites.js';

const one = (price: string, fields: Partial<QuotableOrder> = {}): Partial<QuotableOrder> => ({
  items: [item({ price })],
  ...fields,
});
const IN_DE = { shippingCountry: 'DE', shippingState: null, shippingCity: null, shippingPostcode: null };
const IN_FR = { ...IN_DE, shippingCountry: 'FR' };
const IN_CH = { ...IN_DE, shippingCountry: 'CH' };
const GERMAN_SHOP = { prices: 'Gross', homeCountry: 'DE' } as const;
const VAT = [
  { country: 'DE', rate: '19', name: 'VAT' },
  { country: 'FR', rate: '20', name: 'VAT' },
];

describe('a price with tax in it', () => {
  test.each([
    ['9.99', ['20'], 'USD', 833, [166]],
    ['10.03', ['5', '7'], 'USD', 895, [45, 63]],
    ['10.00', [], 'USD', 1000, []],
    ['10.00', ['0'], 'USD', 1000, [0]],
    ['0.01', ['20'], 'USD', 1, [0]],
    ['0.01', ['200'], 'USD', 0, [1]],
    ['0.00', ['20'], 'USD', 0, [0]],
    ['119.00', ['19'], 'USD', 10000, [1900]],
    ['120', ['20'], 'JPY', 100, [20]],
    ['9', ['20'], 'JPY', 8, [1]],
    ['12.000', ['20'], 'KWD', 10000, [2000]],
    ['9.990', ['20'], 'KWD', 8330, [1660]],
    ['0.02', ['300', '300', '300'], 'USD', 0, [1, 1, 0]],
  ])('%s at %p %% in %s is net %i and tax %p', (price, rates, currencyIso, net, taxes) => {
    const quoted = quote(
      order({ ...one(price), currencyIso }),
      site(
        { prices: 'Gross' },
        rates.map((rate) => ({ rate })),
      ),
    );
    expect([quoted.subtotal, quoted.lines[0]!.taxes.map(({ amount }) => amount)]).toEqual([net, taxes]);
    expect(quoted.total).toBe(net + taxes.reduce((sum, tax) => sum + tax, 0));
  });

  it('has compound taxes in it: each on the net amount and all tax before it', () => {
    const rates = [{ rate: '5' }, { rate: '8.5', isCompound: true }, { rate: '2', isCompound: true }];
    const quoted = quote(order(one('116.20')), site({ prices: 'Gross' }, rates));
    expect(quoted.lines[0]!.taxes.map(({ amount }) => amount)).toEqual([500, 892, 228]);
    expect([quoted.subtotal, quoted.taxTotal, quoted.total]).toEqual([10000, 1620, 11620]);
  });

  it('is that of the line, rounded once', () => {
    const items = [item({ price: '0.3350', quantity: 3 })];
    expect(totals(site({ prices: 'Gross' }, [{ rate: '20' }]), { items })).toEqual([84, 0, 17, 101]);
  });

  it('is shown as it is listed, net and gross', () => {
    const { lines, steps } = quote(order(one('9.99')), site({ prices: 'Gross' }, [{ rate: '20' }]));
    expect(lines[0]).toMatchObject({ amount: 833, taxTotal: 166, steps: { listed: 999, takenOut: [], gross: 999 } });
    expect(steps).toMatchObject({ taxExempt: false, grossSubtotal: 999, shippingTaxes: [] });
  });
});

describe('a price with tax in it, elsewhere', () => {
  test.each([
    ['Keep, at home', 'Keep', IN_DE, [10000, 0, 1900, 11900]],
    ['Keep, at another tax', 'Keep', IN_FR, [9917, 0, 1983, 11900]],
    ['Keep, at none', 'Keep', IN_CH, [11900, 0, 0, 11900]],
    ['RemoveTax, at home', 'RemoveTax', IN_DE, [10000, 0, 1900, 11900]],
    ['RemoveTax, at another tax', 'RemoveTax', IN_FR, [9917, 0, 1983, 11900]],
    ['RemoveTax, at none', 'RemoveTax', IN_CH, [10000, 0, 0, 10000]],
    ['Adjust, at home', 'Adjust', IN_DE, [10000, 0, 1900, 11900]],
    ['Adjust, at another tax', 'Adjust', IN_FR, [10000, 0, 2000, 12000]],
    ['Adjust, at none', 'Adjust', IN_CH, [10000, 0, 0, 10000]],
    ['Adjust, without an address', 'Adjust', { ...IN_DE, shippingCountry: null }, [11900, 0, 0, 11900]],
  ] as const)('%s', (_, grossOutside, to, expected) => {
    expect(totals(site({ ...GERMAN_SHOP, grossOutside }, VAT), one('119.00', to))).toEqual(expected);
  });

  it('is rounded once more, as WooCommerce does', () => {
    const rates = site({ ...GERMAN_SHOP, grossOutside: 'Adjust' }, [
      { country: 'DE', rate: '20', name: 'VAT' },
      { country: 'FR', rate: '10', name: 'VAT' },
    ]);
    expect(totals(rates, one('10.00', IN_FR))).toEqual([834, 0, 83, 917]);
  });

  it('loses the tax of exactly the home that the settings name', () => {
    const rates = [
      { country: 'US', state: 'CA', rate: '7.25', name: 'Tax' },
      { country: 'US', state: 'CA', city: 'Oakland', postcode: '94607', rate: '10.75', name: 'Tax' },
    ];
    const home = { homeCountry: 'US', homeState: 'CA', homeCity: 'Oakland', homePostcode: '94607-1234' };
    const there = site({ prices: 'Gross', grossOutside: 'RemoveTax', ...home }, rates);
    expect(totals(there, one('110.75', IN_CH))).toEqual([10000, 0, 0, 10000]);
    const quoted = quote(order(one('110.75', IN_CH)), there);
    expect(quoted.lines[0]!.steps).toMatchObject({ listed: 11075, takenOut: [{ id: 2, rate: '10.75' }], gross: 10000 });
  });
});

describe('a customer who pays no tax', () => {
  const exempt = (to: object, grossOutside: 'Keep' | 'RemoveTax' | 'Adjust') =>
    totals(site({ ...GERMAN_SHOP, grossOutside }, VAT), { ...one('119.00'), ...to, taxExempt: true });

  test.each([
    ['Keep', IN_DE, 10000],
    ['Keep', IN_FR, 9917],
    ['Keep', IN_CH, 11900],
    ['RemoveTax', IN_FR, 10000],
    ['Adjust', IN_FR, 10000],
    ['Adjust', IN_DE, 10000],
  ] as const)('%s: %j pays %i', (grossOutside, to, total) => {
    expect(exempt(to, grossOutside)).toEqual([total, 0, 0, total]);
  });

  it('pays net prices as they are', () => {
    const rates = site({ shippingTax: 'HighestRate' }, VAT, '5');
    const fields = { ...one('100', IN_DE), taxExempt: true };
    expect(totals(rates, fields)).toEqual([10000, 500, 0, 10500]);
    expect(quote(order(fields), site({}, VAT)).steps).toMatchObject({ taxExempt: true, grossSubtotal: 10000 });
  });

  it('pays a total of tax that the shop fixed', () => {
    const fields = { ...one('100', IN_DE), taxExempt: true, taxTotalFixed: true, taxTotal: 7 };
    expect(totals(site({}, VAT), fields)).toEqual([10000, 0, 7, 10007]);
  });
});

describe('a fixed total of tax', () => {
  it('is in prices that have tax in them', () => {
    const items = [item({ price: '9.99' }), item({ price: '4.99', quantity: 2 })];
    const quoted = quote(
      order({ items, taxTotal: 333, taxTotalFixed: true, ...IN_DE }),
      site({ ...GERMAN_SHOP, shippingTax: 'HighestRate' }, VAT, '5.00'),
    );
    expect(quoted.lines.map(({ amount, taxTotal, steps }) => [amount, taxTotal, steps!.gross])).toEqual([
      [832, null, 999],
      [832, null, 998],
    ]);
    expect([quoted.subtotal, quoted.shippingTotal, quoted.taxTotal, quoted.total]).toEqual([1664, 500, 333, 2497]);
  });

  it('never makes the prices less than nothing', () => {
    const fields = { ...one('1.00', IN_DE), taxTotal: 150, taxTotalFixed: true };
    expect(totals(site(GERMAN_SHOP, VAT), fields)).toEqual([0, 0, 150, 150]);
  });

  it('comes on top of net prices', () => {
    const fields = { ...one('1.00', IN_DE), taxTotal: 150, taxTotalFixed: true };
    expect(totals(site({}, VAT), fields)).toEqual([100, 0, 150, 250]);
  });
});

describe('MinSubtotal', () => {
  const ships = (minSubtotalGross: boolean, prices: 'Net' | 'Gross', fields: Partial<QuotableOrder> = {}) => {
    const rates = site({ prices, minSubtotalGross }, [{ rate: '20' }], '5');
    const [rate] = rates.shipping.get('')!.get('')!;
    const atHundred = { ...rates, shipping: new Map([['', new Map([['', [{ ...rate!, minSubtotal: 1_000_000n }]]])]]) };
    return quote(order({ ...one('100.00'), ...fields }), atHundred).shipping[0]!.shippingRateId === 9;
  };

  test.each([
    [false, 'Net', one('100.00'), true],
    [false, 'Net', one('99.99'), false],
    [true, 'Net', one('83.34'), true],
    [true, 'Net', one('83.32'), false],
    [false, 'Gross', one('119.99'), false],
    [false, 'Gross', one('120.00'), true],
    [true, 'Gross', one('100.00'), true],
    [true, 'Gross', one('99.99'), false],
    [true, 'Net', { ...one('99.00'), taxTotal: 100, taxTotalFixed: true }, true],
    [true, 'Gross', { ...one('100.00'), taxTotal: 100, taxTotalFixed: true }, true],
    [false, 'Gross', { ...one('100.00'), taxTotal: 100, taxTotalFixed: true }, false],
  ] as const)('gross %p, prices %s, %j: %p', (gross, prices, fields, expected) => {
    expect(ships(gross, prices, fields)).toBe(expected);
  });
});
