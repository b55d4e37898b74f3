import { Writable } from 'node:stream';
import { Vault } from '#libs/platform';
import { type Answered, type RequestOptions, TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn, quickHash } from '../support/given.js';
import { until } from '../support/until.js';

let logged = '';
const log = new Writable({ write: (chunk, _encoding, done) => ((logged += String(chunk)), done()) });

const database = useDatabase();
const api = useApi(
  database,
  { TRUST_PROXY: 'loopback', LOG_LEVEL: 'trace', LOG_FORMAT: 'json', PUBLIC_URL: 'https://orders.example' },
  log,
);
/** No proxy is trusted here. */
const direct = useApi(database);
const given = givenIn(database);

const PASSWORD = 'correct horse battery staple';
const NAME = 'scheduled-orders-session';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CONSOLE = { 'x-requested-with': 'console' };
const OVER_HTTPS = { 'x-forwarded-proto': 'https' };

let passwordHash: string;
beforeAll(async () => (passwordHash = await quickHash(PASSWORD)));

let sequence = 0;
async function account() {
  const email = `session${++sequence}@shop.example`;
  const userId = await given.user({ email, passwordHash });
  return { email, userId, siteId: await given.site(userId), body: { Email: email, Password: PASSWORD } };
}

/** Every login from an address of its own, so that none of them uses up another's attempts. */
let client = 0;
const address = () => ({ 'x-forwarded-for': `10.1.${Math.floor(++client / 250)}.${client % 250}` });

const logIn = (body: object, headers: Record<string, string> = {}) =>
  api.request('POST', '/api/Sessions', { body, headers: { ...address(), ...headers } });

/** The cookie as a browser sends it back. */
const cookieOf = ({ headers }: Answered) => headers.getSetCookie()[0]!.split(';')[0]!;

async function session(headers: Record<string, string> = {}) {
  const owner = await account();
  const answered = await logIn(owner.body, headers);
  expect([answered.status, answered.body.detail]).toEqual([201, undefined]);
  return { ...owner, id: answered.body.Id as number, cookie: cookieOf(answered), body: answered.body };
}

/** As the console asks. */
const ask = (cookie: string, method = 'GET', path = '/api/Session', { headers, ...options }: RequestOptions = {}) =>
  api.request(method, path, { ...options, headers: { cookie, ...CONSOLE, ...headers } });
const statusOf = async (cookie: string, headers?: Record<string, string>) =>
  (await ask(cookie, 'GET', '/api/Customers', { headers })).status;

interface TokenRow {
  revoked_utc: Date | null;
  last_used_utc: Date | null;
  expires_utc: Date;
  session_until_utc: Date;
  created_utc: Date;
  updated_utc: Date;
  password_entered_utc: Date | null;
}
async function rowOf(id: number): Promise<TokenRow> {
  const [row] = await database.query<TokenRow & object>(`SELECT * FROM access_tokens WHERE id = $1`, [id]);
  return row!;
}

/** As if all of it had been so long ago. */
const pass = (id: number, ms: number) =>
  database.query(
    `UPDATE access_tokens SET created_utc = created_utc - $2 * interval '1 ms', last_used_utc = last_used_utc - $2 * interval '1 ms',
       expires_utc = expires_utc - $2 * interval '1 ms', session_until_utc = session_until_utc - $2 * interval '1 ms' WHERE id = $1`,
    [id, ms],
  );

