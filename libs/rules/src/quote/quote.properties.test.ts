import Big from 'big.js';
import fc from 'fast-check';
import {
  compileRates,
  decimalOf,
  minorUnitExponent,
  minorUnitsOf,
  type QuotableItem,
  type QuotableOrder,
  quote,
  type ShippingRateRow,
  type TaxRateRow,
} from '../index.js';

/** Few words, so that rates and orders meet often. */
const classes = fc.constantFrom(null, '', 'small', 'Small ', 'bulky');
const countries = fc.constantFrom(null, 'US', 'usa', 'Canada', 'Narnia');
const states = fc.constantFrom('CA', ' ca', 'NY');
const cities = fc.constantFrom('Oakland', 'oakland ', 'Berkeley');
const postcodes = fc.constantFrom('94607', '94608', '9460');
const decimals = (max: number, places: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: max * 10 ** places }).map((scaled) => new Big(scaled).div(10 ** places).toFixed(places));
const prices = fc.oneof(
  decimals(500, 4),
  decimals(50, 0),
  decimals(50, 2),
  fc.constantFrom('1.0050', '0.0050', '0.0049'),
);

/** A location cut off at some level, as the contract requires. */
const locations = (city: fc.Arbitrary<string>, postcode: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.integer({ min: 0, max: 4 }), countries, states, city, postcode)
    .map(([level, ...parts]) => parts.map((part, index) => (index < (parts[0] === null ? 0 : level) ? part : null)))
    .map(([country, state, city, postcode]) => ({
      country: country!,
      state: state!,
      city: city!,
      postcode: postcode!,
    }));

const shippingRates = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 8 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc
        .record({
          id: fc.constant(id),
          shippingClass: classes,
          name: fc.constant(null),
          basePrice: fc.option(prices),
          pricePerUnit: fc.option(prices),
          minUnits: fc.option(fc.integer({ min: 0, max: 6 })),
          minCycles: fc.option(fc.integer({ min: 0, max: 3 })),
          minSubtotal: fc.option(prices),
        })
        .chain((rate) => locations(cities, postcodes).map((location): ShippingRateRow => ({ ...rate, ...location }))),
    ),
  ),
);

const taxRates = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 8 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc
        .record({
          id: fc.constant(id),
          taxClass: classes,
          name: fc.constantFrom(null, 'GST', 'gst', 'PST', 'District tax'),
          rate: fc.option(fc.oneof(decimals(30, 6), decimals(30, 2), decimals(30, 0))),
          isCompound: fc.boolean(),
        })
        .chain((rate) =>
          locations(
            fc.oneof(cities, fc.constant('*')),
            fc.oneof(postcodes, fc.constantFrom('*', '94*', '9460*', '94607*', '95*')),
          ).map((location): TaxRateRow => ({ ...rate, ...location })),
        ),
    ),
  ),
);

const items: fc.Arbitrary<QuotableItem[]> = fc.array(
  fc.record({
    id: fc.constant(1),
    productId: fc.constant(2),
    price: prices,
    salePrice: fc.option(prices),
    quantity: fc.integer({ min: 1, max: 4 }),
    product: fc.record({
      shippingClass: classes,
      taxClass: classes,
      availability: fc.constantFrom(null, 'InStock', 'SoldOut'),
      stockLevel: fc.constant(null),
      deletedUtc: fc.constantFrom(null, null, null, '2026-01-01T00:00:00Z'),
    }),
  }),
  { maxLength: 4 },
);

const orders: fc.Arbitrary<QuotableOrder> = fc.record({
  currencyIso: fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
  cycles: fc.integer({ min: 0, max: 4 }),
  shippingCountry: countries,
  shippingState: fc.option(states),
  shippingCity: fc.option(cities),
  shippingPostcode: fc.option(postcodes),
  shippingTotal: fc.nat(5000),
  taxTotal: fc.nat(5000),
  shippingTotalFixed: fc.constantFrom(false, false, false, true),
  taxTotalFixed: fc.constantFrom(false, false, false, true),
  items,
});

const plain = (text: string | null): string => (text ?? '').trim().toLowerCase();
const sameCountry = (one: string, other: string | null) =>
  plain(one).replace('usa', 'us') === plain(other).replace('usa', 'us');
const equal = (one: string, other: string | null) => plain(one) === plain(other);
const total = (amounts: Big[]): Big => amounts.reduce((sum, amount) => sum.plus(amount), new Big(0));

/**
 * decisions.md §8 word for word, with a decimal library, over lists: slow and plain. Amounts are decimals of the
 * currency.
 */
