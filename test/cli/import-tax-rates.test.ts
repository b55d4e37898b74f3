import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { cli, type Ran, useCli } from './run.js';

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
  const said = '56 rates are for shipping too: shipping is not taxed here\n';
  expect(await run(RATES, siteId)).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ ...counts, ...rest })}\n`,
    stderr: said,
  });
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

it('updates a rate that has changed, by place, class and name', async () => {
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

describe('where priorities and names tell taxes apart differently', () => {
  it.each([
    ['a local rate inside its state', 'US,CA,94607,,10.75,Oakland tax,1,0,0,'],
    ['a state inside its country', 'US,,,,1,Federal tax,1,0,0,'],
    ['a state inside everywhere', ',,,,1,World tax,1,0,0,'],
  ])('counts names that add up here but not in WooCommerce: %s', async (_, row) => {
    const ran = await run(file('US,CA,,,7.25,Sales tax,1,0,0,', row), await newSite());
    expect(result(ran)).toMatchObject({ Created: 2, Remarks: { SamePriority: 1 } });
    expect(ran.stderr).toBe(
      '1 rates meet a rate with another name at the same priority: WooCommerce takes one of the two, here both add up; give them one name\n',
    );
  });

  it.each([
    ['by postcode', 'US,CA,94607,OAKLAND,1,Tax,1,0,0,', 'US,CA,94607,,2,Tax,2,0,0,'],
    ['by prefix', 'US,CA,94607,,1,Tax,1,0,0,', 'US,CA,946*,,2,Tax,2,0,0,'],
    ['by city', 'US,CA,,OAKLAND,1,Tax,1,0,0,', 'US,CA,94607,OAKLAND,2,Tax,2,0,0,'],
  ])('counts names that add up in WooCommerce but not here: %s', async (_, ...rows) => {
    const ran = await run(file(...rows), await newSite());
    expect(result(ran)).toMatchObject({ Created: 2, Remarks: { OtherPriority: 1 } });
    expect(ran.stderr).toBe(
      '1 rates meet a rate with the same name at another priority: in WooCommerce they add up, here the most specific one applies; give them different names\n',
    );
  });

  it('has nothing to say of taxes that mean the same in both', async () => {
    const ran = await run(
      file(
        'US,CA,,,7.25,Sales tax,1,0,0,',
        'US,CA,94607,,10.75,Sales tax,1,0,0,',
        'US,CA,94607,,1,District tax,2,0,0,',
        'US,NY,94607,,1,Other tax,1,0,0,',
        'US,CA,94607,,1,Other tax,1,0,0,reduced-rate',
      ),
      await newSite(),
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });
});

it('names bad rows by line and reason, takes the others, and exits with 65', async () => {
  const siteId = await newSite();
  const ran = await run(
    file(
      'DE,,,,19,VAT,1,0,0,',
      'DE,,78266,,0,VAT,1,0,0,',
      'DE,,,,many,VAT,1,0,0,',
      'DE,,,,20,VAT,2,0,0,',
      'FR,,,,20,VAT,1,0,0,',
    ),
    siteId,
  );
  expect(ran).toEqual({
    code: 65,
    stdout: `${JSON.stringify({ SiteId: siteId, Read: 5, Rates: 2, Created: 2, Updated: 0, Unchanged: 0, Refused: 3, NotCarriedOver: {}, Remarks: {} })}\n`,
    stderr: `line 3: a city or postcode needs its State code here
line 4: Rate % "many" is not a decimal number such as 12.50
line 5: the same place, class and name as line 2, which is imported
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

it('takes 100,000 rates in under 200 MB of memory', async () => {
  const siteId = await newSite();
  const rows = Array.from(
    { length: 100_000 },
    (_, zip) => `US,CA,${String(zip).padStart(5, '0')},,${zip % 9},Sales tax,1,0,1,`,
  );
  const report = 'data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS))';
  const ran = await cli(
    ['import:tax-rates', file('US,CA,,,7.25,Sales tax,1,0,0,', ...rows), '--site', String(siteId)],
    {
      env: { DATABASE_URL: database.url },
      nodeOptions: ['--import', report],
    },
  );
  expect(result(ran)).toMatchObject({ Created: 100_001, Refused: 0, Remarks: { TaxedShipping: 100_000 } });
  expect(Number(ran.stderr.trim().split('\n').at(-1)) / 1_024).toBeLessThan(200);
}, 180_000);
