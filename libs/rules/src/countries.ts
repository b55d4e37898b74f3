// The package's main file reads the names in all of its 78 languages as well.
import table from 'i18n-iso-countries/index.js';
import { COUNTRY_NAMES } from './country-names.js';
import { comparable } from './text.js';

/** Maps every comparable spelling of a country to its alpha-2 code in lower case. A code has precedence over an equal name. */
const ALPHA2_BY_SPELLING: ReadonlyMap<string, string> = new Map([
  ...COUNTRY_NAMES.map(([name, alpha2]) => [comparable(name), comparable(alpha2)] as const),
  ...Object.entries(table.getAlpha2Codes()).flatMap(([alpha2, alpha3]) =>
    [alpha2, alpha3].map((code) => [comparable(code), comparable(alpha2)] as const),
  ),
]);

/** Whether `text` names a country: ISO 3166-1 alpha-2, alpha-3 or an English name, trimmed, in any case. */
export const isCountry = (text: string | null): boolean => ALPHA2_BY_SPELLING.has(comparable(text));

/**
 * The form in which countries are compared: every spelling of one country gives the same text, other text only itself;
 * empty for none. Source: decisions.md §1, Countries.
 */
export function comparableCountry(text: string | null): string {
  const spelling = comparable(text);
  return ALPHA2_BY_SPELLING.get(spelling) ?? spelling;
}

const SPELLINGS = new Map<string, string[]>();
for (const [spelling, alpha2] of ALPHA2_BY_SPELLING)
  SPELLINGS.set(alpha2, [...(SPELLINGS.get(alpha2) ?? []), spelling]);

/** All comparable texts that name the same country as `text`; for other text only itself. */
export const spellingsOf = (text: string | null): readonly string[] =>
  SPELLINGS.get(comparableCountry(text)) ?? [comparable(text)];
