import { isCountry } from '#libs/rules';
import { type Cells, RowFault, textCell } from './cells.js';

/**
 * The parts of an address in WooCommerce's exports, and the columns that they become. Company and phone have no place
 * here.
 */
const PARTS = [
  ['first_name', 'first_name'],
  ['last_name', 'last_name'],
  ['address_1', 'street1'],
  ['address_2', 'street2'],
  ['city', 'city'],
  ['state', 'state'],
  ['postcode', 'postcode'],
  ['country', 'country'],
] as const;

export type AddressKind = 'billing' | 'shipping';
export type AddressColumns = Readonly<Record<string, string | null>>;

/** The columns of a table for one address, e.g. `billing_first_name`. */
export const addressColumns = (kind: AddressKind): string[] => PARTS.map(([, column]) => `${kind}_${column}`);

/** The columns of the file that `address` reads. */
export const addressCells = (kind: AddressKind): string[] => PARTS.map(([part]) => `${kind}_${part}`);

/** An address of a row. @throws RowFault for a part that is too long. */
export const address = (cells: Cells, kind: AddressKind): AddressColumns =>
  Object.fromEntries(
    PARTS.map(([part, column]) => [`${kind}_${column}`, textCell(`${kind}_${part}`, cells(`${kind}_${part}`) ?? '')]),
  );

/** @param row has the countries among its columns, where the file has them. @throws RowFault for what is no country. */
export function checkCountries(row: Readonly<Record<string, string | number | null>>): void {
  for (const column of ['billing_country', 'shipping_country']) {
    const country = row[column];
    if (typeof country === 'string' && !isCountry(country)) {
      throw new RowFault(
        `${column} "${country}" is no country: it must be an ISO 3166-1 code such as US, or its English name`,
      );
    }
  }
}
