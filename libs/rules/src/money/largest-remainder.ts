import { compare, over, plus, type Ratio, ratio, roundDown, sumOf, times } from './ratio.js';

/**
 * Shares of `total` (a multiple of `step`) that add up to it: each is its exact share rounded down, and what is left
 * goes to those that lost most; of equal ones to the first. Where every weight is 0 the first gets all.
 */
export function largestRemainder(total: bigint, weights: readonly Ratio[], step: bigint): bigint[] {
  const all = sumOf(weights);
  if (all.numerator === 0n) return weights.map((_, index) => (index === 0 ? total : 0n));
  const exact = weights.map((weight) => over(times(ratio(total), weight), all));
  const shares = exact.map((share) => roundDown(share, step));
  let left = total - shares.reduce((sum, share) => sum + share, 0n);
  for (const index of byRemainder(exact, shares)) {
    const given = left < step ? left : step;
    shares[index]! += given;
    left -= given;
  }
  return shares;
}

/** The places of `exact` by what rounding took from each, the most first; of equals the first. */
export function byRemainder(exact: readonly Ratio[], rounded: readonly bigint[]): number[] {
  const lost = exact.map((share, index) => plus(share, ratio(-rounded[index]!)));
  return lost.map((_, index) => index).sort((one, other) => compare(lost[other]!, lost[one]!));
}