describe('POST /api/Sessions', () => {
  it('answers who logged in and until when, with the token in the cookie only', async () => {
    const { email, userId, body } = await account();
    const answered = await logIn(body);
    expect(answered.status).toBe(201);
    expect(answered.headers.get('location')).toBe('/api/Session');
    expect(answered.body).toEqual({
      Id: expect.any(Number),
      UserId: userId,
      Email: email,
      AccessScope: 'Merchant',
      ExpiresUtc: expect.stringMatching(TIME),
      EndsUtc: expect.stringMatching(TIME),
      ConfirmedUntilUtc: expect.stringMatching(TIME),
    });
    expect(answered.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^${NAME}=${answered.body.Id}\\.[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
      ),
    ]);
    const { created_utc, expires_utc, session_until_utc } = await rowOf(answered.body.Id as number);
    expect(expires_utc.getTime() - created_utc.getTime()).toBe(30 * MINUTE);
    expect(session_until_utc.getTime() - created_utc.getTime()).toBe(12 * HOUR);
    expect([answered.body.ExpiresUtc, answered.body.EndsUtc]).toEqual([
      expires_utc.toISOString(),
      session_until_utc.toISOString(),
    ]);
    expect((await ask(cookieOf(answered))).body).toEqual(answered.body);
    const secret = cookieOf(answered).split('.')[1]!;
    const [stored] = await database.query<{ row: string }>(
      `SELECT to_jsonb(t)::text || encode(t.secret_hash, 'escape') AS row FROM access_tokens t WHERE id = $1`,
      [answered.body.Id],
    );
    expect(stored!.row).not.toContain(secret);
  });

  it('is refused as a login is: a wrong password, missing and unknown fields', async () => {
    const { body } = await account();
    const faults = (...errors: [string, string][]) => ({
      status: 400,
      body: { errors: errors.map(([field, message]) => ({ field, message })) },
    });
    const wrong = await logIn({ ...body, Password: 'wrong' });
    expect(wrong).toMatchObject(faults(['', 'The email or the password is wrong.']));
    expect(wrong.headers.getSetCookie()).toEqual([]);
    expect(await logIn({})).toMatchObject(faults(['Email', 'is required.'], ['Password', 'is required.']));
    // A session is the account's: a customer gets a token of the shop's.
    const scoped = await logIn({ ...body, AccessScope: 'Customer', CustomerId: 1 });
    expect([scoped.status, scoped.body.errors[0].field]).toEqual([400, 'AccessScope']);
  });

  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
  ])('from a page elsewhere (%j) is 403 and sets nothing', async (headers: Record<string, string>) => {
    const { body, userId } = await account();
    const answered = await logIn(body, headers);
    expect([answered.status, answered.headers.getSetCookie()]).toEqual([403, []]);
    expect(answered.body.detail).toMatch(
      /^Only a page of this API itself logs in here;.* POST \/api\/AccessTokens\/Login\.$/,
    );
    expect(await database.query(`SELECT 1 FROM access_tokens WHERE user_id = $1`, [userId])).toEqual([]);
  });

  it('takes no form', async () => {
    const { body, userId } = await account();
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const form = new URLSearchParams(body as Record<string, string>).toString();
      expect(
        (await api.request('POST', '/api/Sessions', { body: form, headers: { 'content-type': type } })).status,
      ).toBe(415);
    }
    expect(await database.query(`SELECT 1 FROM access_tokens WHERE user_id = $1`, [userId])).toEqual([]);
  });

  it('has the counters of Login: failures of one are held against the other', async () => {
    const { body } = await account();
    const login = (Password: string) =>
      api.request('POST', '/api/AccessTokens/Login', {
        body: { ...body, Password, AccessScope: 'Merchant' },
        headers: address(),
      });
    const sinceMs = Date.now();
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await logIn({ ...body, Password: 'wrong' })).status).toBe(400);
      expect((await login('wrong')).status).toBe(400);
    }
    const refused = await logIn(body);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([429, []]);
    const passedSeconds = Math.ceil((Date.now() - sinceMs) / 1_000);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(899 - passedSeconds);
    expect((await login(PASSWORD)).status).toBe(429);
    await database.query(`UPDATE login_attempts SET attempted_utc = attempted_utc - interval '15 minutes'`);
    expect((await logIn(body)).status).toBe(201);
  });

  it('counts failures of an address, too, and makes the address of a success a known one', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    const { body } = await account();
    expect((await logIn(body, headers)).status).toBe(201);
    for (let attempt = 0; attempt < 10; attempt++) await logIn({ ...body, Password: 'wrong' });
    expect([(await logIn(body)).status, (await logIn(body, headers)).status]).toEqual([429, 201]);
    await database.query(
      `INSERT INTO login_attempts (subject) SELECT 'address:203.0.113.77' FROM generate_series(1, 100)`,
    );
    expect((await logIn(body, headers)).status).toBe(429);
  });
});

describe('Logging in again', () => {
  it('ends the session whose cookie is sent, also that of another account; others live on', async () => {
    const [former, elsewhere, other] = [await session(), await session(), await account()];
    const again = await logIn(other.body, { cookie: former.cookie, ...CONSOLE });
    expect([again.status, await statusOf(cookieOf(again))]).toEqual([201, 200]);
    expect((await rowOf(former.id)).revoked_utc).not.toBeNull();
    expect([await statusOf(former.cookie), await statusOf(elsewhere.cookie)]).toEqual([401, 200]);
    const owner = { Email: other.email, Password: PASSWORD };
    const third = await logIn(owner, { cookie: cookieOf(again), ...CONSOLE });
    expect([await statusOf(cookieOf(again)), await statusOf(cookieOf(third))]).toEqual([401, 200]);
  });

  it('ends none if it fails, or where the cookie does not count', async () => {
    const { cookie, body } = await session();
    const login = { Email: body.Email as string, Password: PASSWORD };
    expect((await logIn({ ...login, Password: 'wrong' }, { cookie, ...CONSOLE })).status).toBe(400);
    expect((await logIn(login, { cookie })).status).toBe(201);
    expect((await logIn(login, { cookie: `${cookie.slice(0, -3)}xxx`, ...CONSOLE })).status).toBe(201);
    expect(await statusOf(cookie)).toBe(200);
  });
});

