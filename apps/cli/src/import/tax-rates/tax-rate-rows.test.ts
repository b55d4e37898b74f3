import { cellsOf } from '../cells.js';
import { taxRateRows } from './tax-rate-rows.js';

const COLUMNS = [
  'Country code',
  'State code',
  'Postcode / ZIP',
  'City',
  'Rate %',
  'Tax name',
  'Priority',
  'Compound',
  'Shipping',
  'Tax class',
];

const rows = (line: string) => taxRateRows(cellsOf(COLUMNS)(line.split(',')), 7);

const rate = {
  line: 7,
  country: 'US',
  state: 'CA',
  city: null,
  postcode: null,
  tax_class: null,
  name: 'Tax',
  rate: '7.25',
  is_compound: false,
  priority: 1,
  applies_to_shipping: false,
};

it.each([
  ['US,CA,,,7.2500,Tax,1,0,0,', [rate]],
  ['us,ca,*,*,7.25,Tax,,,,standard', [rate]],
  ['*,*,,,7.25,Tax,1,0,0,', [{ ...rate, country: null, state: null }]],
  ['US,CA,94607,OAKLAND,7.25,Tax,1,0,0,', [{ ...rate, city: 'OAKLAND', postcode: '94607' }]],
  ['US,CA,94607,,7.25,Tax,1,0,0,', [{ ...rate, city: '*', postcode: '94607' }]],
  ['US,CA,,OAKLAND,7.25,Tax,1,0,0,', [{ ...rate, city: 'OAKLAND' }]],
  ['US,,94607,,7.25,Tax,1,0,0,', [{ ...rate, state: '*', city: '*', postcode: '94607' }]],
  ['US,*,,OAKLAND,7.25,Tax,1,0,0,', [{ ...rate, state: '*', city: 'OAKLAND' }]],
  [
    'US,CA,94607;94608,OAKLAND;EMERYVILLE,7.25,Tax,1,0,0,',
    ['94607', '94608'].flatMap((postcode) => ['OAKLAND', 'EMERYVILLE'].map((city) => ({ ...rate, city, postcode }))),
  ],
  [
    'CA,QC,,,9.9750,QST,2,1,1,reduced-rate',
    [
      {
        ...rate,
        country: 'CA',
        state: 'QC',
        rate: '9.975',
        name: 'QST',
        priority: 2,
        is_compound: true,
        applies_to_shipping: true,
        tax_class: 'reduced-rate',
      },
    ],
  ],
  [
    'GB,,,,0.0000,,1,0,1,zero-rate',
    [{ ...rate, country: 'GB', state: null, rate: '0', name: null, applies_to_shipping: true, tax_class: 'zero-rate' }],
  ],
])('%s', (line, expected) => {
  expect(rows(line)).toEqual(expected);
});

it.each([
  [',CA,,,7.25,Tax,1,0,0,', 'a state, city or postcode needs its Country code'],
  [',,78266,,19,VAT,1,0,0,', 'a state, city or postcode needs its Country code'],
  ['US,CA,,,,Tax,1,0,0,', 'Rate % is empty'],
  ['US,CA,,,seven,Tax,1,0,0,', 'Rate % "seven" is not a decimal number such as 12.50'],
  ['US,CA,,,-7,Tax,1,0,0,', 'Rate % "-7" is negative'],
  ['US,CA,,,7.1234567,Tax,1,0,0,', 'Rate % "7.1234567" has more than 6 decimal places'],
  ['US,CA,,,7,Tax,first,0,0,', 'Priority "first" is not a whole number'],
  ['US,CA,,,7,Tax,1,maybe,0,', 'Compound "maybe" is neither 1 nor 0'],
  ['US,CA,,,7,Tax,1,0,2,', 'Shipping "2" is neither 1 nor 0'],
])('refuses %s', (line, reason) => {
  expect(() => rows(line)).toThrow(reason);
});
