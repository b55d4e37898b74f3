import { PassThrough } from 'node:stream';
import type { Environment } from '#libs/platform';
import { useApi } from '../support/api.js';
import { itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { given as givenIn, type GivenMerchant } from '../support/given.js';
import { until } from '../support/until.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const STAMPS = { CreatedUtc: expect.stringMatching(TIME), UpdatedUtc: expect.stringMatching(TIME) };
const ENCRYPTED = expect.stringMatching(/^v1\.[0-9a-f]{8}\.[\w-]{38,}$/);

const ONE = {
  PaymentMethodType: 'GatewayOne',
  ApiAccount: 'account "1"',
  ApiKey1: 'sk_test_merchant',
  ApiKey2: 'pk_test_merchant',
  TestMode: true,
};
const TWO = {
  PaymentMethodType: 'GatewayTwo',
  ApiAccount: 'login',
  ApiKey1: 'key4567890123456',
  ApiKey2: null,
  TestMode: true,
};

const environment: Environment = { LOG_LEVEL: 'trace', LOG_FORMAT: 'json' };
let gatewayOne: StripeStandIn;
let gatewayTwo: AuthorizeNetStandIn;
beforeAll(async () => {
  gatewayOne = await StripeStandIn.start();
  gatewayTwo = await AuthorizeNetStandIn.start();
  Object.assign(environment, { GATEWAY_ONE_URL: gatewayOne.url, GATEWAY_TWO_URL: gatewayTwo.url });
});
afterAll(async () => {
  await gatewayOne.stop();
  await gatewayTwo.stop();
});

const logged: string[] = [];
const log = new PassThrough().on('data', (line: Buffer) => logged.push(line.toString()));
const database = useDatabase();
const api = useApi(database, environment, log);
const given = givenIn(database);

const MANY = '/api/PaymentIntegrations';
const one = (id: number) => `/api/PaymentIntegration/${id}`;
const create = (token: string, body: object = ONE) => api.request('POST', MANY, { token, body });
const put = (token: string, id: number, body: object) => api.request('PUT', one(id), { token, body });
const verify = (token: string, id: number) => api.request('POST', `${one(id)}/Verify`, { token });

describe('POST /api/PaymentIntegrations', () => {
  it('creates an integration, and says where it is', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const created = await create(token);
    expect([created.status, created.body]).toEqual([201, { Id: created.body.Id, SiteId: siteId, ...ONE, ...STAMPS }]);
    expect(Object.keys(created.body)).toEqual(['Id', 'SiteId', ...Object.keys(ONE), 'CreatedUtc', 'UpdatedUtc']);
    expect(created.headers.get('location')).toBe(one(created.body.Id));
    const read = await api.request('GET', created.headers.get('location')!, { token });
    expect([read.status, read.body]).toEqual([200, created.body]);
  });

  it('needs its type and nothing else', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const without = await create(token, {});
    expect([without.status, without.body.errors]).toEqual([
      400,
      [{ field: 'PaymentMethodType', message: 'is required.' }],
    ]);
    const { status, body } = await create(token, { PaymentMethodType: 'GatewayTwo' });
    const nothing = { ApiAccount: null, ApiKey1: null, ApiKey2: null, TestMode: false };
    const PaymentMethodType = 'GatewayTwo';
    expect([status, body]).toEqual([201, { Id: body.Id, SiteId: siteId, PaymentMethodType, ...nothing, ...STAMPS }]);
  });

  it('makes one per site and type, and names the one that is there; deleting frees the place', async () => {
    const merchant = await given.merchant();
    const token = merchant.tokenAuth;
    const { body: first } = await create(token);
    const second = await create(token, { PaymentMethodType: 'GatewayOne' });
    const message = `Site ${merchant.siteId} has PaymentIntegration ${first.Id} for GatewayOne already: update that one.`;
    expect([second.status, second.body.errors]).toEqual([400, [{ field: 'PaymentMethodType', message }]]);
    const two = await create(token, TWO);
    expect(two.status).toBe(201);
    const changed = await put(token, two.body.Id, { PaymentMethodType: 'GatewayOne' });
    expect([changed.status, changed.body.errors]).toEqual([400, [{ field: 'PaymentMethodType', message }]]);
    const elsewhere = await given.site(merchant.userId);
    expect((await create(token, { ...ONE, SiteId: elsewhere })).status).toBe(201);
    await api.request('DELETE', one(first.Id), { token });
    expect((await create(token, { ...ONE, SiteId: merchant.siteId })).status).toBe(201);
  });

  it('makes one of many requests at once', async () => {
    const { tokenAuth: token } = await given.merchant();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
  });

  it('is made once for an Idempotency-Key, whose answer is kept encrypted', async () => {
    const { tokenAuth: token } = await given.merchant();
    const headers = { 'idempotency-key': 'one' };
    const [first, again] = [
      await api.request('POST', MANY, { token, body: ONE, headers }),
      await api.request('POST', MANY, { token, body: ONE, headers }),
    ];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(one(first.body.Id));
    expect(await database.query(`SELECT body FROM idempotency_keys`)).toEqual([{ body: ENCRYPTED }]);
  });

  it.each([
    [{ PaymentMethodType: 'Stripe' }, 'PaymentMethodType', '"Stripe" must be one of GatewayOne, GatewayTwo.'],
    [{ PaymentMethodType: null }, 'PaymentMethodType', 'must not be null: leave it out instead.'],
    [{ TestMode: null }, 'TestMode', 'must not be null: leave it out instead.'],
    [{ TestMode: 1 }, 'TestMode', '1 must be true or false.'],
    [{ ApiAccount: ['sk_test_x'] }, 'ApiAccount', 'must be text.'],
    [{ ApiKey1: { key: 'sk_test_x' } }, 'ApiKey1', 'must be text.'],
    [{ ApiKey2: 'sk_test_x'.repeat(29) }, 'ApiKey2', 'must have at most 255 characters; it has 261.'],
    [{ ApiKey1: 'sk_test_x\u0000' }, 'ApiKey1', 'must not contain a NUL character.'],
    [{ ApiKey3: 'sk_test_x' }, 'ApiKey3', 'is not a field of this resource; its fields are'],
  ])('refuses %j, and repeats no credential', async (fields, field, message) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body } = await create(token, { ...ONE, ...fields });
    expect([status, body.errors]).toEqual([400, [{ field, message: expect.stringContaining(message) }]]);
    expect(JSON.stringify(body)).not.toContain('sk_test_x');
  });
});

