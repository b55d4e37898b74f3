import table from 'i18n-iso-countries/index.js';
// The package's main file reads the names in all of its 78 languages.
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };

/**
 * "Congo" is an English name of both Congos in the library's table. ISO 3166-1 calls only CG by it;
 * CD is "Congo (the Democratic Republic of the)".
 */
const NAMES_OF_TWO: ReadonlySet<string> = new Set(['Congo']);

/** English names in common use that neither the library nor Unicode's names have. */
const COMMON_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'Emirates'],
  BN: ['Brunei Darussalam'],
  CD: ['DR Congo', 'DRC', 'Congo, Democratic Republic of the', 'Congo (Kinshasa)'],
  CG: ['Congo', 'Congo, Republic of the', 'Congo (Brazzaville)'],
  CV: ['Cape Verde', 'Cabo Verde'],
  CZ: ['Czech Republic', 'Czechia'],
  FM: ['Federated States of Micronesia'],
  GB: ['Britain', 'Great Britain', 'United Kingdom (UK)'],
  GM: ['The Gambia'],
  BS: ['The Bahamas'],
  HK: ['Hong Kong SAR'],
  KP: ['North Korea'],
  KR: ['South Korea', 'Korea'],
  MK: ['Macedonia', 'North Macedonia'],
  MM: ['Burma'],
  MO: ['Macau', 'Macao SAR'],
  NL: ['Holland', 'The Netherlands'],
  PH: ['The Philippines'],
  PS: ['Palestinian Territory'],
  SX: ['Saint Maarten'],
  SZ: ['Swaziland', 'Eswatini'],
  TL: ['East Timor', 'Timor-Leste'],
  TR: ['Turkiye'],
  UM: ['United States (US) Minor Outlying Islands'],
  US: ['U.S.', 'U.S.A.', 'United States (US)', 'The United States', 'The United States of America'],
  VA: ['Vatican', 'Holy See', 'The Holy See'],
  VG: ['Virgin Islands (British)'],
  VI: ['Virgin Islands (US)', 'US Virgin Islands', 'United States Virgin Islands'],
};

/** Each way of writing a name otherwise; a name is known with and without each of them. */
const REWRITINGS: readonly ((name: string) => string)[] = [
  (name) => name.replaceAll('’', "'"),
  (name) => name.replaceAll("'", '’'),
  (name) => name.replaceAll('&', 'and'),
  (name) => name.replaceAll(' and ', ' & '),
  (name) => name.replace(/\bSt\. /g, 'Saint '),
  (name) => name.replace(/\bSaint /g, 'St. '),
  (name) => name.replaceAll('St. ', 'St '),
  (name) => name.normalize('NFD').replace(/\p{Mark}/gu, ''),
];

const spellings = (name: string): readonly string[] => [
  ...REWRITINGS.reduce((known, rewrite) => new Set([...known, ...[...known].map(rewrite)]), new Set([name])),
];

/** Every English name of every country, with its alpha-2 code. */
export function countryNames(): (readonly [name: string, alpha2: string])[] {
  table.registerLocale(english);
  const unicodeNames = (['long', 'short'] as const).map(
    (style) => new Intl.DisplayNames('en', { type: 'region', style, fallback: 'none' }),
  );
  return Object.entries(table.getNames('en', { select: 'all' })).flatMap(([alpha2, names]) => {
    const official = names.filter((name) => !NAMES_OF_TWO.has(name));
    const unicode = unicodeNames.map((names) => names.of(alpha2)).filter((name) => name !== undefined);
    const all = [...official, ...unicode, ...(COMMON_NAMES[alpha2] ?? [])].flatMap(spellings);
    return [...new Set(all)].map((name) => [name, alpha2] as const);
  });
}
