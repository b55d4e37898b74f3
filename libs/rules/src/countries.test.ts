import { comparableCountry } from './countries.js';
import { isCountry } from './index.js';

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
});
