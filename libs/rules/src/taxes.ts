import { type Currency, roundPercentage } from './currencies.js';
import type { Decimal } from './decimal.js';
import { type Place, within } from './places.js';
import type { CompiledTaxClass, CompiledTaxRate } from './rates.js';

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
 * The rates that tax a product of one class shipped to `place`: of each name the most specific one, simple taxes first, then compound ones, each in
 * the order of their ids. Without a shipping country there is no tax. Source: decisions.md §8, Tax.
 */
export function taxesAt(taxClass: CompiledTaxClass | undefined, place: Place): CompiledTaxRate[] {
  if (taxClass === undefined || place.parts[0] === '') return [];
  const { byPlace, prefixLengths } = taxClass;
  const byName = new Map<string, CompiledTaxRate>();
  for (const key of keysBySpecificity(place, prefixLengths)) {
    for (const rate of byPlace.get(key) ?? []) {
      if (!byName.has(rate.name)) byName.set(rate.name, rate);
    }
  }
  return [...byName.values()].sort(
    (one, other) => Number(one.isCompound) - Number(other.isCompound) || one.row.id - other.row.id,
  );
}

/** The places to search for rates, the most specific first: the postcode has precedence over the city. */
function keysBySpecificity({ parts, keys }: Place, prefixLengths: readonly number[]): string[] {
  const postcode = parts[3];
  const [, country, state, city] = keys;
  const anyCity = within(state, '*');
  const found = [keys[4], within(anyCity, postcode)];
  for (const length of prefixLengths) {
    const prefix = `${postcode.slice(0, length)}*`;
    found.push(within(city, prefix), within(anyCity, prefix));
  }
  found.push(city, anyCity, state, country, '');
  return found;
}

/**
 * The taxes on a line, each rounded: a simple one on the line, a compound one on the line and all tax before it.
 * Amounts in minor units. Source: decisions.md §8, Tax.
 */
export function taxLine(currency: Currency, line: number, rates: readonly CompiledTaxRate[]): LineTax[] {
  let before = 0;
  return rates.map(({ row, percentage, isCompound }) => {
    const amount = Number(roundPercentage(currency, BigInt(isCompound ? line + before : line), percentage));
    before += amount;
    return { taxRateId: row.id, name: row.name, rate: row.rate ?? 0, amount };
  });
}
