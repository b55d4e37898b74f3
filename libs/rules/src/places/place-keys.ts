import { comparableCountry, spellingsOf } from './countries.js';
import type { ShippingAddress } from './places.js';
import { postcodesOfAddress, usualPostcode } from './postcodes.js';

/**
 * Letters besides a to z that are compared without case: Greek and Cyrillic capitals, and the few characters whose
 * lower case is a letter of another alphabet (the Kelvin sign is k in lower case). The database's function `place_key`
 * has the same two texts.
 */
const UPPER = '\u212A\u0130\u2126\u03F4\u03C2ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏҐ';
const LOWER = 'kiωθσαβγδεζηθικλμνξοπρστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюяѐёђѓєѕіїјљњћќѝўџґ';
const FOLDED: ReadonlyMap<string, string> = new Map([...UPPER].map((upper, index) => [upper, LOWER[index]!]));
const FOLDABLE = new RegExp(`[${UPPER}]`, 'g');

/** Everything except digits, asterisks, letters without case, and letters whose case is folded above. */
const LEFT_OUT =
  /[^a-z0-9*\u03B1-\u03C9\u0430-\u045F\u0491\u05D0-\u05EA\u0620-\u064A\u0900-\u0E7F\u3041-\u30FF\u4E00-\u9FFF\uAC00-\uD7A3]/g;

/** The longest part of a key, so that every key fits into an index. */
const LONGEST_PART = 24;

/**
 * A coarse form of a text. Equal texts (`comparable`) have the same form; different texts may have it too. PostgreSQL's
 * `lower` and JavaScript's differ, but both sides calculate this form in the same way (`place_key` in the database), so
 * it never misses a match.
 */
export const placePart = (text: string | null): string =>
  (text ?? '')
    .replace(FOLDABLE, (letter) => FOLDED.get(letter)!)
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(LEFT_OUT, '')
    .slice(0, LONGEST_PART);

/**
 * The keys (`place_key` in the database) of all rates that can match an address: from no location, through every
 * spelling of the country, to each prefix of the postcode. Rates of other places may have the same keys; `quote`
 * decides.
 */
export function placeKeys(address: ShippingAddress): string[] {
  const country = comparableCountry(address.shippingCountry);
  const [state, city] = [address.shippingState, address.shippingCity].map(placePart);
  const usual = usualPostcode(country, address.shippingPostcode);
  const postcodes = new Set([usual, ...postcodesOfAddress(country, address.shippingPostcode)].map(placePart));
  const keys = new Set(['', '//', `${state}//`, '*//', ...spellingsOf(address.shippingCountry).map(placePart)]);
  for (const within of [`${state}/${city}/`, `${state}/*/`, `*/${city}/`, '*/*/']) {
    keys.add(within);
    for (const postcode of postcodes) keys.add(`${within}${postcode}`);
    for (const prefix of prefixesOf(placePart(usual))) keys.add(`${within}${prefix}*`);
  }
  return [...keys];
}

/** From none of the text to all of it, as far as a key has room for one. */
const prefixesOf = (text: string): string[] =>
  Array.from({ length: Math.min(text.length, LONGEST_PART - 1) + 1 }, (_, length) => text.slice(0, length));
