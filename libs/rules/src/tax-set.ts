import { PERCENTAGE_PLACES } from './decimal.js';
import type { CompiledTaxRate } from './rates.js';
import { ONE, plus, type Ratio, ratio, times } from './ratio.js';

const WHOLE = 100n * 10n ** BigInt(PERCENTAGE_PLACES);

/** The taxes that are taken of one amount together: simple ones first, then compound ones. */
export class TaxSet {
  #perNet: readonly Ratio[] | undefined;
  #factor: Ratio | undefined;

  constructor(readonly rates: readonly CompiledTaxRate[]) {}

  /** What each tax is of a net amount of 1: (its percentage) × (1, or for a compound one all that is before it). */
  get perNet(): readonly Ratio[] {
    return (this.#perNet ??= perNetOf(this.rates));
  }

  /** Gross per net: (1 + the simple rates) × (1 + each compound one). */
  get factor(): Ratio {
    return (this.#factor ??= this.perNet.reduce(plus, ONE));
  }
}

export const NO_TAXES = new TaxSet([]);

function perNetOf(rates: readonly CompiledTaxRate[]): Ratio[] {
  let before = ONE;
  return rates.map(({ percentage, isCompound }) => {
    const tax = times(isCompound ? before : ONE, ratio(percentage, WHOLE));
    before = plus(before, tax);
    return tax;
  });
}
