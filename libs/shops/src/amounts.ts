import { type Decimal, minorUnitExponent, scaled, unscaled } from '#libs/rules';

/** WooCommerce computes a line's tax of its net with six places, and rounds only then. */
const NET_PLACES = 6;
/** More than any shop answers with. */
const ANSWER_PLACES = 12;

/** With six places, exactly: `29.97` → `29.970000`. */
export const sixPlaces = (amount: Decimal): string => unscaled(scaled(amount, NET_PLACES), NET_PLACES);

/**
 * With the places of its currency: `29.9700` EUR → `29.97`, `500.0000` JPY → `500`. A request may have changed an Order
 * to an amount that has more of them: it has all that it needs.
 */
export function inCurrency(amount: Decimal, currencyIso: string): string {
  const needless = new RegExp(`(\\.\\d{${minorUnitExponent(currencyIso) ?? 2}}\\d*?)0+$`);
  return sixPlaces(amount).replace(needless, '$1').replace(/\.$/, '');
}

/** With the places of answers. */
const minorUnit = (currencyIso: string): bigint => 10n ** BigInt(ANSWER_PLACES - (minorUnitExponent(currencyIso) ?? 2));

/** Whether it is a whole number of minor units. */
export const isWhole = (amount: Decimal, currencyIso: string): boolean =>
  scaled(amount, ANSWER_PLACES) % minorUnit(currencyIso) === 0n;

/** A shop's amount: text, or a JSON number. Null when it is neither. */
export function amountOf(value: unknown): bigint | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  try {
    return scaled(text, ANSWER_PLACES);
  } catch {
    return null;
  }
}

/**
 * Whether a gap between sums of so many amounts can come of rounding each: here to half a minor unit, in the shop to
 * half a unit of what `shown` is, which is larger where it shows no decimals.
 */
export function isRoundingOf(gap: bigint, parts: number, shown: string, currencyIso: string): boolean {
  const unit = minorUnit(currencyIso);
  const shownUnit = 10n ** BigInt(ANSWER_PLACES - (/\.(\d+)$/.exec(shown)?.[1]?.length ?? 0));
  const most = BigInt(parts) * (unit + (shownUnit > unit ? shownUnit : unit));
  return 2n * (gap < 0n ? -gap : gap) <= most;
}

/**
 * How much more than ours a shop's amount is, in minor units, a fraction of one counting as a whole: a shop without
 * decimals, or with decimals for yen, has amounts that are no whole number of ours. 0 only when they are equal.
 */
export function surplusOf(theirs: bigint, ours: Decimal, currencyIso: string): number {
  const unit = minorUnit(currencyIso);
  const surplus = theirs - scaled(ours, ANSWER_PLACES);
  const whole = surplus / unit;
  return Number(surplus % unit === 0n ? whole : surplus < 0n ? whole - 1n : whole + 1n);
}