describe('A live key', () => {
  const refused = {
    field: 'TestMode',
    message: 'must be false, because ApiKey1 is a live key: send false, or a test key.',
  };

  it.each(['sk_live_51', 'rk_live_51'])('(%s) is refused with TestMode, by the merged record', async (ApiKey1) => {
    const { tokenAuth: token } = await given.merchant();
    const created = await create(token, { ...ONE, ApiKey1 });
    expect([created.status, created.body.errors]).toEqual([400, [refused]]);
    const { body: live } = await create(token, { ...ONE, ApiKey1, TestMode: false });
    expect(live).toMatchObject({ ApiKey1, TestMode: false });
    expect((await put(token, live.Id, { TestMode: true })).body.errors).toEqual([refused]);
    expect((await put(token, live.Id, { TestMode: true, ApiKey1: 'sk_test_1' })).status).toBe(200);
    expect((await put(token, live.Id, { ApiKey1 })).body.errors).toEqual([refused]);
    expect((await put(token, live.Id, { ApiKey1: null })).status).toBe(200);
  });

  it('is only a matter of GatewayOne’s secret key, and of TestMode', async () => {
    const { tokenAuth: token } = await given.merchant();
    const two = await create(token, { ...TWO, ApiKey1: 'sk_live_51', ApiKey2: 'sk_live_51' });
    expect(two.status).toBe(201);
    expect((await create(token, { ...ONE, ApiKey2: 'pk_live_51' })).status).toBe(201);
    const moved = await api.request('DELETE', one(two.body.Id), { token });
    expect(moved.status).toBe(204);
  });
});

