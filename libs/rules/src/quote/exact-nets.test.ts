import { exactNets, type PriceSettings, type QuotableOrder, quote, type TaxRateRow } from '../index.js';
import { item, order } from '../testing/quotables.js';
import { site } from '../testing/sites.js';

const GROSS = { prices: 'Gross' } as const;
const netsOf = (
  fields: Partial<QuotableOrder>,
  taxes: readonly Partial<TaxRateRow>[],
  settings: Partial<PriceSettings> = GROSS,
) => {
  const [one, rates] = [order(fields), site(settings, taxes)];
  return exactNets(one, rates, quote(one, rates));
};
const costing = (price: string, quantity = 1) => ({ items: [item({ price, quantity })] });
const simple = (...rates: string[]) => rates.map((rate) => ({ rate }));

describe('The exact net amount', () => {
  test.each([
    ['9.99', 1, simple('19'), '8.394958', 'the facts of a real shop'],
    ['9.99', 3, simple('19'), '25.184874', 'the same of three'],
    ['9.99', 1, simple('20'), '8.325000', 'a rate of 20 %'],
    ['10.03', 1, simple('5', '7'), '8.955357', 'two simple rates'],
    ['11.55', 1, [{ rate: '5' }, { rate: '10', isCompound: true }], '10.000000', 'a compound rate on top'],
    ['9.99', 1, [], '9.990000', 'no tax'],
  ])('of %s × %d at %j is %s: %s', (price, quantity, taxes, expected) => {
    expect(netsOf(costing(price, quantity), taxes)).toEqual([expected]);
  });

  it('of a price that is another elsewhere is of what is paid there', () => {
    const settings = { ...GROSS, homeCountry: 'DE', grossOutside: 'Adjust' } as const;
    const taxes = [
      { country: 'DE', rate: '19' },
      { country: 'FR', rate: '20' },
    ];
    const inFrance = { shippingCountry: 'FR', shippingState: null, shippingCity: null, shippingPostcode: null };
    expect(netsOf({ ...costing('11.90'), ...inFrance }, taxes, settings)).toEqual(['10.000000']);
  });

  it('of an exempt customer’s price is what is paid', () => {
    expect(netsOf({ ...costing('11.90'), taxExempt: true }, simple('19'))).toEqual(['10.000000']);
  });

  it('is in the places of any currency', () => {
    expect(netsOf({ ...costing('120'), currencyIso: 'JPY' }, simple('20'))).toEqual(['100.000000']);
  });

  it.each([
    ['net prices', netsOf(costing('9.99'), simple('19'), {})],
    ['a tax that the shop has fixed', netsOf({ ...costing('9.99'), taxTotal: 100, taxTotalFixed: true }, simple('19'))],
  ])('is not for %s', (_, nets) => {
    expect(nets).toEqual([null]);
  });
});
