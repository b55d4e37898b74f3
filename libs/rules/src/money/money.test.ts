import {
  chargedMinorUnits,
  decimalOf,
  isSamePrice,
  minorUnitExponent,
  minorUnitsOf,
  Rejected,
  unscaled,
} from '../index.js';

describe('minorUnitExponent', () => {
  test.each([
    ['USD', 2],
    ['EUR', 2],
    ['MGA', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['UGX', 0],
    ['ISK', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['JOD', 3],
    ['OMR', 3],
    ['TND', 3],
    ['CLF', 4],
    ['XCG', 2],
  ])('%s has %i decimal places', (code, exponent) => {
    expect(minorUnitExponent(code)).toBe(exponent);
  });

  test.each(['XAG', 'XAU', 'XDR', 'XTS', 'XUA', 'XXX', 'usd', 'ABC', '', ' USD', '840', 'toString'])(
    '%p is no currency',
    (code) => {
      expect(minorUnitExponent(code)).toBeUndefined();
    },
  );
});

describe('minorUnitsOf', () => {
  test.each([
    ['1.005', 'USD', 101],
    ['10.235', 'USD', 1024],
    ['10.2349', 'USD', 1023],
    ['0.0050', 'USD', 1],
    ['0.0049', 'USD', 0],
    ['-1.005', 'USD', -101],
    ['-1.0049', 'USD', -100],
    [1.005, 'USD', 101],
    [19.99, 'EUR', 1999],
    ['31.1200', 'USD', 3112],
    ['7', 'USD', 700],
    ['007.50', 'USD', 750],
    ['0.5', 'JPY', 1],
    ['0.4999', 'JPY', 0],
    ['1234', 'JPY', 1234],
    ['1.235', 'KWD', 1240],
    ['1.2349', 'KWD', 1230],
    ['1.23', 'KWD', 1230],
    ['-1.235', 'KWD', -1240],
    ['0.0049', 'KWD', 0],
    ['0.0050', 'KWD', 10],
    ['12.3456', 'CLF', 123456],
    ['1.500000', 'USD', 150],
    ['99999999999.9999', 'USD', 10000000000000],
  ])('%p %s are %i', (amount, currencyIso, expected) => {
    expect(minorUnitsOf(amount, currencyIso)).toBe(expected);
  });

  it('takes the largest exact amount and rejects what is beyond', () => {
    expect(minorUnitsOf('90071992547409.91', 'USD')).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => minorUnitsOf('90071992547409.92', 'USD')).toThrow(
      new Rejected([{ field: 'Amount', message: '90071992547409.92 USD is beyond 9007199254740991 minor units.' }]),
    );
  });

  it('rejects an unknown currency', () => {
    expect(() => minorUnitsOf('1', 'usd')).toThrow(
      new Rejected([{ field: 'CurrencyIso', message: '"usd" is not an ISO 4217 currency code.' }]),
    );
  });

  test.each(['', ' 1', '1.', '.5', '1,5', '1e3', '0x10', 'x1', '1x', '+1', '--1', 'NaN', 1e21, NaN])(
    'is no decimal: %p',
    (amount) => {
      expect(() => minorUnitsOf(amount, 'USD')).toThrow(new RangeError(`"${amount}" is not a decimal.`));
    },
  );

  it('refuses more decimal places than a price has', () => {
    expect(() => minorUnitsOf('1.00001', 'USD')).toThrow(new RangeError('"1.00001" has more than 4 decimal places.'));
    expect(() => minorUnitsOf('1.000010', 'USD')).toThrow(new RangeError('"1.000010" has more than 4 decimal places.'));
  });
});

describe('decimalOf', () => {
  test.each([
    [1050, 'USD', '10.50'],
    [5, 'USD', '0.05'],
    [0, 'USD', '0.00'],
    [-5, 'USD', '-0.05'],
    [-1234, 'USD', '-12.34'],
    [500, 'JPY', '500'],
    [0, 'JPY', '0'],
    [-500, 'JPY', '-500'],
    [1240, 'KWD', '1.240'],
    [12, 'CLF', '0.0012'],
    [Number.MAX_SAFE_INTEGER, 'USD', '90071992547409.91'],
  ])('%i %s is %s', (minorUnits, currencyIso, expected) => {
    expect(decimalOf(minorUnits, currencyIso)).toBe(expected);
  });

  test.each([0.5, NaN, 2 ** 53])('refuses %p', (minorUnits) => {
    expect(() => decimalOf(minorUnits, 'USD')).toThrow(
      new RangeError(`${minorUnits} is no whole number of minor units.`),
    );
  });

  it('rejects an unknown currency', () => {
    expect(() => decimalOf(1, 'XXX')).toThrow('CurrencyIso: "XXX" is not an ISO 4217 currency code.');
  });
});

describe('chargedMinorUnits', () => {
  test.each([
    ['0', 'USD', 0n],
    ['12.5000', 'USD', 1250n],
    ['500', 'JPY', 500n],
    ['1.2350', 'KWD', 1235n],
    ['0.005', 'USD', 1n],
    ['90071992547409929999.99', 'USD', 9007199254740992999999n],
  ])('of %s %s are %p', (sum, currencyIso, expected) => {
    expect(chargedMinorUnits(sum, currencyIso)).toBe(expected);
  });

  it('rejects an unknown currency', () => {
    expect(() => chargedMinorUnits('1', 'XXX')).toThrow('CurrencyIso: "XXX" is not an ISO 4217 currency code.');
  });
});

describe('isSamePrice', () => {
  test.each([
    ['12.5', '12.5000', true],
    ['12', 12, true],
    ['0', '0.0000', true],
    ['99999999999.0001', '99999999999.0002', false],
    ['0', null, false],
    [null, '0', false],
    [null, null, true],
  ])('of %p and %p is %p', (one, other, expected) => {
    expect(isSamePrice(one, other)).toBe(expected);
  });
});

describe('unscaled', () => {
  test.each([
    [1_050_000n, 6, '1.050000'],
    [5n, 4, '0.0005'],
    [0n, 2, '0.00'],
    [-5n, 2, '-0.05'],
    [-12_345n, 2, '-123.45'],
  ])('%s with %i places is %s', (value, places, expected) => {
    expect(unscaled(value, places)).toBe(expected);
  });
});
