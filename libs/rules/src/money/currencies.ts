import { data } from 'currency-codes';
import { Rejected } from '../rejected.js';
import { divideRounded, PERCENTAGE_PLACES, PRICE_PLACES } from './decimal.js';

/** How amounts of one currency are rounded. */
export interface Currency {
  readonly iso: string;
  /** Decimal places of its minor unit (ISO 4217). */
  readonly exponent: number;
  /** Amounts are multiples of this number of minor units. */
  readonly step: bigint;
  /** Scaled prices (PRICE_PLACES) per minor unit. */
  readonly scaledPerMinorUnit: bigint;
}

/** Where the library's table and ISO 4217 differ. Reviewed against ISO's list one of 2026. */
const EXCEPTIONS: readonly {
  readonly codes: string;
  readonly exponent: number | undefined;
  readonly reason: string;
}[] = [
  {
    codes: 'XCG',
    exponent: 2,
    reason: 'Caribbean guilder, in ISO 4217 since 2025-03-31 (amendment 176): newer than the library.',
  },
  {
    codes: 'XAD',
    exponent: 2,
    reason: 'Arab accounting dinar, in ISO 4217 since amendment 179: newer than the library.',
  },
  {
    codes: 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX',
    exponent: undefined,
    reason: 'Metals, units of account, test and "no currency": ISO gives them no minor unit, the library says 0.',
  },
];

/** The smallest step of three-decimal currencies that card gateways accept (decisions.md §8). */
const stepOf = (exponent: number): bigint => (exponent === 3 ? 10n : 1n);

const exponents = new Map<string, number | undefined>([
  ...data.map(({ code, digits }) => [code, digits] as const),
  ...EXCEPTIONS.flatMap(({ codes, exponent }) => codes.split(' ').map((code) => [code, exponent] as const)),
]);

const currencies = new Map<string, Currency>();
for (const [iso, exponent] of exponents) {
  if (exponent === undefined) continue;
  const scaledPerMinorUnit = 10n ** BigInt(PRICE_PLACES - exponent);
  currencies.set(iso, { iso, exponent, step: stepOf(exponent), scaledPerMinorUnit });
}

/**
 * Decimal places of a currency's minor unit: USD 2, JPY 0, KWD 3; undefined for an unknown code (codes are upper-case).
 * Source: ISO 4217; decisions.md §1, Integer totals.
 */
export const minorUnitExponent = (currencyIso: string): number | undefined => currencies.get(currencyIso)?.exponent;

/**
 * Codes of the library that are no money any more, and what is in their place. Orders that have them are still
 * processed.
 */
const WITHDRAWN: ReadonlyMap<string, string> = new Map([
  ['ANG', 'XCG'],
  ['BGN', 'EUR'],
  ['CUC', 'CUP'],
]);

/** Why nothing new may be in a currency: a sentence, or null when it may. Source: decisions.md §1, Currency. */
export function currencyFault(currencyIso: string): string | null {
  const successor = WITHDRAWN.get(currencyIso);
  if (successor !== undefined) return `"${currencyIso}" was withdrawn: use ${successor}.`;
  return currencies.has(currencyIso) ? null : `"${currencyIso}" must be an ISO 4217 currency code such as USD.`;
}

/** @throws Rejected for an unknown code. */
export function currencyOf(currencyIso: string): Currency {
  const currency = currencies.get(currencyIso);
  if (currency !== undefined) return currency;
  throw new Rejected([{ field: 'CurrencyIso', message: `"${currencyIso}" is not an ISO 4217 currency code.` }]);
}

/** A scaled price (PRICE_PLACES), rounded half away from zero to the currency's minor unit (decisions.md §8). */
export const roundPrice = ({ step, scaledPerMinorUnit }: Currency, price: bigint): bigint =>
  divideRounded(price, scaledPerMinorUnit * step) * step;

const HUNDRED_PERCENT = 100n * 10n ** BigInt(PERCENTAGE_PLACES);

/** A scaled percentage (PERCENTAGE_PLACES) of an amount in minor units, rounded like a price. */
export const roundPercentage = ({ step }: Currency, minorUnits: bigint, percentage: bigint): bigint =>
  divideRounded(minorUnits * percentage, HUNDRED_PERCENT * step) * step;
