import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itInAllCases } from '../support/all-cases.js';
import { measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { cli, type Ran, REPORTS_MEMORY, useCli } from './run.js';

const database = useDatabase();
const here = useCli();
const RATES = join(__dirname, '../../data/woocommerce-tax-rates.csv');
const HEAD = 'Country code,State code,Postcode / ZIP,City,Rate %,Tax name,Priority,Compound,Shipping,Tax class';

const folder = mkdtempSync(join(tmpdir(), 'import-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function file(...rows: string[]): string {
  const path = join(folder, `${count++}.csv`);
  writeFileSync(path, `${[HEAD, ...rows].join('\n')}\n`);
  return path;
}

const newSite = async () => (await given(database).merchant()).siteId;

const run = (path: string, siteId: number) =>
  here(['import:tax-rates', path, '--site', String(siteId)], { env: { DATABASE_URL: database.url } });

const result = ({ stdout }: Ran) => JSON.parse(stdout) as Record<string, unknown>;

const rates = (siteId: number, columns = 'country, state, city, postcode, tax_class, name, rate, is_compound') =>
  database.query(`SELECT ${columns} FROM tax_rates WHERE site_id = $1 AND deleted_utc IS NULL ORDER BY id`, [siteId]);

const rate = (values: Record<string, unknown>) => ({
  country: 'US',
  state: 'CA',
  city: null,
  postcode: null,
  tax_class: null,
  name: 'Sales tax',
  rate: '7.250000',
  is_compound: false,
  ...values,
});

it("takes a shop's rates; a second run changes nothing", async () => {
  const siteId = await newSite();
  const counts = { SiteId: siteId, Read: 75, Rates: 75, Created: 75, Updated: 0, Unchanged: 0, Refused: 0 };
  const rest = { NotCarriedOver: {}, Remarks: { TaxedShipping: 56 } };
  const remark =
    '56 rates are for shipping too: they tax it where ShippingTax of the site is ByRate, as the import of its first rates sets it\n';
  expect(await run(RATES, siteId)).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ ...counts, ...rest })}\n`,
    stderr: remark,
  });
  const kept = (table: string) => database.query(`SELECT FROM ${table} WHERE site_id = $1`, [siteId]);
  // What the rates were before needs no row for each of them.
  expect([await kept('price_history'), await kept('price_insertions')]).toEqual([[{}], [{}]]);
  const before = await rates(siteId, '*');
  expect(result(await run(RATES, siteId))).toEqual({ ...counts, Created: 0, Unchanged: 75, ...rest });
  expect(await rates(siteId, '*')).toEqual(before);
  expect(
    before
      .filter(({ country, state }) => country === 'CA' && state === 'QC')
      .map(({ name, rate: percent }) => [name, percent]),
  ).toEqual([
    ['GST', '5.000000'],
    ['QST', '9.975000'],
  ]);
});

it('makes a rate of every postcode and city that a row names', async () => {
  const siteId = await newSite();
  const ran = await run(
    file(
      'US,CA,,,7.2500,Sales tax,1,0,0,',
      'US,CA,94607;94608,OAKLAND; EMERYVILLE,3.5,District tax,2,0,0,',
      'US,CA,902*,,1,District tax,2,0,0,',
      'US,CA,*,*,0,Sales tax,1,0,0,zero-rate',
      'US,NY,10001...10003,,4.875,City tax,2,0,0,',
    ),
    siteId,
  );
  expect(result(ran)).toMatchObject({ Read: 5, Rates: 10, Created: 10, Refused: 0, Remarks: {} });
  const local = { name: 'District tax', rate: '3.500000' };
  expect(await rates(siteId)).toEqual([
    rate({}),
    rate({ tax_class: 'zero-rate', rate: '0.000000' }),
    rate({ ...local, city: 'OAKLAND', postcode: '94607' }),
    rate({ ...local, city: 'EMERYVILLE', postcode: '94607' }),
    rate({ ...local, city: 'OAKLAND', postcode: '94608' }),
    rate({ ...local, city: 'EMERYVILLE', postcode: '94608' }),
    rate({ name: 'District tax', rate: '1.000000', city: '*', postcode: '902*' }),
    ...['10001', '10002', '10003'].map((postcode) =>
      rate({ state: 'NY', city: '*', postcode, name: 'City tax', rate: '4.875000' }),
    ),
  ]);
});

it('updates a rate that has changed, by place, class and priority', async () => {
  const siteId = await newSite();
  await run(file('DE,,,,19,VAT,1,0,0,', 'DE,,,,7,VAT,1,0,0,reduced-rate'), siteId);
  const ran = await run(
    file('DE,,,,16,VAT,1,0,0,', 'DE,,,,7.00,VAT,1,0,0,reduced-rate', 'AT,,,,20,VAT,1,0,0,'),
    siteId,
  );
  expect(result(ran)).toMatchObject({ Rates: 3, Created: 1, Updated: 1, Unchanged: 1 });
  expect(await rates(siteId, 'country, tax_class, rate')).toEqual([
    { country: 'DE', tax_class: null, rate: '16.000000' },
    { country: 'DE', tax_class: 'reduced-rate', rate: '7.000000' },
    { country: 'AT', tax_class: null, rate: '20.000000' },
  ]);
});

it('keeps the order of priorities, for compound rates apply in it', async () => {
  const siteId = await newSite();
  await run(file('CA,QC,,,9.975,QST,3,1,0,', 'CA,QC,,,5,GST,1,0,0,', 'CA,QC,,,1,Levy,2,1,0,'), siteId);
  expect(await rates(siteId, 'name, is_compound')).toEqual([
    { name: 'GST', is_compound: false },
    { name: 'Levy', is_compound: true },
    { name: 'QST', is_compound: true },
  ]);
});

describe('priorities', () => {
  it('are what taxes are known by, whatever their names', async () => {
    const siteId = await newSite();
    const ran = await run(
      file(
        'CA,ON,,,13,HST,1,0,1,',
        'CA,,,,5,GST,1,0,1,',
        'CA,QC,,,9.975,QST,2,1,0,',
        'DE,,,,19,VAT,1,0,0,',
        'DE,,,,1,VAT,2,0,0,',
      ),
      siteId,
    );
    expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining('priority') });
    expect(await rates(siteId, 'state, name, priority, applies_to_shipping')).toEqual([
      { state: 'ON', name: 'HST', priority: 1, applies_to_shipping: true },
      { state: null, name: 'GST', priority: 1, applies_to_shipping: true },
      { state: null, name: 'VAT', priority: 1, applies_to_shipping: false },
      { state: 'QC', name: 'QST', priority: 2, applies_to_shipping: false },
      { state: null, name: 'VAT', priority: 2, applies_to_shipping: false },
    ]);
  });

  it('are given to rates that have none yet, by their names', async () => {
    const siteId = await newSite();
    const kept = await given(database).taxRate(siteId, { country: 'DE', name: 'VAT', rate: '16' });
    const other = await given(database).taxRate(siteId, { country: 'DE', name: 'Levy', rate: '1' });
    const both = file('DE,,,,2,VAT,2,0,0,', 'DE,,,,19,VAT,1,0,1,');
    expect(result(await run(both, siteId))).toMatchObject({ Created: 1, Updated: 1 });
    expect(await rates(siteId, 'id, name, rate, priority, applies_to_shipping')).toEqual([
      { id: String(kept), name: 'VAT', rate: '19.000000', priority: 1, applies_to_shipping: true },
      { id: String(other), name: 'Levy', rate: '1.000000', priority: null, applies_to_shipping: false },
      { id: expect.any(String), name: 'VAT', rate: '2.000000', priority: 2, applies_to_shipping: false },
    ]);
    expect(result(await run(both, siteId))).toMatchObject({ Created: 0, Updated: 0, Unchanged: 2 });
  });

  it('keep a rate that has another name now', async () => {
    const siteId = await newSite();
    await run(file('DE,,,,19,VAT,1,0,0,'), siteId);
    expect(result(await run(file('DE,,,,16,MwSt,1,0,0,'), siteId))).toMatchObject({ Created: 0, Updated: 1 });
    expect(await rates(siteId, 'name, rate')).toEqual([{ name: 'MwSt', rate: '16.000000' }]);
  });

  it.each([
    ['by postcode', 'US,CA,94607,OAKLAND,1,Tax,1,0,0,', 'US,CA,94607,,2,Tax,1,0,0,'],
    ['by prefix', 'US,CA,94607,,1,Tax,1,0,0,', 'US,CA,946*,,2,Tax,1,0,0,'],
    ['by prefix, without a state', 'US,,94607,,1,Tax,1,0,0,', 'US,,946*,,2,Tax,1,0,0,'],
    ['by city', 'US,CA,,OAKLAND,1,Tax,1,0,0,', 'US,CA,94607,OAKLAND,2,Tax,1,0,0,'],
  ])('say where WooCommerce takes another of two rates: %s', async (_, ...rows) => {
    const ran = await run(file(...rows), await newSite());
    expect(result(ran)).toMatchObject({ Created: 2, Remarks: { OtherSpecificity: 1 } });
    expect(ran.stderr).toBe(
      '1 rates lie within another of the same priority, class and state: here the more specific one applies, WooCommerce takes the one that comes first in the file, or that lists more places\n',
    );
  });

  it('say nothing of rates that mean the same in both', async () => {
    const ran = await run(
      file(
        'US,CA,,,7.25,Sales tax,1,0,0,',
        'US,CA,94607,,10.75,Oakland tax,1,0,0,',
        'US,CA,94607,,1,District tax,2,0,0,',
        'US,,94607,,1,Tax,1,0,0,',
        'US,CA,946*,,1,Other tax,1,0,0,reduced-rate',
        'US,CA,946*,,1,District tax,2,0,0,',
      ),
      await newSite(),
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the settings of the site', () => {
  const settings = (siteId: number) =>
    database.query(`SELECT prices, shipping_tax, gross_outside FROM site_settings WHERE site_id = $1`, [siteId]);

  it('are WooCommerce’s where a shop moves in', async () => {
    const siteId = await newSite();
    await run(file('DE,,,,19,VAT,1,0,1,'), siteId);
    expect(await settings(siteId)).toEqual([{ prices: 'Net', shipping_tax: 'ByRate', gross_outside: 'Adjust' }]);
  });

  it('stay as they are where it has tax rates or settings', async () => {
    const [old, set] = [await newSite(), await newSite()];
    await given(database).taxRate(old, { country: 'DE', name: 'VAT', rate: '16' });
    await database.query(`INSERT INTO site_settings (site_id, round_tax) VALUES ($1, 'Total')`, [set]);
    for (const siteId of [old, set]) await run(file('DE,,,,19,VAT,1,0,1,'), siteId);
    expect(await settings(old)).toEqual([]);
    expect(await settings(set)).toEqual([{ prices: 'Net', shipping_tax: 'None', gross_outside: 'Keep' }]);
  });
});

describe('the columns of a file', () => {
  const columns = (head: string, row: string) => {
    const path = join(folder, `${count++}.csv`);
    writeFileSync(path, `${head}\n${row}\n`);
    return path;
  };

  it.each([
    [
      "WooCommerce's sample file",
      'Country Code,State Code,ZIP/Postcode,City,Rate %,Tax Name,Priority,Compound,Shipping,Tax Class',
    ],
    [
      'German',
      'Ländercode,Bundesland-Code,Postleitzahl,Stadt,Satz %,Name der Steuer,Priorität,Zusammengesetzt,Versand,Steuerklasse',
    ],
    [
      'French',
      'Code pays,Code état,Code postal,Ville,Taux %,Nom de la taxe,Priorité,Composé,Expédition,Classe de taxe',
    ],
    [
      'Spanish',
      'Código de país,Código de provincia,Código postal,Ciudad,Tarifa %,Nombre del impuesto,Prioridad,Compuesto,Envío,Clase de impuesto',
    ],
  ])('are known in %s', async (_, head) => {
    const siteId = await newSite();
    const path = columns(head, 'US,CA,94607,OAKLAND,3.5,District tax,2,1,1,reduced-rate');
    expect(result(await run(path, siteId))).toMatchObject({ Created: 1, Refused: 0 });
    expect(
      await rates(siteId, 'state, city, postcode, tax_class, name, priority, is_compound, applies_to_shipping'),
    ).toEqual([
      {
        state: 'CA',
        city: 'OAKLAND',
        postcode: '94607',
        tax_class: 'reduced-rate',
        name: 'District tax',
        priority: 2,
        is_compound: true,
        applies_to_shipping: true,
      },
    ]);
  });

  it.each([
    [
      'Country code,Rate %,Tax name',
      'its first line has no column "State code", "Postcode / ZIP", "City": without one, rates for a place would become rates for its whole country.',
    ],
    [
      'Country code,State code,City,Postnummer,Rate %,Tax name',
      'its first line has no column "Postcode / ZIP", but "Postnummer", which are not known and may be one of them. Exports are understood in English, German, French and Spanish: name the columns in one of these, or remove those that are not known.',
    ],
  ])('are refused where a rate would be widened: %s', async (head, reason) => {
    const siteId = await newSite();
    const path = columns(head, head.replace(/[^,]+/g, '1'));
    expect(await run(path, siteId)).toEqual({
      code: 65,
      stdout: '',
      stderr: `${path} is not a WooCommerce tax-rate export: ${reason}\n`,
    });
    expect(await rates(siteId)).toEqual([]);
  });

  it('may be few, and may be more where all places are known', async () => {
    const siteId = await newSite();
    const few = columns('Country code,State code,Rate %,Tax name', 'US,CA,7.25,Tax');
    const more = columns('Country code,State code,Postcode / ZIP,City,Rate %,Tax name,Note', 'US,NY,,,4,Tax,x');
    for (const path of [few, more]) expect(result(await run(path, siteId))).toMatchObject({ Created: 1 });
  });
});

it('writes nothing in a dry run, and says what it would do', async () => {
  const siteId = await newSite();
  const arguments_ = ['import:tax-rates', RATES, '--site', String(siteId), '--dry-run'];
  const ran = await here(arguments_, { env: { DATABASE_URL: database.url } });
  expect(result(ran)).toMatchObject({ DryRun: true, Created: 75, Remarks: { TaxedShipping: 56 } });
  expect(ran.stderr).toContain('this was a dry run: nothing was written\n');
  expect([
    await rates(siteId),
    await database.query(`SELECT 1 FROM site_settings WHERE site_id = $1`, [siteId]),
  ]).toEqual([[], []]);
});

it('exports what it imported: importing that changes nothing', async () => {
  const siteId = await newSite();
  const again = join(folder, 'again.csv');
  const local = [
    'US,CA,94607;94608,OAKLAND; EMERYVILLE,3.5,"District, ""own"" tax",2,1,0,reduced-rate',
    'US,,902*,,1,,3,0,1,',
    'GB,,CB2 *,,0.000001,-1 VAT,1,0,1,',
  ];
  await run(RATES, siteId);
  await run(file(...local), siteId);
  const before = await rates(siteId, '*');
  const exported = await here(['export:tax-rates', '--site', String(siteId)], { env: { DATABASE_URL: database.url } });
  expect([exported.code, exported.stdout.split('\r\n')[0]]).toEqual([0, HEAD]);
  writeFileSync(again, exported.stdout);
  expect(result(await run(again, siteId))).toMatchObject({
    Created: 0,
    Updated: 0,
    Unchanged: before.length,
    Refused: 0,
  });
  expect(await rates(siteId, '*')).toEqual(before);
  const elsewhere = await newSite();
  await run(again, elsewhere);
  const copied = await here(['export:tax-rates', '--site', String(elsewhere)], { env: { DATABASE_URL: database.url } });
  const lines = ({ stdout }: Ran) => stdout.split('\r\n').sort();
  expect(lines(copied)).toEqual(lines(exported));
});

it('names bad rows by line and reason, takes the others, and exits with 65', async () => {
  const siteId = await newSite();
  const ran = await run(
    file(
      'DE,,,,19,VAT,1,0,0,',
      ',,78266,,0,VAT,1,0,0,',
      'DE,,,,many,VAT,1,0,0,',
      'DE,,,,20,Levy,1,0,0,',
      'FR,,,,20,VAT,1,0,0,',
    ),
    siteId,
  );
  expect(ran).toEqual({
    code: 65,
    stdout: `${JSON.stringify({ SiteId: siteId, Read: 5, Rates: 2, Created: 2, Updated: 0, Unchanged: 0, Refused: 3, NotCarriedOver: {}, Remarks: {} })}\n`,
    stderr: `line 3: a state, city or postcode needs its Country code
line 4: Rate % "many" is not a decimal number such as 12.50
line 5: the same place, class and priority as line 2, which is imported
3 refused
`,
  });
});

it('refuses a file of another kind', async () => {
  const path = join(__dirname, '../../data/woocommerce-products.csv');
  expect(await run(path, await newSite())).toEqual({
    code: 65,
    stdout: '',
    stderr: `${path} is not a WooCommerce tax-rate export: its first line has no column "Country code", "Rate %", "Tax name".\n`,
  });
});

itInAllCases('takes 100,000 rates in under 200 MB of memory', async () => {
  const siteId = await newSite();
  const rows = Array.from(
    { length: 100_000 },
    (_, zip) => `US,CA,${String(zip).padStart(5, '0')},,${zip % 9},Sales tax,1,0,1,`,
  );
  const ran = await cli(
    ['import:tax-rates', file('US,CA,,,7.25,Sales tax,1,0,0,', ...rows), '--site', String(siteId)],
    {
      env: { DATABASE_URL: database.url },
      nodeOptions: ['--max-old-space-size=96', '--import', REPORTS_MEMORY],
    },
  );
  expect(result(ran)).toMatchObject({ Created: 100_001, Refused: 0, Remarks: { TaxedShipping: 100_000 } });
  expect(Number(ran.stderr.trim().split('\n').at(-1)) / 1_024).toBeLessThan(measured(200));
});
