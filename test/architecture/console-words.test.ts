import { data } from 'currency-codes';
import { DIFFERENCE_KINDS } from '#libs/ledger';
import { FAILURE_CODES, minorUnitExponent } from '#libs/rules';
import { KINDS } from '../../apps/console/src/difference-kinds.js';
import { minorUnitsText, placesOf, priceText } from '../../apps/console/src/money.js';
import { REASON_CODES, reasonOf } from '../../apps/console/src/reasons.js';

it('the console writes the amounts of every currency as they are charged', () => {
  const codes = [...data.map(({ code }) => code), 'XCG', 'XAD'];
  const charged = codes.filter((code) => minorUnitExponent(code) !== undefined);
  expect(charged.map((code) => [code, placesOf(code)])).toEqual(charged.map((code) => [code, minorUnitExponent(code)]));
  expect(charged.length).toBeGreaterThan(150);
});

it.each([
  [123456, 'USD', '1,234.56'],
  [5, 'USD', '0.05'],
  [0, 'EUR', '0.00'],
  [-150, 'EUR', '−1.50'],
  [1234567, 'JPY', '1,234,567'],
  [1234567, 'KWD', '1,234.567'],
  [9007199254740991, 'USD', '90,071,992,547,409.91'],
])('the console writes %i minor units of %s as %s', (minor, currency, text) => {
  expect(minorUnitsText(minor, currency)).toBe(text);
});

it.each([
  [12.5, 'USD', '12.50'],
  [0.1001, 'USD', '0.1001'],
  [1200, 'JPY', '1,200'],
  [-3, 'KWD', '−3.000'],
  [1234567.89, 'EUR', '1,234,567.89'],
])('the console writes the price %d %s as %s', (price, currency, text) => {
  expect(priceText(price, currency)).toBe(text);
});

it('the console has words for every failure code, under its name', () => {
  const known = Object.values(FAILURE_CODES);
  expect(known.map(({ code }) => reasonOf(code).name)).toEqual(known.map(({ name }) => name));
  // 1006 is a problem of a quote alone: processing does not fail because of it.
  expect(REASON_CODES.filter((code) => !known.some((one) => one.code === code))).toEqual([1006]);
});

it('the console has words for every kind of difference, and knows which of them hold the order', () => {
  const holds = (kinds: Readonly<Record<string, { readonly holds: boolean }>>) =>
    Object.entries(kinds).map(([kind, { holds: isHeld }]) => [kind, isHeld]);
  expect(holds(KINDS)).toEqual(holds(DIFFERENCE_KINDS));
});