function byTheBook(order: QuotableOrder, shippingRates: readonly ShippingRateRow[], taxRates: readonly TaxRateRow[]) {
  const places = order.currencyIso === 'KWD' ? 2 : minorUnitExponent(order.currencyIso)!;
  const round = (amount: Big) => amount.round(places, Big.roundHalfUp);
  const lines = order.items.map((item) => {
    const available = item.product.deletedUtc === null && item.product.availability !== 'SoldOut';
    return {
      item,
      available,
      amount: available ? round(new Big(item.salePrice ?? item.price).times(item.quantity)) : new Big(0),
    };
  });
  const shipped = lines.filter(({ available }) => available);
  const subtotal = total(shipped.map(({ amount }) => amount));
  const units = shipped.reduce((sum, { item }) => sum + item.quantity, 0);

  const shipping = [...new Set(shipped.map(({ item }) => plain(item.product.shippingClass)))].map((shippingClass) => {
    const groupUnits = shipped
      .filter(({ item }) => equal(shippingClass, item.product.shippingClass))
      .reduce((sum, { item }) => sum + item.quantity, 0);
    const cost = (rate: ShippingRateRow) =>
      new Big(rate.basePrice ?? 0).plus(new Big(rate.pricePerUnit ?? 0).times(groupUnits));
    const level = ({ country, state, city, postcode }: ShippingRateRow) =>
      [country, state, city, postcode].filter((part) => part !== null).length;
    const matching = shippingRates
      .filter((rate) => equal(shippingClass, rate.shippingClass))
      .filter((rate) => rate.country === null || sameCountry(rate.country, order.shippingCountry))
      .filter((rate) => rate.state === null || equal(rate.state, order.shippingState))
      .filter((rate) => rate.city === null || equal(rate.city, order.shippingCity))
      .filter((rate) => rate.postcode === null || equal(rate.postcode, order.shippingPostcode))
      .filter((rate) => (rate.minCycles ?? 0) <= order.cycles && (rate.minUnits ?? 0) <= units)
      .filter((rate) => new Big(rate.minSubtotal ?? 0).lte(subtotal));
    const [winner] = matching.sort(
      (one, other) => level(other) - level(one) || cost(one).cmp(cost(other)) || one.id - other.id,
    );
    return { shippingRateId: winner?.id ?? null, amount: winner === undefined ? new Big(0) : round(cost(winner)) };
  });

  const taxes = lines.map(({ item, available, amount }) => {
    if (!available || plain(order.shippingCountry) === '') return [];
    // As Canada writes its postcodes: a space before the last three characters.
    const written =
      plain(order.shippingCountry) === 'canada'
        ? plain(order.shippingPostcode).replace(/(?<=.)(?=.{3}$)/, ' ')
        : plain(order.shippingPostcode);
    const postcodeMatches = (postcode: string) =>
      postcode.endsWith('*')
        ? written.startsWith(plain(postcode).slice(0, -1))
        : equal(postcode, order.shippingPostcode);
    const specificity = ({ country, state, city, postcode }: TaxRateRow) =>
      [
        postcode === null ? 0 : postcode.endsWith('*') ? postcode.length : 1000,
        city === null ? 0 : city === '*' ? 1 : 2,
        state === null ? 0 : 1,
        country === null ? 0 : 1,
      ].reduce((rank, part) => rank * 1001 + part, 0);
    const matching = taxRates
      .filter((rate) => equal(plain(rate.taxClass), item.product.taxClass))
      .filter((rate) => rate.country === null || sameCountry(rate.country, order.shippingCountry))
      .filter((rate) => rate.state === null || equal(rate.state, order.shippingState))
      .filter((rate) => rate.city === null || rate.city === '*' || equal(rate.city, order.shippingCity))
      .filter((rate) => rate.postcode === null || postcodeMatches(rate.postcode))
      .sort((one, other) => specificity(other) - specificity(one) || one.id - other.id);
    const known = matching.filter(
      (rate, index) => index === matching.findIndex(({ name }) => plain(name) === plain(rate.name)),
    );
    const simple = known.filter(({ isCompound }) => !isCompound).sort((one, other) => one.id - other.id);
    const compound = known.filter(({ isCompound }) => isCompound).sort((one, other) => one.id - other.id);
    const calculated: { taxRateId: number; amount: Big }[] = [];
    for (const { id, rate } of simple)
      calculated.push({ taxRateId: id, amount: round(amount.times(rate ?? 0).div(100)) });
    for (const { id, rate } of compound) {
      const base = amount.plus(total(calculated.map((tax) => tax.amount)));
      calculated.push({ taxRateId: id, amount: round(base.times(rate ?? 0).div(100)) });
    }
    return calculated;
  });
  return { subtotal, lines: lines.map(({ amount }) => amount), shipping, taxes };
}

