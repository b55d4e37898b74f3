import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { cli, type Ran, REPORTS_MEMORY, useCli } from './run.js';

const database = useDatabase();
const here = useCli();
const CATALOGUE = join(__dirname, '../../data/woocommerce-products.csv');

const folder = mkdtempSync(join(tmpdir(), 'import-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function file(content: string | Buffer): string {
  const path = join(folder, `${count++}.csv`);
  writeFileSync(path, content);
  return path;
}

const newSite = async () => (await given(database).merchant()).siteId;

const run = (path: string, siteId: number, ...args: string[]) =>
  here(['import:products', path, '--site', String(siteId), ...args], { env: { DATABASE_URL: database.url } });

const result = ({ stdout }: Ran) => JSON.parse(stdout) as Record<string, unknown>;
const counts = (siteId: number, created: number, updated: number, unchanged: number, refused: number) => ({
  SiteId: siteId,
  Read: created + updated + unchanged + refused,
  Created: created,
  Updated: updated,
  Unchanged: unchanged,
  Refused: refused,
});

const products = (siteId: number, columns: string) =>
  database.query(`SELECT ${columns} FROM products WHERE site_id = $1 AND deleted_utc IS NULL ORDER BY id`, [siteId]);

it("takes a shop's catalogue; a second run changes nothing", async () => {
  const siteId = await newSite();
  const first = await run(CATALOGUE, siteId);
  expect(first).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ ...counts(siteId, 22, 0, 0, 0), NotCarriedOver: { Categories: 16 }, Remarks: { Virtual: 2 } })}\n`,
    stderr: `2 virtual without a shipping class: shipping rates without a class apply to them too (see --virtual-shipping-class)
not imported, by column and rows: Categories (16)
`,
  });
  const before = await products(siteId, '*');
  const second = await run(CATALOGUE, siteId);
  expect({ code: second.code, ...result(second) }).toMatchObject({ code: 0, ...counts(siteId, 0, 0, 22, 0) });
  expect(await products(siteId, '*')).toEqual(before);
});

it('maps every column that has a place', async () => {
  const siteId = await newSite();
  await run(CATALOGUE, siteId);
  const [hoodie] = await database.query("SELECT * FROM products WHERE site_id = $1 AND external_id = '79'", [siteId]);
  expect(hoodie).toEqual({
    id: expect.any(String),
    site_id: String(siteId),
    external_id: '79',
    availability: 'InStock',
    stock_level: null,
    type: 'variation',
    sku: 'woo-hoodie-red',
    title: 'Hoodie - Red, No',
    description: null,
    unsellable: null,
    asked_utc: null,
    price: '45.0000',
    sale_price: '42.0000',
    // Its measures are its parent's: the export leaves them empty.
    length: '10 in',
    width: '8 in',
    height: '3 in',
    weight: '1.5 lbs',
    shipping_class: null,
    tax_class: null,
    image_url: null,
    image_thumb_url: null,
    created_utc: expect.any(Date),
    updated_utc: expect.any(Date),
    deleted_utc: null,
    json: expect.objectContaining({ Title: 'Hoodie - Red, No' }),
  });
});

it('updates what differs, and only that', async () => {
  const siteId = await newSite();
  await run(file('ID,Name,Regular price,SKU\n1,Tea,5,tea\n2,Coffee,7,coffee\n'), siteId);
  const [tea] = await products(siteId, 'updated_utc');
  const ran = await run(
    file('SKU,Regular price,Name,ID\ntea,5.00,Tea,1\ncoffee,7.5,Coffee,2\nmate,3,Mate,3\n'),
    siteId,
  );
  expect(result(ran)).toMatchObject(counts(siteId, 1, 1, 1, 0));
  expect(await products(siteId, 'title, price')).toEqual([
    { title: 'Tea', price: '5.0000' },
    { title: 'Coffee', price: '7.5000' },
    { title: 'Mate', price: '3.0000' },
  ]);
  expect((await products(siteId, 'updated_utc'))[0]).toEqual(tea);
});

it('leaves alone what the file has no column for, and empties what it has an empty cell for', async () => {
  const siteId = await newSite();
  await given(database).product(siteId, {
    externalId: '1',
    title: 'Tea',
    sku: 'tea',
    taxClass: 'reduced-rate',
    price: '5',
  });
  const ran = await run(file('ID,SKU,Stock\n1,,8\n'), siteId);
  expect(result(ran)).toMatchObject(counts(siteId, 0, 1, 0, 0));
  expect(await products(siteId, 'title, sku, tax_class, price, stock_level, availability')).toEqual([
    { title: 'Tea', sku: null, tax_class: 'reduced-rate', price: '5.0000', stock_level: '8', availability: 'InStock' },
  ]);
});

it("touches no other site's products, and creates a deleted one again", async () => {
  const [siteId, otherId] = [await newSite(), await newSite()];
  await given(database).product(otherId, { externalId: '1', title: 'Theirs' });
  await given(database).product(siteId, { externalId: '1', title: 'Gone', deletedUtc: new Date() });
  expect(result(await run(file('ID,Name\n1,Ours\n'), siteId))).toMatchObject(counts(siteId, 1, 0, 0, 0));
  expect(await products(siteId, 'title')).toEqual([{ title: 'Ours' }]);
  expect(await products(otherId, 'title')).toEqual([{ title: 'Theirs' }]);
});

it('takes a byte-order mark, CRLF, quoted commas and line feeds, other orders and further columns', async () => {
  const siteId = await newSite();
  const text = [
    '\uFEFFAttribute 1 name,"Name",Meta: _x,id,Position',
    'Colour,"Tea, ""green""","{""a"":1}",1,0',
    ',"Two\r\nlines",,2,3',
    '',
  ].join('\r\n');
  const ran = await run(file(text), siteId);
  expect(result(ran)).toEqual({
    ...counts(siteId, 2, 0, 0, 0),
    NotCarriedOver: { 'Attribute 1 name': 1, 'Meta: _x': 1, Position: 1 },
    Remarks: {},
  });
  expect(await products(siteId, 'external_id, title')).toEqual([
    { external_id: '1', title: 'Tea, "green"' },
    { external_id: '2', title: 'Two\r\nlines' },
  ]);
});

it('understands an export in German', async () => {
  const siteId = await newSite();
  const text = `ID,Typ,Artikelnummer,Name,Veröffentlicht,Ist hervorgehoben?,Beschreibung,Steuerstatus,Steuerklasse,Vorrätig?,Gewicht (kg),Angebotspreis,Regulärer Preis,Versandklasse,Übergeordnetes Produkt
