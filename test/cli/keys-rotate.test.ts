import { randomBytes } from 'node:crypto';
import { Vault } from '#libs/vault';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { cli } from './run.js';

const database = useDatabase();
const newKey = () => randomBytes(32).toString('hex');
const run = (encryptionKey: string) =>
  cli(['keys:rotate'], { env: { DATABASE_URL: database.url, ENCRYPTION_KEY: encryptionKey } });

const [oldKey, key] = [newKey(), newKey()];
const [oldVault, vault] = [Vault.fromSetting(oldKey), Vault.fromSetting(key)];

async function credentials() {
  return {
    integrations: await database.query(
      'SELECT api_account, api_key1, api_key2, test_mode FROM payment_integrations ORDER BY id',
    ),
    sites: await database.query('SELECT api_key1, api_key2, api_key3 FROM sites ORDER BY id'),
    answers: await database.query('SELECT key, body FROM idempotency_keys ORDER BY key'),
  };
}

it('encrypts everything with the first key, in batches, and leaves what is done alone', async () => {
  const factory = given(database);
  const userId = await factory.user();
  const withKeys = await factory.site(userId, { apiKey1: oldVault.seal('ck'), apiKey3: vault.seal('newer') });
  await factory.site(userId);
  await factory.insert('payment_integrations', {
    siteId: withKeys,
    paymentMethodType: 'GatewayOne',
    apiKey1: oldVault.seal('sk_test_1'),
    apiKey2: vault.seal('pk_test_1'),
  });
  await factory.insert('payment_integrations', {
    siteId: withKeys,
    paymentMethodType: 'GatewayTwo',
    apiAccount: oldVault.seal('login'),
    apiKey1: oldVault.seal('transaction key'),
    deletedUtc: new Date(),
  });
  const answers = Array.from({ length: 1_201 }, (_, index) => String(10_000 + index));
  await database.query(
    `INSERT INTO idempotency_keys (owner, route, key, body_hash, status, body)
     SELECT 'account:1', 'POST /api/Sites', key, '', 201, body FROM unnest($1::text[], $2::text[]) AS answers (key, body)`,
    [answers, answers.map((answer) => oldVault.seal(answer))],
  );

  expect(await run(`${key},${oldKey}`)).toEqual({
    code: 0,
    stdout: '{"PaymentIntegrations":2,"Sites":1,"IdempotencyKeys":1201}\n',
    stderr: '',
  });
  const { integrations, sites, answers: stored } = await credentials();
  const open = (row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'string' && name !== 'key' ? vault.open(value) : value,
      ]),
    );
  expect(integrations.map(open)).toEqual([
    { api_account: null, api_key1: 'sk_test_1', api_key2: 'pk_test_1', test_mode: false },
    { api_account: 'login', api_key1: 'transaction key', api_key2: null, test_mode: false },
  ]);
  expect(sites.map(open)).toEqual([
    { api_key1: 'ck', api_key2: null, api_key3: 'newer' },
    { api_key1: null, api_key2: null, api_key3: null },
  ]);
  expect(stored.map(open)).toEqual(answers.map((answer) => ({ key: answer, body: answer })));

  const before = await credentials();
  expect((await run(`${key},${oldKey}`)).stdout).toBe('{"PaymentIntegrations":0,"Sites":0,"IdempotencyKeys":0}\n');
  expect(await credentials()).toEqual(before);
});

it('names the key that is missing, and changes nothing', async () => {
  const before = await credentials();
  const { code, stdout, stderr } = await run(newKey());
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^A stored value was sealed with the key [0-9a-f]{8}, which ENCRYPTION_KEY does not name\.\n$/,
  );
  expect(await credentials()).toEqual(before);
});

it('needs the keys', async () => {
  expect(await cli(['keys:rotate'], { env: { DATABASE_URL: database.url } })).toEqual({
    code: 78,
    stdout: '',
    stderr: 'ENCRYPTION_KEY is missing: set it as the API and the workers have it.\n',
  });
});
