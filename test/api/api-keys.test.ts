import { API_KEY_PREFIX } from '#libs/records';
import { type Answered, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const LATER = '2036-01-31T09:00:00.000Z';

const create = (token: string, body: object, headers?: Record<string, string>) =>
  api.request('POST', '/api/ApiKeys', { token, body, headers });
const remove = (token: string, id: number) => api.request('DELETE', `/api/ApiKey/${id}`, { token });
const list = async (token: string) => (await api.request('GET', '/api/ApiKeys', { token })).body as { Id: number }[];
const generate = (token: string, CustomerId: number) =>
  api.request('POST', '/api/AccessTokens/Generate', { token, body: { AccessScope: 'Customer', CustomerId } });

/** The words of a refusal. */
const saying = ({ status, body }: Answered): unknown[] => [status, body.detail];
const idsOf = (records: { Id: number }[]): number[] => records.map(({ Id }) => Id);
const isLiving = async (token: string) => (await api.request('GET', '/api/Products?page=1', { token })).status === 200;
const living = (...tokens: string[]) => Promise.all(tokens.map(isLiving));

/** An account with two sites, a customer at each, and a key of the first. */
async function shop(values: Record<string, unknown> = {}) {
  const merchant = await given.merchant();
  const { userId, siteId, tokenAuth } = merchant;
  const otherSiteId = await given.site(userId);
  const { id, value } = await given.apiKey(userId, [siteId], values);
  const [customerId, otherCustomerId] = [await given.customer(siteId), await given.customer(otherSiteId)];
  return { userId, siteId, otherSiteId, customerId, otherCustomerId, token: tokenAuth, keyId: id, key: value };
}

describe('POST /api/ApiKeys', () => {
  it('makes a key, and shows its value this once', async () => {
    const { token, siteId, otherSiteId } = await shop();
    const sent = { Name: 'Back end', SiteIds: [otherSiteId, siteId, siteId], Access: 'Full', ExpiresUtc: LATER };
    const { status, headers, body } = await create(token, sent);
    const shown = {
      Id: expect.any(Number),
      Name: 'Back end',
      SiteIds: [siteId, otherSiteId],
      Access: 'Full',
      ExpiresUtc: LATER,
      LastUsedUtc: null,
      CreatedUtc: expect.stringMatching(TIME),
    };
    expect([status, body]).toEqual([201, { ...shown, Value: expect.any(String) }]);
    expect(headers.get('location')).toBe(`/api/ApiKey/${body.Id}`);
    expect((await list(token)).at(-1)).toEqual(shown);
    expect(await living(body.Value)).toEqual([true]);
  });

  it('makes a value that secret scanners find, of which only the SHA-256 is stored', async () => {
    const { token, siteId } = await shop();
    const { body } = await create(token, { Name: 'x', SiteIds: [siteId], Access: 'Read', ExpiresUtc: null });
    expect(API_KEY_PREFIX).toBe('SChedkEy');
    // The expression of docs/authentication.md.
    expect(body.Value).toMatch(/^SChedkEy[MNO][0-9A-Za-z+/]{59,78}={0,2}$/);
    const secret = atob(body.Value as string).split(':')[1]!;
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const [row] = await database.query<{ secret_hash: Buffer }>(`SELECT * FROM api_keys WHERE id = $1`, [body.Id]);
    expect(row!.secret_hash).toHaveLength(32);
    expect(JSON.stringify({ ...row, secret_hash: row!.secret_hash.toString('latin1') })).not.toContain(secret);
  });

  it('takes its ids from the tokens’ numbers, and its keys from no token’s place', async () => {
    const { token, siteId, userId } = await shop();
    const before = Number(atob(await given.token(userId)).split(':')[0]);
    const { body } = await create(token, { Name: 'x', SiteIds: [siteId], Access: 'Full' });
    const after = Number(atob(await given.token(userId)).split(':')[0]);
    expect([body.Id > before, body.Id < after]).toEqual([true, true]);
    expect(idsOf((await api.request('GET', '/api/AccessTokens', { token })).body)).not.toContain(body.Id);
  });

  it.each([
    [
      {},
      [
        ['Name', 'is required.'],
        ['SiteIds', 'is required.'],
        ['Access', 'is required.'],
      ],
    ],
    [
      { Name: 'x'.repeat(256), SiteIds: 1, Access: 'Write', ExpiresUtc: 'soon' },
      [
        ['Name', 'must have at most 255 characters; it has 256.'],
        ['SiteIds', '1 must be an array of 1 to 1,000 ids, each of a site.'],
        ['Access', '"Write" must be one of Full, Read.'],
        ['ExpiresUtc', '"soon" must be an ISO 8601 time such as 2026-01-31T09:00:00.000Z.'],
      ],
    ],
    [{ SiteIds: [] }, [['SiteIds', 'must be an array of 1 to 1,000 ids, each of a site; it has 0.']]],
    [
      { SiteIds: Array(1_001).fill(1) },
      [['SiteIds', 'must be an array of 1 to 1,000 ids, each of a site; it has 1001.']],
    ],
    [{ SiteIds: [1, '2'] }, [['SiteIds', 'must be an array of 1 to 1,000 ids, each of a site; its element 1 is "2".']]],
    [
      { SiteIds: [{ deep: [[]] }] },
      [['SiteIds', 'must be an array of 1 to 1,000 ids, each of a site; its element 0 is {…}.']],
    ],
  ])('refuses %j', async (body, errors) => {
    const { token, siteId } = await shop();
    const whole = errors.length > 1 ? body : { Name: 'x', SiteIds: [siteId], Access: 'Full', ...body };
    const answered = await create(token, whole);
    expect([answered.status, answered.body.errors]).toEqual([
      400,
      errors.map(([field, message]) => ({ field, message })),
    ]);
  });

  it('refuses a blank name, a time that has passed and sites that there are not, all at once', async () => {
    const { token, siteId } = await shop();
    const body = { Name: ' ', SiteIds: [siteId, 999_999], Access: 'Full', ExpiresUtc: '2020-01-01' };
    const answered = await create(token, body);
    const past =
      /^"2020-01-01T00:00:00.000Z" must be in the future; it is \S+ now. Leave it out for a key that does not expire.$/;
    expect([answered.status, answered.body.errors]).toEqual([
      400,
      [
        { field: 'Name', message: 'must not be blank: it tells your keys apart.' },
        { field: 'ExpiresUtc', message: expect.stringMatching(past) },
        { field: 'SiteIds[1]', message: 'There is no Site 999999.' },
      ],
    ]);
  });

  it('is Forbidden for a site of another account', async () => {
    const { token, siteId } = await shop();
    const { siteId: foreign } = await given.merchant();
    const answered = await create(token, { Name: 'x', SiteIds: [siteId, foreign], Access: 'Full' });
    expect(saying(answered)).toEqual([403, `Site ${foreign} belongs to another account.`]);
  });

  it('makes at most 100 an account, of many requests at once; one that is deleted makes room, an expired one does not', async () => {
    const { token, siteId, userId, keyId } = await shop();
    const [expired] = await Promise.all(
      Array.from({ length: 97 }, () => given.apiKey(userId, [siteId], { expiresUtc: new Date(0) })),
    );
    const body = { Name: 'x', SiteIds: [siteId], Access: 'Full' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(token, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.detail).toBe(
      'The account has 100 API keys, expired ones included; at most 100 are possible: delete one that is not used any more (DELETE /api/ApiKey/{id}).',
    );
    expect(await list(token)).toHaveLength(100);
    expect((await remove(token, expired!.id)).status).toBe(204);
    expect((await create(token, body)).status).toBe(201);
    expect((await list(token))[0]!.Id).toBe(keyId);
    expect((await create((await shop()).token, body)).status).toBe(403);
  });

  it('gives the first answer again for the same Idempotency-Key, and keeps it encrypted', async () => {
    const { token, siteId } = await shop();
    const body = { Name: 'once', SiteIds: [siteId], Access: 'Full' };
    const headers = { 'idempotency-key': 'key-1' };
    const first = await create(token, body, headers);
    const again = await create(token, body, headers);
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body]);
    expect(await list(token)).toHaveLength(2);
    const [kept] = await database.query<{ body: string }>(`SELECT body FROM idempotency_keys WHERE key = 'key-1'`);
    expect(kept!.body).toMatch(/^v[12]\./);
    expect((await create(token, { ...body, Name: 'other' }, headers)).status).toBe(422);
  });

  it('makes none with a token that is revoked in the meantime', async () => {
    const { token, siteId, userId } = await shop();
    const revoking = database.dataSource.createQueryRunner();
    await revoking.startTransaction();
    await revoking.query(`SELECT 1 FROM users WHERE id = $1 FOR UPDATE`, [userId]);
    const answering = create(token, { Name: 'x', SiteIds: [siteId], Access: 'Full' });
    await until(async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api' AND wait_event_type = 'Lock'`;
      return (await database.query(waiting)).length > 0;
    });
    await revoking.query(`UPDATE access_tokens SET revoked_utc = now() WHERE user_id = $1`, [userId]);
    await revoking.commitTransaction();
    await revoking.release();
    expect(saying(await answering)).toEqual([403, 'The presented token was revoked: log in again.']);
    expect(await database.query(`SELECT 1 FROM api_keys WHERE user_id = $1`, [userId])).toHaveLength(1);
  });
});

