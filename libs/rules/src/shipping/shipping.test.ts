import { compileRates, minCyclesOf, quote, type ShippingRateRow } from '../index.js';
import { item, order, shippingRate } from '../testing/quotables.js';

const oakland = { country: 'US', state: 'CA', city: 'Oakland', postcode: '94607' };
/** The location of a rate, down to a level. */
const down = (parts: number) => Object.fromEntries(Object.entries(oakland).slice(0, parts));

/** What shipping the order's classes costs: the winner's id and the amount in cents of each. */
function shipping(rates: ShippingRateRow[], fields: Parameters<typeof order>[0] = {}) {
  return quote(order(fields), compileRates(rates, [])).shipping.map(({ shippingRateId, amount }) => [
    shippingRateId,
    amount,
  ]);
}

describe('shipping', () => {
  it('counts a rate that is only proposed after the stored ones, the first proposed before the second', () => {
    const [stored, first, second] = [12, -1, -2].map((id) => shippingRate({ id, basePrice: '5' }));
    expect(shipping([second!, first!, stored!])).toEqual([[12, 500]]);
    expect(shipping([second!, first!])).toEqual([[-1, 500]]);
  });

  test.each([
    ['any order, by a rate without a location', { basePrice: '5' }, [1, 500]],
    ['BasePrice and PricePerUnit for each unit', { basePrice: '5', pricePerUnit: '1.25' }, [1, 875]],
    ['PricePerUnit alone', { pricePerUnit: '0.3350' }, [1, 101]],
    ['for 0 by a rate without prices', {}, [1, 0]],
    ['to its country', { country: 'US', basePrice: '5' }, [1, 500]],
    ['to its country, spelt otherwise', { country: ' united states', basePrice: '5' }, [1, 500]],
    ['not to another country', { country: 'CA', basePrice: '5' }, [null, 0]],
    ['to its state in any case, trimmed', { country: 'US', state: ' ca ', basePrice: '5' }, [1, 500]],
    ['not to another state', { country: 'US', state: 'NY', basePrice: '5' }, [null, 0]],
    ['not to the state of that code in another country', { country: 'AR', state: 'CA', basePrice: '5' }, [null, 0]],
    ['to its city', { ...down(2), city: 'OAKLAND', basePrice: '5' }, [1, 500]],
    ['not to another city', { ...down(2), city: 'Berkeley', basePrice: '5' }, [null, 0]],
    ['to its postcode', { ...oakland, basePrice: '5' }, [1, 500]],
    ['not to another postcode', { ...oakland, postcode: '94608', basePrice: '5' }, [null, 0]],
    ['not by prefixes and asterisks, which are for taxes', { ...oakland, postcode: '946*', basePrice: '5' }, [null, 0]],
    ['not to any city by an asterisk', { ...down(2), city: '*', basePrice: '5' }, [null, 0]],
    ['where what is blank does not restrict', { country: 'US', state: '', city: ' ', basePrice: '5' }, [1, 500]],
    ['at exactly MinUnits', { minUnits: 3, basePrice: '5' }, [1, 500]],
    ['not below MinUnits', { minUnits: 4, basePrice: '5' }, [null, 0]],
    ['at exactly MinSubtotal', { minSubtotal: '100', basePrice: '5' }, [1, 500]],
    ['not below MinSubtotal', { minSubtotal: '100.0001', basePrice: '5' }, [null, 0]],
    ['at exactly MinCycles', { minCycles: 3, basePrice: '5' }, [1, 500]],
    ['not below MinCycles', { minCycles: 4, basePrice: '5' }, [null, 0]],
    ['not another class', { shippingClass: 'bulky', basePrice: '5' }, [null, 0]],
    ['by a class that is blank, which is none', { shippingClass: ' ', basePrice: '5' }, [1, 500]],
  ])('ships %s', (_, rate, expected) => {
    const items = [item({ price: '20', quantity: 2 }), item({ price: '60' })];
    expect(shipping([shippingRate(rate)], { cycles: 3, items })).toEqual([expected]);
  });

  it('compares MinSubtotal in the currency of the order', () => {
    const rates = [shippingRate({ basePrice: '5', minSubtotal: '100' })];
    expect(shipping(rates, { currencyIso: 'JPY', items: [item({ price: '100' })] })).toEqual([[1, 5]]);
    expect(shipping(rates, { currencyIso: 'JPY', items: [item({ price: '99' })] })).toEqual([[null, 0]]);
    expect(shipping(rates, { currencyIso: 'KWD', items: [item({ price: '100' })] })).toEqual([[1, 5000]]);
    expect(shipping(rates, { currencyIso: 'KWD', items: [item({ price: '99.99' })] })).toEqual([[null, 0]]);
  });

  it('goes by the most specific level first, then by price', () => {
    const levels = [
      shippingRate({ id: 1, basePrice: '5' }),
      shippingRate({ id: 2, ...down(1), basePrice: '6' }),
      shippingRate({ id: 3, ...down(2), basePrice: '7' }),
      shippingRate({ id: 4, ...down(3), basePrice: '8' }),
      shippingRate({ id: 5, ...down(4), basePrice: '9' }),
    ];
    expect(shipping(levels)).toEqual([[5, 900]]);
    expect(shipping(levels, { shippingPostcode: '94608' })).toEqual([[4, 800]]);
    expect(shipping(levels, { shippingPostcode: null })).toEqual([[4, 800]]);
    expect(shipping(levels, { shippingCity: 'Berkeley' })).toEqual([[3, 700]]);
    expect(shipping(levels, { shippingState: 'NV' })).toEqual([[2, 600]]);
    expect(shipping(levels, { shippingCountry: 'Canada' })).toEqual([[1, 500]]);
    expect(shipping(levels, { shippingCountry: null })).toEqual([[1, 500]]);
  });

  test.each([
    ['a state rate of 9.00 beats a country rate of 5.00', [down(2), down(1)], ['9', '5'], [1, 900]],
    ['two rates of one level, 9.00 and 7.00', [down(1), down(1)], ['9', '7'], [2, 700]],
    ['two rates of one level, 7.00 and 9.00', [down(1), down(1)], ['7', '9'], [1, 700]],
    ['of equal ones the lowest id', [down(1), down(1)], ['7', '7'], [1, 700]],
  ])('%s', (_, [one, two], [first, second], expected) => {
    const rates = [
      shippingRate({ id: 1, ...one, basePrice: first! }),
      shippingRate({ id: 2, ...two, basePrice: second! }),
    ];
    expect(shipping(rates)).toEqual([expected]);
    expect(shipping(rates.reverse())).toEqual([expected]);
  });

  it('falls back to a less specific level when the thresholds of the more specific one are not reached', () => {
    const rates = [
      shippingRate({ id: 1, ...oakland, basePrice: '1', minUnits: 2 }),
      shippingRate({ id: 2, basePrice: '5' }),
    ];
    expect(shipping(rates)).toEqual([[2, 500]]);
  });

  it('compares what the rates cost for the units of the group', () => {
    const rates = [shippingRate({ id: 1, basePrice: '5' }), shippingRate({ id: 2, pricePerUnit: '2' })];
    expect(shipping(rates, { items: [item({ quantity: 2 })] })).toEqual([[2, 400]]);
    expect(shipping(rates, { items: [item({ quantity: 2 }), item({})] })).toEqual([[1, 500]]);
  });

  it('compares before it rounds', () => {
    const rates = [shippingRate({ id: 1, basePrice: '5.0049' }), shippingRate({ id: 2, basePrice: '5' })];
    expect(shipping(rates)).toEqual([[2, 500]]);
  });

  it('groups by class: two classes whose cheapest are 4 and 6 ship for 10', () => {
    const rates = compileRates(
      [
        shippingRate({ id: 1, shippingClass: 'small', basePrice: '4' }),
        shippingRate({ id: 2, shippingClass: 'small', basePrice: '5' }),
        shippingRate({ id: 3, shippingClass: 'Bulky', basePrice: '4', pricePerUnit: '1' }),
      ],
      [],
    );
    const items = [
      item({}, { shippingClass: 'bulky' }),
      item({}, { shippingClass: 'small' }),
      item({}, { shippingClass: 'BULKY ' }),
    ];
    const { shipping, shippingTotal } = quote(order({ items }), rates);
    expect(shipping.map(({ shippingClass, units, amount }) => [shippingClass, units, amount])).toEqual([
      ['bulky', 2, 600],
      ['small', 1, 400],
    ]);
    expect(shippingTotal).toBe(1000);
  });

  it('counts the units and the subtotal of the whole order for the thresholds, but prices the group', () => {
    const rates = [shippingRate({ minUnits: 3, minSubtotal: '30', pricePerUnit: '1' })];
    const items = [item({}), item({ quantity: 2 }, { shippingClass: 'bulky' })];
    expect(shipping(rates, { items })).toEqual([
      [1, 100],
      [null, 0],
    ]);
  });

  it('leaves unavailable items out of units, subtotal and groups', () => {
    const gone = item({}, { availability: 'SoldOut', shippingClass: 'bulky' });
    expect(shipping([shippingRate({ minUnits: 2 })], { items: [item({}), gone] })).toEqual([[null, 0]]);
    expect(shipping([shippingRate({ minSubtotal: '11' })], { items: [item({}), gone] })).toEqual([[null, 0]]);
    expect(shipping([shippingRate({})], { items: [gone] })).toEqual([]);
  });

  it('rounds each group', () => {
    const rates = [shippingRate({ basePrice: '1.005' }), shippingRate({ shippingClass: 'bulky', basePrice: '1.005' })];
    const items = [item({}), item({}, { shippingClass: 'bulky' })];
    expect(quote(order({ items }), compileRates(rates, [])).shippingTotal).toBe(202);
    expect(quote(order({ items, currencyIso: 'JPY' }), compileRates(rates, [])).shippingTotal).toBe(2);
  });

  it('says why every other rate was passed over', () => {
    const rates = [
      shippingRate({ id: 9, name: 'Winner', ...down(2), basePrice: '7' }),
      shippingRate({ id: 2, name: 'Bulky', shippingClass: 'bulky' }),
      shippingRate({ id: 3, ...down(3), city: 'Berkeley' }),
      shippingRate({ id: 4, country: 'Canada' }),
      shippingRate({ id: 5, ...oakland, minCycles: 2 }),
      shippingRate({ id: 6, ...oakland, minUnits: 3 }),
      shippingRate({ id: 7, ...oakland, minSubtotal: '20.5000' }),
      shippingRate({ id: 8, ...down(1) }),
      shippingRate({ id: 10, ...down(2), basePrice: '7.0050' }),
      shippingRate({ id: 11, ...down(2), basePrice: '6', pricePerUnit: '0.5' }),
      shippingRate({ id: 12 }),
      shippingRate({ id: 13, ...down(3), postcode: '94608' }),
      shippingRate({ id: 14, ...down(1), state: 'NV' }),
    ];
    const [group] = quote(order({ cycles: 1, items: [item({ quantity: 2 })] }), compileRates(rates, [])).shipping;
    expect({ ...group }).toEqual({ shippingClass: null, units: 2, shippingRateId: 9, name: 'Winner', amount: 700 });
    expect(group!.passedOverRates).toEqual([
      { shippingRateId: 2, name: 'Bulky', reason: 'It is for class "bulky", not for items without a shipping class.' },
      { shippingRateId: 3, name: null, reason: 'Its city is "Berkeley", the shipping address has another or none.' },
      { shippingRateId: 4, name: null, reason: 'Its country is "Canada", the shipping address has another or none.' },
      { shippingRateId: 5, name: null, reason: 'Its MinCycles is 2, the order has been processed 1 times.' },
      { shippingRateId: 6, name: null, reason: 'Its MinUnits is 3, the order has 2.' },
      { shippingRateId: 7, name: null, reason: 'Its MinSubtotal is 20.5000, the subtotal is 20.00.' },
      { shippingRateId: 8, name: null, reason: 'A rate for a state goes before one for a country.' },
      { shippingRateId: 10, name: null, reason: 'It costs 7.01, another rate 7.00.' },
      { shippingRateId: 11, name: null, reason: 'It costs the same as the rate with the lower id.' },
      { shippingRateId: 12, name: null, reason: 'A rate for a state goes before one for no location.' },
      { shippingRateId: 13, name: null, reason: 'Its postcode is "94608", the shipping address has another or none.' },
      { shippingRateId: 14, name: null, reason: 'Its state is "NV", the shipping address has another or none.' },
    ]);
  });

  it('says so for a class that no rate ships, too', () => {
    const rates = [shippingRate({ name: 'Plain', shippingClass: '' })];
    const items = [item({}, { shippingClass: 'bulky' })];
    const [group] = quote(order({ items }), compileRates(rates, [])).shipping;
    expect({ ...group }).toEqual({ shippingClass: 'bulky', units: 1, shippingRateId: null, name: null, amount: 0 });
    expect(group!.passedOverRates).toEqual([
      { shippingRateId: 1, name: 'Plain', reason: 'It is for items without a shipping class, not for class "bulky".' },
    ]);
  });
});

describe('the thresholds of cycles', () => {
  it('are ascending, each once; a rate without one is from 0 on', () => {
    const rates = [{ minCycles: 12 }, { minCycles: 3 }, {}, { minCycles: 12, country: 'DE' }, { minCycles: 5 }];
    expect(
      minCyclesOf(
        compileRates(
          rates.map((rate) => shippingRate(rate)),
          [],
        ),
      ),
    ).toEqual([0, 3, 5, 12]);
    expect(minCyclesOf(compileRates([], []))).toEqual([]);
  });
});
