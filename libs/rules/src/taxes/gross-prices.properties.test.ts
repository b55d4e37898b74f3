import Big from 'big.js';
import fc from 'fast-check';
import { ALL_CASES } from '../../../../test/support/all-cases.js';
import {
  compileRates,
  DEFAULT_PRICE_SETTINGS,
  GROSS_OUTSIDE,
  PRICES,
  type PriceSettings,
  type QuotableOrder,
  quote,
  ROUND_TAX,
  SHIPPING_TAX,
  type TaxRateRow,
} from '../index.js';
import { item, order, shippingRate, taxRate } from '../testing/quotables.js';

/** A quarter of them has the same kinds of cases. */
const runs = (all: number) => (ALL_CASES ? all : all / 4);

const prices = fc.oneof(
  fc.integer({ min: 0, max: 20_000 }).map((cents) => (cents / 100).toFixed(2)),
  fc.integer({ min: 0, max: 50_000 }).map((scaled) => (scaled / 10_000).toFixed(4)),
);
const percentages = fc.oneof(
  fc.constantFrom('5', '7', '8.25', '19', '20', '25.5', '0'),
  fc.integer({ min: 0, max: 30_000_000 }).map((scaled) => (scaled / 1_000_000).toFixed(6)),
);
const classes = fc.constantFrom(null, 'reduced', 'books');
const taxRates: fc.Arbitrary<TaxRateRow[]> = fc
  .array(
    fc.record({
      country: fc.constantFrom(null, 'DE', 'FR'),
      taxClass: classes,
      name: fc.constantFrom('VAT', 'Levy', 'Eco'),
      rate: percentages,
      isCompound: fc.boolean(),
      priority: fc.constantFrom(null, 1, 2),
      appliesToShipping: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((rates) => rates.map((rate, index) => taxRate({ id: index + 1, ...rate })));
const settings: fc.Arbitrary<PriceSettings> = fc
  .record({
    prices: fc.constantFrom(...PRICES),
    grossOutside: fc.constantFrom(...GROSS_OUTSIDE),
    minSubtotalGross: fc.boolean(),
    shippingPrices: fc.constantFrom(...PRICES),
    shippingTax: fc.constantFrom(...SHIPPING_TAX),
    roundTax: fc.constantFrom(...ROUND_TAX),
  })
  .map((chosen) => ({ ...DEFAULT_PRICE_SETTINGS, ...chosen, homeCountry: 'DE' }));
const orders: fc.Arbitrary<QuotableOrder> = fc
  .record({
    currencyIso: fc.constantFrom('USD', 'JPY', 'KWD'),
    shippingCountry: fc.constantFrom('DE', 'FR', 'CH', null),
    taxExempt: fc.constantFrom(false, false, true),
    taxTotalFixed: fc.constantFrom(false, false, false, true),
    taxTotal: fc.nat(3_000),
    shippingTotalFixed: fc.constantFrom(false, false, true),
    shippingTotal: fc.nat(3_000),
    items: fc.array(
      fc
        .record({ price: prices, quantity: fc.integer({ min: 1, max: 5 }), taxClass: classes, bulky: fc.boolean() })
        .map(({ taxClass, bulky, ...fields }) => item(fields, { taxClass, shippingClass: bulky ? 'bulky' : null })),
      { maxLength: 6 },
    ),
  })
  .map((fields) => order({ shippingState: null, shippingCity: null, shippingPostcode: null, ...fields }));
const shippingRates = fc
  .tuple(prices, prices)
  .map(([one, other]) => [
    shippingRate({ id: 1, basePrice: one }),
    shippingRate({ id: 2, shippingClass: 'bulky', basePrice: other, minSubtotal: '5' }),
  ]);
const cases = fc.tuple(orders, taxRates, shippingRates, settings);

const sum = (amounts: readonly number[]) => amounts.reduce((one, other) => one + other, 0);
const taxOf = (taxes: readonly { amount: number }[]) => sum(taxes.map(({ amount }) => amount));
const quoteOf = ([bought, taxes, shipping, set]: [
  QuotableOrder,
  TaxRateRow[],
  ReturnType<typeof shippingRate>[],
  PriceSettings,
]) => quote(bought, compileRates(shipping, taxes, true, set));

describe('whatever a site says of its prices, a quote', () => {
  it('adds up: lines, taxes, shipping and total; every amount is whole and not negative', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const [bought] = given;
        const quoted = quoteOf(given);
        const { lines, shipping, steps, subtotal, shippingTotal, taxTotal, total } = quoted;
        const amounts = [subtotal, shippingTotal, taxTotal, total, ...lines.map(({ amount }) => amount)];
        expect(amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0)).toBe(true);
        expect(total).toBe(subtotal + shippingTotal + taxTotal);
        expect(subtotal).toBe(sum(lines.map(({ amount }) => amount)));
        if (!bought.shippingTotalFixed) expect(shippingTotal).toBe(sum(shipping.map(({ amount }) => amount)));
        else expect(shippingTotal).toBe(bought.shippingTotal);
        if (bought.taxTotalFixed) {
          expect(taxTotal).toBe(bought.taxTotal);
          return;
        }
        const shippingTaxes = steps?.shippingTaxes ?? [];
        expect(taxTotal).toBe(sum(lines.map(({ taxes }) => taxOf(taxes))) + taxOf(shippingTaxes));
        if (steps === undefined) return;
        expect(steps.grossSubtotal).toBe(sum(lines.map((line) => line.steps!.gross)));
        for (const { amount, taxes, taxTotal: ofLine, steps: bought } of lines)
          expect([ofLine, bought!.gross]).toEqual([taxOf(taxes), amount + taxOf(taxes)]);
        for (const one of shipping) expect(one.steps!.gross).toBe(one.amount + taxOf(one.steps!.taxes));
        expect([...lines.flatMap(({ taxes }) => taxes), ...shippingTaxes].every(({ amount }) => amount >= 0)).toBe(
          true,
        );
        if (!bought.shippingTotalFixed)
          expect(taxOf(shippingTaxes)).toBe(sum(shipping.map((one) => taxOf(one.steps!.taxes))));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('keeps gross prices where they are kept: net and taxes are the price, in every order and rounding', () => {
    fc.assert(
      fc.property(cases, ([bought, taxes, shipping, set]) => {
        const kept = { ...set, prices: 'Gross', grossOutside: 'Keep' } as const;
        const buyer = { ...bought, taxExempt: false, taxTotalFixed: false };
        const { lines, steps } = quoteOf([buyer, taxes, shipping, kept]);
        const places = { USD: 2, JPY: 0, KWD: 2 }[bought.currencyIso]!;
        const unit = { USD: 100, JPY: 1, KWD: 1000 }[bought.currencyIso]!;
        const exact = bought.items.map(({ price, quantity }) => new Big(price).times(quantity));
        const round = (amount: Big) => amount.round(places, Big.roundHalfUp).times(unit).toNumber();
        if (set.roundTax === 'Line') expect(lines.map((line) => line.steps!.gross)).toEqual(exact.map(round));
        expect(steps!.grossSubtotal).toBe(
          set.roundTax === 'Line'
            ? sum(exact.map(round))
            : round(exact.reduce((one, other) => one.plus(other), new Big(0))),
        );
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('is the same at home, whatever becomes of prices elsewhere', () => {
    fc.assert(
      fc.property(cases, ([bought, taxes, shipping, set]) => {
        const atHome = { ...bought, shippingCountry: 'DE', taxExempt: false };
        const totals = GROSS_OUTSIDE.map((grossOutside) => {
          // Where no rate applies at home either, there is nothing to take out of a price.
          const { subtotal, shippingTotal, taxTotal } = quoteOf([atHome, taxes, shipping, { ...set, grossOutside }]);
          return [subtotal, shippingTotal, taxTotal];
        });
        expect(totals).toEqual([totals[0], totals[0], totals[0]]);
      }),
    );
  });

  it('rounds a total once where taxes are rounded in total, as WooCommerce does: goods, shipping and all their taxes', () => {
    const several = fc.array(fc.tuple(percentages, fc.boolean()), { maxLength: 4 });
    const goods = fc.array(prices, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...PRICES), goods, fc.nat(2_000), several, (listedAs, listed, cents, rates) => {
        const rows = rates.map(([rate, isCompound], id) =>
          taxRate({ id, name: String(id), rate, isCompound, appliesToShipping: true }),
        );
        const set = { ...DEFAULT_PRICE_SETTINGS, prices: listedAs, shippingTax: 'ByRate', roundTax: 'Total' } as const;
        const sent = shippingRate({ id: 1, basePrice: (cents / 100).toFixed(2) });
        const bought = order({ items: listed.map((price) => item({ price })) });
        const ratesThat = (areCompound: boolean) => rates.filter(([, isCompound]) => isCompound === areCompound);
        const simple = ratesThat(false).reduce((all, [rate]) => all.plus(new Big(rate).div(100)), new Big(1));
        const factor = ratesThat(true).reduce((all, [rate]) => all.times(new Big(rate).div(100).plus(1)), simple);
        const added = listed.reduce((all, price) => all.plus(price), new Big(0));
        const ofGoods = listedAs === 'Gross' ? added : added.times(factor);
        const exact = ofGoods.plus(new Big(cents).div(100).times(factor));
        const { total, shippingTotal } = quote(bought, compileRates([sent], rows, true, set));
        expect([total, shippingTotal]).toEqual([exact.round(2, Big.roundHalfUp).times(100).toNumber(), cents]);
      }),
      { numRuns: runs(500) },
    );
  });

  it('leaves net prices of whole cents as they are, in every order and rounding', () => {
    fc.assert(
      fc.property(cases, ([bought, taxes, shipping, set]) => {
        const items = bought.items.map((one) => ({ ...one, price: new Big(one.price).round(0).toFixed(4) }));
        const { lines } = quoteOf([{ ...bought, items }, taxes, shipping, { ...set, prices: 'Net' }]);
        const unit = { USD: 100, JPY: 1, KWD: 1000 }[bought.currencyIso]!;
        expect(lines.map(({ amount }) => amount)).toEqual(
          items.map(({ price, quantity }) => new Big(price).times(quantity).times(unit).toNumber()),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('has the taxes of a decimal library, line by line', () => {
    fc.assert(
      fc.property(prices, fc.array(fc.tuple(percentages, fc.boolean()), { maxLength: 4 }), (price, rates) => {
        const rows = rates.map(([rate, isCompound], id) => taxRate({ id, name: String(id), rate, isCompound }));
        const gross = { ...DEFAULT_PRICE_SETTINGS, prices: 'Gross' } as const;
        const quoted = quote(order({ items: [item({ price })] }), compileRates([], rows, false, gross));
        // A library that rounds results to 60 places, not in fractions: far finer than any tie.
        const { DP } = Big;
        Big.DP = 60;
        const simple = rates.filter(([, isCompound]) => !isCompound).map(([rate]) => new Big(rate).div(100));
        const compound = rates.filter(([, isCompound]) => isCompound).map(([rate]) => new Big(rate).div(100));
        const simpleFactor = simple.reduce((one, other) => one.plus(other), new Big(1));
        const factor = compound.reduce((one, rate) => one.times(rate.plus(1)), simpleFactor);
        const line = new Big(price).round(2, Big.roundHalfUp);
        let before = simpleFactor;
        const expected = simple.map((rate) => line.times(rate).div(factor));
        for (const rate of compound) {
          expected.push(line.times(before).times(rate).div(factor));
          before = before.times(rate.plus(1));
        }
        Big.DP = DP;
        const halfDown = (tax: Big) => tax.minus('0.005').round(2, Big.roundUp).times(100).toNumber() + 0;
        const exactly = (tax: Big) => (tax.lt('0.005') ? 0 : halfDown(tax));
        expect(quoted.lines[0]!.taxes.map(({ amount }) => amount)).toEqual(
          expected.map((tax) => exactly(tax.round(40, Big.roundHalfUp))),
        );
      }),
      { numRuns: runs(1_000) },
    );
  });
});
