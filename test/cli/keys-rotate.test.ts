import { randomBytes } from 'node:crypto';
import { ENCRYPTED_TABLES, type EncryptedTable, Vault } from '#libs/platform';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { useCli } from './run.js';

const database = useDatabase();
const cli = useCli();
const newKey = () => randomBytes(32).toString('hex');
const run = (encryptionKey: string) =>
  cli(['keys:rotate'], { env: { DATABASE_URL: database.url, ENCRYPTION_KEY: encryptionKey } });

const [oldKey, key] = [newKey(), newKey()];
const [oldVault, vault] = [Vault.fromSetting(oldKey), Vault.fromSetting(key)];

type Stored = Record<string, string | null>;
const rowsOf = (table: EncryptedTable): Promise<Stored[]> => {
  const { key, columns } = ENCRYPTED_TABLES[table];
  return database.query(`SELECT ${[...key, ...columns].join(', ')} FROM ${table} ORDER BY ${key.join(', ')}`);
};
const stored = async () =>
  Object.fromEntries(
    await Promise.all(
      (Object.keys(ENCRYPTED_TABLES) as EncryptedTable[]).map(async (table) => [table, await rowsOf(table)] as const),
    ),
  );

/** What stands in the encrypted columns, each decrypted in its place and nowhere else. */
async function decryptedBy(by: Vault, table: EncryptedTable): Promise<Stored[]> {
  const { key, columns } = ENCRYPTED_TABLES[table];
  const rows = await rowsOf(table);
  return rows.map((row) =>
    Object.fromEntries(
      columns.map((column: string) => [
        column,
        by.decrypt(row[column]!, { table, column, row: key.map((part: string) => row[part]!) }),
      ]),
    ),
  );
}

const answers = Array.from({ length: 1_201 }, (_, index) => String(10_000 + index));
const OWNER = ['account:1', 'POST /api/Sites'];
const encryptedAnswer = (answer: string) =>
  oldVault.encrypt(answer, { table: 'idempotency_keys', column: 'body', row: [...OWNER, answer] });

async function put(by: Vault, table: 'sites' | 'payment_integrations', id: number, values: Record<string, string>) {
  for (const [column, text] of Object.entries(values)) {
    const encrypted = by.encrypt(text, { table, column, row: [id] });
    await database.query(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, encrypted]);
  }
}

beforeAll(async () => {
  const factory = given(database);
  const userId = await factory.user();
  const siteId = await factory.site(userId);
  await put(oldVault, 'sites', siteId, { api_key1: 'ck' });
  await put(vault, 'sites', siteId, { api_key3: 'newer' });
  await factory.site(userId);
  const one = await factory.insert('payment_integrations', { siteId, paymentMethodType: 'GatewayOne' });
  await put(oldVault, 'payment_integrations', one, { api_key1: 'sk_test_1' });
  await put(vault, 'payment_integrations', one, { api_key2: 'pk_test_1' });
  const deleted = { siteId, paymentMethodType: 'GatewayTwo', deletedUtc: new Date() };
  const two = await factory.insert('payment_integrations', deleted);
  await put(oldVault, 'payment_integrations', two, { api_account: 'login', api_key1: 'transaction key' });
  await database.query(
    `INSERT INTO idempotency_keys (owner, route, key, body_hash, status, body)
     SELECT $1, $2, key, '', 201, body FROM unnest($3::text[], $4::text[]) AS answers (key, body)`,
    [...OWNER, answers, answers.map(encryptedAnswer)],
  );
});

const INTEGRATIONS = [
  { api_account: null, api_key1: 'sk_test_1', api_key2: 'pk_test_1' },
  { api_account: 'login', api_key1: 'transaction key', api_key2: null },
];
const SITES = [
  { api_key1: 'ck', api_key2: null, api_key3: 'newer' },
  { api_key1: null, api_key2: null, api_key3: null },
];
const NOTHING = '{"PaymentIntegrations":0,"Sites":0,"SiteShops":0,"WebhookEndpoints":0,"IdempotencyKeys":0}\n';

it('names the key that is missing, and changes nothing', async () => {
  const before = await stored();
  const { code, stdout, stderr } = await run(newKey());
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^ENCRYPTION_KEY is not the key that the stored credentials were encrypted with \(missing: [0-9a-f]{8}, [0-9a-f]{8}; given: [0-9a-f]{8}\)\. .+\n$/,
  );
  expect(await stored()).toEqual(before);
});

it('encrypts everything with the first key, in batches, and leaves what is done alone', async () => {
  expect((await run(`${key},${oldKey}`)).stdout).toBe(
    '{"PaymentIntegrations":2,"Sites":1,"SiteShops":0,"WebhookEndpoints":0,"IdempotencyKeys":1201}\n',
  );
  expect(await decryptedBy(vault, 'payment_integrations')).toEqual(INTEGRATIONS);
  expect(await decryptedBy(vault, 'sites')).toEqual(SITES);
  expect(await decryptedBy(vault, 'idempotency_keys')).toEqual(answers.map((answer) => ({ body: answer })));

  const before = await stored();
  expect((await run(`${key},${oldKey}`)).stdout).toBe(NOTHING);
  expect(await stored()).toEqual(before);
});

it('goes on where it was stopped, with what was not encrypted again yet', async () => {
  const [site] = await rowsOf('sites');
  await put(oldVault, 'sites', Number(site!.id), { api_key2: 'left' });
  expect((await run(`${key},${oldKey}`)).stdout).toBe(
    '{"PaymentIntegrations":0,"Sites":1,"SiteShops":0,"WebhookEndpoints":0,"IdempotencyKeys":0}\n',
  );
  expect(await decryptedBy(vault, 'sites')).toEqual([{ ...SITES[0], api_key2: 'left' }, SITES[1]]);
});

it('does not make a value good that somebody put into another row: it names it', async () => {
  const [first, second] = await rowsOf('payment_integrations');
  const copied = oldVault.encrypt('sk_copied', {
    table: 'payment_integrations',
    column: 'api_key1',
    row: [first!.id!],
  });
  await database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [second!.id, copied]);
  const { code, stderr } = await run(`${key},${oldKey}`);
  expect(code).toBe(1);
  expect(stderr).toContain(`payment_integrations.api_key1 of row ${second!.id}`);
  expect(stderr).toContain('is damaged or was encrypted for another place');
});

it('needs the keys', async () => {
  expect(await cli(['keys:rotate'], { env: { DATABASE_URL: database.url } })).toEqual({
    code: 78,
    stdout: '',
    stderr: 'ENCRYPTION_KEY is missing: set the same value as for the API and the workers.\n',
  });
});