7,variable,tee,Tee,1,0,Grün,taxable,reduced-rate,1,.2,,5.00,brief,
8,variation,,Tee – lose,1,0,,taxable,parent,0,,,6.00,,id:7
9,simple,kanne,Kanne,0,0,,none,,1,,,20,,
`;
  const ran = await run(file(text), siteId);
  expect({ code: ran.code, ...result(ran) }).toEqual({
    code: 0,
    ...counts(siteId, 3, 0, 0, 0),
    NotCarriedOver: {},
    Remarks: { Unpublished: 1, Untaxed: 1 },
  });
  expect(
    await products(siteId, 'external_id, sku, title, description, price, weight, availability, tax_class'),
  ).toEqual([
    {
      external_id: '7',
      sku: 'tee',
      title: 'Tee',
      description: 'Grün',
      price: '5.0000',
      weight: '0.2 kg',
      availability: 'InStock',
      tax_class: 'reduced-rate',
    },
    {
      external_id: '8',
      sku: 'tee',
      title: 'Tee – lose',
      description: 'Grün',
      price: '6.0000',
      weight: '0.2 kg',
      availability: 'OutOfStock',
      tax_class: 'reduced-rate',
    },
    {
      external_id: '9',
      sku: 'kanne',
      title: 'Kanne',
      description: null,
      price: '20.0000',
      weight: null,
      availability: 'Unavailable',
      tax_class: 'not-taxed',
    },
  ]);
});

it('refuses an export in a language that it does not understand, and takes nothing of it', async () => {
  const siteId = await newSite();
  const path = file('ID,Type,SKU,Naam,Gepubliceerd,Reguliere prijs\n1,simple,thee,Thee,1,5\n');
  expect(await run(path, siteId)).toEqual({
    code: 65,
    stdout: '',
    stderr: `${path} is not a WooCommerce product export: its first line has no column "Name", "Published", "Tax status", "In stock?", "Regular price", but "Naam", "Gepubliceerd", "Reguliere prijs", which are unknown. The import supports English, German, French and Spanish: export it in one of these, or remove the unknown columns.\n`,
  });
  expect(await products(siteId, 'id')).toEqual([]);
});

describe('a variation', () => {
  const HEAD = 'ID,Type,SKU,Name,Published,Tax class,In stock?,Stock,Shipping class,Images,Parent';
  const PARENT = '10,variable,tee,Tee,1,reduced-rate,0,4,bulky,https://x.example/tee.jpg,';
  const columns = 'external_id, sku, tax_class, availability, stock_level, shipping_class, image_url';

  it('takes from its parent what it leaves to it, wherever the parent stands in the file', async () => {
    const siteId = await newSite();
    const rows = [
      '11,variation,tee-s,Tee S,1,parent,1,parent,,,id:10',
      PARENT,
      '12,variation,,Tee M,1,,1,7,small,https://x.example/m.jpg,tee',
      '13,variation,tee-l,Tee L,1,zero-rate,,parent,,,TEE',
    ];
    const ran = await run(file([HEAD, ...rows].join('\n')), siteId);
    expect(result(ran)).toMatchObject({ ...counts(siteId, 4, 0, 0, 0), Remarks: { VariationsWithoutParent: 1 } });
    expect(await products(siteId, columns)).toEqual([
      {
        external_id: '11',
        sku: 'tee-s',
        tax_class: 'reduced-rate',
        availability: 'InStock',
        stock_level: '4',
        shipping_class: 'bulky',
        image_url: 'https://x.example/tee.jpg',
      },
      expect.objectContaining({ external_id: '10', availability: 'OutOfStock' }),
      {
        external_id: '12',
        sku: 'tee',
        // An empty tax class is WooCommerce's standard one, not the parent's.
        tax_class: null,
        availability: 'InStock',
        stock_level: '7',
        shipping_class: 'small',
        image_url: 'https://x.example/m.jpg',
      },
      {
        external_id: '13',
        sku: 'tee-l',
        tax_class: 'zero-rate',
        availability: null,
        stock_level: null,
        shipping_class: null,
        image_url: null,
      },
    ]);
  });

  it('finds its parent among the products that are stored already', async () => {
    const siteId = await newSite();
    await run(file([HEAD, PARENT].join('\n')), siteId);
    const ran = await run(file([HEAD, '11,variation,tee-s,Tee S,1,parent,,parent,,,tee'].join('\n')), siteId);
    expect(result(ran)).toMatchObject({ ...counts(siteId, 1, 0, 0, 0), Remarks: {} });
    expect((await products(siteId, columns))[1]).toEqual({
      external_id: '11',
      sku: 'tee-s',
      tax_class: 'reduced-rate',
      availability: 'OutOfStock',
      stock_level: '4',
      shipping_class: 'bulky',
      image_url: 'https://x.example/tee.jpg',
    });
  });

  it('is not for sale while its parent is a draft', async () => {
    const siteId = await newSite();
    await run(
      file([HEAD, PARENT.replace(',1,reduced', ',-1,reduced'), '11,variation,,Tee S,1,,1,,,,id:10'].join('\n')),
      siteId,
    );
    expect(await products(siteId, 'external_id, availability')).toEqual([
      { external_id: '10', availability: 'Unavailable' },
      { external_id: '11', availability: 'Unavailable' },
    ]);
  });
});

it('names bad rows by line and reason, takes the others, and exits with 65', async () => {
  const siteId = await newSite();
  const text = `ID,Name,Regular price
