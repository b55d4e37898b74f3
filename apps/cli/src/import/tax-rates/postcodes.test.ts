import { postcodesOf } from './postcodes.js';

it.each([
  ['', [null]],
  ['*', [null]],
  ['94607', ['94607']],
  ['94607;94608', ['94607', '94608']],
  ['94607; 94608 ;', ['94607', '94608']],
  ['94607;94607', ['94607']],
  ['94607;*', [null]],
  ['CB23*', ['CB23*']],
  ['SW1A 1AA', ['SW1A 1AA']],
  ['90210...90213', ['90210', '90211', '90212', '90213']],
  ['90208...90221', ['90208', '90209', '9021*', '90220', '90221']],
  ['00000...99999', ['*']],
  ['10000...19999', ['1*']],
  ['07...12', ['07', '08', '09', '10', '11', '12']],
  ['500...500', ['500']],
])('"%s" is %j', (cell, postcodes) => {
  expect(postcodesOf(cell)).toEqual(postcodes);
});

it('covers every number of a range and no other', () => {
  const covered = postcodesOf('0137...4205').map((entry) => new RegExp(`^${entry!.replace('*', '\\d+')}$`));
  for (let number = 0; number < 10_000; number++) {
    const text = String(number).padStart(4, '0');
    expect([text, covered.filter((pattern) => pattern.test(text)).length]).toEqual([
      text,
      number >= 137 && number <= 4205 ? 1 : 0,
    ]);
  }
});

it.each([
  ['9*607', 'Postcode / ZIP "9*607" has a * that is not at its end'],
  ['90220...90210', 'Postcode / ZIP "90220...90210" is not a range of numbers of one length'],
  ['9...100', 'Postcode / ZIP "9...100" is not a range of numbers of one length'],
  ['AB1...AB9', 'Postcode / ZIP "AB1...AB9" is not a range of numbers of one length'],
  [Array.from({ length: 5_001 }, (_, index) => index).join(';'), 'Postcode / ZIP names more than 5000 postcodes'],
  ['x'.repeat(256), 'Postcode / ZIP has more than 255 characters'],
])('refuses "%.40s"', (cell, reason) => {
  expect(() => postcodesOf(cell)).toThrow(reason);
});
