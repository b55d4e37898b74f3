import { comparable } from '../text.js';
import { comparableCountry } from './countries.js';
import { comparableRatePostcode, postcodesOfAddress, usualPostcode } from './postcodes.js';

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

/** A rate's location in comparable form. */
export interface Place {
  /** Country, state, city, postcode; '' for a missing part. */
  readonly parts: readonly [country: string, state: string, city: string, postcode: string];
  /** One text for the first 0, 1, 2, 3 and 4 parts. Two such texts are equal when all their parts are. */
  readonly keys: readonly [none: string, country: string, state: string, city: string, postcode: string];
}

/** An address in comparable form. */
export interface Destination {
  readonly country: string;
  readonly state: string;
  readonly city: string;
  /** The exact ones that it has, the most specific first. */
  readonly postcodes: readonly string[];
  /** As its country writes it. */
  readonly usualPostcode: string;
  /** Of the places that it lies in, the most specific first. */
  readonly keys: readonly string[];
}

/**
 * The key of a place inside the place of `key`. NUL separates them, because no stored text has one (decisions.md §1).
 */
export const within = (key: string, part: string): string => `${key}\0${part}`;

export function placeOfRate(location: RateLocation): Place {
  const country = comparableCountry(location.country);
  const [state, city] = [comparable(location.state), comparable(location.city)];
  const postcode = comparableRatePostcode(country, location.postcode);
  const inState = within(country, state);
  const inCity = within(inState, city);
  return { parts: [country, state, city, postcode], keys: ['', country, inState, inCity, within(inCity, postcode)] };
}

export function destinationOf(address: ShippingAddress): Destination {
  const country = comparableCountry(address.shippingCountry);
  const [state, city] = [comparable(address.shippingState), comparable(address.shippingCity)];
  const postcodes = postcodesOfAddress(country, address.shippingPostcode);
  const inState = within(country, state);
  const inCity = within(inState, city);
  return {
    country,
    state,
    city,
    postcodes,
    usualPostcode: usualPostcode(country, address.shippingPostcode),
    keys: [...postcodes.map((postcode) => within(inCity, postcode)), inCity, inState, country, ''],
  };
}

/** The most specific part that a place names, as an index into `LEVELS`. */
export const levelOf = ({ parts }: Place): number => parts.findLastIndex((part) => part !== '') + 1;

/** The first part that a place names and a destination has otherwise, as an index into `parts`; -1 for none. */
export function mismatchOf({ parts }: Place, { country, state, city, postcodes }: Destination): number {
  const having = [[country], [state], [city], postcodes];
  return parts.findIndex((named, index) => named !== '' && !having[index]!.includes(named));
}
