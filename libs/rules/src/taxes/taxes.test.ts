import { compileRates, type QuotableOrder, quote, type TaxRateRow } from '../index.js';
import { item, order, taxRate } from '../testing/quotables.js';

/** The taxes on the first line of an order: rate id and amount in minor units of each. */
function taxes(rates: Partial<TaxRateRow>[], fields: Partial<QuotableOrder> = {}) {
  const rows = rates.map((rate, index) => taxRate({ id: index + 1, name: `tax ${index + 1}`, ...rate }));
  const inOrder = quote(order(fields), compileRates([], rows));
  expect(quote(order(fields), compileRates([], rows.reverse()))).toEqual(inOrder);
  return inOrder.lines[0]!.taxes.map(({ taxRateId, amount }) => [taxRateId, amount]);
}

const price = (text: string, currencyIso = 'USD'): Partial<QuotableOrder> => ({
  currencyIso,
  items: [item({ price: text })],
});
const inState = { country: 'US', state: 'CA' };

describe('the amount of a tax', () => {
  test.each([
    ['79.00', ['0.25', '6', '1.5', '1'], 8592],
    ['31.12', ['8.250000'], 3369],
    ['9.99', ['20'], 1199],
    ['10.00', ['0.000001'], 1000],
    ['50000.00', ['0.000010'], 5000001],
    ['10.00', [null], 1000],
  ])('%s taxed by %p %% is %i cents', (amount, rates, total) => {
    const rows = rates.map((rate, index) => taxRate({ id: index, name: `tax ${index}`, rate }));
    expect(quote(order(price(amount)), compileRates([], rows)).total).toBe(total);
  });

  it('of 9.99 at 20 % is 2.00', () => {
    expect(taxes([{ rate: '20' }], price('9.99'))).toEqual([[1, 200]]);
  });

  it('is rounded half away from zero on each line, of the rounded line', () => {
    expect(taxes([{ rate: '5' }], price('0.10'))).toEqual([[1, 1]]);
    expect(taxes([{ rate: '4.999999' }], price('0.10'))).toEqual([[1, 0]]);
    expect(taxes([{ rate: '50' }], price('1.005'))).toEqual([[1, 51]]);
    expect(taxes([{ rate: '50' }], { currencyIso: 'JPY', items: [item({ price: '1' })] })).toEqual([[1, 1]]);
    expect(taxes([{ rate: '10' }], { currencyIso: 'KWD', items: [item({ price: '1.250' })] })).toEqual([[1, 130]]);
    const items = [item({ price: '0.10' }), item({ price: '0.10' })];
    expect(quote(order({ items }), compileRates([], [taxRate({ rate: '5' })])).taxTotal).toBe(2);
  });

  it('compounds: 100 with GST 5 % and PST 8.5 % on top is taxed 13.93', () => {
    const items = [item({ price: '100' })];
    const rates = [
      taxRate({ id: 1, name: 'PST', rate: '8.5', isCompound: true }),
      taxRate({ id: 2, name: 'GST', rate: '5' }),
    ];
    const { lines, taxTotal } = quote(order({ items }), compileRates([], rates));
    expect(lines[0]!.taxes).toEqual([
      { taxRateId: 2, name: 'GST', rate: '5', amount: 500 },
      { taxRateId: 1, name: 'PST', rate: '8.5', amount: 893 },
    ]);
    expect([lines[0]!.taxTotal, taxTotal]).toEqual([1393, 1393]);
  });

  it('compounds in the order of ids, each on all tax before it', () => {
    const rates = [{ rate: '10', isCompound: true }, { rate: '10' }, { rate: '10', isCompound: true }, { rate: '10' }];
    expect(taxes(rates, price('100'))).toEqual([
      [2, 1000],
      [4, 1000],
      [1, 1200],
      [3, 1320],
    ]);
  });

  it('shows a rate without a percentage as 0', () => {
    const { lines } = quote(order({}), compileRates([], [taxRate({ name: 'None yet', isCompound: null })]));
    expect(lines[0]!.taxes).toEqual([{ taxRateId: 1, name: 'None yet', rate: 0, amount: 0 }]);
  });

  it('is not taken of shipping', () => {
    const { shippingTotal, taxTotal } = quote(
      order({ items: [item({ price: '10' })] }),
      compileRates(
        [
          {
            ...taxRate({}),
            shippingClass: null,
            basePrice: '5',
            pricePerUnit: null,
            minUnits: null,
            minCycles: null,
            minSubtotal: null,
          },
        ],
        [taxRate({ rate: '10' })],
      ),
    );
    expect([shippingTotal, taxTotal]).toEqual([500, 100]);
  });
});

