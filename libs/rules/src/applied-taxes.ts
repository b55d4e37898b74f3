import type { Destination } from './places.js';
import { needsHomeRates, type PriceSettings } from './price-settings.js';
import type { CompiledRates, CompiledTaxRate } from './rates.js';
import { NO_TAXES, TaxSet } from './tax-set.js';
import { taxesAt } from './taxes.js';

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
