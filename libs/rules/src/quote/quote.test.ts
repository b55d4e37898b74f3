import { compileRates, type QuotableOrder, quote, Rejected } from '../index.js';
import { item, order, shippingRate, taxRate } from '../testing/quotables.js';

const free = compileRates([], []);
const rates = compileRates(
  [shippingRate({ id: 3, name: 'Post', basePrice: '4.90', shippingClass: 'small' })],
  [taxRate({ id: 5, name: 'Sales tax', rate: '8.250000' })],
);
const small = { shippingClass: 'small' };

/** Codes that processing would meet. */
const problems = (fields: Partial<QuotableOrder>, compiled = rates) => quote(order(fields), compiled).problems;

describe('quote', () => {
  it('prices lines, shipping and taxes, and adds them up', () => {
    const items = [
      item({ id: 11, productId: 21, price: '10.0000', salePrice: '9.9900', quantity: 3 }, small),
      item({ id: null, productId: 22, price: 5.5 }, { ...small, stockLevel: 'out of stock' }),
    ];
    expect(quote(order({ items }), rates)).toEqual({
      currencyIso: 'USD',
      lines: [
        {
          itemId: 11,
          productId: 21,
          unitPrice: '9.9900',
          quantity: 3,
          amount: 2997,
          available: true,
          unavailableBecause: null,
          taxes: [{ taxRateId: 5, name: 'Sales tax', rate: '8.250000', amount: 247 }],
          taxTotal: 247,
        },
        {
          itemId: null,
          productId: 22,
          unitPrice: 5.5,
          quantity: 1,
          amount: 0,
          available: false,
          unavailableBecause: 'The product\'s StockLevel is "out of stock".',
          taxes: [],
          taxTotal: 0,
        },
      ],
      shipping: [{ shippingClass: 'small', units: 3, shippingRateId: 3, name: 'Post', amount: 490 }],
      fixed: [],
      subtotal: 2997,
      shippingTotal: 490,
      taxTotal: 247,
      total: 3734,
      problems: [],
    });
  });

  test.each([
    ['the price', { price: '10.00', salePrice: null }, 1000],
    ['the sale price', { price: '10.00', salePrice: '8.00' }, 800],
    ['a sale price of 0', { price: '10.00', salePrice: 0 }, 0],
    ['a sale price above the price', { price: '10.00', salePrice: '12.00' }, 1200],
    ['the price of each unit, rounded as a line', { price: '1.005', quantity: 3 }, 302],
    ['half a cent', { price: '10.235' }, 1024],
    ['a large quantity', { price: '90071.9925', quantity: 1_000 }, 9007199250],
  ])('takes %s', (_, fields, amount) => {
    expect(quote(order({ items: [item(fields)] }), free).subtotal).toBe(amount);
  });

  test.each([
    ['JPY', '10.5', 11],
    ['KWD', '1.2345', 1230],
    ['KWD', '1.2350', 1240],
    ['CLF', '1.2345', 12345],
  ])('rounds to what %s has', (currencyIso, price, amount) => {
    expect(quote(order({ currencyIso, items: [item({ price })] }), free).total).toBe(amount);
  });

  it('leaves out what is deleted', () => {
    const deleted = item({}, { deletedUtc: new Date('2026-01-01') });
    const { lines, subtotal } = quote(
      order({ items: [deleted, item({}), item({}, { deletedUtc: '2026-01-01T00:00:00Z' })] }),
      free,
    );
    expect(subtotal).toBe(1000);
    expect(lines.map(({ amount, available, unavailableBecause }) => [amount, available, unavailableBecause])).toEqual([
      [0, false, 'The product was deleted.'],
      [1000, true, null],
      [0, false, 'The product was deleted.'],
    ]);
  });

  it('ships for 0 where a site has no shipping rates at all', () => {
    const { shipping, shippingTotal, problems } = quote(order({}), free);
    expect(shipping.map((group) => ({ ...group }))).toEqual([
      { shippingClass: null, units: 1, shippingRateId: null, name: null, amount: 0 },
    ]);
    expect([shipping[0]!.passedOverRates, shippingTotal, problems]).toEqual([[], 0, []]);
  });
});

