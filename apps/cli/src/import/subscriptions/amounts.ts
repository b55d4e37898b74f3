import { minorUnitExponent } from '#libs/rules';
import { decimalCell, RowFault } from '../cells.js';

/** The shop stores some amounts unrounded. */
const PLACES = 20;
/** Prices have up to 4 decimal places (decisions.md §1). */
const PRICE_PLACES = 4;

const rounded = (dividend: bigint, divisor: bigint): bigint => (dividend * 2n + divisor) / (divisor * 2n);

/** An amount of a cell in minor units, rounded; 0 for an empty cell. @throws RowFault. */
export function amountCell(column: string, cell: string, currencyIso: string): number {
  const [whole = '0', fraction = ''] = (decimalCell(column, cell, PLACES) ?? '0').split('.');
  const scaled = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return Number(rounded(scaled, 10n ** BigInt(PLACES - minorUnitExponent(currencyIso)!)));
}

/**
 * The price of one of `quantity` that together cost `amount` minor units, with up to 4 decimal places.
 * @throws RowFault where no such price comes to the amount.
 */
export function unitPrice(amount: number, quantity: number, currencyIso: string): string {
  const perMinorUnit = 10n ** BigInt(PRICE_PLACES - minorUnitExponent(currencyIso)!);
  const scaled = rounded(BigInt(amount) * perMinorUnit, BigInt(quantity));
  if (rounded(scaled * BigInt(quantity), perMinorUnit) !== BigInt(amount)) {
    throw new RowFault(
      `order_items: no price with ${PRICE_PLACES} decimal places times ${quantity} is ${amount} minor units of ${currencyIso}`,
    );
  }
  const digits = String(scaled).padStart(PRICE_PLACES + 1, '0');
  return `${digits.slice(0, -PRICE_PLACES)}.${digits.slice(-PRICE_PLACES)}`;
}

/** `amount` × `dividend` ÷ `divisor`, rounded. */
export const proportion = (amount: number, dividend: number, divisor: number): number =>
  Number(rounded(BigInt(amount) * BigInt(dividend), BigInt(divisor)));
