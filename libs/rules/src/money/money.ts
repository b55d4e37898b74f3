import { Rejected } from '../rejected.js';
import { type Currency, currencyOf, roundPrice } from './currencies.js';
import { type Decimal, divideRounded, PRICE_PLACES, scaled } from './decimal.js';

/**
 * A decimal amount in minor units of `currencyIso`, rounded half away from zero to the minor unit; currencies with
 * three decimals to steps of 10 minor units: `1.005` USD → 101, `1.235` KWD → 1240.
 * @throws Rejected for an unknown currency or an amount beyond 2^53 − 1. Source: decisions.md §8, Rounding.
 */
export function minorUnitsOf(amount: Decimal, currencyIso: string): number {
  const minorUnits = Number(roundPrice(currencyOf(currencyIso), scaled(amount, PRICE_PLACES)));
  if (Number.isSafeInteger(minorUnits)) return minorUnits;
  throw new Rejected([
    { field: 'Amount', message: `${amount} ${currencyIso} is beyond ${Number.MAX_SAFE_INTEGER} minor units.` },
  ]);
}

/**
 * A sum of amounts that were charged, in minor units: any size, and not rounded to the steps that prices have. `12.35`
 * KWD → 12350.
 * @throws Rejected for an unknown currency.
 */
export const chargedMinorUnits = (sum: Decimal, currencyIso: string): bigint =>
  divideRounded(scaled(sum, PRICE_PLACES), currencyOf(currencyIso).scaledPerMinorUnit);

/**
 * An amount in minor units as a decimal with all places of its currency: 1050 USD → `10.50`, 500 JPY → `500`.
 * @throws Rejected for an unknown currency. RangeError when `minorUnits` is no safe integer.
 */
export function decimalOf(minorUnits: number, currencyIso: string): string {
  if (!Number.isSafeInteger(minorUnits)) throw new RangeError(`${minorUnits} is no whole number of minor units.`);
  return formatAmount(currencyOf(currencyIso), minorUnits);
}

/** An amount in minor units with its currency, for sentences: 1050 USD → `10.50 USD`. @throws as `decimalOf`. */
export const shownAmount = (minorUnits: number, currencyIso: string): string =>
  `${decimalOf(minorUnits, currencyIso)} ${currencyIso}`;

/** As `decimalOf`, for a whole number of minor units and a currency at hand. */
export function formatAmount({ exponent }: Currency, minorUnits: number): string {
  const sign = minorUnits < 0 ? '-' : '';
  const digits = String(minorUnits)
    .replace('-', '')
    .padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