describe('The cookie', () => {
  it('with X-Requested-With: console is the account’s Merchant token', async () => {
    const { cookie, siteId } = await session();
    const made = await ask(cookie, 'POST', '/api/Customers', { body: { SiteId: siteId, FirstName: 'Ada' } });
    expect(made.status).toBe(201);
    expect((await ask(cookie, 'GET', '/api/Customers')).body).toMatchObject([{ Id: made.body.Id }]);
    // Also where no API key may go.
    const key = { Name: 'Shop', SiteIds: [siteId], Access: 'Read' };
    expect((await ask(cookie, 'POST', '/api/ApiKeys', { body: key })).status).toBe(201);
    const foreign = await given.customer((await account()).siteId);
    expect((await ask(cookie, 'GET', `/api/Customers/${foreign}`)).status).toBe(403);
  });

  it('counts from the page of this API, as browsers say it', async () => {
    const { cookie } = await session();
    expect(await statusOf(cookie, { 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await statusOf(cookie, { origin: api.url })).toBe(200);
    expect(await statusOf(cookie, { origin: 'https://orders.example' })).toBe(200);
    expect(await statusOf(`other=1; ${cookie}; more=%ZZ`)).toBe(200);
  });

  const NOT_COUNTED: [string, Record<string, string>][] = [
    ['without the header', { 'x-requested-with': '' }],
    ['with another header', { 'x-requested-with': 'XMLHttpRequest' }],
    ['with the header twice', { 'x-requested-with': 'console, console' }],
    ['with the header in other letters', { 'x-requested-with': 'Console' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from the site of the account', { origin: 'https://shop.example' }],
    ['from another port', { origin: 'http://127.0.0.1:1' }],
    ['from the same host over https', { origin: 'https://127.0.0.1' }],
    ['from an opaque origin', { origin: 'null' }],
    ['from a name that ends alike', { origin: 'https://orders.example.evil.example' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['from the address bar', { 'sec-fetch-site': 'none' }],
    ['from a neighbour that claims the origin', { 'sec-fetch-site': 'same-site', origin: 'https://orders.example' }],
  ];

  it.each(NOT_COUNTED)('%s is as if there were none: 401, and nothing changes', async (_, headers) => {
    const { cookie, siteId, id } = await session();
    const productId = await given.product(siteId, { title: 'Coffee' });
    await pass(id, 5 * MINUTE);
    const before = await rowOf(id);
    const requests: [string, string, object?][] = [
      ['GET', '/api/Customers'],
      ['POST', '/api/Customers', { SiteId: siteId }],
      ['PUT', `/api/Products/${productId}`, { Title: 'Changed' }],
      ['DELETE', `/api/Products/${productId}`],
      ['GET', '/api/Session'],
      ['DELETE', '/api/Session'],
    ];
    for (const [method, path, body] of requests) {
      const answered = await ask(cookie, method, path, { body, headers });
      expect([method, path, answered.status, answered.headers.getSetCookie()]).toEqual([method, path, 401, []]);
      const bare = await api.request(method, path, { body, headers: { ...CONSOLE, ...headers } });
      expect({ ...answered.body, instance: '' }).toEqual({ ...bare.body, instance: '' });
    }
    expect(await database.query(`SELECT 1 FROM customers WHERE site_id = $1`, [siteId])).toEqual([]);
    const [product] = await database.query(`SELECT title, deleted_utc FROM products WHERE id = $1`, [productId]);
    expect(product).toEqual({ title: 'Coffee', deleted_utc: null });
    expect(await rowOf(id)).toEqual(before);
    expect(await statusOf(cookie)).toBe(200);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain'])(
    'with a form (%s) of another page changes nothing',
    async (type) => {
      const { cookie, siteId } = await session();
      // What a browser sends with a form: the cookie, if it sent any at all, and the page's origin.
      const headers = { cookie, 'content-type': type, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const body = `{"SiteId":${siteId}}`;
      for (const sent of [headers, { cookie, 'content-type': type }, { cookie, ...CONSOLE, 'content-type': type }]) {
        // Refused before it is known whose it is: bodies are JSON only.
        expect((await api.request('POST', '/api/Customers', { body, headers: sent })).status).toBe(415);
      }
      // Even if it passed as JSON, and where there is no body.
      const asJson = { ...headers, 'content-type': 'application/json' };
      expect((await api.request('POST', '/api/Customers', { body, headers: asJson })).status).toBe(401);
      expect((await api.request('POST', '/api/Customers', { headers: { cookie } })).status).toBe(401);
      expect(await database.query(`SELECT 1 FROM customers WHERE site_id = $1`, [siteId])).toEqual([]);
    },
  );

  it('stays at home: pages of other origins get no leave to send it', async () => {
    const { siteId } = await session();
    await database.query(`UPDATE sites SET url = 'https://allowed.example' WHERE id = $1`, [siteId]);
    const { headers } = await api.request('OPTIONS', '/api/Customers', {
      headers: {
        origin: 'https://allowed.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-requested-with',
      },
    });
    expect(headers.get('access-control-allow-origin')).toBe('https://allowed.example');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each([
    ['no cookie of ours', 'other=1'],
    ['empty', `${NAME}=`],
    ['no id', `${NAME}=.${'a'.repeat(43)}`],
    ['a huge id', `${NAME}=${'9'.repeat(30)}.${'a'.repeat(43)}`],
    ['a wrong secret', (cookie: string) => cookie.slice(0, -3) + 'xxx'],
    ['another id', (cookie: string) => cookie.replace(/=\d+/, '=1')],
    ['longer', (cookie: string) => `${cookie}a`],
    ['of https', (cookie: string) => `__Host-${cookie}`],
    ['quoted by an attacker', (cookie: string) => cookie.replace(NAME, `${NAME}x`)],
  ])('that is %s names nobody', async (_, made) => {
    const { cookie } = await session();
    expect(await statusOf(typeof made === 'string' ? made : made(cookie))).toBe(401);
  });

  it('carries the token of a session, no other', async () => {
    const { userId } = await account();
    const [id, secret] = atob(await given.token(userId)).split(':');
    expect(await statusOf(`${NAME}=${id}.${secret}`)).toBe(401);
  });

  it('is beaten by Authorization, a right and a wrong one', async () => {
    const { cookie, id } = await session();
    const other = await given.merchant();
    const customerId = await given.customer(other.siteId);
    await pass(id, 5 * MINUTE);
    const answered = await ask(cookie, 'GET', '/api/Customers', { token: other.tokenAuth });
    expect(answered.body).toMatchObject([{ Id: customerId }]);
    expect((await ask(cookie, 'GET', '/api/Customers', { token: 'bad' })).status).toBe(401);
    expect((await ask(cookie, 'GET', '/api/Customers', { headers: { authorization: '' } })).status).toBe(401);
    expect((await ask(cookie, 'DELETE', '/api/Session', { token: other.tokenAuth })).status).toBe(403);
    const { last_used_utc, revoked_utc } = await rowOf(id);
    expect([last_used_utc, revoked_utc]).toEqual([null, null]);
  });
});

describe('Over https', () => {
  it('the cookie is Secure and named __Host-, also when a trusted proxy says so', async () => {
    const { body } = await account();
    for (const proto of ['https', 'http, https']) {
      const { headers } = await logIn(body, { 'x-forwarded-proto': proto });
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(
          new RegExp(`^__Host-${NAME}=\\d+\\.[\\w-]{43}; Path=/; HttpOnly; Secure; SameSite=Strict$`),
        ),
      ]);
    }
  });

  it('so it is at PUBLIC_URL, though the proxy does not say https', async () => {
    const { cookie } = await session({ 'x-forwarded-host': 'orders.example', origin: 'https://orders.example' });
    expect(cookie).toMatch(/^__Host-/);
    expect(await statusOf(cookie, { 'x-forwarded-host': 'orders.example' })).toBe(200);
    expect(await statusOf(cookie)).toBe(401);
  });

  it('only that name counts, for a neighbour may set the other', async () => {
    const { cookie } = await session(OVER_HTTPS);
    const attacker = (await session()).cookie;
    expect(await statusOf(cookie, OVER_HTTPS)).toBe(200);
    expect(await statusOf(attacker, OVER_HTTPS)).toBe(401);
    expect(await statusOf(cookie.replace('__Host-', ''), OVER_HTTPS)).toBe(401);
    const { body } = await ask(`${attacker}; ${cookie}`, 'GET', '/api/Session', { headers: OVER_HTTPS });
    expect(body.Id).toBe(Number(/=(\d+)/.exec(cookie)![1]));
  });

  it('the origin is that of https', async () => {
    const { cookie } = await session(OVER_HTTPS);
    expect(await statusOf(cookie, { ...OVER_HTTPS, origin: api.url.replace('http:', 'https:') })).toBe(200);
    expect(await statusOf(cookie, { ...OVER_HTTPS, origin: api.url })).toBe(401);
  });

  it('logging out clears the cookie of that name', async () => {
    const { cookie } = await session(OVER_HTTPS);
    const { headers } = await ask(cookie, 'DELETE', '/api/Session', { headers: OVER_HTTPS });
    expect(headers.getSetCookie()).toEqual([`__Host-${NAME}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict`]);
  });

  it('a client that is no trusted proxy cannot say so', async () => {
    const { body } = await account();
    const answered = await direct.request('POST', '/api/Sessions', { body, headers: OVER_HTTPS });
    expect(cookieOf(answered)).toMatch(new RegExp(`^${NAME}=`));
  });
});

describe('A 401', () => {
  const challenge = async (headers: Record<string, string>) =>
    (await api.request('GET', '/api/Customers', { headers })).headers.get('www-authenticate');

  it('to the console does not make a browser ask for a password', async () => {
    const { cookie } = await session();
    await ask(cookie, 'DELETE', '/api/Session');
    for (const headers of [CONSOLE, { ...CONSOLE, cookie }, { ...CONSOLE, authorization: 'Basic bad' }]) {
      expect(await challenge(headers)).toBe('AccessToken realm="Scheduled Orders", charset="UTF-8"');
    }
    expect(await challenge({ cookie })).toBe('Basic realm="Scheduled Orders", charset="UTF-8"');
  });

  it('says what to do', async () => {
    const { cookie } = await session();
    await ask(cookie, 'DELETE', '/api/Session');
    expect((await ask(cookie)).body.detail).toBe(
      'There is no session, or it has ended: log in again (POST /api/Sessions).',
    );
  });
});

describe('A session', () => {
  it('ends when it was not used for 30 minutes', async () => {
    const { cookie, id } = await session();
    await pass(id, 30 * MINUTE - 60_000);
    expect(await statusOf(cookie)).toBe(200);
    const other = await session();
    await pass(other.id, 30 * MINUTE);
    expect(await statusOf(other.cookie)).toBe(401);
    expect((await rowOf(other.id)).last_used_utc).toBeNull();
  });

  it('is used by every request; its end moves once a minute, so it is 29 to 30 minutes away', async () => {
    const { cookie, id } = await session();
    const made = await rowOf(id);
    await pass(id, 30_000);
    for (let request = 0; request < 3; request++) expect(await statusOf(cookie)).toBe(200);
    expect((await rowOf(id)).last_used_utc).toBeNull();
    await pass(id, 31_000);
    expect(await statusOf(cookie)).toBe(200);
    const moved = await until(async () => {
      const row = await rowOf(id);
      return row.last_used_utc === null ? false : row;
    });
    expect(moved.expires_utc.getTime() - moved.last_used_utc!.getTime()).toBe(30 * MINUTE);
    expect(moved.session_until_utc.getTime()).toBe(made.session_until_utc.getTime() - 61_000);
    // Many requests at once move it once.
    await pass(id, 61_000);
    await Promise.all(Array.from({ length: 20 }, () => statusOf(cookie)));
    await pass(id, 29 * MINUTE);
    expect(await statusOf(cookie)).toBe(200);
  });

  it('ends after 12 hours, however much it is used', async () => {
    const { cookie, id } = await session();
    await database.query(`UPDATE access_tokens SET session_until_utc = now() + interval '10 minutes' WHERE id = $1`, [
      id,
    ]);
    await pass(id, 2 * MINUTE);
    expect(await statusOf(cookie)).toBe(200);
    const used = await until(async () => {
      const row = await rowOf(id);
      return row.last_used_utc === null ? false : row;
    });
    expect(used.expires_utc).toEqual(used.session_until_utc);
    await pass(id, 7 * MINUTE);
    expect(await statusOf(cookie)).toBe(200);
    await pass(id, MINUTE);
    expect(await statusOf(cookie)).toBe(401);
  });

  it('is not used by a page that asks by itself', async () => {
    const { cookie, id } = await session();
    const byItself = { 'x-session-use': 'none' };
    await pass(id, 20 * MINUTE);
    for (let request = 0; request < 5; request++) expect(await statusOf(cookie, byItself)).toBe(200);
    await pass(id, 10 * MINUTE);
    expect(await statusOf(cookie, byItself)).toBe(401);
    expect((await rowOf(id)).last_used_utc).toBeNull();
  });

  it('that has ended does not live again', async () => {
    const { cookie, id } = await session();
    await pass(id, 31 * MINUTE);
    const ended = await rowOf(id);
    await Promise.all(Array.from({ length: 5 }, () => statusOf(cookie)));
    expect(await rowOf(id)).toEqual(ended);
  });

  it('is logged out by DELETE: the token is revoked, and the cookie cleared', async () => {
    const { cookie, id } = await session();
    const answered = await ask(cookie, 'DELETE', '/api/Session');
    expect([answered.status, answered.body]).toEqual([204, '']);
    expect(answered.headers.getSetCookie()).toEqual([`${NAME}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict`]);
    expect((await rowOf(id)).revoked_utc).not.toBeNull();
    expect(await statusOf(cookie)).toBe(401);
    expect((await ask(cookie, 'DELETE', '/api/Session')).status).toBe(401);
  });

  it('is of a session only: a token and an API key have none to show or to end', async () => {
    const { tokenAuth, userId, siteId } = await given.merchant();
    const { value } = await given.apiKey(userId, [siteId]);
    for (const token of [tokenAuth, value]) {
      for (const method of ['GET', 'DELETE']) {
        const { status, body } = await api.request(method, '/api/Session', { token });
        expect([status, body.detail]).toEqual([
          403,
          "This is for a browser's session: send its cookie without the header Authorization.",
        ]);
      }
    }
    expect((await api.request('GET', '/api/Customers', { token: tokenAuth })).status).toBe(200);
  });

  it('is in the list of active tokens, with its end, and is revoked there', async () => {
    const { cookie, id, userId } = await session();
    const token = await given.token(userId);
    const { body } = (await api.request('GET', '/api/AccessTokens', { token })) as {
      body: { Id: number; ExpiresUtc: string }[];
    };
    expect(body).toContainEqual(expect.objectContaining({ Id: id, TokenAuth: null, AccessScope: 'Merchant' }));
    expect(body.find(({ Id }) => Id === id)!.ExpiresUtc).toBe((await rowOf(id)).expires_utc.toISOString());
    expect((await api.request('DELETE', `/api/AccessTokens/${id}`, { token })).status).toBe(204);
    expect(await statusOf(cookie)).toBe(401);
    const idle = await logIn({ Email: (await emailOf(userId))!, Password: PASSWORD });
    await pass(idle.body.Id as number, 30 * MINUTE);
    const left = (await api.request('GET', '/api/AccessTokens', { token })).body as { Id: number }[];
    expect(left.map(({ Id }) => Id)).not.toContain(idle.body.Id);
  });

  it('ends when all tokens of the account end, as with a new password', async () => {
    const { cookie, userId } = await session();
    await database.query(`UPDATE access_tokens SET revoked_utc = now() WHERE user_id = $1`, [userId]);
    expect(await statusOf(cookie)).toBe(401);
  });

  it('makes no tokens, which would outlive it in the reach of a page’s scripts', async () => {
    const { cookie, siteId, userId } = await session();
    const CustomerId = await given.customer(siteId);
    for (const body of [{ AccessScope: 'Merchant' }, { AccessScope: 'Customer', CustomerId }]) {
      const answered = await ask(cookie, 'POST', '/api/AccessTokens/Generate', { body });
      expect([answered.status, answered.body.detail]).toEqual([
        403,
        "A browser's session makes no tokens: log in at POST /api/AccessTokens/Login.",
      ]);
    }
    expect(await database.query(`SELECT 1 FROM access_tokens WHERE user_id = $1`, [userId])).toHaveLength(1);
  });

  it('shares the rate limit of its account', async () => {
    const { cookie, userId } = await session();
    const first = await ask(cookie, 'GET', '/api/Customers');
    const second = await api.request('GET', '/api/Customers', { token: await given.token(userId) });
    const left = ({ headers }: Answered) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
    expect(first.headers.get('ratelimit-policy')).toMatch(/^"account"/);
    expect(left(second)).toBeLessThanOrEqual(left(first));
    expect(left(first)).toBeLessThan(1_000);
  });

  it('keeps answers by Idempotency-Key for its account, not for another one', async () => {
    const [one, other] = [await session(), await session()];
    const headers = { 'idempotency-key': 'from the console' };
    const create = ({ cookie, siteId }: typeof one) =>
      ask(cookie, 'POST', '/api/Customers', { body: { SiteId: siteId }, headers });
    const [first, again, foreign] = [await create(one), await create(one), await create(other)];
    expect([first, again, foreign].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(foreign.headers.get('idempotent-replayed')).toBeNull();
    expect(foreign.body.Id).not.toBe(first.body.Id);
  });

  it('is named in no log', async () => {
    const { cookie, body } = await session();
    await ask(cookie, 'GET', '/api/Customers/999999999');
    await ask(cookie, 'POST', '/api/Customers', { body: { Nonsense: 1 } });
    await ask(`${cookie}x`);
    await logIn({ Email: body.Email as string, Password: 'wrong' });
    await ask(cookie, 'DELETE', '/api/Session');
    expect(logged).toContain('"route":"/api/Session"');
    expect(logged).toContain('login refused');
    expect(logged).not.toContain(cookie.split('.')[1]!);
    expect(logged).not.toContain(PASSWORD);
    expect(logged.toLowerCase()).not.toContain('cookie');
  });
});

describe('What needs a password that was entered a moment ago', () => {
  const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);
  /** As if it had been entered so long ago. */
  const entered = (id: number, ms: number) =>
    database.query(`UPDATE access_tokens SET password_entered_utc = now() - $2 * interval '1 ms' WHERE id = $1`, [
      id,
      ms,
    ]);
  const confirm = (cookie: string, Password = PASSWORD, headers: Record<string, string> = address()) =>
    ask(cookie, 'POST', '/api/Session/Confirm', { body: { Password }, headers });

  async function shop() {
    const opened = await session();
    const { siteId } = opened;
    const integrationId = await given.integration(vault, siteId, { apiAccount: 'account', apiKey1: 'sandbox_secret' });
    const { webhookEndpointId: endpointId } = await given.webhook(vault, siteId);
    await given.shop(vault, siteId);
    return { ...opened, integrationId, endpointId };
  }

  it('is refused 10 minutes after the entry with a problem type of its own, and done after the next one', async () => {
    const { cookie, id, siteId, integrationId, endpointId, userId } = await shop();
    const requests: [status: number, method: string, path: string, body?: object][] = [
      [201, 'POST', '/api/ApiKeys', { Name: 'Shop', SiteIds: [siteId], Access: 'Full' }],
      [200, 'GET', `/api/WebhookEndpoint/${endpointId}/Secret`],
      [200, 'POST', `/api/WebhookEndpoint/${endpointId}/RotateSecret`],
      [200, 'PUT', `/api/WebhookEndpoint/${endpointId}`, { Url: 'https://elsewhere.example/' }],
      [201, 'POST', '/api/WebhookEndpoints', { SiteId: siteId, Url: 'https://more.example/' }],
      [200, 'GET', `/api/Site/${siteId}/Shop/Secret`],
      [200, 'POST', `/api/Site/${siteId}/Shop/RotateSecret`],
      [200, 'POST', `/api/Site/${siteId}/Shop/Verify`],
      [200, 'PUT', `/api/PaymentIntegration/${integrationId}`, { ApiKey2: 'changed' }],
      [204, 'DELETE', `/api/PaymentIntegration/${integrationId}`],
      [201, 'POST', '/api/PaymentIntegrations', { SiteId: siteId, PaymentMethodType: 'GatewayTwo' }],
    ];
    const changes = () =>
      database.query(
        `SELECT (SELECT count(*) FROM api_keys WHERE user_id = $1) AS keys,
           (SELECT jsonb_agg(w ORDER BY id) FROM webhook_endpoints w WHERE site_id = $2) AS endpoints,
           (SELECT to_jsonb(x) FROM site_shops x WHERE site_id = $2) AS shop,
           (SELECT jsonb_agg(p ORDER BY id) FROM payment_integrations p WHERE site_id = $2) AS integrations`,
        [userId, siteId],
      );
    const before = await changes();
    await entered(id, 10 * MINUTE);
    expect((await ask(cookie)).body.ConfirmedUntilUtc).toBeNull();
    for (const [, method, path, body] of requests) {
      const refused = await ask(cookie, method, path, { body });
      expect([method, path, refused.status, refused.body]).toMatchObject([
        method,
        path,
        403,
        { type: 'https://orders.example/docs/errors#password-needed', title: 'Password Needed' },
      ]);
    }
    expect(await changes()).toEqual(before);
    expect((await confirm(cookie)).status).toBe(200);
    await entered(id, 10 * MINUTE - 60_000);
    for (const [status, method, path, body] of requests) {
      expect([method, path, (await ask(cookie, method, path, { body })).status]).toEqual([method, path, status]);
    }
  });

  it('is no other change, and nothing for a token or a key', async () => {
    const { cookie, id, siteId, userId, endpointId } = await shop();
    await entered(id, HOUR);
    const { body: endpoint } = await ask(cookie, 'GET', `/api/WebhookEndpoint/${endpointId}`);
    const same = { Url: endpoint.Url as string, RatePerSecond: 3 };
    expect((await ask(cookie, 'PUT', `/api/WebhookEndpoint/${endpointId}`, { body: same })).status).toBe(200);
    const { id: keyId, value } = await given.apiKey(userId, [siteId]);
    const moved = { Url: 'https://elsewhere.example/' };
    for (const token of [value, await given.token(userId)]) {
      expect((await api.request('PUT', `/api/WebhookEndpoint/${endpointId}`, { token, body: moved })).status).toBe(200);
    }
    expect((await ask(cookie, 'DELETE', `/api/ApiKey/${keyId}`)).status).toBe(204);
  });

  it('are credentials: the session reads null, as a Read key does', async () => {
    const { cookie, id, siteId, integrationId } = await shop();
    const site = { ApiKey1: 'ck_1', ApiKey2: 'cs_2', ApiKey3: 'three' };
    const integration = { ApiAccount: 'account', ApiKey1: 'sandbox_secret' };
    expect((await ask(cookie, 'PUT', `/api/Site/${siteId}`, { body: site })).body).toMatchObject(site);
    const readsOf = async () => [
      (await ask(cookie, 'GET', `/api/Site/${siteId}`)).body as unknown,
      (await ask(cookie, 'GET', '/api/Sites')).body[0] as unknown,
      (await ask(cookie, 'PUT', `/api/Site/${siteId}`, { body: {} })).body as unknown,
      (await ask(cookie, 'GET', `/api/PaymentIntegration/${integrationId}`)).body as unknown,
      (await ask(cookie, 'GET', '/api/PaymentIntegrations')).body[0] as unknown,
    ];
    expect(await readsOf()).toMatchObject([site, site, site, integration, integration]);
    await entered(id, 10 * MINUTE);
    const none = { ApiKey1: null, ApiKey2: null, ApiKey3: null };
    const hidden = { ApiAccount: 'account', ApiKey1: null, ApiKey2: null };
    expect(await readsOf()).toMatchObject([none, none, none, hidden, hidden]);
    const made = await ask(cookie, 'POST', '/api/Sites', { body: { ...site, Name: 'Second' } });
    expect([made.status, made.body]).toMatchObject([201, none]);
  });

  it('is entered by POST /api/Session/Confirm, which answers the session', async () => {
    const { cookie, id, body } = await session();
    const entry = async () => (await rowOf(id)).password_entered_utc;
    // Without an entry.
    await database.query(`UPDATE access_tokens SET password_entered_utc = NULL WHERE id = $1`, [id]);
    expect((await ask(cookie, 'GET', '/api/Session')).body).toEqual({ ...body, ConfirmedUntilUtc: null });
    const wrong = await confirm(cookie, 'wrong');
    expect([wrong.status, wrong.body.errors]).toEqual([400, [{ field: 'Password', message: 'is wrong.' }]]);
    expect(await entry()).toBeNull();
    const answered = await confirm(cookie);
    const untilUtc = new Date((await entry())!.getTime() + 10 * MINUTE).toISOString();
    expect([answered.status, answered.body]).toEqual([200, { ...body, ConfirmedUntilUtc: untilUtc }]);
    expect(answered.headers.getSetCookie()).toEqual([]);
  });

  it('is entered in a session only, and not in one that has ended', async () => {
    const { cookie, id, userId } = await session();
    const token = await given.token(userId);
    const body = { Password: PASSWORD };
    expect((await api.request('POST', '/api/Session/Confirm', { token, body })).status).toBe(403);
    expect((await ask(cookie, 'POST', '/api/Session/Confirm', { body, headers: { origin: 'null' } })).status).toBe(401);
    await entered(id, HOUR);
    await ask(cookie, 'DELETE', '/api/Session');
    expect((await confirm(cookie)).status).toBe(401);
    const { password_entered_utc, updated_utc } = await rowOf(id);
    expect(updated_utc.getTime() - password_entered_utc!.getTime()).toBeGreaterThanOrEqual(HOUR);
  });

  it('has the counters of Login: who guesses here is locked out there', async () => {
    const { cookie, id, body } = await session();
    await entered(id, HOUR);
    for (let attempt = 0; attempt < 10; attempt++) expect((await confirm(cookie, 'wrong')).status).toBe(400);
    expect((await confirm(cookie)).status).toBe(429);
    expect((await logIn({ Email: body.Email as string, Password: PASSWORD })).status).toBe(429);
    expect((await ask(cookie)).body.ConfirmedUntilUtc).toBeNull();
  });
});

async function emailOf(userId: number): Promise<string | undefined> {
  const [row] = await database.query<{ email: string }>(`SELECT email FROM users WHERE id = $1`, [userId]);
  return row?.email;
}
