import { type Destination, destinationOf } from '../places/places.js';

/** Whether prices have tax in them. */
export const PRICES = ['Net', 'Gross'] as const;
/** What a price with tax is at an address with other taxes than the shop's home. */
export const GROSS_OUTSIDE = ['Keep', 'RemoveTax', 'Adjust'] as const;
/** Which taxes are on shipping. */
export const SHIPPING_TAX = ['None', 'ByRate', 'Proportional', 'HighestRate'] as const;
/** Where taxes are rounded. */
export const ROUND_TAX = ['Line', 'Total'] as const;

/** How a site's prices are meant, in the names of its entity. Source: decisions.md §8. */
export interface PriceSettings {
  readonly prices: (typeof PRICES)[number];
  readonly homeCountry: string | null;
  readonly homeState: string | null;
  readonly homeCity: string | null;
  readonly homePostcode: string | null;
  readonly grossOutside: (typeof GROSS_OUTSIDE)[number];
  /** `MinSubtotal` of shipping rates is compared with the subtotal and its taxes. */
  readonly minSubtotalGross: boolean;
  readonly shippingPrices: (typeof PRICES)[number];
  readonly shippingTax: (typeof SHIPPING_TAX)[number];
  readonly roundTax: (typeof ROUND_TAX)[number];
}

/** What holds where a site has not said otherwise. */
export const DEFAULT_PRICE_SETTINGS: PriceSettings = {
  prices: 'Net',
  homeCountry: null,
  homeState: null,
  homeCity: null,
  homePostcode: null,
  grossOutside: 'Keep',
  minSubtotalGross: false,
  shippingPrices: 'Net',
  shippingTax: 'None',
  roundTax: 'Line',
};

/** Where the site's own prices hold. */
export const homeAddress = (settings: PriceSettings) => ({
  shippingCountry: settings.homeCountry,
  shippingState: settings.homeState,
  shippingCity: settings.homeCity,
  shippingPostcode: settings.homePostcode,
});

export const homeOf = (settings: PriceSettings): Destination => destinationOf(homeAddress(settings));

/** Whether an order at another address needs the rates of the shop's home as well. */
export const needsHomeRates = ({ prices, shippingPrices, grossOutside }: PriceSettings): boolean =>
  (prices === 'Gross' || shippingPrices === 'Gross') && grossOutside !== 'Keep';

/** Whether there is more to say of an amount than that its taxes come on top of it, rounded. */
export const isMoreThanNet = ({ prices, shippingTax, minSubtotalGross, roundTax }: PriceSettings): boolean =>
  prices === 'Gross' || shippingTax !== 'None' || minSubtotalGross || roundTax === 'Total';
