import { cellsOf, decimalCell, textCell } from './cells.js';

it('finds cells by name, whatever the order, case and spacing', () => {
  const cells = cellsOf(['name', 'ID', 'Name'])([' Hoodie ', '45', 'twin']);
  expect([cells('Name'), cells('id'), cells('SKU')]).toEqual(['Hoodie', '45', undefined]);
});

it('takes off the apostrophe that guards a spreadsheet from formulas, and no other', () => {
  const cells = cellsOf(['a', 'b', 'c', 'd', 'e'])(["'-3", "'=1+1", "'tis", "'@home", "' ＝1 "]);
  expect(['a', 'b', 'c', 'd', 'e'].map(cells)).toEqual(['-3', '=1+1', "'tis", '@home', '＝1']);
});

it.each([
  ['', null],
  ['45', '45'],
  ['45.00', '45'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['+1.50', '1.5'],
  ['007', '7'],
  ['0.0000', '0'],
  ['99999999999.9999', '99999999999.9999'],
  ['1.00000000', '1'],
])('reads the decimal "%s" as %s', (cell, value) => {
  expect(decimalCell('Price', cell, 4)).toBe(value);
});

it.each([
  ['-1', 'Price "-1" is negative'],
  ['1,50', 'Price "1,50" is not a decimal number such as 12.50'],
  ['1e3', 'Price "1e3" is not a decimal number such as 12.50'],
  ['.', 'Price "." is not a decimal number such as 12.50'],
  ['+', 'Price "+" is not a decimal number such as 12.50'],
  ['$5', 'Price "$5" is not a decimal number such as 12.50'],
  ['100000000000', 'Price "100000000000" is too large'],
  ['1.00001', 'Price "1.00001" has more than 4 decimal places'],
])('refuses the decimal "%s"', (cell, reason) => {
  expect(() => decimalCell('Price', cell, 4)).toThrow(reason);
});

it('bounds texts', () => {
  expect(textCell('SKU', '')).toBeNull();
  expect(textCell('SKU', 'x'.repeat(255))).toHaveLength(255);
  expect(() => textCell('SKU', 'x'.repeat(256))).toThrow('SKU has 256 characters, more than 255');
});