1,Tea,5
2,"Cof
fee",free
,Nameless,1
3,Mate
1,Tea again,6
4,Cocoa,-1
5,Milk,2
6,"Open,3
7,Lost,4
`;
  expect(await run(file(text), siteId)).toEqual({
    code: 65,
    stdout: `${JSON.stringify({ ...counts(siteId, 2, 0, 0, 6), NotCarriedOver: {}, Remarks: {} })}\n`,
    stderr: `line 3: Regular price "free" is not a decimal number such as 12.50
line 5: ID is empty
line 6: 2 cells where the first line has 3
line 8: Regular price "-1" is negative
line 10: a quotation mark opens here or later and never closes; nothing from here on was read
line 7: the same ID as line 2, which is imported
6 refused
`,
  });
  expect(await products(siteId, 'title')).toEqual([{ title: 'Tea' }, { title: 'Milk' }]);
});

it('counts what it cannot carry over and says it', async () => {
  const siteId = await newSite();
  const text = `ID,Name,Published,Description,Tax status,Tax class,In stock?,Sale price,Date sale price ends,Images
1,Tea,0,${'x'.repeat(2_001)},none,,1,1,2020-01-01,tea.jpg
2,Coffee,-1,,taxable,,1,1,2999-01-01,
`;
  const ran = await run(file(text), siteId);
  expect(ran).toMatchObject({
    code: 0,
    stderr: `1 descriptions shortened to 2,000 characters
