import { PassThrough } from 'node:stream';
import { useApi } from '../support/api.js';
import { itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const logged: string[] = [];
const log = new PassThrough().on('data', (line: Buffer) => logged.push(line.toString()));
const api = useApi(database, { LOG_LEVEL: 'trace', LOG_FORMAT: 'json' }, log);
const limited = useApi(database, { MAX_SITES_PER_ACCOUNT: '2' });
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const STAMPS = { CreatedUtc: expect.stringMatching(TIME), UpdatedUtc: expect.stringMatching(TIME) };

const SHOP = {
  Url: 'https://shop.example/en',
  Type: 'WooCommerce',
  Name: 'Coffee "Shop"',
  Email: 'merchant@shop.example',
  ApiKey1: 'ck_consumer "key" \\ 1',
  ApiKey2: 'cs_consumer_secret',
  ApiKey3: '',
  CurrencyIso: 'EUR',
};

const EMPTY = { ...Object.fromEntries(Object.keys(SHOP).map((field) => [field, null])), CurrencyIso: 'USD' };

const create = (token: string, body: object = SHOP) => api.request('POST', '/api/Sites', { token, body });
const idsOf = (sites: { Id: number }[]) => sites.map(({ Id }) => Id);

describe('POST /api/Sites', () => {
  it('creates a site of the account, and says where it is', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    const created = await create(token);
    expect([created.status, created.body]).toEqual([201, { Id: created.body.Id, UserId: userId, ...SHOP, ...STAMPS }]);
    expect(Object.keys(created.body)).toEqual(['Id', 'UserId', ...Object.keys(SHOP), 'CreatedUtc', 'UpdatedUtc']);
    expect(created.headers.get('location')).toBe(`/api/Site/${created.body.Id}`);
    const read = await api.request('GET', created.headers.get('location')!, { token });
    expect([read.status, read.body]).toEqual([200, created.body]);
  });

  it('needs no field at all; the currency is USD then', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    const { status, body } = await create(token, {});
    expect([status, body]).toEqual([201, { Id: body.Id, UserId: userId, ...EMPTY, ...STAMPS }]);
  });

  it('makes a site that holds from the next request on', async () => {
    const userId = await given.user();
    const token = await given.token(userId);
    const { body: site } = await create(token);
    const customer = await api.request('POST', '/api/Customers', { token, body: {} });
    expect([customer.status, customer.body.SiteId]).toEqual([201, site.Id]);
  });

  it('is made once for an Idempotency-Key, whose answer is kept encrypted', async () => {
    const { tokenAuth: token } = await given.merchant();
    const headers = { 'idempotency-key': 'one' };
    const [first, again] = [
      await api.request('POST', '/api/Sites', { token, body: SHOP, headers }),
      await api.request('POST', '/api/Sites', { token, body: SHOP, headers }),
    ];
    expect([again.status, again.body]).toEqual([201, first.body]);
    const kept = await database.query<{ body: string }>(`SELECT body FROM idempotency_keys`);
    expect(kept).toEqual([{ body: expect.stringMatching(/^v1\.[0-9a-f]{8}\.[\w-]+$/) }]);
  });

  it('is made up to the number that an account may have, test clocks not counted', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    await given.site(userId, { simulated: true });
    const make = (headers = {}) => limited.request('POST', '/api/Sites', { token, body: {}, headers });
    // Both at once: one is the last.
    const made = await Promise.all([make({ 'idempotency-key': 'a' }), make({ 'idempotency-key': 'b' })]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(made.find(({ status }) => status === 409)!.body.detail).toBe(
      'The account has 2 sites; at most 2 may be created (MAX_SITES_PER_ACCOUNT): use one that it has, or have the setting raised.',
    );
    // A repetition gets its own answer again.
    const again = await Promise.all([make({ 'idempotency-key': 'a' }), make({ 'idempotency-key': 'b' })]);
    expect(again.map(({ status }) => status)).toEqual(made.map(({ status }) => status));
    expect((await create(token)).status).toBe(201);
    const site = made.find(({ status }) => status === 201)!.body.Id;
    expect((await limited.request('PUT', `/api/Site/${site}`, { token, body: { Name: 'Kept' } })).status).toBe(200);
    expect(
      (await limited.request('POST', '/api/Sites', { token: await given.token(await given.user()), body: {} })).status,
    ).toBe(201);
  });

  it.each([
    [{ CurrencyIso: 'usd' }, 'CurrencyIso', '"usd" must be an ISO 4217 currency code such as USD.'],
    [{ CurrencyIso: 'XXX' }, 'CurrencyIso', '"XXX" must be an ISO 4217 currency code such as USD.'],
    [{ CurrencyIso: 'EURO' }, 'CurrencyIso', 'must have at most 3 characters; it has 4.'],
    [{ CurrencyIso: null }, 'CurrencyIso', 'must not be null: leave it out instead.'],
    [{ CurrencyIso: 840 }, 'CurrencyIso', '840 must be text.'],
    [{ Url: 'shop' }, 'Url', '"shop" must be a URL such as https://shop.example/coffee.jpg.'],
    [{ Email: 'shop' }, 'Email', '"shop" must be an email address such as ada@mail.example.'],
    [{ ApiKey1: { secret: 'cs_1' } }, 'ApiKey1', 'must be text.'],
    [{ ApiKey2: 'cs_1'.repeat(64) }, 'ApiKey2', 'must have at most 255 characters; it has 256.'],
    [{ ApiKey3: 'cs_1\u0000' }, 'ApiKey3', 'must not contain a NUL character.'],
    [
      { SiteId: 1 },
      'SiteId',
      expect.stringMatching(/^is not a field of this resource; its fields are Id, UserId, Url,/),
    ],
  ])('refuses %j, and repeats no credential', async (body, field, message) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body: answer } = await create(token, body);
    expect([status, answer.errors]).toEqual([400, [{ field, message }]]);
    expect(JSON.stringify(answer)).not.toContain('cs_1');
  });
});

