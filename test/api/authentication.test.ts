import { hashPassword } from '#libs/records';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn, quickHash } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { TRUST_PROXY: 'loopback' });
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PASSWORD = 'correct horse battery staple';
const DAY = 86_400_000;

let sequence = 0;

async function account(hash = quickHash) {
  const email = `login${++sequence}@shop.example`;
  const userId = await given.user({ email, passwordHash: await hash(PASSWORD) });
  const siteId = await given.site(userId);
  return { email, userId, siteId, login: { Email: email, Password: PASSWORD, AccessScope: 'Merchant' } };
}

/** Every test from an address of its own, so that none of them uses up another's attempts. */
let client = 0;
const address = () => ({ 'x-forwarded-for': `10.0.${Math.floor(++client / 250)}.${client % 250}` });

const login = (body: object, headers: Record<string, string> = address()) =>
  api.request('POST', '/api/AccessTokens/Login', { body, headers });
const generate = (token: string | undefined, body: object) =>
  api.request('POST', '/api/AccessTokens/Generate', { token, body });
const faults = (...errors: [string, string][]) => ({
  status: 400,
  body: { errors: errors.map(([field, message]) => ({ field, message })) },
});

describe('POST /api/AccessTokens/Login', () => {
  it('gives a Merchant token that works', async () => {
    const { login: body, userId } = await account();
    const { status, body: token } = await login(body);
    expect(status).toBe(200);
    expect(token).toEqual({
      Id: expect.any(Number),
      UserId: userId,
      TokenAuth: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      AccessScope: 'Merchant',
      CustomerId: null,
      CreatedUtc: expect.stringMatching(TIME),
      UpdatedUtc: expect.stringMatching(TIME),
      ExpiresUtc: expect.stringMatching(TIME),
    });
    expect(Date.parse(token.ExpiresUtc) - Date.parse(token.CreatedUtc)).toBe(DAY);
    expect(atob(token.TokenAuth)).toMatch(new RegExp(`^${token.Id}:[A-Za-z0-9_-]{43}$`));
    expect((await api.request('GET', '/api/Customers', { token: token.TokenAuth })).status).toBe(200);
  });

  it('stores the secret’s SHA-256 only', async () => {
    const { login: body } = await account();
    const { body: token } = await login(body);
    const [row] = await database.query<Record<string, unknown>>(`SELECT * FROM access_tokens WHERE id = $1`, [
      token.Id,
    ]);
    const secret = atob(token.TokenAuth).split(':')[1]!;
    expect(JSON.stringify({ ...row, secret_hash: (row!.secret_hash as Buffer).toString('latin1') })).not.toContain(
      secret,
    );
    expect((row!.secret_hash as Buffer).length).toBe(32);
  });

  it('gives a Customer token for a customer of the account', async () => {
    const { login: body, siteId, userId } = await account();
    const CustomerId = await given.customer(siteId);
    const { status, body: token } = await login({ ...body, AccessScope: 'Customer', CustomerId });
    expect([status, token.AccessScope, token.CustomerId, token.UserId]).toEqual([200, 'Customer', CustomerId, userId]);
    expect((await api.request('GET', `/api/Customers/${CustomerId}`, { token: token.TokenAuth })).status).toBe(200);
    expect((await api.request('GET', '/api/Customers', { token: token.TokenAuth })).status).toBe(403);
  });

  it('is Forbidden for a customer that is not the caller’s, or none, or deleted', async () => {
    const { login: body, siteId } = await account();
    const foreign = await given.customer((await account()).siteId);
    const deleted = await given.customer(siteId, { deletedUtc: new Date() });
    for (const CustomerId of [foreign, deleted, 999_999_999]) {
      expect((await login({ ...body, AccessScope: 'Customer', CustomerId })).status).toBe(403);
    }
  });

  it('takes an email in any case', async () => {
    const { login: body } = await account();
    expect((await login({ ...body, Email: body.Email.toUpperCase() })).status).toBe(200);
  });

  it('gives no token for a password that is changed while it is checked', async () => {
    const { login: body, userId } = await account();
    const changing = database.dataSource.createQueryRunner();
    await changing.startTransaction();
    await changing.query(`SELECT 1 FROM users WHERE id = $1 FOR UPDATE`, [userId]);
    const answering = login(body);
    await until(async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api' AND wait_event_type = 'Lock'`;
      return (await database.query(waiting)).length > 0;
    });
    await changing.query(`UPDATE users SET password_hash = $2 WHERE id = $1`, [userId, await hashPassword('new one')]);
    await changing.query(`UPDATE access_tokens SET revoked_utc = now() WHERE user_id = $1`, [userId]);
    await changing.commitTransaction();
    await changing.release();
    expect(await answering).toMatchObject(faults(['', 'The email or the password is wrong.']));
    expect(await database.query(`SELECT 1 FROM access_tokens WHERE user_id = $1`, [userId])).toEqual([]);
    expect((await login({ ...body, Password: 'new one' })).status).toBe(200);
  });

  it('answers a wrong email and a wrong password alike', async () => {
    const { login: body } = await account();
    const wrong = faults(['', 'The email or the password is wrong.']);
    expect(await login({ ...body, Password: 'wrong' })).toMatchObject(wrong);
    expect(await login({ ...body, Email: 'nobody@shop.example' })).toMatchObject(wrong);
  });

  it.each([
    [{}, ['Email', 'is required.'], ['Password', 'is required.'], ['AccessScope', 'is required.']],
    [{ Email: null, Password: 'x', AccessScope: 'Merchant' }, ['Email', 'is required.']],
    [
      { Email: 'a', Password: 'x', AccessScope: 'Admin' },
      ['AccessScope', '"Admin" must be one of Merchant, Customer.'],
    ],
    [
      { Email: 'a', Password: 'x', AccessScope: 'Customer' },
      ['CustomerId', 'is required when AccessScope is Customer.'],
    ],
    [
      { Email: 'a', Password: 'x', AccessScope: 'Merchant', CustomerId: 1 },
      ['CustomerId', 'A Merchant token never carries a customer: leave it out, or ask for AccessScope Customer.'],
    ],
    [{ Email: 'a', Password: 'x\u0000', AccessScope: 'Merchant' }, ['Password', 'must not contain a NUL character.']],
  ] as const)('refuses %j', async (body, ...errors) => {
    expect(await login(body)).toMatchObject(faults(...(errors as unknown as [string, string][])));
  });
});