describe('a tax rate', () => {
  test.each([
    ['anywhere without a location', {}],
    ['its country, spelt otherwise', { country: 'united states' }],
    ['its state', { country: 'US', state: 'ca' }],
    ['any state of its country', { country: 'US', state: '*' }],
    ['its city in any state', { country: 'US', state: '*', city: 'Oakland' }],
    ['its postcode in any state', { country: 'US', state: '*', city: '*', postcode: '94607' }],
    ['a prefix in any state', { country: 'US', state: '*', city: '*', postcode: '946*' }],
    ['its city', { ...inState, city: 'oakland' }],
    ['any city of its state', { ...inState, city: '*' }],
    ['its postcode', { ...inState, city: 'Oakland', postcode: ' 94607' }],
    ['its postcode in any city', { ...inState, city: '*', postcode: '94607' }],
    ['postcodes with its prefix', { ...inState, city: 'Oakland', postcode: '946*' }],
    ['postcodes with its prefix in any city', { ...inState, city: '*', postcode: '9*' }],
    ['a prefix as long as the postcode', { ...inState, city: '*', postcode: '94607*' }],
    ['any postcode', { ...inState, city: '*', postcode: '*' }],
  ])('applies to %s', (_, location) => {
    expect(taxes([{ rate: '10', ...location }])).toEqual([[1, 100]]);
  });

  test.each([
    ['another country', { country: 'CA' }],
    ['another state', { country: 'US', state: 'NV' }],
    ['that state of another country', { country: 'MX', state: 'CA' }],
    ['another city', { ...inState, city: 'Berkeley' }],
    ['that city of another state', { country: 'US', state: 'NV', city: 'Oakland' }],
    ['any city of another state', { country: 'US', state: 'NV', city: '*' }],
    ['another postcode', { ...inState, city: 'Oakland', postcode: '94608' }],
    ['that postcode of another city', { ...inState, city: 'Berkeley', postcode: '94607' }],
    ['another prefix', { ...inState, city: '*', postcode: '95*' }],
    ['a prefix longer than the postcode', { ...inState, city: '*', postcode: '946071*' }],
    ['that prefix in another city', { ...inState, city: 'Berkeley', postcode: '946*' }],
    ['an asterisk that is not at the end', { ...inState, city: '*', postcode: '9*607' }],
    ['any state of another country', { country: 'CA', state: '*' }],
    ['another class', { taxClass: 'reduced' }],
  ])('does not apply to %s', (_, location) => {
    expect(taxes([{ rate: '10', ...location }])).toEqual([]);
  });

  it('of any city, and any postcode, also applies to an address that has none', () => {
    const rates = [
      { rate: '10', ...inState, city: '*' },
      { rate: '10', ...inState, city: '*', postcode: '*' },
    ];
    expect(taxes(rates, { shippingCity: null, shippingPostcode: null })).toEqual([
      [1, 100],
      [2, 100],
    ]);
    expect(taxes([{ rate: '10', ...inState, city: '*', postcode: '94607' }], { shippingCity: null })).toEqual([
      [1, 100],
    ]);
  });

  it('of any state also applies to an address that has none', () => {
    expect(taxes([{ rate: '10', country: 'US', state: '*' }], { shippingState: null })).toEqual([[1, 100]]);
  });

  it('needs a shipping country', () => {
    expect(taxes([{ rate: '10' }], { shippingCountry: null })).toEqual([]);
    expect(taxes([{ rate: '10' }], { shippingCountry: ' ' })).toEqual([]);
    expect(taxes([{ rate: '10' }], { shippingCountry: 'Narnia' })).toEqual([[1, 100]]);
  });

  it('is of the class of the product', () => {
    const items = [item({}, { taxClass: 'Reduced' }), item({}, { taxClass: ' ' }), item({}, { taxClass: 'zero' })];
    const rates = [
      taxRate({ id: 1, taxClass: 'reduced ', rate: '7' }),
      taxRate({ id: 2, taxClass: '', rate: '19' }),
      taxRate({ id: 3, taxClass: null, rate: '1', name: 'Fee' }),
    ];
    const { lines, taxTotal } = quote(order({ items }), compileRates([], rates));
    expect(lines.map((line) => line.taxes.map(({ taxRateId }) => taxRateId))).toEqual([[1], [2, 3], []]);
    expect(lines.map((line) => line.taxTotal)).toEqual([70, 200, 0]);
    expect(taxTotal).toBe(270);
  });
});