describe('DELETE /api/ApiKey/{apiKeyId}', () => {
  it('ends a key and all tokens that were made with it, at once, and no other', async () => {
    const { token, key, keyId, userId, siteId, customerId } = await shop();
    const other = await given.apiKey(userId, [siteId]);
    const first = (await generate(key, customerId)).body.TokenAuth as string;
    const second = (await generate(first, customerId)).body.TokenAuth as string;
    const ofOther = (await generate(other.value, customerId)).body.TokenAuth as string;
    expect(await living(key, first, second, ofOther)).toEqual([true, true, true, true]);
    const removed = await remove(token, keyId);
    expect([removed.status, removed.body]).toEqual([204, '']);
    expect(await living(key, first, second, ofOther)).toEqual([false, false, false, true]);
    expect(await living(token, other.value)).toEqual([true, true]);
    expect(idsOf(await list(token))).toEqual([other.id]);
  });

  it('lets no token escape that is being made in the meantime', async () => {
    const { token, userId, siteId, customerId } = await shop();
    for (let round = 0; round < 10; round++) {
      const { id, value } = await given.apiKey(userId, [siteId]);
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => generate(value, customerId)),
        remove(token, id),
      ]);
      expect(answers.at(-1)!.status).toBe(204);
      const left = `SELECT 1 FROM access_tokens WHERE api_key_id = $1 AND revoked_utc IS NULL`;
      expect(await database.query(left, [id])).toEqual([]);
    }
  });

  it('lets a key end itself and no other; an expired one can be deleted', async () => {
    const { token, key, keyId, userId, siteId } = await shop();
    const other = await given.apiKey(userId, [siteId], { expiresUtc: new Date(0) });
    expect(saying(await remove(key, other.id))).toEqual([403, 'An API key may delete no API key but itself.']);
    expect((await remove(token, other.id)).status).toBe(204);
    expect((await remove(key, keyId)).status).toBe(204);
    expect(await living(key)).toEqual([false]);
  });

  it('is 404 for a key that there is not, or no more, and 403 for another account’s', async () => {
    const { token, keyId } = await shop();
    await remove(token, keyId);
    for (const gone of [keyId, 999_999]) {
      expect(saying(await remove(token, gone))).toEqual([404, `There is no ApiKey ${gone}.`]);
    }
    const { keyId: foreign } = await shop();
    expect(saying(await remove(token, foreign))).toEqual([403, `ApiKey ${foreign} belongs to another account.`]);
  });
});