describe('Failed logins', () => {
  it('are limited to 10 of an account, wherever they come from; also the right password waits then', async () => {
    const { login: body } = await account();
    const sinceMs = Date.now();
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await login({ ...body, Password: 'wrong' })).status).toBe(400);
    }
    const refused = await login(body);
    expect(refused.status).toBe(429);
    const passedSeconds = Math.ceil((Date.now() - sinceMs) / 1_000);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(899 - passedSeconds);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    await database.query(`UPDATE login_attempts SET attempted_utc = attempted_utc - interval '15 minutes'`);
    expect((await login(body)).status).toBe(200);
  });

  it('are 10 also when 40 are tried at once', async () => {
    const { login: body } = await account(hashPassword);
    const answers = await Promise.all(Array.from({ length: 40 }, () => login({ ...body, Password: 'wrong' })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });

  it('do not count when they succeed, many at once', async () => {
    const { login: body } = await account(hashPassword);
    const answers = await Promise.all(Array.from({ length: 25 }, () => login(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [left] = await database.query(
      `SELECT count(*)::int AS attempts FROM login_attempts WHERE subject = 'account:' || encode(sha256($1::bytea), 'hex')`,
      [body.Email],
    );
    expect(left).toEqual({ attempts: 0 });
  });

  it('are limited to 100 of an address, which a trusted proxy names', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1, 203.0.113.9' };
    await database.query(
      `INSERT INTO login_attempts (subject, attempted_utc) SELECT 'address:203.0.113.9', now() - n * interval '1 second' FROM generate_series(1, 99) n`,
    );
    const { login: body } = await account();
    expect((await login({ ...body, Password: 'wrong' }, headers)).status).toBe(400);
    expect((await login(body, headers)).status).toBe(429);
    expect((await login(body)).status).toBe(200);
  });

  it('are limited to 100 of a /64 of IPv6, whichever of its addresses they come from', async () => {
    const from = (ip: string) => ({ 'x-forwarded-for': ip });
    const { login: body } = await account();
    expect((await login({ ...body, Password: 'wrong' }, from('2001:db8:7:8::1'))).status).toBe(400);
    await database.query(
      `INSERT INTO login_attempts (subject) SELECT a.subject FROM login_attempts a, generate_series(2, 100)
       WHERE a.subject LIKE 'address:2001:db8:7:8:%'`,
    );
    expect((await login(body, from('2001:db8:7:8:aaaa:bbbb:cccc:dddd'))).status).toBe(429);
    expect((await login(body, from('2001:db8:7:9::1'))).status).toBe(200);
  });
});

describe('POST /api/AccessTokens/Generate', () => {
  it('gives a Merchant token for a Merchant token; the old one stays', async () => {
    const { tokenAuth, userId } = await given.merchant();
    const { status, body } = await generate(tokenAuth, { AccessScope: 'Merchant' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ UserId: userId, AccessScope: 'Merchant', CustomerId: null });
    for (const token of [tokenAuth, body.TokenAuth]) {
      expect((await api.request('GET', '/api/Products', { token })).status).toBe(200);
    }
    const [row] = await database.query<{ parent_id: string }>(`SELECT parent_id FROM access_tokens WHERE id = $1`, [
      body.Id,
    ]);
    expect(row!.parent_id).toBe(atob(tokenAuth).split(':')[0]);
  });

  it('narrows a Merchant token to one of its customers', async () => {
    const { tokenAuth, siteId } = await given.merchant();
    const CustomerId = await given.customer(siteId);
    const foreign = await given.customer((await given.merchant()).siteId);
    const { body } = await generate(tokenAuth, { AccessScope: 'Customer', CustomerId });
    expect(body).toMatchObject({ AccessScope: 'Customer', CustomerId });
    expect((await generate(tokenAuth, { AccessScope: 'Customer', CustomerId: foreign })).status).toBe(403);
    expect(await generate(tokenAuth, { AccessScope: 'Customer' })).toMatchObject(
      faults(['CustomerId', 'is required when AccessScope is Customer.']),
    );
    expect((await generate(tokenAuth, { AccessScope: 'Merchant', CustomerId })).status).toBe(400);
  });

  it('lets a Customer token refresh itself, and ask for nothing wider', async () => {
    const { userId, siteId } = await given.merchant();
    const CustomerId = await given.customer(siteId);
    const other = await given.customer(siteId);
    const token = await given.token(userId, { customerId: CustomerId });
    expect((await generate(token, { AccessScope: 'Customer', CustomerId })).status).toBe(200);
    expect((await generate(token, { AccessScope: 'Customer', CustomerId: other })).status).toBe(403);
    expect((await generate(token, { AccessScope: 'Merchant' })).status).toBe(403);
    expect((await generate(token, { AccessScope: 'Customer' })).status).toBe(400);
  });

  it('is Forbidden with a bad or expired token, and 401 without any', async () => {
    const { userId } = await given.merchant();
    const expired = await given.token(userId, { expiresUtc: new Date(Date.now() - 1) });
    for (const token of [expired, 'bad', btoa('1:wrong')]) {
      expect((await generate(token, { AccessScope: 'Merchant' })).status).toBe(403);
    }
    expect((await generate(undefined, { AccessScope: 'Merchant' })).status).toBe(401);
  });
});

describe('A presented token', () => {
  const protectedPath = '/api/Customers';

  it.each([
    ['Bearer abc', 'Use Basic, not Bearer: send the header Authorization: Basic <TokenAuth>.'],
    ['c2VjcmV0', 'The scheme before the token must be Basic: send the header Authorization: Basic <TokenAuth>.'],
    ['basic c2VjcmV0', 'The presented token is malformed, unknown, revoked or expired: log in again.'],
  ])('as %s is told what to send', async (authorization, detail) => {
    const { status, body } = await api.request('GET', protectedPath, { headers: { authorization } });
    expect([status, body.detail]).toEqual([401, detail]);
  });

  it('as Bearer is told so by Generate, too', async () => {
    const headers = { authorization: 'Bearer abc' };
    const body = { AccessScope: 'Merchant' };
    const answered = await api.request('POST', '/api/AccessTokens/Generate', { headers, body });
    expect([answered.status, answered.body.detail]).toEqual([
      403,
      'Use Basic, not Bearer: send the header Authorization: Basic <TokenAuth>.',
    ]);
  });

  it.each([
    ['none', undefined],
    ['empty', ''],
    ['another scheme', 'Bearer abc'],
    ['no base64', 'Basic %%%'],
    ['no colon', `Basic ${btoa('abc')}`],
    ['no id', `Basic ${btoa(':secret')}`],
    ['no secret', `Basic ${btoa('1:')}`],
    ['a huge id', `Basic ${btoa(`${'9'.repeat(30)}:x`)}`],
    ['a negative id', `Basic ${btoa('-1:x')}`],
    ['an unknown id', `Basic ${btoa('999999999:x')}`],
    ['NUL', `Basic ${btoa('1\u0000:x')}`],
  ])('that is %s is 401 with a challenge', async (_, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answered = await api.request('GET', protectedPath, { headers });
    expect(answered.status).toBe(401);
    expect(answered.headers.get('www-authenticate')).toBe('Basic realm="Scheduled Orders", charset="UTF-8"');
    expect(answered.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answered.body).toEqual({
      type: '/docs/errors#unauthorized',
      title: 'Unauthorized',
      status: 401,
      detail: expect.any(String),
      instance: answered.headers.get('x-request-id'),
    });
  });

  it('names another scheme to a browser’s page, which would ask the user itself', async () => {
    const answered = await api.request('GET', protectedPath, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(answered.headers.get('www-authenticate')).toBe('AccessToken realm="Scheduled Orders", charset="UTF-8"');
  });

  it('is 401 with the wrong secret, when revoked, and when its customer was deleted', async () => {
    const { tokenAuth, userId, siteId } = await given.merchant();
    const [id] = atob(tokenAuth).split(':');
    const revoked = await given.token(userId, { revokedUtc: new Date() });
    const orphan = await given.token(userId, { customerId: await given.customer(siteId, { deletedUtc: new Date() }) });
    for (const token of [btoa(`${id}:wrong`), revoked, orphan]) {
      expect((await api.request('GET', protectedPath, { token })).status).toBe(401);
    }
  });

  it('works as plain user and password of RFC 7617', async () => {
    const { tokenAuth } = await given.merchant();
    const [user, password] = atob(tokenAuth).split(':');
    const headers = { authorization: `basic ${btoa(`${user}:${password}`)}` };
    expect((await api.request('GET', protectedPath, { headers })).status).toBe(200);
  });

  it('sees a new site from its next request on', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    const id = await given.customer(await given.site(userId));
    expect((await api.request('GET', `/api/Customers/${id}`, { token })).status).toBe(200);
  });
});
