import type { Searched } from '#libs/records';
import type { Filterable } from '../http/query/index.js';

/** Rates are read by their site (`ix_tax_rates_site`, `ix_shipping_rates_site`): no search has an index of its own. */
export const searchedRates = (table: string): Searched => ({
  table,
  whole: [],
  beginnings: ['name', 'country', 'state', 'city', 'postcode'],
});

const filterable = (file: string): Filterable<null> => ({
  file,
  sorts: ['Id'],
  searched: 'its Id (whole), or how its Name, Country, State, City or Postcode begins, in any case.',
  sought: 'sales',
  parameters: [],
  read: () => null,
});

/** How to filter the list of tax rates. */
export const FILTERABLE_TAX_RATES = filterable('TaxRates');

/** How to filter the list of shipping rates. */
export const FILTERABLE_SHIPPING_RATES = filterable('ShippingRates');