describe('rates of one name', () => {
  /** From the most to the least specific. */
  const bySpecificity: Partial<TaxRateRow>[] = [
    { ...inState, city: 'Oakland', postcode: '94607' },
    { ...inState, city: '*', postcode: '94607' },
    { ...inState, city: 'Oakland', postcode: '9460*' },
    { ...inState, city: '*', postcode: '9460*' },
    { ...inState, city: 'Oakland', postcode: '94*' },
    { ...inState, city: '*', postcode: '94*' },
    { ...inState, city: '*', postcode: '*' },
    { ...inState, city: 'Oakland' },
    { ...inState, city: '*' },
    { ...inState },
    { country: 'US', state: '*', city: 'Oakland', postcode: '94607' },
    { country: 'US', state: '*', city: '*', postcode: '94*' },
    { country: 'US', state: '*', city: 'Oakland' },
    { country: 'US', state: '*' },
    { country: 'USA' },
    {},
  ];
  const pairs = bySpecificity.flatMap((one, index) =>
    bySpecificity.slice(index + 1).map((other) => [one, other] as const),
  );

  test.each(pairs)('%j goes before %j', (one, other) => {
    const rates = [
      { name: 'VAT', rate: '7', ...other },
      { name: 'vat ', rate: '10', ...one },
    ];
    expect(taxes(rates)).toEqual([[2, 100]]);
  });

  test.each(bySpecificity)('%j twice: the lowest id applies', (location) => {
    const rates = [
      { name: 'VAT', rate: '10', ...location },
      { name: 'VAT', rate: '7', ...location },
    ];
    expect(taxes(rates)).toEqual([[1, 100]]);
  });

  it('that are only proposed come after the stored ones, the first proposed before the second', () => {
    const [stored, first, second] = [12, -1, -2].map((id) => ({ id, rate: String(20 + id) }));
    expect(taxes([second!, first!, stored!].map((rate) => ({ ...rate, name: 'VAT' })))).toEqual([[12, 320]]);
    expect(taxes([second!, first!, stored!])).toEqual([
      [12, 320],
      [-1, 190],
      [-2, 180],
    ]);
  });

  it('are one tax also where one is compound', () => {
    const rates = [
      { name: 'QST', rate: '7' },
      { name: 'QST', rate: '10', isCompound: true, country: 'US' },
    ];
    expect(taxes(rates)).toEqual([[2, 100]]);
  });

  it('are one tax where they have none, and others add up', () => {
    const rates = [
      { name: null, rate: '1' },
      { name: '', rate: '2', country: 'US' },
      { name: 'GST', rate: '5' },
    ];
    expect(taxes(rates)).toEqual([
      [2, 20],
      [3, 50],
    ]);
  });
});

describe('rates with a priority', () => {
  it('are one tax whatever their names, and others whatever their priorities', () => {
    const rates = [
      { name: 'GST', rate: '5', priority: 1 },
      { name: 'HST', rate: '13', priority: 1, country: 'US' },
      { name: 'HST', rate: '1', priority: 2 },
      { name: 'HST', rate: '2' },
      { name: '1', rate: '3' },
    ];
    expect(taxes(rates)).toEqual([
      [2, 130],
      [3, 10],
      [4, 20],
      [5, 30],
    ]);
  });

  it('follow each other in its order, those without one last, then in the order of ids', () => {
    const rates = [
      { rate: '10', isCompound: true, priority: 3 },
      { rate: '10', isCompound: true, priority: 2 },
      { rate: '10', isCompound: true },
      { rate: '10', priority: 9 },
      { rate: '0', priority: 8 },
      { rate: '0', priority: 0 },
    ];
    expect(taxes(rates, price('100'))).toEqual([
      [6, 0],
      [5, 0],
      [4, 1000],
      [2, 1100],
      [1, 1210],
      [3, 1331],
    ]);
  });
});
