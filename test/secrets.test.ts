import { ENCRYPTED_TABLES } from '#libs/platform';
import { hashPassword } from '#libs/records';
import { useCli } from './cli/run.js';
import { type Answered, type Json, type RequestOptions, requestTo, TEST_ENCRYPTION_KEY } from './support/api.js';
import { type ApiProcess, endApis, startApi } from './support/api-process.js';
import { useDatabase } from './support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from './support/gateways/index.js';
import { given as givenIn } from './support/given.js';
import { WooCommerceStandIn } from './support/shops/index.js';
import { until } from './support/until.js';
import { startWorker, stopWorkers, type WorkerProcess } from './support/worker.js';

const database = useDatabase();
const given = givenIn(database);
const cli = useCli();

const PASSWORD = 'secret-of-the-password';
const SITE = { ApiKey1: 'secret-of-site-1', ApiKey2: 'secret-of-site-2', ApiKey3: 'secret-of-site-3' };
const ONE = {
  PaymentMethodType: 'GatewayOne',
  ApiKey1: 'sk_test_secret_one',
  ApiKey2: 'pk_test_secret_one',
  TestMode: true,
};
const TWO = {
  PaymentMethodType: 'GatewayTwo',
  ApiAccount: 'secret-login-two',
  ApiKey1: 'secret-key-two',
  TestMode: true,
};

let [gatewayOne, gatewayTwo] = [null, null] as unknown as [StripeStandIn, AuthorizeNetStandIn];
let woo = null as unknown as WooCommerceStandIn;
let api: ApiProcess;
let worker: WorkerProcess;
let request: (method: string, path: string, options?: RequestOptions) => Promise<Answered>;

/**
 * Whatever was answered, logged or printed, but for what a merchant may read: tokens when they are made, and its own
 * credentials.
 */
const seen: string[] = [];

beforeAll(async () => {
  [gatewayOne, gatewayTwo] = [await StripeStandIn.start(), await AuthorizeNetStandIn.start()];
  gatewayTwo.accounts.set(TWO.ApiAccount, TWO.ApiKey1);
  woo = await WooCommerceStandIn.start();
  woo.products.set(10, { id: 10, name: 'Coffee', price: '5' });
  woo.access.keys.set(SITE.ApiKey1, { secret: SITE.ApiKey2, may: 'read_write', role: 'administrator' });
  // Keys stand in addresses then.
  woo.settings.stripsAuthorization = true;
  const env = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    LOG_LEVEL: 'trace',
    GATEWAY_ONE_URL: gatewayOne.url,
    GATEWAY_TWO_URL: gatewayTwo.url,
    OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.1',
  };
  api = startApi(env);
  worker = await startWorker(database, env);
  request = requestTo(await api.url());
});

afterAll(async () => {
  endApis();
  await stopWorkers();
  await Promise.all([gatewayOne.stop(), gatewayTwo.stop(), woo.stop()]);
});

/** For what must not show secrets: its answer is searched. */
async function searched(method: string, path: string, token?: string, body?: unknown): Promise<Json> {
  const answered = await request(method, path, { token, body });
  seen.push(JSON.stringify(answered.body));
  return answered.body;
}

async function allTables(): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const rows = tables.map(({ name }) =>
    database.query<{ json: string }>(`SELECT to_jsonb(t)::text AS json FROM ${name} t`),
  );
  return JSON.stringify(await Promise.all(rows));
}