describe('what is left out of the next cycle alone', () => {
  const skipped = item({ id: 2, skipNext: true }, small);
  const gone = item({ id: 3 }, { ...small, availability: 'SoldOut' });

  it('is neither charged nor shipped', () => {
    const { lines, subtotal, shippingTotal, problems, nothingShips } = quote(
      order({ items: [item({ id: 1, skipNext: false }, small), skipped] }),
      rates,
    );
    expect(lines.map(({ available, unavailableBecause }) => [available, unavailableBecause])).toEqual([
      [true, null],
      [false, 'The item is left out of the next cycle.'],
    ]);
    expect([subtotal, shippingTotal, problems, nothingShips]).toEqual([1000, 490, [], undefined]);
  });

  test.each([
    ['all', [skipped, skipped]],
    ['all that is there', [gone, skipped]],
  ])('may be %s: nothing ships, and that is no problem', (_, items) => {
    const { total, shipping, problems, nothingShips } = quote(order({ items }), rates);
    expect([total, shipping, problems, nothingShips]).toEqual([0, [], [], true]);
  });

  it('is no reason where nothing is there anyway', () => {
    expect(quote(order({ items: [gone] }), rates)).not.toHaveProperty('nothingShips');
    expect(problems({ items: [gone] }).map(({ code }) => code)).toEqual([1001]);
  });
});

it('a quote goes by the stock rule of the site', () => {
  const items = [item({ quantity: 3 }, { stockLevel: '2' }), item({}, { stockLevel: '2' })];
  const counting = { outOfStock: 'LeaveOut', isCounted: true } as const;
  const orders = [{}, { stock: counting }, { stock: { ...counting, outOfStock: 'ShipAnyway' } as const }];
  const subtotals = orders.map((chosen) => quote(order({ items, ...chosen }), free).subtotal);
  expect(subtotals).toEqual([4000, 1000, 4000]);
});

describe('the problems of an order', () => {
  const noRate = (message: string) => [{ code: 1002, name: 'ShippingRateNotFound', message }];
  const gone = item({}, { availability: 'SoldOut' });

  test.each<[string, Partial<QuotableOrder>, unknown[]]>([
    ['none', { items: [item({}, small)] }, []],
    ['no items', { items: [] }, [{ code: 1000, name: 'EmptyScheduledOrder', message: 'The order has no items.' }]],
    [
      'nothing available',
      { items: [gone, item({}, { deletedUtc: new Date(0) })] },
      [{ code: 1001, name: 'NoItemsToShip', message: 'Every product of the order is deleted or unavailable.' }],
    ],
    ['something available', { items: [gone, item({}, small)] }, []],
    ['no rate', { items: [item({})] }, noRate('No shipping rate matches items without a shipping class.')],
    [
      'no rate for some classes',
      { items: [item({}, { shippingClass: 'Bulky' }), item({}, small), item({}, { shippingClass: ' ' })] },
      noRate('No shipping rate matches class "Bulky" and items without a shipping class.'),
    ],
    ['no rate, but a fixed shipping total', { items: [item({})], shippingTotalFixed: true, shippingTotal: 700 }, []],
    [
      'no rate and a fixed tax total',
      { items: [item({})], taxTotalFixed: true },
      noRate('No shipping rate matches items without a shipping class.'),
    ],
    [
      'no items and a fixed shipping total',
      { items: [], shippingTotalFixed: true, shippingTotal: 700 },
      [{ code: 1000, name: 'EmptyScheduledOrder', message: 'The order has no items.' }],
    ],
    [
      'nothing available and a fixed shipping total',
      { items: [gone], shippingTotalFixed: true, shippingTotal: 700 },
      [{ code: 1001, name: 'NoItemsToShip', message: 'Every product of the order is deleted or unavailable.' }],
    ],
  ])('%s', (_, fields, expected) => {
    expect(problems(fields)).toEqual(expected);
  });

  it('are none where a site has no shipping rates at all', () => {
    expect(problems({ items: [item({}, { shippingClass: 'Bulky' })] }, free)).toEqual([]);
  });

  it('include no class that is left out of the total', () => {
    const { shippingTotal, total } = quote(order({ items: [item({}), item({}, small)] }), rates);
    expect([shippingTotal, total]).toEqual([490, 2000 + 490 + 2 * 83]);
  });
});

