import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { given as givenIn } from '../support/given.js';
import { type Account, useConsole } from './console.js';

/**
 * A browser that is logged in opens pages of other origins, which try what a browser lets a page try. On another port
 * of the same host, a page is of the same site: `SameSite=Strict` sends the cookie along. On `localhost` it is of
 * another site.
 */
const tested = useConsole();
const given = givenIn(tested.database);

let server: Server;
let account: Account;
let customerId: number;
let orderId: number;
/** By name; the API lets scripts of both read, as those of the account's own shops. */
let origins: Readonly<Record<'same site' | 'another site', string>>;

beforeAll(async () => {
  server = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html; charset=utf-8');
    reply.end('<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origins = { 'same site': `http://127.0.0.1:${port}`, 'another site': `http://localhost:${port}` };
  account = await tested.account({ name: 'Coffee Shop', url: origins['same site'] });
  await given.site(account.userId, { url: origins['another site'] });
  customerId = await given.customer(account.siteId, { lastName: 'Lovelace-Secret' });
  orderId = await given.scheduledOrder(account.siteId, customerId);
});

afterAll(() => server.close());

/** What an attempt could have changed, asked without the browser. */
async function state(): Promise<unknown> {
  const ask = async (path: string) => {
    const answer = await fetch(`${tested.url}/api/${path}`, {
      headers: { authorization: `Basic ${account.tokenAuth}` },
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json();
  };
  return {
    customers: await ask(`Customers?SiteId=${account.siteId}`),
    order: await ask(`ScheduledOrders/${orderId}`),
    events: await ask(`ScheduledOrders/${orderId}/EventLogs`),
    endpoints: await ask('WebhookEndpoints'),
    keys: await ask('ApiKeys'),
    sessions: await tested.database.query(
      `SELECT id, expires_utc, revoked_utc FROM access_tokens WHERE user_id = $1 ORDER BY id`,
      [account.userId],
    ),
  };
}

/**
 * What each form would do if the cookie counted. A text/plain form can write JSON: its one name and value are joined by
 * `=`.
 */
function forms(): readonly { readonly path: string; readonly enctype: string; readonly fields: object }[] {
  const json = (body: object) => ({ [`${JSON.stringify(body).slice(0, -1)},"Note":"`]: '"}' });
  const customer = { SiteId: account.siteId, Email: 'forged@mail.example', FirstName: 'Forged' };
  const [urlencoded, multipart, plain] = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
  return [
    { path: 'Customers', enctype: urlencoded, fields: customer },
    { path: 'Customers', enctype: multipart, fields: customer },
    { path: 'Customers', enctype: plain, fields: json(customer) },
    { path: `ScheduledOrders/${orderId}?_method=DELETE`, enctype: urlencoded, fields: { _method: 'DELETE' } },
    { path: `ScheduledOrders/${orderId}/Skip`, enctype: plain, fields: json({ Forged: true }) },
    { path: `ScheduledOrders/${orderId}/Process`, enctype: urlencoded, fields: {} },
    { path: 'ApiKeys', enctype: plain, fields: json({ Name: 'Forged', SiteIds: [account.siteId] }) },
    {
      path: 'WebhookEndpoints',
      enctype: plain,
      fields: json({ SiteId: account.siteId, Url: 'https://evil.example/' }),
    },
    { path: 'Session?_method=DELETE', enctype: urlencoded, fields: { _method: 'DELETE' } },
    { path: 'Sessions', enctype: plain, fields: json({ Email: account.email, Password: account.password }) },
  ];
}

/** Posts a form as a visitor's click does, in the whole window. */
async function post(page: Page, { path, enctype, fields }: ReturnType<typeof forms>[number]): Promise<Request> {
  const action = `${tested.url}/api/${path}`;
  const sent = page.waitForRequest((request) => request.url() === action && request.method() === 'POST');
  await page.evaluate(`{
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', action: ${JSON.stringify(action)}, enctype: ${JSON.stringify(enctype)} });
    for (const [name, value] of ${JSON.stringify(Object.entries(fields))}) {
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name, value });
      form.append(input);
    }
    document.body.append(form);
    setTimeout(() => form.submit());
  }`);
  return sent;
}

interface Tried {
  readonly what: string;
  /** `refused`: the browser gave the script nothing, or an answer without content. */
  readonly got: string;
}

interface Exchange {
  request?: string;
  cookie?: boolean;
  status?: number;
}

/** What goes over the wire from now on, by request, also where the browser keeps the answer from the page. */
async function exchangesOf(context: BrowserContext, page: Page): Promise<ReadonlyMap<string, Exchange>> {
  const exchanges = new Map<string, Exchange>();
  const add = (id: string, more: Exchange) => exchanges.set(id, { ...exchanges.get(id), ...more });
  const protocol = await context.newCDPSession(page);
  await protocol.send('Network.enable');
  protocol.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) =>
    add(requestId, { request: `${method} ${url}` }),
  );
  protocol.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) =>
    add(requestId, { cookie: isOfSession(headers.Cookie ?? headers.cookie) }),
  );
  protocol.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) =>
    add(requestId, { status: statusCode }),
  );
  return exchanges;
}