describe('The API keys of a site', () => {
  it('are encrypted at rest', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: site } = await create(token);
    const [row] = await database.query<Record<string, string>>(
      `SELECT api_key1, api_key2, api_key3 FROM sites WHERE id = $1`,
      [site.Id],
    );
    const encrypted = expect.stringMatching(/^v1\.[0-9a-f]{8}\.[\w-]{38,}$/);
    expect(row).toEqual({ api_key1: encrypted, api_key2: encrypted, api_key3: encrypted });
  });

  it('are not decrypted from texts that only look like them', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: site } = await create(token);
    const [row] = await database.query<{ key: string }>(`SELECT api_key2 AS key FROM sites WHERE id = $1`, [site.Id]);
    const posing = { Name: row!.key, Type: `"ApiKey2":"${row!.key}"`, Email: null };
    const { body } = await api.request('PUT', `/api/Site/${site.Id}`, { token, body: posing });
    expect(body).toEqual({ ...site, ...posing, UpdatedUtc: expect.stringMatching(TIME) });
  });

  it('appear in no log line and no answer when something fails', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: site } = await create(token);
    await database.query(`ALTER TABLE sites ADD CONSTRAINT refused CHECK (name <> 'refused')`);
    const answered = await api.request('PUT', `/api/Site/${site.Id}`, { token, body: { ...SHOP, Name: 'refused' } });
    expect(answered.status).toBe(500);
    await database.query(`UPDATE sites SET api_key1 = 'cs_in_clear', api_key3 = left(api_key3, -2) WHERE id = $1`, [
      site.Id,
    ]);
    const read = await api.request('GET', `/api/Site/${site.Id}`, { token });
    expect(read.status).toBe(500);
    const all = logged.join('') + JSON.stringify([answered.body, read.body]);
    expect(all).toContain('request failed');
    for (const secret of ['ck_consumer', 'cs_consumer', 'cs_in_clear']) expect(all).not.toContain(secret);
  });

  it('can be replaced when nothing decrypts them any more', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: site } = await create(token);
    await database.query(`UPDATE sites SET api_key1 = 'lost', api_key2 = 'lost', api_key3 = NULL WHERE id = $1`, [
      site.Id,
    ]);
    const body = { ApiKey1: 'ck_new', ApiKey2: null };
    const replaced = await api.request('PUT', `/api/Site/${site.Id}`, { token, body });
    expect(replaced.body).toEqual({ ...site, ...body, ApiKey3: null, UpdatedUtc: expect.stringMatching(TIME) });
  });
});

describe('PUT /api/Site/{siteId}', () => {
  it('changes what is sent, clears what is null, and takes back what GET returned', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: site } = await create(token);
    const body = { Name: 'Tea Shop', ApiKey3: null, CurrencyIso: 'JPY' };
    const path = `/api/Site/${site.Id}`;
    const changed = await api.request('PUT', path, { token, body });
    expect([changed.status, changed.body]).toEqual([200, { ...site, ...body, UpdatedUtc: expect.any(String) }]);
    expect(changed.body.UpdatedUtc > site.UpdatedUtc).toBe(true);
    const again = await api.request('PUT', path, { token, body: changed.body });
    expect([again.status, again.body]).toEqual([200, { ...changed.body, UpdatedUtc: expect.stringMatching(TIME) }]);
    expect((await api.request('GET', path, { token })).body).toEqual(again.body);
  });
});

describe('GET /api/Sites', () => {
  it('lists the account’s own by Id with their keys: the whole array, or a page', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const [{ body: second }, { body: third }] = [await create(token), await create(token, { ApiKey1: 'ck_3' })];
    const whole = await api.request('GET', '/api/Sites', { token });
    expect(idsOf(whole.body)).toEqual([siteId, second.Id, third.Id]);
    expect(whole.body).toEqual([expect.objectContaining({ Id: siteId }), second, third]);
    const page = await api.request('GET', '/api/Sites?page=1', { token });
    expect(page.body).toEqual(whole.body);
    expect(page.headers.get('link')).toBe('</api/Sites?page=1>; rel="first"');
  });
});

describe('Who reaches sites', () => {
  const merchantOnly = { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 };
  const path = ({ siteId }: World) => `/api/Site/${siteId}`;
  const body = () => ({});
  itReaches(api, database, [
    {
      route: 'POST /api/Sites',
      path: () => '/api/Sites',
      body,
      answers: { ...merchantOnly, 'own account': 201, 'another account': 201 },
    },
    { route: 'GET /api/Sites', path: () => '/api/Sites', answers: { ...merchantOnly, 'another account': 200 } },
    { route: 'PUT /api/Site/{siteId}', path, body, answers: merchantOnly },
    { route: 'GET /api/Site/{siteId}', path, answers: merchantOnly },
  ]);

  it.each(['GET', 'PUT'])('%s is 404 where there is none', async (method) => {
    const { tokenAuth: token } = await given.merchant();
    const answered = await api.request(method, '/api/Site/999999', { token, body: method === 'PUT' ? {} : undefined });
    expect([answered.status, answered.body.detail]).toEqual([404, 'There is no Site 999999.']);
  });
});