1 sale prices left out: not valid today
2 not published in the shop: imported as Unavailable, so that they are not sold
1 not taxable: imported with the tax class not-taxed, which no tax rate should have
1 images left out: not a web address
1 sale prices have an end date: import again after it, because a product here keeps its price
`,
  });
});

it('gives virtual products a shipping class of their own where one is asked for', async () => {
  const siteId = await newSite();
  const ran = await run(CATALOGUE, siteId, '--virtual-shipping-class', 'download');
  expect(result(ran)).toMatchObject({ Remarks: {} });
  expect(
    await database.query(
      "SELECT external_id FROM products WHERE site_id = $1 AND shipping_class = 'download' ORDER BY id",
      [siteId],
    ),
  ).toEqual([{ external_id: '73' }, { external_id: '75' }]);
});

describe('a file that is none', () => {
  it.each([
    [
      'of another kind',
      'Country code,Rate %\nDE,19\n',
      65,
      'is not a WooCommerce product export: its first line has no column "ID".',
    ],
    [
      'with other separators',
      'ID;Name\n1;Tea\n',
      65,
      'is not a WooCommerce product export: its first line has no column "ID". Its columns are not separated by commas.',
    ],
    ['that says nothing of products', 'ID,Colour\n1,red\n', 65, 'has no column of a product besides its ID.'],
    ['without a line', '', 65, 'is empty.'],
    [
      'of pixels',
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      65,
      'is not UTF-8 text: save it as "CSV UTF-8".',
    ],
  ])('is refused: %s', async (_, content, code, reason) => {
    const path = file(content);
    expect(await run(path, await newSite())).toEqual({ code, stdout: '', stderr: `${path} ${reason}\n` });
  });

  it('is refused where it is missing', async () => {
    expect(await run('none.csv', await newSite())).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no file none.csv.\n',
    });
  });
});

it.each([
  ['999999999', 1, 'There is no site with the id 999999999.'],
  ['one', 64, "option '--site <id>' argument 'one' is invalid. It is not an id such as 1."],
])('needs a site: %s', async (site, code, sentence) => {
  const ran = await cli(['import:products', CATALOGUE, '--site', site], { env: { DATABASE_URL: database.url } });
  expect(ran).toEqual({ code, stdout: '', stderr: `${sentence}\n` });
});

/** Few rows are long ones: if the import held all of them at once, they would not go into that memory either. */
const [ROWS, LINES_OF_A_ROW] = ALL_CASES ? [100_000, 15] : [20_000, 60];

itInAllCases(`takes ${ROWS} rows in under 200 MB of memory`, async () => {
  const siteId = await newSite();
  const path = join(folder, 'large.csv');
  const to = createWriteStream(path);
  to.write('ID,Type,SKU,Name,Description,Tax class,In stock?,Regular price,Parent\r\n');
  const description = 'A long, ""quoted"" description.\r\n'.repeat(LINES_OF_A_ROW);
  for (let id = 1; id <= ROWS; id++) {
    const isVariation = id % 4 !== 0;
    const parent = id - (id % 4);
    const row = `${id},${isVariation ? 'variation' : 'variable'},sku-${id},"Product, ${id}","${description}",${isVariation ? 'parent' : 'reduced-rate'},1,${id % 90}.95,${isVariation && parent > 0 ? `id:${parent}` : ''}\r\n`;
    if (!to.write(row)) await once(to, 'drain');
  }
  to.end();
  await once(to, 'close');
  const ran = await cli(['import:products', path, '--site', String(siteId)], {
    env: { DATABASE_URL: database.url },
    nodeOptions: ['--max-old-space-size=96', '--import', REPORTS_MEMORY],
  });
  expect(result(ran)).toMatchObject(counts(siteId, ROWS, 0, 0, 0));
  expect(Number(ran.stderr.trim()) / 1_024).toBeLessThan(measured(200));
  expect(
    await database.query("SELECT count(*)::integer FROM products WHERE site_id = $1 AND tax_class = 'reduced-rate'", [
      siteId,
    ]),
  ).toEqual([{ count: ROWS - 3 }]);
});
