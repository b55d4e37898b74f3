import type { ShippingRateRow, TaxRateRow } from '#libs/rules';
import type { RatesRow } from './rates-row.js';

/**
 * Rates that are calculated without being stored. One with the id of a stored rate is in its place; another has a
 * negative id.
 */
export interface ProposedRates {
  readonly shippingRates: readonly ShippingRateRow[];
  readonly taxRates: readonly TaxRateRow[];
}

export const NOTHING_PROPOSED: ProposedRates = { shippingRates: [], taxRates: [] };

/** A site's rates as they would be read if the proposed ones were stored. */
export const withProposed = (row: RatesRow, { shippingRates, taxRates }: ProposedRates): RatesRow => ({
  ...row,
  hasShippingRates: row.hasShippingRates || shippingRates.length > 0,
  shippingRates: inPlace(row.shippingRates, shippingRates),
  taxRates: inPlace(row.taxRates, taxRates),
});

function inPlace<R extends { readonly id: number }>(stored: readonly R[] | null, proposed: readonly R[]): R[] {
  const ids = new Set(proposed.map(({ id }) => id));
  return [...(stored ?? []).filter(({ id }) => !ids.has(id)), ...proposed];
}
