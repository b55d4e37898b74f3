import { comparableCountry } from './countries.js';
import { comparable } from './text.js';

/** Where a rate applies; what is null or blank does not restrict it. */
export interface RateLocation {
  readonly country: string | null;
  readonly state: string | null;
  readonly city: string | null;
  readonly postcode: string | null;
}

/** Where an order ships to, as a scheduled order has it. */
export interface ShippingAddress {
  readonly shippingCountry: string | null;
  readonly shippingState: string | null;
  readonly shippingCity: string | null;
  readonly shippingPostcode: string | null;
}

/** Country, state, city, postcode in comparable form; '' where there is none. */
export type Place = readonly [country: string, state: string, city: string, postcode: string];

/** From the least to the most specific; a rate's level is how many of `Place`'s parts it names. */
export const LEVELS = ['no location', 'country', 'state', 'city', 'postcode'] as const;

export const placeOfRate = ({ country, state, city, postcode }: RateLocation): Place => [
  comparableCountry(country),
  comparable(state),
  comparable(city),
  comparable(postcode),
];

export const placeOfAddress = (address: ShippingAddress): Place => [
  comparableCountry(address.shippingCountry),
  comparable(address.shippingState),
  comparable(address.shippingCity),
  comparable(address.shippingPostcode),
];

/** The most specific part that a place names, as an index into `LEVELS`. */
export const levelOf = (place: Place): number => place.findLastIndex((part) => part !== '') + 1;

/** One text for the first `level` parts of a place. NUL parts them: no stored text has one (decisions.md §1). */
export const placeKey = (place: Place, level: number): string => place.slice(0, level).join('\0');
