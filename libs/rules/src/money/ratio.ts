/** An exact fraction; the denominator is above 0. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ratio = (numerator: bigint, denominator = 1n): Ratio => ({ numerator, denominator });

export const ZERO = ratio(0n);
export const ONE = ratio(1n);

export const times = (one: Ratio, other: Ratio): Ratio =>
  ratio(one.numerator * other.numerator, one.denominator * other.denominator);

/** `one` ÷ `other`, which is above 0. */
export const over = (one: Ratio, other: Ratio): Ratio =>
  ratio(one.numerator * other.denominator, one.denominator * other.numerator);

export const plus = (one: Ratio, other: Ratio): Ratio =>
  one.denominator === other.denominator
    ? ratio(one.numerator + other.numerator, one.denominator)
    : ratio(one.numerator * other.denominator + other.numerator * one.denominator, one.denominator * other.denominator);

/** The sum of many; those of one denominator are added first, so that numbers stay short. */
export function sumOf(ratios: readonly Ratio[]): Ratio {
  const numerators = new Map<bigint, bigint>();
  for (const { numerator, denominator } of ratios)
    numerators.set(denominator, (numerators.get(denominator) ?? 0n) + numerator);
  return [...numerators].map(([denominator, numerator]) => ratio(numerator, denominator)).reduce(plus, ZERO);
}

/** Below 0 when `one` is less than `other`, above 0 when it is more. */
export function compare(one: Ratio, other: Ratio): number {
  const difference = one.numerator * other.denominator - other.numerator * one.denominator;
  return difference < 0n ? -1 : Number(difference > 0n);
}

/**
 * The multiple of `step` that is nearest to a ratio of 0 or more; of two that are equally near the one away from zero.
 */
export const roundHalfUp = ({ numerator, denominator }: Ratio, step: bigint): bigint =>
  ((numerator * 2n + denominator * step) / (denominator * step * 2n)) * step;

/** The same; of two that are equally near the one towards zero. */
export const roundHalfDown = ({ numerator, denominator }: Ratio, step: bigint): bigint =>
  ((numerator * 2n + denominator * step - 1n) / (denominator * step * 2n)) * step;

/** The greatest multiple of `step` that is not above a ratio of 0 or more. */
export const roundDown = ({ numerator, denominator }: Ratio, step: bigint): bigint =>
  (numerator / (denominator * step)) * step;