describe('A key that cannot work', () => {
  const sandboxed = {
    field: 'TestMode',
    message: 'must be true, because ApiKey1 is a sandbox key: send true, or the secret key of your gateway account.',
  };
  const publishable = {
    field: 'ApiKey1',
    message: 'must be a secret key (sk_… or rk_…), but it is a publishable key (pk_…): that one belongs in ApiKey2.',
  };

  it.each([ONE, TWO])('is a sandbox key outside TestMode, by the merged record: $PaymentMethodType', async (body) => {
    const { tokenAuth: token } = await given.merchant();
    const made = { ...body, ApiKey1: 'sandbox_secret_1' };
    const refusals = [
      await create(token, { ...made, TestMode: false }),
      await create(token, { ...made, TestMode: undefined }),
    ];
    const { status, body: integration } = await create(token, made);
    expect(status).toBe(201);
    refusals.push(await put(token, integration.Id, { TestMode: false }));
    for (const { status, body } of refusals) expect([status, body.errors]).toEqual([400, [sandboxed]]);
    expect(JSON.stringify(refusals)).not.toContain('sandbox_secret_1');
    const live = await put(token, integration.Id, { TestMode: false, ApiKey1: 'rk_live_51' });
    expect(live.status).toBe(200);
    expect((await put(token, integration.Id, { ApiKey1: 'sandbox' })).body.errors).toEqual([sandboxed]);
  });

  it('is a publishable key in place of GatewayOne’s secret key', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: integration } = await create(token);
    for (const ApiKey1 of ['pk_test_secret_2', 'pk_live_secret_2']) {
      for (const TestMode of [true, false]) {
        const { status, body } = await put(token, integration.Id, { ApiKey1, TestMode });
        expect([status, body.errors]).toEqual([400, [publishable]]);
        expect(JSON.stringify(body)).not.toContain('secret_2');
      }
    }
    expect((await create(token, { ...TWO, ApiKey1: 'pk_x' })).status).toBe(201);
    expect((await api.request('GET', one(integration.Id), { token })).body).toEqual(integration);
  });

  it('is still read where it is stored, and refused until the record can work', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: integration } = await create(token, { ...ONE, ApiKey1: 'sandbox' });
    await database.query(`UPDATE payment_integrations SET test_mode = false WHERE id = $1`, [integration.Id]);
    const read = await api.request('GET', one(integration.Id), { token });
    expect([read.status, read.body.ApiKey1, read.body.TestMode]).toEqual([200, 'sandbox', false]);
    expect((await put(token, integration.Id, { ApiAccount: null })).body.errors).toEqual([sandboxed]);
    expect((await put(token, integration.Id, { TestMode: true })).status).toBe(200);
  });
});

describe('The credentials of an integration', () => {
  it('are encrypted at rest', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: integration } = await create(token);
    const rows = await database.query(
      `SELECT api_account, api_key1, api_key2 FROM payment_integrations WHERE id = $1`,
      [integration.Id],
    );
    expect(rows).toEqual([{ api_account: ENCRYPTED, api_key1: ENCRYPTED, api_key2: ENCRYPTED }]);
  });

  it('appear in no log line and no answer when something fails', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: integration } = await create(token, { ...ONE, ApiKey1: 'sk_test_secret', ApiKey2: 'pk_secret' });
    await database.query(
      `ALTER TABLE payment_integrations ADD CONSTRAINT refused CHECK (test_mode OR site_id <> ${integration.SiteId})`,
    );
    const failed = await put(token, integration.Id, { ApiKey1: 'sk_test_secret', TestMode: false });
    expect(failed.status).toBe(500);
    await database.query(`UPDATE payment_integrations SET api_key1 = 'sk_in_clear' WHERE id = $1`, [integration.Id]);
    const read = await api.request('GET', one(integration.Id), { token });
    const verified = await verify(token, integration.Id);
    expect([read.status, verified.status]).toEqual([500, 500]);
    const all = logged.join('') + JSON.stringify([failed.body, read.body, verified.body]);
    expect(all).toContain('request failed');
    for (const secret of ['sk_test_secret', 'pk_secret', 'sk_in_clear']) expect(all).not.toContain(secret);
  });
});

describe('PUT /api/PaymentIntegration/{paymentIntegrationId}', () => {
  it('changes what is sent, clears what is null, and takes back what GET returned', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: integration } = await create(token);
    const body = { ApiKey1: 'sk_test_other', ApiAccount: null };
    const changed = await put(token, integration.Id, body);
    expect([changed.status, changed.body]).toEqual([200, { ...integration, ...body, UpdatedUtc: expect.any(String) }]);
    expect(changed.body.UpdatedUtc > integration.UpdatedUtc).toBe(true);
    const again = await put(token, integration.Id, changed.body);
    expect([again.status, again.body]).toEqual([200, { ...changed.body, UpdatedUtc: expect.stringMatching(TIME) }]);
    expect((await api.request('GET', one(integration.Id), { token })).body).toEqual(again.body);
  });

  it('keeps an integration on its site', async () => {
    const merchant = await given.merchant();
    const { body: integration } = await create(merchant.tokenAuth);
    const second = await given.site(merchant.userId);
    const { body } = await put(merchant.tokenAuth, integration.Id, { SiteId: second });
    const message = `A PaymentIntegration stays on its site ${merchant.siteId}: leave it out.`;
    expect(body.errors).toEqual([{ field: 'SiteId', message }]);
  });
});

