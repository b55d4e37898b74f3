import { randomBytes } from 'node:crypto';
import { type Binding, ENCRYPTED_TABLES, type EncryptedTable, Vault } from '#libs/vault';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { until } from '../support/until.js';
import { cli } from './run.js';

const database = useDatabase();
const newKey = () => randomBytes(32).toString('hex');
const run = (encryptionKey: string) =>
  cli(['keys:rotate'], { env: { DATABASE_URL: database.url, ENCRYPTION_KEY: encryptionKey } });

const [oldKey, key] = [newKey(), newKey()];
const [oldVault, vault] = [Vault.fromSetting(oldKey), Vault.fromSetting(key)];

/** As earlier versions wrote it, in whichever row. */
const unbound = (by: Vault, text: string) => by.encrypt(text, { table: 'sites', column: '', row: [] }, 'Unbound');
const bindingOf = async () => (await database.query(`SELECT binding FROM sealing`))[0]!.binding as Binding;

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
        by.decrypt(row[column]!, { table, column, row: key.map((part: string) => row[part]!) }, 'Bound'),
      ]),
    ),
  );
}

const answers = Array.from({ length: 1_201 }, (_, index) => String(10_000 + index));

beforeAll(async () => {
  // As the migration leaves a database that an earlier version has worked on.
  await database.query(`UPDATE sealing SET binding = 'Unbound'`);
  const factory = given(database);
  const userId = await factory.user();
  const withKeys = await factory.site(userId, { apiKey1: unbound(oldVault, 'ck'), apiKey3: unbound(vault, 'newer') });
  await factory.site(userId);
  await factory.insert('payment_integrations', {
    siteId: withKeys,
    paymentMethodType: 'GatewayOne',
    apiKey1: unbound(oldVault, 'sk_test_1'),
    apiKey2: unbound(vault, 'pk_test_1'),
  });
  await factory.insert('payment_integrations', {
    siteId: withKeys,
    paymentMethodType: 'GatewayTwo',
    apiAccount: unbound(oldVault, 'login'),
    apiKey1: unbound(oldVault, 'transaction key'),
    deletedUtc: new Date(),
  });
  await database.query(
    `INSERT INTO idempotency_keys (owner, route, key, body_hash, status, body)
     SELECT 'account:1', 'POST /api/Sites', key, '', 201, body FROM unnest($1::text[], $2::text[]) AS answers (key, body)`,
    [answers, answers.map((answer) => unbound(oldVault, answer))],
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
const NOTHING = '{"PaymentIntegrations":0,"Sites":0,"WebhookEndpoints":0,"IdempotencyKeys":0}\n';

it('names the key that is missing, and changes nothing', async () => {
  const before = await stored();
  const { code, stdout, stderr } = await run(newKey());
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^ENCRYPTION_KEY is not the key that the stored credentials were encrypted with \(missing: [0-9a-f]{8}, [0-9a-f]{8}; given: [0-9a-f]{8}\)\. .+\n$/,
  );
  expect([await stored(), await bindingOf()]).toEqual([before, 'Unbound']);
});

it('binds what earlier versions wrote to its place, also when no key changes, and refuses it unbound from then on', async () => {
  expect(await run(`${oldKey},${key}`)).toEqual({
    code: 0,
    stdout: '{"PaymentIntegrations":2,"Sites":1,"WebhookEndpoints":0,"IdempotencyKeys":1201}\n',
    stderr: '',
  });
  const both = Vault.fromSetting([oldKey]);
  expect(await decryptedBy(both, 'payment_integrations')).toEqual(INTEGRATIONS);
  expect(await decryptedBy(both, 'sites')).toEqual(SITES);
  expect(await decryptedBy(both, 'idempotency_keys')).toEqual(answers.map((answer) => ({ body: answer })));
  expect(await bindingOf()).toBe('Bound');
});

it('encrypts everything with the first key, in batches, and leaves what is done alone', async () => {
  expect((await run(`${key},${oldKey}`)).stdout).toBe(
    '{"PaymentIntegrations":2,"Sites":1,"WebhookEndpoints":0,"IdempotencyKeys":1201}\n',
  );
  expect(await decryptedBy(vault, 'payment_integrations')).toEqual(INTEGRATIONS);
  expect(await decryptedBy(vault, 'sites')).toEqual(SITES);
  expect(await decryptedBy(vault, 'idempotency_keys')).toEqual(answers.map((answer) => ({ body: answer })));

  const before = await stored();
  expect((await run(`${key},${oldKey}`)).stdout).toBe(NOTHING);
  expect(await stored()).toEqual(before);
});

it('goes on where it was stopped', async () => {
  await database.query(`UPDATE sealing SET binding = 'Changing'`);
  await database.query(`UPDATE sites SET api_key2 = $1 WHERE api_key1 IS NOT NULL`, [unbound(vault, 'left')]);
  expect((await run(key)).stdout).toBe(
    '{"PaymentIntegrations":0,"Sites":1,"WebhookEndpoints":0,"IdempotencyKeys":0}\n',
  );
  expect(await decryptedBy(vault, 'sites')).toEqual([{ ...SITES[0], api_key2: 'left' }, SITES[1]]);
  expect(await bindingOf()).toBe('Bound');
});

it.each([
  ['an unbound value', () => Promise.resolve(unbound(oldVault, 'sk_old')), 'is not bound to its place'],
  [
    'a value of another row',
    async () => {
      const [first] = await rowsOf('payment_integrations');
      const place = { table: 'payment_integrations', column: 'api_key1', row: [first!.id!] } as const;
      return oldVault.encrypt('sk_copied', place, 'Bound');
    },
    'is damaged or was encrypted for another place',
  ],
])('does not make %s good that somebody put into a row: it names it', async (_, value, reason) => {
  const [before] = await database.query(`SELECT id, api_key1 FROM payment_integrations ORDER BY id DESC LIMIT 1`);
  await database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [before!.id, await value()]);
  const { code, stderr } = await run(`${key},${oldKey}`);
  expect(code).toBe(1);
  expect(stderr).toContain(`payment_integrations.api_key1 of row ${String(before!.id)}`);
  expect(stderr).toContain(reason);
  await database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [before!.id, before!.api_key1]);
});

it('waits for a request that writes as earlier versions do, and binds what that wrote', async () => {
  await database.query(`UPDATE sealing SET binding = 'Unbound'`);
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  expect(await runner.query(`SELECT hold_sealing() AS binding`)).toEqual([{ binding: 'Unbound' }]);
  const rotating = run(key);
  const waits = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND NOT granted`;
  await until(async () => (await database.query(waits)).length > 0);
  await runner.query(`UPDATE sites SET api_key2 = $1 WHERE api_key1 IS NOT NULL`, [unbound(vault, 'late')]);
  await runner.commitTransaction();
  await runner.release();
  expect((await rotating).stdout).toBe(
    '{"PaymentIntegrations":0,"Sites":1,"WebhookEndpoints":0,"IdempotencyKeys":0}\n',
  );
  expect(await decryptedBy(vault, 'sites')).toEqual([{ ...SITES[0], api_key2: 'late' }, SITES[1]]);
});

it('needs the keys', async () => {
  expect(await cli(['keys:rotate'], { env: { DATABASE_URL: database.url } })).toEqual({
    code: 78,
    stdout: '',
    stderr: 'ENCRYPTION_KEY is missing: set the same value as for the API and the workers.\n',
  });
});
