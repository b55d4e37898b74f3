/**
 * An exact decimal: text (PostgreSQL's numeric), or a JSON number, which is exact within the contract's bounds
 * (decisions.md §1).
 */
export type Decimal = string | number;

/** Prices and amounts have up to 4 decimal places, a tax rate's percentage up to 6 (decisions.md §1). */
export const PRICE_PLACES = 4;
export const PERCENTAGE_PLACES = 6;

const DECIMAL = /^(-?\d+)(?:\.(\d+))?$/;

/**
 * `value` × 10^`places`, exactly. Missing places are zeros; zeros after the last place are ignored.
 * @throws RangeError when `value` is not a decimal or has more places: such a value should not be in the database.
 */
export function scaled(value: Decimal, places: number): bigint {
  const parts = DECIMAL.exec(String(value));
  if (parts === null) throw new RangeError(`"${value}" is not a decimal.`);
  const [, whole = '', fraction = ''] = parts;
  if (fraction.length <= places) return BigInt(whole + fraction.padEnd(places, '0'));
  if (/[^0]/.test(fraction.slice(places))) throw new RangeError(`"${value}" has more than ${places} decimal places.`);
  return BigInt(whole + fraction.slice(0, places));
}

/** Whether two prices are the same amount; trailing zeros do not matter. Null means no amount, not 0. */
export const isSamePrice = (one: Decimal | null, other: Decimal | null): boolean =>
  one === null || other === null ? one === other : scaled(one, PRICE_PLACES) === scaled(other, PRICE_PLACES);

/** Whether so many units at this price come to exactly `amount`: then the amount says the price. */
export const isPriceOfUnits = (price: Decimal, units: number, amount: Decimal): boolean =>
  scaled(price, PRICE_PLACES) * BigInt(units) === scaled(amount, PRICE_PLACES);

/** The price of each of `units` units that come to `amount`, rounded to the places of a price. */
export function priceOfUnits(amount: Decimal, units: number): string {
  return unscaled(divideRounded(scaled(amount, PRICE_PLACES), BigInt(units)), PRICE_PLACES);
}

/** `value` ÷ 10^`places`, exactly, with all places: 1050000n with 6 → `1.050000`. `places` is above 0. */
export function unscaled(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** `dividend` ÷ `divisor` (above 0), rounded half away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (dividend * 2n + half) / (divisor * 2n);
}