/** Columns of any table that hold encrypted values. */
async function encryptedColumns(): Promise<string[]> {
  const columns = await database.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type IN ('text', 'character varying', 'json', 'jsonb')`,
  );
  const found = columns.map(async ({ table, column }) => {
    const encrypted = `"${column}"::text ~ 'v[12][.][0-9a-f]{8}[.]'`;
    const rows = await database.query(`SELECT 1 FROM "${table}" WHERE ${encrypted} LIMIT 1`);
    return rows.length > 0 ? [`${table}.${column}`] : [];
  });
  return (await Promise.all(found)).flat().sort();
}

describe('Credentials of shops, tokens and passwords', () => {
  it('are in no log, error, log entry, metric or table, whatever goes wrong', async () => {
    const email = 'secrets@shop.example';
    const userId = await given.user({ email, passwordHash: await hashPassword(PASSWORD) });
    const siteId = await given.site(userId);
    const login = { Email: email, Password: PASSWORD, AccessScope: 'Merchant' };
    const token = (await request('POST', '/api/AccessTokens/Login', { body: login })).body.TokenAuth as string;
    await searched('POST', '/api/AccessTokens/Login', undefined, { ...login, Password: `${PASSWORD}-wrong` });
    await searched('POST', '/api/AccessTokens/Login', undefined, { ...login, AccessScope: PASSWORD.length });
    await searched('GET', '/api/Products', token.slice(0, -4));

    expect((await request('PUT', `/api/Site/${siteId}`, { token, body: SITE })).status).toBe(200);
    await searched('PUT', `/api/Site/${siteId}`, token, { ApiKey1: `${SITE.ApiKey1}\u0000`, ApiKey2: [SITE.ApiKey2] });
    await searched('PUT', `/api/Site/${siteId}`, token, { Apikey1: SITE.ApiKey1 });
    const [one, two] = [await integration(token, ONE), await integration(token, TWO)];
    await searched('POST', '/api/PaymentIntegrations', token, ONE);
    await searched('PUT', `/api/PaymentIntegration/${one}`, token, { ApiKey1: ONE.ApiKey1.repeat(20), TestMode: 'no' });

    const session = await request('POST', '/api/Sessions', { body: { Email: email, Password: PASSWORD } });
    expect(session.status).toBe(201);
    seen.push(JSON.stringify(session.body));
    const cookie = session.headers.getSetCookie()[0]!.split(';')[0]!;
    const inConsole = { headers: { cookie, 'x-requested-with': 'console' } };
    seen.push(JSON.stringify((await request('GET', '/api/Session', inConsole)).body));
    seen.push(
      JSON.stringify(
        (await request('POST', '/api/Customers', { ...inConsole, body: { Nonsense: cookie.length } })).body,
      ),
    );
    const CustomerId = await given.customer(siteId);
    const customerToken = (
      await request('POST', '/api/AccessTokens/Generate', { token, body: { AccessScope: 'Customer', CustomerId } })
    ).body.TokenAuth as string;
    const keys = [await apiKeyOf(token, siteId), await apiKeyFromCommand(email)];
    for (const key of keys) {
      expect((await request('GET', '/api/Products', { token: key })).status).toBe(200);
      await searched('GET', '/api/ApiKeys', key);
      await searched('POST', '/api/ApiKeys', key, { Name: 'x' });
      await searched('GET', '/api/Products', `${key}x`);
      await searched('POST', '/api/AccessTokens/Generate', key, { AccessScope: 'Merchant' });
    }
    await searched('GET', '/api/ApiKeys', token);
    const secrets = [
      ...(await webhookSecrets(token, siteId, keys[0]!)),
      ...(await shopSecrets(token, siteId, keys[0]!)),
    ];
    const item = { ProductId: await given.product(siteId, { price: '5', externalId: '10' }) };
    const order = { CustomerId, FrequencyType: 'Months', Frequency: 1, ScheduledOrderItems: [item] };
    const throughOne = { ...order, PaymentMethodType: 'GatewayOne', PaymentMethodCustomerId: 'cus_1' };
    const throughTwo = { ...order, PaymentMethodType: 'GatewayTwo', PaymentMethodCustomerId: '1001' };

    await processed(token, { ...throughOne, PaymentMethodId: 'pm_card' }, 'EventLogs');
    await processed(token, { ...throughTwo, PaymentMethodId: '2001' }, 'EventLogs');
    const pushes = async (state: string) =>
      (await searched('GET', `/api/Site/${siteId}/Pushes?State=${state}`, token)) as object[];
    await until(async () => (await pushes('Pushed')).length === 2);
    await searched('GET', `/api/Customers/${CustomerId}/ScheduledOrders`, customerToken);
    await searched('POST', '/api/ScheduledOrders', customerToken, { ...throughTwo, PaymentMethodCustomerId: '1002' });
    await processed(token, { ...throughOne, PaymentMethodId: 'pm_declined' }, 'ErrorLog');
    gatewayOne.faults.next('errorAfter');
    await processed(token, { ...throughOne, PaymentMethodId: 'pm_card' }, 'ErrorLog');

    const putTwo = (ApiAccount: string) =>
      request('PUT', `/api/PaymentIntegration/${two}`, { token, body: { ApiAccount } });
    await putTwo(`${TWO.ApiAccount}-too-long-to-be-one`);
    await processed(token, { ...throughTwo, PaymentMethodId: '2001' }, 'ErrorLog');
    await putTwo(TWO.ApiAccount);
    // Its order goes out with a probe: the next refusal is logged again.
    await until(async () => (await database.query(`SELECT 1 FROM integration_waits`)).length === 0);

    woo.access.keys.clear();
    await processed(token, { ...throughOne, PaymentMethodId: 'pm_card' }, 'EventLogs');
    const shop = () => searched('GET', `/api/Site/${siteId}/Shop`, token);
    await until(async () => ((await shop()) as { State: string }).State === 'Refused');
    expect(await searched('POST', `/api/Site/${siteId}/Shop/Verify`, token)).toMatchObject({ State: 'Refused' });

    gatewayOne.revoked.add(ONE.ApiKey1);
    gatewayTwo.accounts.set(TWO.ApiAccount, 'another');
    for (const id of [one, two]) {
      expect(await searched('POST', `/api/PaymentIntegration/${id}/Verify`, token)).toMatchObject({ Verified: false });
      const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
      const urls = { GATEWAY_ONE_URL: gatewayOne.url, GATEWAY_TWO_URL: gatewayTwo.url };
      const ran = await cli(['gateway:verify', '--integration', String(id)], { env: { ...env, ...urls } });
      expect(ran.code).toBe(1);
      seen.push(ran.stdout, ran.stderr);
    }
    await processed(token, { ...throughOne, PaymentMethodId: 'pm_card' }, 'ErrorLog');
    await processed(token, { ...throughTwo, PaymentMethodId: '2001' }, 'ErrorLog');

    for (const path of ['/metrics', '/health/ready']) {
      seen.push(await (await fetch(`${await api.url()}${path}`)).text(), await (await fetch(worker.url + path)).text());
    }
    const everything = [...seen, api.output(), worker.output(), await allTables()].join('\n');
    // What is searched is what it should be: lines of requests, failures of both gateways, encrypted values, counts.
    for (const witness of [
      '/api/PaymentIntegrations',
      'HTTP 401',
      'E00007',
      '[redacted]',
      'v1.',
      'http_request_duration',
    ]) {
      expect(everything).toContain(witness);
    }
    const known = Object.entries(ENCRYPTED_TABLES).flatMap(([table, { columns }]) =>
      columns.map((column) => `${table}.${column}`),
    );
    // keys:rotate knows every place of one.
    expect(await encryptedColumns()).toEqual(known.sort());
    const tokens = [token, customerToken, ...keys].flatMap((auth) => [auth, atob(auth).split(':')[1]!]);
    const credentials = [SITE, ONE, TWO].flatMap(({ ApiKey1, ...more }) => [ApiKey1, ...Object.values(more)]);
    const texts = credentials.filter((value) => typeof value === 'string' && !value.startsWith('Gateway')) as string[];
    for (const secret of [PASSWORD, TEST_ENCRYPTION_KEY, ...tokens, ...texts, ...secrets, cookie.split('.')[1]!]) {
      const at = everything.indexOf(secret);
      expect({ secret, found: at === -1 ? null : everything.slice(at - 200, at + 100) }).toEqual({
        secret,
        found: null,
      });
    }
  });

  /** Made with an Idempotency-Key, so that the answer is kept. */
  async function apiKeyOf(token: string, siteId: number): Promise<string> {
    const body = { Name: 'Back end', SiteIds: [siteId], Access: 'Full' };
    const made = await request('POST', '/api/ApiKeys', { token, body, headers: { 'idempotency-key': 'api-key' } });
    expect(made.status).toBe(201);
    return made.body.Value as string;
  }

  /**
   * The present and the previous secret of an endpoint that nobody answers; the second is made with an Idempotency-Key.
   */
  async function webhookSecrets(token: string, siteId: number, key: string): Promise<string[]> {
    const endpoint = { SiteId: siteId, Url: 'https://hooks.invalid/orders' };
    const { Id } = (await request('POST', '/api/WebhookEndpoints', { token, body: endpoint })).body as { Id: number };
    const path = `/api/WebhookEndpoint/${Id}`;
    const headers = { 'idempotency-key': 'rotate' };
    const rotated = await request('POST', `${path}/RotateSecret`, { token, body: {}, headers });
    expect(rotated.status).toBe(200);
    const { Secret, PreviousSecret } = rotated.body as { Secret: string; PreviousSecret: string };
    expect((await request('GET', `${path}/Secret`, { token })).body).toMatchObject({ Secret, PreviousSecret });
    expect(await searched('GET', `${path}/Secret`, key)).toMatchObject({ Secret: null, PreviousSecret: null });
    await searched('POST', `${path}/RotateSecret`, key, {});
    await searched('POST', `${path}/Test`, token, { EventType: 'order.created' });
    await searched('GET', path, token);
    return [Secret, PreviousSecret].map((secret) => secret.replace('whsec_', ''));
  }

  /** The same of a shop that takes its keys in the query; Orders are pushed into it from then on. */
  async function shopSecrets(token: string, siteId: number, key: string): Promise<string[]> {
    const path = `/api/Site/${siteId}/Shop`;
    await request('PUT', `/api/Site/${siteId}`, { token, body: { Url: woo.url } });
    await searched('PUT', path, token, { Receiver: 'WooCommerceRest', Push: 'On' });
    const headers = { 'idempotency-key': 'rotate' };
    const { body } = await request('POST', `${path}/RotateSecret`, { token, body: {}, headers });
    const { Secret, PreviousSecret } = body as { Secret: string; PreviousSecret: string };
    expect(await searched('GET', `${path}/Secret`, key)).toMatchObject({ Secret: null, PreviousSecret: null });
    await searched('POST', `${path}/RotateSecret`, key, {});
    expect(await searched('POST', `${path}/Verify`, token)).toMatchObject({ State: 'Ready', AuthMode: 'Query' });
    return [Secret, PreviousSecret].map((secret) => secret.replace('whsec_', ''));
  }

  async function apiKeyFromCommand(email: string): Promise<string> {
    const options = ['--email', email, '--name', 'Reports', '--access', 'Read'];
    const ran = await cli(['apikey:create', ...options], { env: { DATABASE_URL: database.url } });
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    return (JSON.parse(ran.stdout) as { Value: string }).Value;
  }

  async function integration(token: string, body: object): Promise<number> {
    const headers = { 'idempotency-key': JSON.stringify(body).length.toString() };
    const made = await request('POST', '/api/PaymentIntegrations', { token, body, headers });
    expect(made.status).toBe(201);
    return made.body.Id as number;
  }

  /** An order that is called for at once, until its log says what came of it; its logs are searched. */
  async function processed(token: string, body: object, log: 'EventLogs' | 'ErrorLog'): Promise<void> {
    const { Id } = (await searched('POST', '/api/ScheduledOrders', token, body)) as { Id: number };
    expect(Id).toEqual(expect.any(Number));
    await searched('POST', `/api/ScheduledOrders/${Id}/Process`, token);
    const path = `/api/ScheduledOrders/${Id}/${log}`;
    await until(async () => ((await request('GET', path, { token })).body as object[]).length > 0);
    for (const part of [log, 'ActionLogs', 'EventLogs', 'Quote']) {
      await searched('GET', `/api/ScheduledOrders/${Id}/${part}`, token);
    }
  }
});
