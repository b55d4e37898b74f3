import { comparable, isCountry } from '#libs/rules';
import type { Caller } from './access/caller.js';
import { Rejected } from './errors.js';

/**
 * Taxes depend on the shipping country, so a value that is set on an order or a customer must be a country
 * (decisions.md §1, Countries). A Merchant token may clear it, a Customer token may not (decisions.md §3).
 * @param standing the stored or default value of the record. A request may always send it again.
 * @throws Rejected that names the text that is not a country.
 */
export function assertShippingCountry(caller: Caller, country: string | null, standing: string | null): void {
  if (comparable(country) === comparable(standing) || isCountry(country)) return;
  if (caller.scope === 'Merchant' && comparable(country) === '') return;
  throw notACountry(country);
}

/** The refusal of a text that is not a country, and of an empty one. */
export function notACountry(country: string | null): Rejected {
  const shown = comparable(country) === '' ? 'An empty country' : `"${country}"`;
  const message = `${shown} must be a country: an ISO 3166-1 code such as US, or its English name.`;
  return new Rejected([{ field: 'ShippingCountry', message }]);
}