describe('GET /api/ApiKeys', () => {
  it('lists the account’s keys by Id, expired ones too; to a key itself alone', async () => {
    const { token, userId, siteId, key, keyId } = await shop();
    const expired = await given.apiKey(userId, [siteId], { expiresUtc: new Date('2026-01-01T00:00:00Z') });
    await given.apiKey(userId, [siteId], { revokedUtc: new Date() });
    await shop();
    const shown = await list(token);
    expect(idsOf(shown)).toEqual([keyId, expired.id]);
    expect(shown[1]).toEqual({
      Id: expired.id,
      Name: 'Shop',
      SiteIds: [siteId],
      Access: 'Full',
      ExpiresUtc: '2026-01-01T00:00:00.000Z',
      LastUsedUtc: null,
      CreatedUtc: expect.stringMatching(TIME),
    });
    expect(idsOf(await list(key))).toEqual([keyId]);
    const page = await api.request('GET', '/api/ApiKeys?page=1', { token });
    expect(page.body).toMatchObject([{ Id: keyId }, { Id: expired.id }]);
    expect((await api.request('GET', '/api/ApiKeys?page=2', { token })).body).toEqual([]);
  });
});

describe('A presented key', () => {
  const BAD = 'The presented API key is malformed, unknown, revoked or expired: make a new one (POST /api/ApiKeys).';
  const read = (token: string) => api.request('GET', '/api/Products', { token });

  it('that is wrong, deleted or expired is 401 with what to do; with Generate 403', async () => {
    const { token, key, keyId, userId, siteId, customerId } = await shop();
    const [constant, secret] = [atob(API_KEY_PREFIX), atob(key).split(':')[1]!];
    const expired = await given.apiKey(userId, [siteId], { expiresUtc: new Date(Date.now() - 1) });
    const deleted = await given.apiKey(userId, [siteId]);
    await remove(token, deleted.id);
    const wrong = [
      expired.value,
      deleted.value,
      btoa(`${constant}${keyId}:${secret}x`),
      btoa(`${constant}${keyId + 1_000}:${secret}`),
      btoa(`${constant}:${secret}`),
      btoa(`${constant}${'9'.repeat(30)}:${secret}`),
      API_KEY_PREFIX,
    ];
    for (const value of wrong) {
      expect(saying(await read(value))).toEqual([401, BAD]);
      expect(saying(await generate(value, customerId))).toEqual([403, BAD]);
    }
    expect(await living(key)).toEqual([true]);
  });

  it('is no token, and a token no key', async () => {
    const { token, key, keyId } = await shop();
    expect((await read(btoa(`${keyId}:${atob(key).split(':')[1]}`))).status).toBe(401);
    expect((await read(btoa(`${atob(API_KEY_PREFIX)}${atob(token)}`))).status).toBe(401);
  });

  it('outlives a change of the password', async () => {
    const { key, token, userId } = await shop();
    await database.query(`UPDATE access_tokens SET revoked_utc = now() WHERE user_id = $1`, [userId]);
    expect(await living(token, key)).toEqual([false, true]);
  });

  it('is noted as used at most once a minute', async () => {
    const { token, key, keyId } = await shop();
    const noted = async () => {
      const [row] = await database.query<{ at: string | null; version: string }>(
        `SELECT last_used_utc::text AS at, xmin::text AS version FROM api_keys WHERE id = $1`,
        [keyId],
      );
      return row!;
    };
    expect((await noted()).at).toBeNull();
    await read(key);
    const first = await until(async () => {
      const found = await noted();
      return found.at !== null && found;
    });
    for (let use = 0; use < 20; use++) await read(key);
    expect(await noted()).toEqual(first);
    const [shown] = (await list(token)) as unknown as { LastUsedUtc: string }[];
    expect(Math.abs(Date.parse(shown!.LastUsedUtc) - Date.now())).toBeLessThan(60_000);
  });
});

