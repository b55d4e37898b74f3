import { comparableCountry } from './countries.js';
import { comparable } from './text.js';

/** Where a rate applies. Parts that are null or blank do not restrict it. */
export interface RateLocation {
  readonly country: string | null;
  readonly state: string | null;
  readonly city: string | null;
  readonly postcode: string | null;
}

/** The shipping place of a scheduled order. */
export interface ShippingAddress {
  readonly shippingCountry: string | null;
  readonly shippingState: string | null;
  readonly shippingCity: string | null;
  readonly shippingPostcode: string | null;
}

/** From the least to the most specific. A rate's level is the number of parts that it names. */
export const LEVELS = ['no location', 'country', 'state', 'city', 'postcode'] as const;

/** An address or a rate's location in comparable form. */
export interface Place {
  /** Country, state, city, postcode; '' for a missing part. */
  readonly parts: readonly [country: string, state: string, city: string, postcode: string];
  /** One text for the first 0, 1, 2, 3 and 4 parts. Two such texts are equal when all their parts are. */
  readonly keys: readonly [none: string, country: string, state: string, city: string, postcode: string];
}

/** The key of a place inside the place of `key`. NUL separates them, because no stored text has one (decisions.md §1). */
export const within = (key: string, part: string): string => `${key}\0${part}`;

export const placeOfRate = ({ country, state, city, postcode }: RateLocation): Place =>
  placeOf(country, state, city, postcode);

export const placeOfAddress = (address: ShippingAddress): Place =>
  placeOf(address.shippingCountry, address.shippingState, address.shippingCity, address.shippingPostcode);

/** The most specific part that a place names, as an index into `LEVELS`. */
export const levelOf = ({ parts }: Place): number => parts.findLastIndex((part) => part !== '') + 1;

function placeOf(country: string | null, state: string | null, city: string | null, postcode: string | null): Place {
  const parts = [comparableCountry(country), comparable(state), comparable(city), comparable(postcode)] as const;
  const inState = within(parts[0], parts[1]);
  const inCity = within(inState, parts[2]);
  return { parts, keys: ['', parts[0], inState, inCity, within(inCity, parts[3])] };
}