const isOfSession = (cookies: string | undefined) => /scheduled-orders-session=/.test(cookies ?? '');

/** Everything that `fetch` can be asked to do with credentials, and an image. Runs in the page. */
const scripts = () => `(async () => {
  const api = ${JSON.stringify(`${tested.url}/api/`)};
  const order = 'ScheduledOrders/${orderId}';
  const customer = JSON.stringify({ SiteId: ${account.siteId}, Email: 'forged@mail.example', FirstName: 'Forged' });
  const requests = [
    ['GET', 'Customers?SiteId=${account.siteId}'],
    ['GET', 'Session'],
    ['POST', 'Customers', customer, 'text/plain'],
    ['POST', 'Customers', customer, 'application/json'],
    ['PUT', order, '{"Status":"Paused"}', 'application/json'],
    ['DELETE', order],
    ['DELETE', 'Session'],
  ];
  const tried = [];
  for (const mode of ['cors', 'no-cors']) for (const header of [{}, { 'X-Requested-With': 'console' }])
    for (const [method, path, body, type] of requests) {
      const headers = { ...header, ...(type && { 'Content-Type': type }) };
      const got = await fetch(api + path, { method, mode, body, headers, credentials: 'include' })
        .then(async (answer) => (answer.type === 'opaque' && (await answer.text()) === '' ? 'refused' : answer.type + ' ' + answer.status))
        .catch(() => 'refused');
      tried.push({ what: [mode, Object.keys(headers).join(), method, path].join(' '), got });
    }
  const image = await new Promise((resolve) => {
    const shown = new Image();
    shown.onload = () => resolve('shown');
    shown.onerror = () => resolve('refused');
    shown.src = api + 'Customers?SiteId=${account.siteId}';
  });
  return [...tried, { what: 'image', got: image }];
})()`;

describe.each(['same site', 'another site'] as const)('A page of another origin, of %s', (origin) => {
  /** A browser that is logged in, with that page open. The faults of a ConsolePage do not matter here. */
  async function lured() {
    const { context } = await tested.loggedIn(account);
    const page = await context.newPage();
    await page.goto(origins[origin]);
    return { context, page };
  }

  const hasCookie = async (request: Request) => isOfSession((await request.allHeaders()).cookie);

  it('changes nothing by a form, whatever it posts', async () => {
    const { context, page } = await lured();
    const [cookie] = await context.cookies(tested.url);
    const before = await state();
    for (const form of forms()) {
      const request = await post(page, form);
      const answer = await request.response();
      const what = `${form.enctype} to ${form.path}`;
      expect([what, await hasCookie(request)]).toEqual([what, origin === 'same site']);
      expect([what, [401, 403, 404, 405, 415].includes(answer!.status())]).toEqual([what, true]);
      await page.waitForURL(request.url());
      expect(await page.content()).not.toContain('Lovelace-Secret');
      await page.goto(origins[origin]);
    }
    expect(await state()).toEqual(before);
    expect(await context.cookies(tested.url)).toEqual([cookie]);
    await context.close();
  });

  it('changes nothing by its scripts and images, and reads nothing', async () => {
    const { context, page } = await lured();
    const exchanges = await exchangesOf(context, page);
    const before = await state();
    const tried = await page.evaluate<Tried[]>(scripts());
    expect(tried).toHaveLength(29);
    expect(tried.filter(({ got }) => got !== 'refused')).toEqual([]);
    expect(await state()).toEqual(before);
    // Of the same host, the page's own requests have it, too.
    const withCookie = [...exchanges.values()].filter(({ request, cookie }) => cookie && request?.includes(tested.url));
    // Otherwise nothing was tried: of the same site, the browser does send it along.
    expect(withCookie.length > 0).toBe(origin === 'same site');
    expect(withCookie.filter(({ status }) => status === undefined || ![401, 415].includes(status))).toEqual([]);
    await context.close();
  });
});

it('of the very origin, the cookie counts with the header alone', async () => {
  const { page, open } = await tested.loggedIn(account);
  await open(`s/${account.siteId}/test-clocks`);
  const before = await state();
  const body = JSON.stringify({ SiteId: account.siteId, Email: 'written@mail.example', FirstName: 'Written' });
  const statuses = (header: object) =>
    page.evaluate<number[]>(`(async () => {
      const headers = ${JSON.stringify({ 'Content-Type': 'application/json', ...header })};
      const ask = async (path, more = {}) => (await fetch('/api/' + path, { headers, ...more })).status;
      return [await ask('Sites'), await ask('Session'), await ask('Customers', { method: 'POST', body: ${JSON.stringify(body)} })];
    })()`);
  expect(await statuses({})).toEqual([401, 401, 401]);
  expect(await statuses({ 'X-Requested-With': 'XMLHttpRequest' })).toEqual([401, 401, 401]);
  expect(await state()).toEqual(before);
  expect(await statuses({ 'X-Requested-With': 'console' })).toEqual([200, 200, 201]);
  expect(await state()).not.toEqual(before);
});
