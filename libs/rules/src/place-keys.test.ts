import { compileRates, placeKeys } from './index.js';
import { placePart } from './place-keys.js';
import { comparable } from './text.js';

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
        if (placePart(text) !== placePart(comparable(text))) different.push(text);
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
  it('name every place around it, its city or any, its postcode or any prefix of it', () => {
    const keys = placeKeys(address('Canada', 'ON', 'Oro-Medonte', 'L0'));
    expect(keys.sort()).toEqual(
      [
        ...['', 'ca', 'can', 'canada', '//', 'on//'],
        ...['on/oromedonte/', 'on/oromedonte/l0', 'on/oromedonte/l0*', 'on/oromedonte/l*', 'on/oromedonte/*'],
        ...['on/*/', 'on/*/l0', 'on/*/l0*', 'on/*/l*', 'on/*/*'],
      ].sort(),
    );
  });

  it('are few however long the address is', () => {
    const long = 'long'.repeat(60);
    expect(placeKeys(address('Narnia', long, long, long)).length).toBeLessThan(60);
    expect(placeKeys(address(null, null, null, null)).sort()).toEqual(['', '/*/', '/*/*', '//', '//*']);
  });
});

describe('rates of which only a part was loaded', () => {
  it('remember whether the site has any shipping rate', () => {
    expect(compileRates([], []).hasShippingRates).toBe(false);
    expect(compileRates([], [], true).hasShippingRates).toBe(true);
  });
});