describe('totals that the shop fixed', () => {
  const items = [item({}, small)];
  const totals = (fields: Partial<QuotableOrder>) => {
    const { fixed, subtotal, shippingTotal, taxTotal, total } = quote(order({ items, ...fields }), rates);
    return { fixed, parts: [subtotal, shippingTotal, taxTotal], total };
  };

  it('are not read where they are not fixed', () => {
    expect(totals({ shippingTotal: 111, taxTotal: 222 })).toEqual({ fixed: [], parts: [1000, 490, 83], total: 1573 });
  });

  it('stand in place of what would be calculated', () => {
    const fixed = { shippingTotal: 111, shippingTotalFixed: true, taxTotal: 222, taxTotalFixed: true };
    expect(totals(fixed)).toEqual({ fixed: ['ShippingTotal', 'TaxTotal'], parts: [1000, 111, 222], total: 1333 });
    expect(totals({ ...fixed, taxTotalFixed: false })).toEqual({
      fixed: ['ShippingTotal'],
      parts: [1000, 111, 83],
      total: 1194,
    });
    expect(totals({ ...fixed, shippingTotalFixed: false })).toEqual({
      fixed: ['TaxTotal'],
      parts: [1000, 490, 222],
      total: 1712,
    });
  });

  it('may be 0', () => {
    expect(totals({ shippingTotalFixed: true, taxTotalFixed: true })).toEqual({
      fixed: ['ShippingTotal', 'TaxTotal'],
      parts: [1000, 0, 0],
      total: 1000,
    });
  });

  it('stand without items too: the total is the sum of its parts', () => {
    const fixed = { shippingTotal: 111, shippingTotalFixed: true, taxTotal: 222, taxTotalFixed: true };
    expect(totals({ ...fixed, items: [] })).toEqual({
      fixed: ['ShippingTotal', 'TaxTotal'],
      parts: [0, 111, 222],
      total: 333,
    });
    expect(totals({ items: [] })).toEqual({ fixed: [], parts: [0, 0, 0], total: 0 });
  });

  it('leave nothing calculated in their place', () => {
    const shippingFixed = quote(order({ items, shippingTotalFixed: true }), rates);
    expect(shippingFixed.shipping).toEqual([]);
    expect(shippingFixed.lines[0]!.taxes).toEqual([{ taxRateId: 5, name: 'Sales tax', rate: '8.250000', amount: 83 }]);
    const taxFixed = quote(order({ items, taxTotalFixed: true, taxTotal: 222 }), rates);
    expect(taxFixed.shipping.map(({ amount }) => amount)).toEqual([490]);
    expect([taxFixed.lines[0]!.taxes, taxFixed.lines[0]!.taxTotal]).toEqual([[], null]);
  });
});

describe('what quote refuses', () => {
  const faults = [{ field: 'Total', message: 'The total is above the largest amount, 9007199254740991 minor units.' }];
  const largest = Number.MAX_SAFE_INTEGER;

  it('takes the largest total', () => {
    expect(quote(order({ items: [], shippingTotalFixed: true, shippingTotal: largest }), free).total).toBe(largest);
  });

  test.each([
    ['a line', { items: [item({ price: '99999999999.9999', quantity: 1_000_000 })] }],
    [
      'lines',
      { items: [item({ price: '50000000000', quantity: 1000 }), item({ price: '50000000000', quantity: 1000 })] },
    ],
    ['a fixed total on top', { shippingTotalFixed: true, shippingTotal: largest }],
    [
      'fixed totals together',
      { items: [], shippingTotalFixed: true, shippingTotal: largest, taxTotalFixed: true, taxTotal: 1 },
    ],
  ])('rejects a total beyond 2^53 − 1 by %s', (_, fields) => {
    expect(() => quote(order(fields), free)).toThrow(new Rejected(faults));
  });

  it('rejects a total that tax, or shipping, carries beyond', () => {
    const items = [item({ price: '90071992547', quantity: 1000 })];
    expect(quote(order({ items }), free).total).toBe(9007199254700000);
    expect(() => quote(order({ items }), compileRates([], [taxRate({ rate: '0.000001' })]))).toThrow(
      new Rejected(faults),
    );
    expect(() => quote(order({ items }), compileRates([shippingRate({ basePrice: '413' })], []))).toThrow(
      new Rejected(faults),
    );
  });

  it('rejects an unknown currency', () => {
    expect(() => quote(order({ currencyIso: 'ABC' }), free)).toThrow(
      new Rejected([{ field: 'CurrencyIso', message: '"ABC" is not an ISO 4217 currency code.' }]),
    );
  });

  it('carries its faults', () => {
    const rejected = new Rejected([...faults, { field: 'CurrencyIso', message: 'No.' }]);
    expect([rejected.name, rejected.faults.length, rejected instanceof Error]).toEqual(['Rejected', 2, true]);
    expect(rejected.message).toBe(`Total: ${faults[0]!.message} CurrencyIso: No.`);
  });

  test.each(['x', '1.00001'])('takes no stored price of %p', (price) => {
    expect(() => quote(order({ items: [item({ price })] }), free)).toThrow(RangeError);
    expect(() => compileRates([shippingRate({ basePrice: price })], [])).toThrow(RangeError);
  });

  it('takes no stored percentage with more than 6 decimal places', () => {
    expect(() => compileRates([], [taxRate({ rate: '1.0000001' })])).toThrow(RangeError);
  });
});
