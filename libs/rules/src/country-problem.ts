import { isCountry } from './countries.js';
import { comparable } from './text.js';

/** A warning of a quote. No cycle fails because of it, so it is not a failure code. Source: decisions.md §12, Quote. */
export const COUNTRY_UNKNOWN = { code: 1006, name: 'ShippingCountryUnknown' } as const;

export type CountryProblem = typeof COUNTRY_UNKNOWN & { readonly message: string };

/**
 * The warning for a stored shipping country that is not a country, so that no rate of a country matches it; null for a
 * country, and for an empty one.
 */
export function countryProblem(shippingCountry: string | null): CountryProblem | null {
  if (comparable(shippingCountry) === '' || isCountry(shippingCountry)) return null;
  const message =
    `The ShippingCountry "${shippingCountry}" is no country, so that taxes and shipping of a country do not apply: ` +
    'change it to an ISO 3166-1 code such as US, or to its English name.';
  return { ...COUNTRY_UNKNOWN, message };
}
