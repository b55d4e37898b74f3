import table from 'i18n-iso-countries/index.js';
import { comparable } from '../text.js';
import { countryNames } from './country-names.js';

interface Spellings {
  /**
   * The alpha-2 code in lower case of every comparable spelling of a country. A code has precedence over an equal name.
   */
  readonly alpha2: ReadonlyMap<string, string>;
  /** The comparable spellings of every such code. */
  readonly byCode: ReadonlyMap<string, readonly string[]>;
}

let known: Spellings | undefined;

/** Made when a country is first compared: many processes end before. */
const spellings = () => (known ??= makeSpellings());

function makeSpellings(): Spellings {
  const alpha2 = new Map([
    ...countryNames().map(([name, code]) => [comparable(name), comparable(code)] as const),
    ...Object.entries(table.getAlpha2Codes()).flatMap(([two, three]) =>
      [two, three].map((code) => [comparable(code), comparable(two)] as const),
    ),
  ]);
  const byCode = new Map<string, string[]>();
  for (const [spelling, code] of alpha2) byCode.set(code, [...(byCode.get(code) ?? []), spelling]);
  return { alpha2, byCode };
}

/** Whether `text` names a country: ISO 3166-1 alpha-2, alpha-3 or an English name, trimmed, in any case. */
export const isCountry = (text: string | null): boolean => spellings().alpha2.has(comparable(text));

/**
 * The form in which countries are compared: every spelling of one country gives the same text, other text only itself;
 * empty for none. Source: decisions.md §1, Countries.
 */
export function comparableCountry(text: string | null): string {
  const spelling = comparable(text);
  // The rates of a site without rates, which every process has, name none.
  if (spelling === '') return '';
  return spellings().alpha2.get(spelling) ?? spelling;
}

/** The alpha-2 code of a country in any spelling, in upper case; other text as it is, trimmed; empty for none. */
export const countryCode = (text: string | null): string =>
  spellings().alpha2.get(comparable(text))?.toUpperCase() ?? (text ?? '').trim();

/** All comparable texts that name the same country as `text`; for other text only itself. */
export const spellingsOf = (text: string | null): readonly string[] =>
  spellings().byCode.get(comparableCountry(text)) ?? [comparable(text)];

/** A warning of a quote. No cycle fails because of it, so it is not a failure code. Source: decisions.md §12, Quote. */
export const COUNTRY_UNKNOWN = { code: 1006, name: 'ShippingCountryUnknown' } as const;

export type CountryProblem = typeof COUNTRY_UNKNOWN & { readonly message: string };

/**
 * The warning for a stored shipping country that is not a country, so that no rate of a country matches it; null for a
 * country, and for an empty one.
 */
export function countryProblem(shippingCountry: string | null): CountryProblem | null {
  if (comparable(shippingCountry) === '' || isCountry(shippingCountry)) return null;
  const message =
    `The ShippingCountry "${shippingCountry}" is no country, so that taxes and shipping of a country do not apply: ` +
    'change it to an ISO 3166-1 code such as US, or to its English name.';
  return { ...COUNTRY_UNKNOWN, message };
}
