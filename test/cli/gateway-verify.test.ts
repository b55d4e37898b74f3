import { randomBytes } from 'node:crypto';
import { Vault } from '#libs/platform';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { useCli } from './run.js';

const database = useDatabase();
const cli = useCli();
const encryptionKey = randomBytes(32).toString('hex');
const vault = Vault.fromSetting(encryptionKey);
let gateway: StripeStandIn;

beforeAll(async () => {
  gateway = await StripeStandIn.start();
  gateway.revoked.add('sk_test_wrong');
});
afterAll(() => gateway.stop());

const verify = (id: number | string) =>
  cli(['gateway:verify', '--integration', String(id)], {
    env: { DATABASE_URL: database.url, ENCRYPTION_KEY: encryptionKey, GATEWAY_ONE_URL: gateway.url },
  });

async function integration(apiKey1: string): Promise<number> {
  const { siteId } = await given(database).merchant();
  return given(database).integration(vault, siteId, { apiKey1 });
}

it('says that the credentials of an integration work', async () => {
  expect(await verify(await integration('sk_test_right'))).toEqual({
    code: 0,
    stdout: '{"Verified":true}\n',
    stderr: '',
  });
});

it('says why they do not, without showing them', async () => {
  const ran = await verify(await integration('sk_test_wrong'));
  expect(ran).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^Not verified: .+\.\n$/) });
  expect(ran.stderr).not.toContain('sk_test_wrong');
});

it('knows no integration that is not there', async () => {
  expect(await verify(999_999)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no payment integration 999999.\n',
  });
});
