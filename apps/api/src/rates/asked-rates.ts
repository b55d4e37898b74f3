import type { Searched } from '#libs/records';
import type { Askable } from '../http/query/index.js';

/** Rates are read by their site (`ix_tax_rates_site`, `ix_shipping_rates_site`): no search has an index of its own. */
export const searchedRates = (table: string): Searched => ({
  table,
  whole: [],
  beginnings: ['name', 'country', 'state', 'city', 'postcode'],
});

const askable = (file: string): Askable<null> => ({
  file,
  sorts: ['Id'],
  searched: 'its Id (whole), or how its Name, Country, State, City or Postcode begins, in any case.',
  sought: 'sales',
  parameters: [],
  read: () => null,
});

/** What can be asked of the list of tax rates. */
export const ASKABLE_TAX_RATES = askable('TaxRates');

/** What can be asked of the list of shipping rates. */
export const ASKABLE_SHIPPING_RATES = askable('ShippingRates');
