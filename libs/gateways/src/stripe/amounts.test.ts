import fc from 'fast-check';
import { minorUnitExponent } from '#libs/rules';
import { isoAmount, STRIPE_CURRENCIES, stripeAmount } from './amounts.js';

/** docs.stripe.com/currencies, "Zero-decimal currencies", without UGX, which its special cases take out again. */
const ZERO_DECIMAL = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
/** The same page, "Three-decimal currencies". */
const THREE_DECIMAL = 'BHD JOD KWD OMR TND'.split(' ');
/** Decimal places of the amounts that Stripe takes. */
const stripePlaces = (currencyIso: string): number =>
  ZERO_DECIMAL.includes(currencyIso) ? 0 : THREE_DECIMAL.includes(currencyIso) ? 3 : 2;

describe('stripeAmount', () => {
  it.each([
    ['USD', 1234, 1234],
    ['JPY', 500, 500],
    ['KWD', 5120, 5120],
    ['ISK', 5, 500],
    ['UGX', 5, 500],
    ['MGA', 500, 5],
  ])('%s %d is %d at Stripe', (currencyIso, amount, expected) => {
    expect(stripeAmount(amount, currencyIso)).toEqual({ amount: expected });
    expect(isoAmount(expected, currencyIso)).toBe(amount);
  });

  it.each([
    ['KWD', 5124],
    ['MGA', 550],
    ['USD', 0],
    ['USD', 0.5],
    ['ISK', Number.MAX_SAFE_INTEGER],
  ])('refuses %s %d: it cannot be expressed', (currencyIso, amount) => {
    expect(stripeAmount(amount, currencyIso)).toEqual({
      refusal: `The payment gateway cannot take exactly this amount of ${currencyIso}.`,
    });
  });

  it.each(['IRR', 'KPW', 'XAU', 'XTS', 'usd', '', 'LYD'])('refuses %s: it is not taken', (currencyIso) => {
    expect(stripeAmount(1000, currencyIso)).toEqual({ refusal: `The payment gateway does not take ${currencyIso}.` });
  });

  it('is the same money as in ISO 4217, for every currency that it takes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STRIPE_CURRENCIES),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (currencyIso, minorUnits) => {
          const units = stripeAmount(Number(minorUnits), currencyIso);
          const isoPlaces = minorUnitExponent(currencyIso)!;
          const scaled = minorUnits * 10n ** BigInt(3 - isoPlaces);
          if ('refusal' in units) {
            const finest = currencyIso === 'MGA' ? 1_000n : 10n;
            return scaled % finest !== 0n;
          }
          return BigInt(units.amount) * 10n ** BigInt(3 - stripePlaces(currencyIso)) === scaled;
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('takes every one of them', () => {
    expect(STRIPE_CURRENCIES.filter((currencyIso) => 'refusal' in stripeAmount(1_000_000, currencyIso))).toEqual([]);
    expect(STRIPE_CURRENCIES).toHaveLength(138);
  });
});
