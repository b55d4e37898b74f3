import { compileRates, placeKeys } from '../index.js';
import { comparable } from '../text.js';
import { placePart } from './place-keys.js';

const address = (country: string | null, state: string | null, city: string | null, postcode: string | null) => ({
  shippingCountry: country,
  shippingState: state,
  shippingCity: city,
  shippingPostcode: postcode,
});

describe('a part of a place key', () => {
  it('is the same for texts that are compared as equal, whatever letters there are', () => {
    const different: string[] = [];
    for (let code = 1; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      for (const text of [letter, `a${letter}`, `${letter}1`])
        if (comparable(text) !== text && placePart(text) !== placePart(comparable(text))) different.push(text);
    }
    expect(different).toEqual([]);
  });

  test.each([
    [null, ''],
    [' San  José, 2* ', 'sanjos2*'],
    ['МОСКВА', 'москва'],
    ['ΠΕΙΡΑΙΑΣ', 'πειραιασ'],
    ['東京都', '東京都'],
    ['x'.repeat(30), 'x'.repeat(24)],
  ])('of %p is %p', (text, part) => {
    expect(placePart(text)).toBe(part);
  });
});

describe('the place keys of an address', () => {
  it('name every place around it, its state and city or any, its postcode or any prefix of it', () => {
    const keys = placeKeys(address('Canada', 'ON', 'Oro-Medonte', 'L0'));
    const around = (within: string) => ['', 'l0', 'l0*', 'l*', '*'].map((postcode) => within + postcode);
    expect(keys.sort()).toEqual(
      [
        ...['', 'ca', 'can', 'canada', '//', 'on//', '*//'],
        ...['on/oromedonte/', 'on/*/', '*/oromedonte/', '*/*/'].flatMap(around),
      ].sort(),
    );
  });

  it('name the forms in which a postcode may be written', () => {
    expect(placeKeys(address('US', 'CA', null, '94607-1234'))).toEqual(
      expect.arrayContaining(['ca/*/946071234', 'ca/*/94607', 'ca/*/94607*']),
    );
    expect(placeKeys(address('LV', null, null, '1010'))).toEqual(
      expect.arrayContaining(['*/*/1010', '*/*/lv1010', '*/*/lv10*']),
    );
  });

  it('are few however long the address is', () => {
    const long = 'long'.repeat(60);
    expect(placeKeys(address('Narnia', long, long, long)).length).toBeLessThan(120);
    expect(placeKeys(address(null, null, null, null)).sort()).toEqual(
      ['', '//', '*//', ...['/*/', '//', '*//', '*/*/'].flatMap((within) => [within, `${within}*`])]
        .filter((key, index, all) => all.indexOf(key) === index)
        .sort(),
    );
  });
});

describe('rates of which only a part was loaded', () => {
  it('remember whether the site has any shipping rate', () => {
    expect(compileRates([], []).hasShippingRates).toBe(false);
    expect(compileRates([], [], true).hasShippingRates).toBe(true);
  });
});
