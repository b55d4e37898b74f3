import { comparable, isCountry } from '#libs/rules';
import type { Caller } from './caller.js';
import { Rejected } from './errors.js';

/**
 * Taxes depend on the shipping country: what is set on an order or a customer must be a country (decisions.md §1, Countries). A Merchant
 * token may clear it, a Customer token may not (decisions.md §3).
 * @param standing what the record has, or would get by default: it may be repeated, whatever it is.
 * @throws Rejected naming the text that is no country.
 */
export function assertShippingCountry(caller: Caller, country: string | null, standing: string | null): void {
  if (comparable(country) === comparable(standing) || isCountry(country)) return;
  if (caller.scope === 'Merchant' && comparable(country) === '') return;
  throw notACountry(country);
}

/** The refusal of what is no country, or of none. */
export function notACountry(country: string | null): Rejected {
  const shown = comparable(country) === '' ? 'An empty country' : `"${country}"`;
  const message = `${shown} must be a country: an ISO 3166-1 code such as US, or its English name.`;
  return new Rejected([{ field: 'ShippingCountry', message }]);
}