describe('a quote', () => {
  it('is what the rules say, word for word', () => {
    fc.assert(
      fc.property(orders, shippingRates, taxRates, (order, shippingRates, taxRates) => {
        const actual = quote(order, compileRates(shippingRates, taxRates));
        const expected = byTheBook(order, shippingRates, taxRates);
        const exponent = minorUnitExponent(order.currencyIso)!;
        const minor = (amount: Big) => amount.times(10 ** exponent).toNumber();
        const shipping = order.shippingTotalFixed ? [] : expected.shipping;
        const taxes = order.taxTotalFixed ? expected.taxes.map(() => []) : expected.taxes;
        expect({
          lines: actual.lines.map(({ amount }) => amount),
          taxes: actual.lines.map((line) => line.taxes.map(({ taxRateId, amount }) => ({ taxRateId, amount }))),
          shipping: actual.shipping.map(({ shippingRateId, amount }) => ({ shippingRateId, amount })),
          subtotal: actual.subtotal,
          shippingTotal: actual.shippingTotal,
          taxTotal: actual.taxTotal,
          unshipped: actual.problems.some(({ code }) => code === 1002),
        }).toEqual({
          lines: expected.lines.map(minor),
          taxes: taxes.map((line) => line.map(({ taxRateId, amount }) => ({ taxRateId, amount: minor(amount) }))),
          shipping: shipping.map(({ shippingRateId, amount }) => ({ shippingRateId, amount: minor(amount) })),
          subtotal: minor(expected.subtotal),
          shippingTotal: order.shippingTotalFixed
            ? order.shippingTotal
            : minor(total(shipping.map(({ amount }) => amount))),
          taxTotal: order.taxTotalFixed ? order.taxTotal : minor(total(taxes.flat().map(({ amount }) => amount))),
          unshipped: shippingRates.length > 0 && shipping.some(({ shippingRateId }) => shippingRateId === null),
        });
      }),
      { numRuns: 500 },
    );
  });

  it('is never negative, whole, and the sum of its parts', () => {
    fc.assert(
      fc.property(orders, shippingRates, taxRates, (order, shippingRates, taxRates) => {
        const { lines, shipping, subtotal, shippingTotal, taxTotal, total } = quote(
          order,
          compileRates(shippingRates, taxRates),
        );
        const sum = (amounts: number[]) => amounts.reduce((one, other) => one + other, 0);
        expect(
          [subtotal, shippingTotal, taxTotal, total].every((amount) => Number.isSafeInteger(amount) && amount >= 0),
        ).toBe(true);
        expect(total).toBe(subtotal + shippingTotal + taxTotal);
        expect(subtotal).toBe(sum(lines.map(({ amount }) => amount)));
        if (!order.shippingTotalFixed) expect(shippingTotal).toBe(sum(shipping.map(({ amount }) => amount)));
        if (!order.taxTotalFixed)
          expect(taxTotal).toBe(sum(lines.flatMap(({ taxes }) => taxes.map(({ amount }) => amount))));
      }),
    );
  });

  it('does not depend on the order of rates, reasons included', () => {
    const shuffled = <R>(rates: fc.Arbitrary<R[]>) =>
      rates.chain((rates) => fc.tuple(fc.constant(rates), fc.shuffledSubarray(rates, { minLength: rates.length })));
    fc.assert(
      fc.property(orders, shuffled(shippingRates), shuffled(taxRates), (order, shippingRates, taxRates) => {
        const one = quote(order, compileRates(shippingRates[0], taxRates[0]));
        const other = quote(order, compileRates(shippingRates[1], taxRates[1]));
        expect(other).toEqual(one);
        expect(other.shipping.map(({ passedOverRates }) => passedOverRates)).toEqual(
          one.shipping.map(({ passedOverRates }) => passedOverRates),
        );
      }),
    );
  });

  it('scales with its prices where nothing is rounded', () => {
    const tenfold = (price: string | number) => new Big(price).times(10).toFixed(4);
    fc.assert(
      fc.property(orders, shippingRates, (order, shippingRates) => {
        // CLF has four decimal places, as many as a price: its totals without tax are never rounded.
        const unrounded = { ...order, currencyIso: 'CLF', shippingTotalFixed: false, taxTotalFixed: false };
        const items = order.items.map((item) => ({
          ...item,
          price: tenfold(item.price),
          salePrice: item.salePrice === null ? null : tenfold(item.salePrice),
        }));
        const dearRates = shippingRates.map((rate) => ({
          ...rate,
          basePrice: tenfold(rate.basePrice ?? 0),
          pricePerUnit: tenfold(rate.pricePerUnit ?? 0),
          minSubtotal: tenfold(rate.minSubtotal ?? 0),
        }));
        const { total } = quote(unrounded, compileRates(shippingRates, []));
        expect(quote({ ...unrounded, items }, compileRates(dearRates, [])).total).toBe(10 * total);
      }),
    );
  });
});

describe('an amount', () => {
  it('survives the way to a decimal and back', () => {
    const amounts = fc.maxSafeInteger();
    fc.assert(
      fc.property(amounts, fc.constantFrom('USD', 'JPY', 'CLF'), (amount, currencyIso) => {
        expect(minorUnitsOf(decimalOf(amount, currencyIso), currencyIso)).toBe(amount);
      }),
    );
  });

  it('is rounded as a decimal library rounds', () => {
    fc.assert(
      fc.property(
        decimals(100, 4),
        fc.boolean(),
        fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
        (digits, negative, currencyIso) => {
          const amount = negative ? `-${digits}` : digits;
          const places = { USD: 2, JPY: 0, KWD: 2, CLF: 4 }[currencyIso];
          const expected = new Big(amount).round(places, Big.roundHalfUp).times(10 ** minorUnitExponent(currencyIso)!);
          expect(minorUnitsOf(amount, currencyIso) + 0).toBe(expected.toNumber() + 0);
        },
      ),
    );
  });
});
