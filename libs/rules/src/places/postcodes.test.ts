import { compileRates, quote } from '../index.js';
import { item, order, taxRate } from '../testing/quotables.js';

/** Whether a rate for a postcode, in any city of any state, taxes an address. */
function matches(country: string, rate: string, address: string): boolean {
  const rates = compileRates([], [taxRate({ country, state: '*', city: '*', postcode: rate, rate: '10' })]);
  const to = { shippingCountry: country, shippingState: null, shippingCity: null, shippingPostcode: address };
  return quote(order({ ...to, items: [item({})] }), rates).taxTotal > 0;
}

describe('an exact postcode', () => {
  test.each([
    ['GB', 'CB23 1GG', 'CB231GG'],
    ['GB', 'cb231gg', ' CB23 1GG '],
    ['IE', 'D02 AF30', 'd02af30'],
    ['PT', '1000-205', '1000205'],
    ['SE', '123 45', '12345'],
    ['SK', '81101', '811 01'],
    ['CZ', '110 00', '11000'],
    ['BR', '01310-100', '01310100'],
    ['JP', '100-0001', '1000001'],
    ['LV', 'LV-1010', '1010'],
    ['LV', '1010', 'LV-1010'],
    ['LV', 'lv 1010', 'LV1010'],
    ['US', '94607-1234', '946071234'],
    ['US', '94607', '94607-1234'],
    ['PR', '00901', '00901-1234'],
    ['AR', 'C1425DKA', 'C1425 DKA'],
  ])('%s %j is that of the address %j', (country, rate, address) => {
    expect(matches(country, rate, address)).toBe(true);
  });

  test.each([
    ['US', '94607-1234', '94607'],
    ['US', '94607-1234', '94607-1235'],
    ['US', '94607', '946071'],
    ['US', '94607', '94607123'],
    ['US', '94607', '9460712345'],
    ['US', '94607', 'x94607-1234'],
    ['DE', '94607', '94607-1234'],
    ['LT', '1010', 'LV-1010'],
    ['LV', '1010', '1011'],
    ['LV', 'LV', 'LV-1010'],
    ['GB', '-', 'CB23 1GG'],
    ['GB', 'CB23 1GG', '-'],
  ])('%s %j is not that of the address %j', (country, rate, address) => {
    expect(matches(country, rate, address)).toBe(false);
  });

  it('of a ZIP+4 goes before its ZIP', () => {
    const rates = ['94607', '94607-1234'].map((postcode, index) =>
      taxRate({ id: index, country: 'US', state: 'CA', city: '*', postcode, rate: String(10 + index), name: 'Tax' }),
    );
    const quoted = quote(order({ shippingPostcode: '94607 1234' }), compileRates([], rates));
    expect(quoted.taxTotal).toBe(110);
  });
});

describe('a postcode that ends in *', () => {
  test.each([
    ['GB', 'CB2*', 'CB21AB'],
    ['GB', 'CB2*', 'CB23 1GG'],
    ['GB', 'CB2 *', 'CB21AB'],
    ['GB', 'cb23 1*', 'CB231GG'],
    ['IE', 'D02 *', 'D02AF30'],
    ['PT', '1000-*', '1000205'],
    ['SE', '123 *', '12345'],
    ['NL', '1234 *', '1234AB'],
    ['BR', '01310-*', '01310100'],
    ['JP', '100-*', '1000001'],
    ['US', '94607-*', '946071234'],
    ['US', '94607*', '94607-1234'],
    ['US', '94607*', '94607'],
    ['LV', 'LV-10*', '1010'],
    ['GR', '105 *', '10558'],
    ['GR', '1055*', '105 58'],
    ['GB', 'CB2*', 'cb2'],
    ['GB', 'AB*', 'ab'],
  ])('%s %j is the beginning of the address %j', (country, rate, address) => {
    expect(matches(country, rate, address)).toBe(true);
  });

  test.each([
    ['GB', 'CB2 *', 'CB231GG'],
    ['GB', 'CB231*', 'CB23 1GG'],
    ['US', '94607-*', '94607'],
    ['LV', '10*', '1010'],
    ['LV', 'LV-*', 'RIGA'],
    ['GB', 'B2*', 'CB2 1AB'],
  ])('%s %j is not the beginning of the address %j', (country, rate, address) => {
    expect(matches(country, rate, address)).toBe(false);
  });
});
