import { PERCENTAGE_PLACES } from '../money/decimal.js';
import { ONE, plus, type Ratio, ratio, times } from '../money/ratio.js';
import type { Destination } from '../places/places.js';
import type { CompiledRates, CompiledTaxRate } from '../rates.js';
import { needsHomeRates, type PriceSettings } from './price-settings.js';
import { taxesAt } from './taxes.js';

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

/**
 * What becomes of an amount: whether it has tax in it, what is taken out of it first, and the taxes that it then has.
 */
export interface AppliedTaxes {
  readonly inPrice: boolean;
  /** Taken out of a price before others come in; null where the price stays. */
  readonly takenOut: TaxSet | null;
  readonly taxes: TaxSet;
}

export type TaxesOfClass = (taxClass: string) => AppliedTaxes;

/** Who buys, and from where. */
export interface Purchase {
  readonly to: Destination;
  readonly isExempt: boolean;
  readonly rates: CompiledRates;
}

export type OfRate = (rate: CompiledTaxRate) => boolean;

/**
 * The taxes of each tax class on prices of one kind. `applies` leaves out rates that are not for such prices.
 * Source: decisions.md §8, Gross prices; Tax exemption.
 */
export function appliedTaxes(
  { to, isExempt, rates }: Purchase,
  prices: PriceSettings['prices'],
  applies: OfRate = () => true,
): TaxesOfClass {
  const { settings, home } = rates;
  const at = (taxClass: string, place: Destination) =>
    new TaxSet(taxesAt(rates.tax.get(taxClass), place).filter(applies));
  const [takesHomeOut, hasAddress] = [needsHomeRates(settings), to.country !== ''];
  return memoized((taxClass) => {
    const local = at(taxClass, to);
    const taxes = isExempt ? NO_TAXES : local;
    if (prices === 'Net') return { inPrice: false, takenOut: null, taxes };
    const isElsewhere = isExempt || settings.grossOutside === 'Adjust' || local.rates.length === 0;
    if (takesHomeOut && hasAddress && isElsewhere) return { inPrice: true, takenOut: at(taxClass, home), taxes };
    return { inPrice: true, takenOut: isExempt ? local : null, taxes };
  });
}

function memoized<V>(valueOf: (key: string) => V): (key: string) => V {
  const values = new Map<string, V>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = valueOf(key);
    values.set(key, value);
    return value;
  };
}