describe('A key reaches its sites', () => {
  it('of one site without a SiteId; of several it must name one', async () => {
    const { key, userId, siteId, otherSiteId } = await shop();
    const post = (token: string, body: object) => api.request('POST', '/api/Customers', { token, body });
    expect((await post(key, {})).body).toMatchObject({ SiteId: siteId });
    const several = await given.apiKey(userId, [siteId, otherSiteId]);
    const named = { SiteId: otherSiteId };
    expect((await post(several.value, named)).body).toMatchObject(named);
    const third = await given.site(userId);
    const without = await post(several.value, {});
    const message = `is required, because this API key reaches several sites: ${siteId}, ${otherSiteId}.`;
    expect([without.status, without.body.errors]).toEqual([400, [{ field: 'SiteId', message }]]);
    expect(saying(await post(several.value, { SiteId: third }))).toEqual([
      403,
      `Site ${third} cannot be reached with this API key, which is limited to the sites ${siteId}, ${otherSiteId}.`,
    ]);
  });

  it('and no others of its account, neither in paths nor in bodies nor in lists', async () => {
    const { key, siteId, otherSiteId, customerId, otherCustomerId } = await shop();
    const limited = `cannot be reached with this API key, which is limited to site ${siteId}.`;
    const post = (path: string, body: object) => api.request('POST', path, { token: key, body });
    const get = (path: string) => api.request('GET', path, { token: key });
    const beyond = [403, `Customer ${otherCustomerId} ${limited}`];
    expect(saying(await get(`/api/Customers/${otherCustomerId}`))).toEqual(beyond);
    expect(saying(await post('/api/ScheduledOrders', { CustomerId: otherCustomerId }))).toEqual(beyond);
    expect(saying(await post('/api/Orders', { CustomerId: otherCustomerId }))).toEqual(beyond);
    expect(saying(await generate(key, otherCustomerId))).toEqual(beyond);
    expect(saying(await get(`/api/Site/${otherSiteId}`))).toEqual([403, `Site ${otherSiteId} ${limited}`]);
    const product = await given.product(otherSiteId);
    const order = { CustomerId: customerId, ScheduledOrderItems: [{ ProductId: product }] };
    expect(saying(await post('/api/ScheduledOrders', order))).toEqual([403, `Product ${product} ${limited}`]);
    expect(idsOf((await get('/api/Customers')).body)).toEqual([customerId]);
    for (const page of ['', '?page=1']) {
      expect(idsOf((await get(`/api/Sites${page}`)).body)).toEqual([siteId]);
      expect(idsOf((await get(`/api/Products${page}`)).body)).toEqual([]);
    }
  });

  it('and does not make sites or keys', async () => {
    const { key, siteId } = await shop();
    const words = [403, 'An API key may not do this: send the Merchant token of a login.'];
    expect(saying(await api.request('POST', '/api/Sites', { token: key, body: { Name: 'x' } }))).toEqual(words);
    expect(saying(await create(key, { Name: 'x', SiteIds: [siteId], Access: 'Read' }))).toEqual(words);
  });

  it('as whom it acts: its Idempotency-Keys are its own, and logs name it', async () => {
    const { token, key, keyId, userId, siteId, otherSiteId, customerId } = await shop();
    const keys = [await given.apiKey(userId, [siteId]), await given.apiKey(userId, [siteId, otherSiteId])];
    const headers = { 'idempotency-key': 'same' };
    const made = new Set<number>();
    for (const value of [key, keys[0]!.value, keys[1]!.value, token, key]) {
      const body = { SiteId: siteId };
      made.add((await api.request('POST', '/api/Customers', { token: value, body, headers })).body.Id as number);
    }
    expect(made.size).toBe(4);
    const order = await api.request('POST', '/api/ScheduledOrders', { token: key, body: { CustomerId: customerId } });
    expect(order.status).toBe(201);
    const logs = await api.request('GET', `/api/ScheduledOrders/${order.body.Id}/ActionLogs`, { token });
    expect(logs.body[0]).toMatchObject({
      Description: `CreateScheduledOrder by API key ${keyId}.`,
      AccessToken: {
        Id: keyId,
        UserId: userId,
        TokenAuth: null,
        AccessScope: 'Merchant',
        CustomerId: null,
        CreatedUtc: expect.stringMatching(TIME),
        UpdatedUtc: expect.stringMatching(TIME),
        ExpiresUtc: '9999-12-31T23:59:59.999Z',
      },
    });
    expect((await api.request('DELETE', `/api/ScheduledOrders/${order.body.Id}`, { token: key })).status).toBe(204);
    const [deletion] = await database.query<{ id: number; description: string }>(
      `SELECT (access_token ->> 'Id')::int AS id, description FROM action_logs
       WHERE scheduled_order_id = $1 AND action_type = 'DeleteScheduledOrder'`,
      [order.body.Id],
    );
    expect(deletion).toEqual({ id: keyId, description: `DeleteScheduledOrder by API key ${keyId}.` });
  });
});