describe('GET /api/PaymentIntegrations', () => {
  it('lists by Id with their credentials, of the account only: the whole array, or a page', async () => {
    const { tokenAuth: token } = await given.merchant();
    await create((await given.merchant()).tokenAuth);
    const [{ body: first }, { body: second }] = [await create(token), await create(token, TWO)];
    expect((await api.request('GET', MANY, { token })).body).toEqual([first, second]);
    const page = await api.request('GET', `${MANY}?page=1`, { token });
    expect(page.body).toEqual([first, second]);
    expect(page.headers.get('link')).toBe(`<${MANY}?page=1>; rel="first"`);
    await api.request('DELETE', one(first.Id), { token });
    expect((await api.request('GET', MANY, { token })).body).toEqual([second]);
  });
});

describe('DELETE /api/PaymentIntegration/{paymentIntegrationId}', () => {
  it('is final', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: integration } = await create(token);
    const deleted = await api.request('DELETE', one(integration.Id), { token });
    expect([deleted.status, deleted.body]).toEqual([204, '']);
    const gone = `There is no PaymentIntegration ${integration.Id}.`;
    for (const answered of [
      await api.request('GET', one(integration.Id), { token }),
      await put(token, integration.Id, {}),
      await verify(token, integration.Id),
      await api.request('DELETE', one(integration.Id), { token }),
    ]) {
      expect([answered.status, answered.body.detail]).toEqual([404, gone]);
    }
  });
});

describe('POST /api/PaymentIntegration/{paymentIntegrationId}/Verify', () => {
  const refused = 'The payment gateway refuses the credentials of the payment integration.';

  it.each([
    ['a sandbox', { ...ONE, ApiKey1: 'sandbox_demo' }, { Verified: true }],
    ['GatewayOne', ONE, { Verified: true }],
    ['GatewayTwo', TWO, { Verified: true }],
    ['GatewayOne without a key', { ...ONE, ApiKey1: null }, 'The payment integration has no secret key (ApiKey1).'],
    ['GatewayOne with the wrong key', { ...ONE, ApiKey1: 'sk_test_revoked' }, refused],
    ['GatewayTwo with the wrong key', { ...TWO, ApiKey1: 'revoked' }, refused],
  ])('asks %s', async (_, integration, expected) => {
    gatewayOne.revoked.add('sk_test_revoked');
    gatewayTwo.accounts.set(TWO.ApiAccount, TWO.ApiKey1);
    const { tokenAuth: token } = await given.merchant();
    const { body } = await create(token, integration);
    const answered = await verify(token, body.Id);
    const verification = typeof expected === 'string' ? { Verified: false, Message: expected } : expected;
    expect([answered.status, answered.body]).toEqual([200, verification]);
  });

  it('asks with the credentials as they are now', async () => {
    gatewayOne.revoked.add('sk_test_revoked');
    const { tokenAuth: token } = await given.merchant();
    const { body: integration } = await create(token, { ...ONE, ApiKey1: 'sk_test_revoked' });
    expect((await verify(token, integration.Id)).body).toEqual({ Verified: false, Message: refused });
    await put(token, integration.Id, { ApiKey1: 'sk_test_merchant' });
    expect((await verify(token, integration.Id)).body).toEqual({ Verified: true });
  });

  it('holds no transaction open while the gateway thinks', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: integration } = await create(token);
    const before = gatewayOne.served.lookUp;
    gatewayOne.latencyMs = Infinity;
    const verifying = verify(token, integration.Id);
    await until(() => gatewayOne.served.lookUp > before);
    // Another statement of the API may be under way for a moment; a transaction of this request would be as long as the
    // answer is kept.
    await until(async () => {
      const open = await database.query(
        `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api' AND xact_start IS NOT NULL`,
      );
      return open.length === 0;
    }, 20_000);
    gatewayOne.latencyMs = 0;
    gatewayOne.letGo();
    expect((await verifying).body).toEqual({ Verified: true });
  });
});

