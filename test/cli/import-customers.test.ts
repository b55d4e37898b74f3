import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { type Ran, useCli } from './run.js';

const database = useDatabase();
const here = useCli();

const folder = mkdtempSync(join(tmpdir(), 'customers-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function file(content: string): string {
  const path = join(folder, `${count++}.csv`);
  writeFileSync(path, content);
  return path;
}

const newSite = async () => (await given(database).merchant()).siteId;
const run = (path: string, siteId: number, ...args: string[]) =>
  here(['import:customers', path, '--site', String(siteId), ...args], { env: { DATABASE_URL: database.url } });
const result = ({ stdout }: Ran) => JSON.parse(stdout) as Record<string, unknown>;
const customers = (siteId: number, columns = 'external_id, email, first_name, last_name') =>
  database.query(`SELECT ${columns} FROM customers WHERE site_id = $1 AND deleted_utc IS NULL ORDER BY id`, [siteId]);

/** As the customer exports of plugins write it. */
const PLUGIN = `customer_id,first_name,last_name,user_login,email,user_pass,date_registered,billing_first_name,billing_last_name,billing_company,billing_email,billing_phone,billing_address_1,billing_address_2,billing_postcode,billing_city,billing_state,billing_country,shipping_first_name,shipping_last_name,shipping_company,shipping_address_1,shipping_address_2,shipping_postcode,shipping_city,shipping_state,shipping_country,total_spent,order_count
7,Jörg,Weiß,joerg,joerg@mail.example,$P$B,"2024-02-29 08:30:00",Jörg,Weiß,"Weiß & Söhne, GmbH",joerg@mail.example,030 1,"Große Straße 1
Hinterhaus",,10115,Berlin,DE-BE,DE,Anna,Weiß,,"Kleine ""Gasse"" 2",3. Stock,1010,Wien,,AT,120.50,4
8,Ada,Lovelace,ada,ada@mail.example,$P$C,2025-01-05 09:00:00,,,,,,,,,,,,,,,,,,,,,0,0
`;

it('takes customers with both addresses; a second run changes nothing', async () => {
  const siteId = await newSite();
  const first = await run(file(PLUGIN), siteId);
  expect({ code: first.code, ...result(first) }).toEqual({
    code: 0,
    SiteId: siteId,
    Read: 2,
    Created: 2,
    Updated: 0,
    Unchanged: 0,
    Refused: 0,
    NotCarriedOver: { user_pass: 2, billing_company: 1, billing_email: 1, billing_phone: 1 },
    Remarks: {},
  });
  const before = await customers(siteId, '*');
  expect(before[0]).toMatchObject({
    external_id: '7',
    email: 'joerg@mail.example',
    first_name: 'Jörg',
    last_name: 'Weiß',
    created: new Date('2024-02-29T08:30:00Z'),
    billing_first_name: 'Jörg',
    billing_street1: 'Große Straße 1\nHinterhaus',
    billing_street2: null,
    billing_postcode: '10115',
    billing_state: 'DE-BE',
    billing_country: 'DE',
    shipping_first_name: 'Anna',
    shipping_street1: 'Kleine "Gasse" 2',
    shipping_street2: '3. Stock',
    shipping_city: 'Wien',
    shipping_country: 'AT',
  });
  const second = await run(file(PLUGIN), siteId);
  expect({ code: second.code, ...result(second) }).toMatchObject({ code: 0, Created: 0, Updated: 0, Unchanged: 2 });
  expect(await customers(siteId, '*')).toEqual(before);
  expect(result(await run(file(PLUGIN.replace('Anna', 'Anne')), siteId))).toMatchObject({ Updated: 1, Unchanged: 1 });
});

it('writes nothing in a dry run', async () => {
  const siteId = await newSite();
  expect(result(await run(file(PLUGIN), siteId, '--dry-run'))).toMatchObject({ DryRun: true, Created: 2 });
  expect(await customers(siteId)).toEqual([]);
});

it.each([
  [
    'English',
    'Name,Username,Last Active,Sign Up,Email,Orders,Total Spend,AOV,Country / Region,City,Region,Postal Code',
  ],
  [
    'German',
    'Name,Benutzername,Zuletzt aktiv,Registrierung,E-Mail,Bestellungen,Gesamtausgaben,AOV,Land / Region,Stadt,Region,Postleitzahl',
  ],
  [
    'French',
    'Nom,Nom d’utilisateur,Dernière activité,Inscription,E-mail,Commandes,Total dépensé,Panier moyen,Pays / région,Ville,Région,Code postal',
  ],
  [
    'Spanish',
    'Nombre,Nombre de usuario,Última actividad,Registro,Correo electrónico,Pedidos,Gasto total,Valor medio del pedido,País / Región,Ciudad,Región,Código postal',
  ],
])("takes WooCommerce's own report in %s", async (_, head) => {
  const siteId = await newSite();
  const rows = [
    'Ada Augusta Lovelace,ada,2026-11-01 10:00:00,2025-01-05,ada@mail.example,3,90.00,30.00,GB,London,,NW1',
    'Jörg,,,,joerg@mail.example,1,10.00,10.00,DE,Berlin,BE,10115',
  ];
  const ran = await run(file([head, ...rows].join('\n')), siteId);
  expect({ code: ran.code, ...result(ran) }).toMatchObject({ code: 0, Created: 2, NotCarriedOver: {} });
  expect(await customers(siteId, 'email, first_name, last_name, created, billing_country, billing_postcode')).toEqual([
    {
      email: 'ada@mail.example',
      first_name: 'Ada Augusta',
      last_name: 'Lovelace',
      created: new Date('2025-01-05T00:00:00Z'),
      billing_country: 'GB',
      billing_postcode: 'NW1',
    },
    {
      email: 'joerg@mail.example',
      first_name: null,
      last_name: 'Jörg',
      created: null,
      billing_country: 'DE',
      billing_postcode: '10115',
    },
  ]);
});

it('finds by e-mail address who has no id yet, and nobody who has another one', async () => {
  const siteId = await newSite();
  const guest = await given(database).customer(siteId, { email: 'Ada@mail.example', firstName: 'A' });
  await given(database).customer(siteId, { email: 'joerg@mail.example', externalId: '1', firstName: 'J' });
  const ran = await run(
    file('customer_id,email,first_name\n8,ada@mail.example,Ada\n7,joerg@mail.example,Jörg\n'),
    siteId,
  );
  expect(result(ran)).toMatchObject({ Created: 1, Updated: 1 });
  expect(await customers(siteId, 'id, external_id, first_name')).toEqual([
    { id: String(guest), external_id: '8', first_name: 'Ada' },
    { id: expect.any(String), external_id: '1', first_name: 'J' },
    { id: expect.any(String), external_id: '7', first_name: 'Jörg' },
  ]);
});

it('names bad rows by line and reason, takes the others, and exits with 65', async () => {
  const siteId = await newSite();
  const two = await Promise.all([1, 2].map(() => given(database).customer(siteId, { email: 'two@mail.example' })));
  const text = `customer_id,email,first_name,billing_country,date_registered
1,ada@mail.example,Ada,GB,
,,Nobody,,
2,no address,Jörg,,
3,c@mail.example,C,Teutonia,
4,d@mail.example,D,,yesterday
1,e@mail.example,E,,
0,ada@mail.example,Guest,,
0,two@mail.example,Two,,
5,f@mail.example,${'x'.repeat(256)},,
0,g@mail.example,G,,
0,G@mail.example,G again,,
6
`;
  expect(await run(file(text), siteId)).toMatchObject({
    code: 65,
    stderr: `line 3: customer_id and email are empty
line 4: email "no address" is not an e-mail address
line 5: billing_country "Teutonia" is no country: it must be an ISO 3166-1 code such as US, or its English name
line 6: date_registered "yesterday" is not a date and time such as 2026-01-31 08:00:00 (UTC)
line 10: first_name has 256 characters, more than 255
line 13: 1 cells where the first line has 5
line 7: the same customer_id, or e-mail address, as line 2, which is imported
line 12: the same customer_id, or e-mail address, as line 11, which is imported
line 8: the same email as line 2, which has a customer_id
line 9: email "two@mail.example" is that of the customers ${two.sort((a, b) => a - b).join(', ')}: give the row the customer_id of one of them
10 refused
`,
  });
  expect((await customers(siteId, 'first_name')).slice(2)).toEqual([{ first_name: 'Ada' }, { first_name: 'G' }]);
});

it('refuses a file that has neither ids nor e-mail addresses', async () => {
  const siteId = await newSite();
  const path = file('Naam,Woonplaats\nAda,Londen\n');
  expect(await run(path, siteId)).toEqual({
    code: 65,
    stdout: '',
    stderr: `${path} is not a WooCommerce customer export: its first line has neither a column "customer_id" nor "email", but "Naam", "Woonplaats". The import supports English, German, French and Spanish: export it in one of these, or name the columns so.\n`,
  });
});

it('leaves alone what the file has no column for', async () => {
  const siteId = await newSite();
  await given(database).customer(siteId, {
    externalId: '1',
    email: 'ada@mail.example',
    firstName: 'Ada',
    vatNumber: 'X',
  });
  await run(file('ID,Last name\n1,Lovelace\n'), siteId);
  expect(await customers(siteId)).toEqual([
    { external_id: '1', email: 'ada@mail.example', first_name: 'Ada', last_name: 'Lovelace' },
  ]);
});