describe('A key with the Access Read', () => {
  const SECRETS = { ApiKey1: 'one', ApiKey2: 'two', ApiKey3: 'three' };
  const TWO = { PaymentMethodType: 'GatewayTwo', ApiAccount: 'login', ApiKey1: 'transaction', ApiKey2: 'public' };

  it('is refused everything but GET', async () => {
    const { key, siteId, customerId } = await shop({ access: 'Read' });
    const words = [403, 'This API key may only read: use one with the Access Full.'];
    for (const [method, path] of [
      ['POST', '/api/Customers'],
      ['PUT', `/api/Site/${siteId}`],
      ['DELETE', `/api/Customers/${customerId}`],
    ] as const) {
      const body = method === 'DELETE' ? undefined : {};
      expect(saying(await api.request(method, path, { token: key, body }))).toEqual(words);
    }
    expect(saying(await generate(key, customerId))).toEqual(words);
    expect((await api.request('HEAD', `/api/Customers/${customerId}`, { token: key })).status).toBe(200);
  });

  it('sees no ApiKey1 to ApiKey3 of sites and payment integrations, where a Full key sees them', async () => {
    const { token, key, userId, siteId } = await shop();
    const { value: reader } = await given.apiKey(userId, [siteId], { access: 'Read' });
    await api.request('PUT', `/api/Site/${siteId}`, { token, body: SECRETS });
    const made = await api.request('POST', '/api/PaymentIntegrations', { token, body: { ...TWO, SiteId: siteId } });
    const get = async (credentials: string, path: string) =>
      (await api.request('GET', path, { token: credentials })).body as object;
    const one = `/api/PaymentIntegration/${made.body.Id}`;
    const withoutKeys = { ...made.body, ApiKey1: null, ApiKey2: null };
    for (const path of ['/api/PaymentIntegrations', '/api/PaymentIntegrations?page=1']) {
      expect([await get(key, path), await get(reader, path)]).toEqual([[made.body], [withoutKeys]]);
    }
    expect([await get(key, one), await get(reader, one)]).toEqual([made.body, withoutKeys]);
    for (const path of ['/api/Sites', '/api/Sites?page=1']) {
      expect(await get(key, path)).toMatchObject([SECRETS]);
      expect(await get(reader, path)).toMatchObject([{ Id: siteId, ApiKey1: null, ApiKey2: null, ApiKey3: null }]);
    }
    expect(await get(key, `/api/Site/${siteId}`)).toMatchObject(SECRETS);
    expect(await get(reader, `/api/Site/${siteId}`)).toMatchObject({ ApiKey1: null, ApiKey2: null, ApiKey3: null });
  });
});

