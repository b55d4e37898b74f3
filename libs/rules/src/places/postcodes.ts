import { comparable } from '../text.js';

/** Where the parts of a usual postcode meet: `at` characters from its beginning, or (negative) from its end. */
interface Form {
  readonly at: number;
  readonly separator: ' ' | '-';
}

const FORMS: ReadonlyMap<string, Form> = new Map(
  (
    [
      ['ca gb', -3, ' '],
      ['cz se sk', -2, ' '],
      ['ie', 3, ' '],
      ['nl', 4, ' '],
      ['br pl', -3, '-'],
      ['jp', 3, '-'],
      ['pt', 4, '-'],
      ['us as gu mp pr vi', 5, '-'],
    ] as const
  ).flatMap(([countries, at, separator]) =>
    countries.split(' ').map((country) => [country, { at, separator }] as const),
  ),
);

const ZIP_COUNTRIES = new Set('us as gu mp pr vi'.split(' '));
const ZIP_LENGTH = 5;
const ZIP_PLUS_4 = /^\d{9}$/;

/** Without spaces and hyphens; a text of nothing else stays, because a blank postcode would be any. */
function bare(text: string | null): string {
  const compared = comparable(text);
  return compared.replace(/[\s-]/gu, '') || compared;
}

/**
 * The form in which an exact postcode is compared: without spaces, hyphens and Latvia's prefix.
 * @param country comparable. Source: decisions.md §8, Postcodes.
 */
export function comparablePostcode(country: string, text: string | null): string {
  const postcode = bare(text);
  return country === 'lv' ? postcode.replace(/^lv(?=\d)/, '') : postcode;
}

/** The exact postcodes that an address has, the most specific first: a ZIP+4 is in its ZIP. */
export function postcodesOfAddress(country: string, text: string | null): readonly string[] {
  const postcode = comparablePostcode(country, text);
  const isInZip = ZIP_COUNTRIES.has(country) && ZIP_PLUS_4.test(postcode);
  return isInZip ? [postcode, postcode.slice(0, ZIP_LENGTH)] : [postcode];
}

/** A postcode as its country writes it, in lower case: what a postcode that ends in `*` is compared with. */
export function usualPostcode(country: string, text: string | null): string {
  const postcode = comparablePostcode(country, text);
  if (country === 'lv') return /^\d+$/.test(postcode) ? `lv-${postcode}` : postcode;
  const form = FORMS.get(country);
  if (form === undefined) return postcode;
  const at = form.at < 0 ? postcode.length + form.at : form.at;
  return at > 0 && at < postcode.length ? postcode.slice(0, at) + form.separator + postcode.slice(at) : postcode;
}

/**
 * The form in which a rate's postcode is compared. One that ends in `*` keeps its spaces where its country writes any:
 * `CB2 *` is not `CB2*`.
 */
export function comparableRatePostcode(country: string, text: string | null): string {
  const compared = comparable(text);
  if (!compared.endsWith('*')) return comparablePostcode(country, text);
  return country === 'lv' || FORMS.has(country) ? compared : bare(text);
}
