import { type Currency, roundPercentage } from '../money/currencies.js';
import type { Decimal } from '../money/decimal.js';
import { type Destination, within } from '../places/places.js';
import { compareIds, type CompiledTaxClass, type CompiledTaxRate, type TaxRateRow } from '../rates.js';

/** How a price that is not simply net became what it is; amounts in minor units. */
export interface PriceSteps {
  /** As the prices say. */
  readonly listed: number;
  /** The rates whose tax was taken out of it first. */
  readonly takenOut: readonly TaxRateRow[];
  /** What is paid, with tax. */
  readonly gross: number;
}

/** One tax on one line. */
export interface LineTax {
  readonly taxRateId: number;
  readonly name: string | null;
  /** Percent, as stored. */
  readonly rate: Decimal;
  /** Minor units. */
  readonly amount: number;
}

/**
 * The rates that tax a product of one class at a destination: of each tax the most specific one, simple taxes first,
 * then compound ones, each in the order of their priorities (those without one last) and ids. Without a shipping
 * country there is no tax. Source: decisions.md §8, Tax.
 */
export function taxesAt(taxClass: CompiledTaxClass | undefined, to: Destination): CompiledTaxRate[] {
  if (taxClass === undefined || to.country === '') return [];
  const { byPlace, prefixLengths } = taxClass;
  const byTax = new Map<string, CompiledTaxRate>();
  for (const key of keysBySpecificity(to, prefixLengths)) {
    for (const rate of byPlace.get(key) ?? []) {
      if (!byTax.has(rate.tax)) byTax.set(rate.tax, rate);
    }
  }
  return [...byTax.values()].sort(
    (one, other) =>
      Number(one.isCompound) - Number(other.isCompound) || one.order - other.order || compareIds(one.row, other.row),
  );
}

/**
 * Where to look for rates, the most specific place first: the state before any state; there the postcode decides before
 * the city does. Source: decisions.md §8, Tax.
 */
function keysBySpecificity(to: Destination, prefixLengths: readonly number[]): string[] {
  const prefixes = prefixLengths.map((length) => `${to.usualPostcode.slice(0, length)}*`);
  const inState = (state: string): string[] => {
    const [city, anyCity] = [within(state, to.city), within(state, '*')];
    const postcodes = [...to.postcodes, ...prefixes].flatMap((postcode) => [
      within(city, postcode),
      within(anyCity, postcode),
    ]);
    return [...postcodes, city, anyCity, state];
  };
  const { country } = to;
  return [...inState(within(country, to.state)), ...inState(within(country, '*')), country, ''];
}

/**
 * The taxes on a line, each rounded: a simple one on the line, a compound one on the line and all tax before it.
 * Amounts in minor units. Source: decisions.md §8, Tax.
 */
export function taxLine(currency: Currency, line: number, rates: readonly CompiledTaxRate[]): LineTax[] {
  let before = 0;
  return rates.map((rate) => {
    const { percentage, isCompound } = rate;
    const amount = Number(roundPercentage(currency, BigInt(isCompound ? line + before : line), percentage));
    before += amount;
    return lineTax(rate, amount);
  });
}

export const lineTax = ({ row }: CompiledTaxRate, amount: number): LineTax => ({
  taxRateId: row.id,
  name: row.name,
  rate: row.rate ?? 0,
  amount,
});
