import { cellsOf } from '../cells.js';
import { fieldsIn, productRow } from './product-row.js';

/** What a file with these columns and this one row makes of it. */
function read(row: Record<string, string>, virtualShippingClass?: string) {
  const cells = { ID: '7', Type: 'simple', ...row };
  const columns = Object.keys(cells);
  const remarks: string[] = [];
  const reading = { now: new Date('2026-11-27T12:00:00Z'), virtualShippingClass, remarks };
  const product = productRow(fieldsIn(columns), cellsOf(columns)(Object.values(cells)), 3, reading);
  return { ...product, remarks };
}

const product = {
  line: 3,
  external_id: '7',
  parent_id: null,
  parent_sku: null,
  orphan: false,
  type: 'simple',
  remarks: [],
};

it('reads what every export has', () => {
  expect(
    read({
      SKU: 'hoodie',
      Name: 'Hoodie, grey',
      Published: '1',
      'Short description': 'Warm.',
      Description: 'Very warm.\\nReally.',
      'Tax status': 'taxable',
      'Tax class': 'reduced-rate',
      'In stock?': '1',
      Stock: '12',
      'Weight (lbs)': '.5',
      'Length (in)': '10',
      'Width (in)': '',
      'Height (in)': '3',
      'Sale price': '40.00',
      'Regular price': '45',
      'Shipping class': 'bulky',
      Images: 'https://shop.example/a.jpg, https://shop.example/b.jpg',
    }),
  ).toEqual({
    ...product,
    sku: 'hoodie',
    title: 'Hoodie, grey',
    description: 'Very warm.\nReally.',
    tax_class: 'reduced-rate',
    availability: 'InStock',
    stock_level: '12',
    weight: '0.5 lbs',
    length: '10 in',
    width: null,
    height: '3 in',
    price: '45',
    sale_price: '40',
    shipping_class: 'bulky',
    image_url: 'https://shop.example/a.jpg',
  });
});

it('fills no field whose columns the file lacks', () => {
  expect(read({ Name: 'Hoodie' })).toEqual({ ...product, title: 'Hoodie' });
});

it.each([
  [{ 'In stock?': '1' }, 'InStock'],
  [{ 'In stock?': '0' }, 'OutOfStock'],
  [{ 'In stock?': 'backorder' }, 'BackOrder'],
  [{ 'In stock?': '', Stock: '3' }, 'InStock'],
  [{ 'In stock?': '', Stock: '0' }, 'OutOfStock'],
  [{ 'In stock?': '', Stock: "'-2" }, 'OutOfStock'],
  [{ 'In stock?': '', Stock: '0', 'Backorders allowed?': 'notify' }, 'BackOrder'],
  [{ 'In stock?': '', Stock: '' }, 'InStock'],
  [{ 'In stock?': '', Stock: 'parent' }, null],
  [{ 'In stock?': '1', Published: '0' }, 'Unavailable'],
  [{ 'In stock?': '1', Published: '-1' }, 'Unavailable'],
])('%j is %s', (cells, availability) => {
  expect(read(cells)).toMatchObject({ availability });
});

it.each([
  [{ 'Tax class': '' }, null],
  [{ 'Tax class': 'Standard' }, null],
  [{ 'Tax class': 'parent' }, 'parent'],
  [{ 'Tax class': '', 'Tax status': 'none' }, 'not-taxed'],
  [{ 'Tax class': 'reduced-rate', 'Tax status': 'shipping' }, 'not-taxed'],
])('%j has the tax class %s', (cells, taxClass) => {
  expect(read(cells)).toMatchObject({ tax_class: taxClass });
});

it.each([
  ['', '', '40'],
  ['2026-11-27', '2026-11-27', '40'],
  ['2026-11-28', '', null],
  ['', '2026-11-26', null],
  ['2026-11-27 12:00:00', '', '40'],
  ['2026-11-27T12:00:01', '', null],
  ['', '2026-11-27T11:59:59', null],
])('a sale from "%s" to "%s" costs %s at noon of 27 November 2026', (starts, ends, price) => {
  expect(read({ 'Sale price': '40', 'Date sale price starts': starts, 'Date sale price ends': ends })).toMatchObject({
    sale_price: price,
  });
});

it.each([
  ['https://shop.example/a%20b.jpg', 'https://shop.example/a%20b.jpg'],
  ['https://shop.example/a\\,b.jpg, https://shop.example/c.jpg', 'https://shop.example/a,b.jpg'],
  ['', null],
  ['uploads/a.jpg', null],
])('of the images "%s" the first is %s', (cell, url) => {
  expect(read({ Images: cell })).toMatchObject({ image_url: url });
});

it.each([
  ['id:44', { parent_id: '44', parent_sku: null, orphan: true }],
  ['hoodie', { parent_id: null, parent_sku: 'hoodie', orphan: true }],
  ['', { parent_id: null, parent_sku: null, orphan: false }],
])('a variation of "%s"', (cell, parent) => {
  expect(read({ Type: 'variation', Parent: cell })).toMatchObject(parent);
});

it('is no variation because it is grouped', () => {
  expect(read({ Type: 'simple', Parent: 'id:44' })).toMatchObject({ parent_id: null, orphan: false });
});

it.each([
  [{ Description: 'a\\nb\\\\nc' }, 'a\nb\\nc'],
  [{ 'Short description': 'short' }, 'short'],
  [{ Description: '' }, null],
])('%j is described as %j', (cells, description) => {
  expect(read(cells)).toMatchObject({ description });
});

it.each([
  [{ Name: 'x', 'In stock?': '1', Published: '0' }, ['Unpublished']],
  [{ 'Tax status': 'none', 'Tax class': '' }, ['Untaxed']],
  [{ Type: 'simple, virtual', 'Shipping class': '' }, ['Virtual']],
  [{ Description: 'x'.repeat(2_001) }, ['ShortenedDescriptions']],
  [{ Images: 'a.jpg' }, ['ImagesLeftOut']],
  [{ 'Sale price': '1', 'Date sale price ends': '2020-01-01' }, ['SalePricesOutOfDate']],
  [{ 'Sale price': '1', 'Date sale price ends': '2030-01-01' }, ['SalePricesThatEnd']],
])('%.60j leaves something to be said', (cells, remarks) => {
  expect(read(cells).remarks).toEqual(remarks);
});

it('gives virtual products the shipping class that was asked for', () => {
  expect(read({ Type: 'simple, virtual', 'Shipping class': '' }, 'download')).toMatchObject({
    shipping_class: 'download',
    remarks: [],
  });
  expect(read({ Type: 'simple, virtual', 'Shipping class': 'disc' }, 'download')).toMatchObject({
    shipping_class: 'disc',
  });
  expect(read({ Type: 'simple', 'Shipping class': '' }, 'download')).toMatchObject({ shipping_class: null });
});

it.each([
  [{ ID: '' }, 'ID is empty'],
  [{ 'Regular price': 'free' }, 'Regular price "free" is not a decimal number such as 12.50'],
  [{ 'Sale price': '-1' }, 'Sale price "-1" is negative'],
  [{ Name: 'x'.repeat(256) }, 'Name has 256 characters, more than 255'],
  [
    { 'Sale price': '1', 'Date sale price ends': 'soon' },
    'Date sale price ends "soon" is not a date such as 2026-11-27',
  ],
])('refuses %.60j', (cells, reason) => {
  expect(() => read(cells)).toThrow(reason);
});
