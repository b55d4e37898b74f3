import { hashPassword } from '#libs/records';
import { openApi, useApi } from '../support/api.js';
import { requestAs } from '../support/api/request-as.js';
import { declaredRoutes } from '../support/api/routes.js';
import { sessionHeaders } from '../support/api/session.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, {
  ALLOWED_HOSTS: 'orders.internal, 10.0.0.5',
  PUBLIC_URL: 'https://orders.example',
  TRUST_PROXY: 'loopback',
});
const given = givenIn(database);

const PASSWORD = 'correct horse battery staple';
const JUNK = { authorization: 'Basic junk' };

async function login() {
  const Email = 'rebound@shop.example';
  const userId = await given.user({ email: Email, passwordHash: await hashPassword(PASSWORD) });
  return { userId, body: { Email, Password: PASSWORD } };
}

const statusAs = async (host: string, headers?: Record<string, string>) =>
  (await requestAs(host, `${api.url}/api/Customers`, { headers })).status;

it.each([
  'localhost',
  'LocalHost:3000',
  'localhost.',
  'shop.localhost:3000',
  '127.0.0.1',
  '127.8.9.10:65535',
  '[::1]:3000',
  'orders.example',
  'Orders.Example:8443',
  'orders.internal:3000',
  '10.0.0.5:3000',
])('%s is accepted', async (host) => {
  expect(await statusAs(host)).toBe(401);
});

it.each([
  'evil.example',
  'localhost.evil.example',
  'evillocalhost',
  '127.0.0.1.evil.example',
  '127.evil.example',
  'orders.example.evil.example',
  'my.orders.example',
  '10.0.0.6',
  '[::2]:3000',
  '192.168.1.5:3000',
])('%s is answered 421, which names it and says what to set', async (host) => {
  const { status, body, headers } = await requestAs(host, `${api.url}/api/Customers`);
  expect([status, headers['content-type'], body]).toMatchObject([
    421,
    'application/problem+json; charset=utf-8',
    {
      type: 'https://orders.example/docs/errors#misdirected-request',
      title: 'Misdirected Request',
      status: 421,
      detail: `"${host}" is no host of this API. If clients shall reach it so, add the name to ALLOWED_HOSTS, or set PUBLIC_URL.`,
    },
  ]);
});

it('a page that DNS has led here reaches nothing, whatever it sends', async () => {
  const { userId, body } = await login();
  const session = await sessionHeaders(api, body);
  const tokens = () => database.query(`SELECT id, last_used_utc FROM access_tokens WHERE user_id = $1`, [userId]);
  const before = await tokens();
  const { port } = new URL(api.url);
  const host = `evil.example:${port}`;
  // A page of that origin may send all of this, for the API seems to be its own.
  const ofPage = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin', 'x-requested-with': 'console' };
  const tries = [{}, JUNK, { 'x-forwarded-host': 'localhost' }, { ...JUNK, 'x-forwarded-host': 'orders.example' }];
  const pages = [
    '/',
    '/console/',
    '/console/assets/x.js',
    '/docs',
    '/docs-json',
    '/docs/guides/',
    '/docs/errors',
    '/x',
  ];
  for (const headers of tries.map((tried) => ({ ...ofPage, ...tried }))) {
    const asHtml = { ...headers, accept: 'text/html' };
    for (const path of pages) {
      expect([path, (await requestAs(host, api.url + path, { headers: asHtml })).status]).toEqual([path, 421]);
    }
    const logins = [
      ['/api/Sessions', body],
      ['/api/sessions/', body],
      ['/api/AccessTokens/Login', { ...body, AccessScope: 'Merchant' }],
    ] as const;
    for (const [path, sent] of logins) {
      const answer = await requestAs(host, api.url + path, { method: 'POST', body: sent, headers });
      expect([path, answer.status, answer.headers['set-cookie']]).toEqual([path, 421, undefined]);
    }
  }
  const read = await requestAs(host, `${api.url}/api/Session`, { headers: { ...session, ...ofPage } });
  const changed = await requestAs(host, `${api.url}/api/ApiKeys`, { method: 'POST', body: {}, headers: session });
  expect([read.status, changed.status]).toEqual([421, 421]);
  expect(await tokens()).toEqual(before);
});

it('Authorization opens no route that does not ask for it', async () => {
  const open = Object.entries(declaredRoutes(api.app)).filter(([, audience]) => audience === 'anyone');
  const answers = await Promise.all(
    open.map(async ([route]): Promise<[string, number]> => {
      const [method, path] = route.split(' ') as [string, string];
      const answer = await requestAs('evil.example', api.url + path, { method, headers: JUNK });
      return [route, answer.status];
    }),
  );
  expect(Object.fromEntries(answers)).toEqual({
    'POST /api/AccessTokens/Login': 421,
    'POST /api/Sessions': 421,
    'GET /health/live': 200,
    'GET /health/ready': 200,
  });
});

it('a token or key counts under every name, and so does what a browser asks before; monitoring needs neither', async () => {
  const { tokenAuth } = await given.merchant();
  expect(await statusAs('api:3000', { authorization: `Basic ${tokenAuth}` })).toBe(200);
  expect(await statusAs('api:3000', JUNK)).toBe(401);
  const preflight = (wants: string) =>
    requestAs('api:3000', `${api.url}/api/Customers`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': wants,
      },
    });
  expect((await preflight('authorization,content-type')).status).toBe(204);
  expect((await preflight('content-type')).status).toBe(421);
  for (const path of ['/health/live', '/health/ready?probe=1', '/metrics']) {
    expect([path, (await requestAs('10.1.2.3:3000', api.url + path)).status]).toEqual([path, 200]);
  }
});

it('behind a trusted proxy, the name that it forwards has to be accepted, and its own', async () => {
  expect(await statusAs('orders.internal', { 'x-forwarded-host': 'orders.example' })).toBe(401);
  expect(await statusAs('orders.internal', { 'x-forwarded-host': 'evil.example' })).toBe(421);
  expect(await statusAs('upstream', { 'x-forwarded-host': 'orders.example' })).toBe(421);
});

it('without ALLOWED_HOSTS and PUBLIC_URL every name is accepted', async () => {
  const open = await openApi(database.url);
  expect((await requestAs('any.example', `${open.url}/api/Customers`)).status).toBe(401);
  await open.close();
});
