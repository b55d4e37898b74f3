import type { FixedTotal } from '#libs/rules';

/** What an attempt was priced with, as the ledger keeps it beside the amounts: enough to calculate them again. */
export interface PricedWith {
  readonly ratesVersion: number | null;
  readonly pricesMixed: boolean;
  readonly orderCycles: number | null;
  readonly fixedTotals: string | null;
  readonly unitPrices: string | null;
}

/** The same by name. */
export interface PricingOfAttempt {
  /** The site's version of its rates (`rate_versions`). */
  readonly ratesVersion: number;
  /**
   * Prices were changed in the moment of pricing: classes and exemption may be those of another version than the rates.
   */
  readonly pricesMixed: boolean;
  /** How often the order had been processed. */
  readonly cycles: number;
  readonly fixed: readonly FixedTotal[];
  /** Of each item of the Order. Null: the item's amount divided by its quantity. */
  readonly unitPrices: readonly (string | null)[];
}

/** Of an attempt that was not priced, but found. */
export const NOT_PRICED: PricedWith = {
  ratesVersion: null,
  pricesMixed: false,
  orderCycles: null,
  fixedTotals: null,
  unitPrices: null,
};

export const pricedWith = ({ ratesVersion, pricesMixed, cycles, fixed, unitPrices }: PricingOfAttempt): PricedWith => ({
  ratesVersion,
  pricesMixed,
  orderCycles: cycles,
  fixedTotals: fixed.length === 0 ? null : fixed.join(' '),
  unitPrices: unitPrices.every((price) => price === null) ? null : unitPrices.map((price) => price ?? '').join(','),
});

/** @returns null where it is not known: nothing is frozen, or the charge was found and is not what the order costs. */
export function pricingOf({
  ratesVersion,
  pricesMixed,
  orderCycles,
  fixedTotals,
  unitPrices,
}: PricedWith): PricingOfAttempt | null {
  if (ratesVersion === null || orderCycles === null) return null;
  return {
    ratesVersion,
    pricesMixed,
    cycles: orderCycles,
    fixed: (fixedTotals?.split(' ') ?? []) as FixedTotal[],
    unitPrices: unitPrices?.split(',').map((price) => price || null) ?? [],
  };
}
