import type { QuotableItem, QuotableOrder, QuotableProduct, ShippingRateRow, TaxRateRow } from '../index.js';

const NOWHERE = { country: null, state: null, city: null, postcode: null };

/** A rate of 0 for items without a class, in all places. A test overrides what it is about. */
export const shippingRate = (row: Partial<ShippingRateRow>): ShippingRateRow => ({
  id: 1,
  shippingClass: null,
  name: null,
  basePrice: null,
  pricePerUnit: null,
  minUnits: null,
  minCycles: null,
  minSubtotal: null,
  ...NOWHERE,
  ...row,
});

export const taxRate = (row: Partial<TaxRateRow>): TaxRateRow => ({
  id: 1,
  taxClass: null,
  name: null,
  rate: null,
  isCompound: false,
  ...NOWHERE,
  ...row,
});

/** One available item of product 7, without classes. */
export const item = (fields: Partial<QuotableItem>, product: Partial<QuotableProduct> = {}): QuotableItem => ({
  id: 1,
  productId: 7,
  price: '10.0000',
  salePrice: null,
  quantity: 1,
  ...fields,
  product: { shippingClass: null, taxClass: null, availability: null, stockLevel: null, deletedUtc: null, ...product },
});

/** A new order in US dollars that ships to Oakland, California, with nothing fixed. */
export const order = (fields: Partial<QuotableOrder>): QuotableOrder => ({
  currencyIso: 'USD',
  cycles: 0,
  shippingCountry: 'US',
  shippingState: 'CA',
  shippingCity: 'Oakland',
  shippingPostcode: '94607',
  shippingTotal: 0,
  taxTotal: 0,
  shippingTotalFixed: false,
  taxTotalFixed: false,
  items: [item({})],
  ...fields,
});