describe('An order that waits for its integration', () => {
  /** Its integration is to be probed in an hour, unless that is sooner now, as its Cycles tell. */
  async function givenWaiting({ siteId, tokenAuth: token }: GivenMerchant, type: string) {
    const orderId = await given.scheduledOrder(siteId, await given.customer(siteId), { paymentMethodType: type });
    const later = `now() + interval '1 hour'`;
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, next_attempt_utc, waiting_since_utc,
         payment_method_type, failure_code)
       VALUES ($1, $2, 1, 'Waiting', true, now(), now() + interval '30 days', now(), $3, 1003)`,
      [siteId, orderId, type],
    );
    await database.query(
      `INSERT INTO integration_waits (site_id, payment_method_type, waiting_since_utc, next_probe_utc) VALUES ($1, $2, now(), ${later})`,
      [siteId, type],
    );
    return async (): Promise<boolean> => {
      const { body } = await api.request('GET', `/api/ScheduledOrders/${orderId}/Cycles`, { token });
      const [{ NextAttemptUtc }] = body as [{ NextAttemptUtc: string }];
      await database.query(
        `UPDATE integration_waits SET next_probe_utc = ${later} WHERE site_id = $1 AND payment_method_type = $2`,
        [siteId, type],
      );
      const inMs = Date.parse(NextAttemptUtc) - Date.now();
      expect(inMs).toBeLessThanOrEqual(3_600_000 + 1_000);
      return inMs <= 1_800_000;
    };
  }

  it('is tried again at once when it is created, changed, verified or deleted, and not before', async () => {
    gatewayOne.revoked.add('sk_test_revoked');
    const merchant = await given.merchant();
    const token = merchant.tokenAuth;
    const isWoken = await givenWaiting(merchant, 'GatewayOne');
    const others = [
      await givenWaiting(merchant, 'GatewayTwo'),
      await givenWaiting(await given.merchant(), 'GatewayOne'),
    ];
    await create(token, { ...ONE, ApiKey1: 'sk_live_1' });
    expect(await isWoken()).toBe(false);
    const { body: integration } = await create(token, { ...ONE, ApiKey1: 'sk_test_revoked' });
    expect(await isWoken()).toBe(true);
    await verify(token, integration.Id);
    expect(await isWoken()).toBe(false);
    await put(token, integration.Id, { ApiKey1: 'sk_test_merchant' });
    expect(await isWoken()).toBe(true);
    await verify(token, integration.Id);
    expect(await isWoken()).toBe(true);
    for (const isOtherWoken of others) expect(await isOtherWoken()).toBe(false);
    await put(token, integration.Id, { PaymentMethodType: 'GatewayTwo' });
    expect([await isWoken(), await others[0]!(), await others[1]!()]).toEqual([true, true, false]);
    await api.request('DELETE', one(integration.Id), { token });
    expect([await isWoken(), await others[0]!()]).toEqual([false, true]);
  });

  it('is tried at once when it is to be paid through another gateway', async () => {
    const merchant = await given.merchant();
    const isWoken = await givenWaiting(merchant, 'GatewayOne');
    const token = merchant.tokenAuth;
    const { body } = await api.request('GET', '/api/ScheduledOrders', { token });
    const [{ Id }] = body as [{ Id: number }];
    const change = (sent: object) => api.request('PUT', `/api/ScheduledOrders/${Id}`, { token, body: sent });
    expect((await change({ ShippingCity: 'Lyon' })).status).toBe(200);
    expect(await isWoken()).toBe(false);
    const two = { PaymentMethodType: 'GatewayTwo', PaymentMethodCustomerId: '1001', PaymentMethodId: '2001' };
    expect((await change(two)).status).toBe(200);
    expect(await isWoken()).toBe(true);
  });
});

describe('Who reaches payment integrations', () => {
  const merchantOnly = { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 };
  const path = async ({ merchant }: World) =>
    one((await create(merchant.tokenAuth, { ...ONE, ApiKey1: 'sandbox' })).body.Id as number);
  const body = () => ({});
  itReaches(api, database, [
    {
      route: `POST ${MANY}`,
      path: () => MANY,
      body: ({ siteId }) => ({ ...ONE, SiteId: siteId }),
      answers: { ...merchantOnly, 'own account': 201 },
    },
    { route: `GET ${MANY}`, path: () => MANY, answers: { ...merchantOnly, 'another account': 200 } },
    { route: 'PUT /api/PaymentIntegration/{paymentIntegrationId}', path, body, answers: merchantOnly },
    { route: 'GET /api/PaymentIntegration/{paymentIntegrationId}', path, answers: merchantOnly },
    {
      route: 'POST /api/PaymentIntegration/{paymentIntegrationId}/Verify',
      path: async (world) => `${await path(world)}/Verify`,
      answers: merchantOnly,
    },
    {
      route: 'DELETE /api/PaymentIntegration/{paymentIntegrationId}',
      path,
      answers: { ...merchantOnly, 'own account': 204 },
    },
  ]);
});
