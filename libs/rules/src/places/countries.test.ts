import table from 'i18n-iso-countries';
import { countryCode, isCountry } from '../index.js';
import { comparable } from '../text.js';
import { comparableCountry, countryProblem } from './countries.js';
import { countryNames } from './country-names.js';

describe('countries', () => {
  test.each([
    ['US', 'us'],
    ['usa', 'us'],
    [' United States ', 'us'],
    ['UNITED STATES OF AMERICA', 'us'],
    ['GBR', 'gb'],
    ['United Kingdom', 'gb'],
    ['Deutschland', 'deutschland'],
    ['Germany', 'de'],
    ['Türkiye', 'tr'],
    ['TÜRKIYE', 'tr'],
    ['Turkey', 'tr'],
    ["Côte d'Ivoire", 'ci'],
    ['Congo', 'cg'],
    ['COD', 'cd'],
    ['Democratic Republic of the Congo', 'cd'],
    ['Moldova', 'md'],
    ['Laos', 'la'],
    ['Syria', 'sy'],
    ['Vatican City', 'va'],
    ['Brunei', 'bn'],
    ['Micronesia', 'fm'],
    ['Falkland Islands', 'fk'],
    ['British Virgin Islands', 'vg'],
    ['U.S. Virgin Islands', 'vi'],
    ['US Virgin Islands', 'vi'],
    ['Bosnia & Herzegovina', 'ba'],
    ['St. Lucia', 'lc'],
    ['st lucia', 'lc'],
    ['Saint Vincent & the Grenadines', 'vc'],
    ['Réunion', 're'],
    ['Reunion', 're'],
    ['Curacao', 'cw'],
    ['Turkiye', 'tr'],
    ['Cote d’Ivoire', 'ci'],
    ['São Tomé and Príncipe', 'st'],
    ['Congo - Kinshasa', 'cd'],
    ['DR Congo', 'cd'],
    ['Hong Kong SAR China', 'hk'],
    ['Macau', 'mo'],
    ['Great Britain', 'gb'],
    ['The Netherlands', 'nl'],
    ['South Korea', 'kr'],
    ['Russia', 'ru'],
    ['Vietnam', 'vn'],
    ['Narnia ', 'narnia'],
    ['', ''],
    [' ', ''],
    [null, ''],
  ])('%p is compared as %p', (text, expected) => {
    expect(comparableCountry(text)).toBe(expected);
  });

  test.each(['DE', 'deu', 'Germany', ' germany '])('%p is a country', (text) => {
    expect(isCountry(text)).toBe(true);
  });

  test.each(['Narnia', 'XX', '276', 'Bavaria', '', null])('%p is no country', (text) => {
    expect(isCountry(text)).toBe(false);
  });

  it('have every name that Unicode gives them, and no name of two of them', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    const codes = Object.keys(table.getAlpha2Codes());
    expect(codes.filter((code) => comparableCountry(names.of(code)!) !== code.toLowerCase())).toEqual([]);
    const owners = new Map<string, Set<string>>();
    for (const [name, alpha2] of countryNames())
      owners.set(comparable(name), (owners.get(comparable(name)) ?? new Set()).add(alpha2));
    expect([...owners].filter(([, countries]) => countries.size > 1)).toEqual([]);
  });
});

describe('A shipping country that is stored', () => {
  it.each([null, '', ' ', 'US', 'usa', ' Germany '])('is no problem when it is %j', (country) => {
    expect(countryProblem(country)).toBeNull();
  });

  it.each(['Nowhere', 'Deutschland', 'Bavaria'])('is a problem when it is %j', (country) => {
    expect(countryProblem(country)).toEqual({
      code: 1006,
      name: 'ShippingCountryUnknown',
      message:
        `The ShippingCountry "${country}" is no country, so that taxes and shipping of a country do not apply: ` +
        'change it to an ISO 3166-1 code such as US, or to its English name.',
    });
  });
});

test.each([
  ['us', 'US'],
  [' United States ', 'US'],
  ['GBR', 'GB'],
  [' Atlantis ', 'Atlantis'],
  [null, ''],
])('the code of the country %p is %p', (text, code) => {
  expect(countryCode(text)).toBe(code);
});