describe('Tokens of a key', () => {
  it('are Customer tokens for customers of its sites', async () => {
    const { key, customerId } = await shop();
    const { status, body } = await generate(key, customerId);
    expect([status, body]).toMatchObject([200, { AccessScope: 'Customer', CustomerId: customerId }]);
    expect(await living(body.TokenAuth)).toEqual([true]);
    const merchant = await api.request('POST', '/api/AccessTokens/Generate', {
      token: key,
      body: { AccessScope: 'Merchant' },
    });
    expect(saying(merchant)).toEqual([
      403,
      'An API key makes Customer tokens only: send AccessScope Customer and a CustomerId.',
    ]);
    const foreign = await given.customer((await given.merchant()).siteId);
    expect(saying(await generate(key, foreign))).toEqual([
      403,
      `Customer ${foreign} is not a customer of this account.`,
    ]);
  });

  it('do not outlive it, nor do those that are made from them', async () => {
    const soon = new Date(Date.now() + 60_000);
    const { key, customerId } = await shop({ expiresUtc: soon });
    const { body: first } = await generate(key, customerId);
    const { body: second } = await generate(first.TokenAuth, customerId);
    expect([first.ExpiresUtc, second.ExpiresUtc]).toEqual([soon.toISOString(), soon.toISOString()]);
  });

  it('and others’ for customers of its sites are what it lists and revokes', async () => {
    const { token, key, userId, customerId, otherCustomerId } = await shop();
    const own = await given.token(userId, { customerId });
    const foreign = await given.token(userId, { customerId: otherCustomerId });
    const [ownId, foreignId, merchantId] = [own, foreign, token].map((one) => Number(atob(one).split(':')[0]));
    const listed = await api.request('GET', '/api/AccessTokens', { token: key });
    expect(idsOf(listed.body)).toEqual([ownId]);
    for (const id of [foreignId, merchantId]) {
      expect(saying(await api.request('DELETE', `/api/AccessTokens/${id}`, { token: key }))).toEqual([
        403,
        `An API key may only revoke Customer tokens of its sites; AccessToken ${id} is another one.`,
      ]);
    }
    expect((await api.request('DELETE', `/api/AccessTokens/${ownId}`, { token: key })).status).toBe(204);
    expect(await living(own, foreign, token)).toEqual([false, true, true]);
  });
});
