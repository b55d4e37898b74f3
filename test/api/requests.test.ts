import { connect } from 'node:net';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { CORS_ORIGINS: 'https://office.example', RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const MIB = 1024 * 1024;

async function send(body: string, headers: Record<string, string> = {}, path = '/api/Customers', method = 'POST') {
  const { tokenAuth: token } = await given.merchant();
  return api.request(method, path, { token, body, headers });
}

describe('A body', () => {
  it.each([
    ['no JSON', '{"FirstName": '],
    ['an array', '[]'],
    ['a text', '"Ada"'],
    ['a number', '1'],
    ['null', 'null'],
    ['true', 'true'],
    ['nothing', ''],
    ['NaN', '{"Created": NaN}'],
    ['a prototype', '{"__proto__": {"FirstName": "Ada"}}'],
    ['a constructor', '{"constructor": {"prototype": {}}}'],
    ['another constructor', '{"constructor": 1}'],
    ['a method', '{"hasOwnProperty": 1, "toString": null}'],
    ['100,000 brackets', `{"FirstName": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['100,000 unclosed brackets', '['.repeat(100_000)],
    ['100,000 objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a huge number', `{"SiteId": ${'9'.repeat(400)}}`],
    ['a number beyond exactness', '{"SiteId": 9007199254740993}'],
    ['a huge text', JSON.stringify({ FirstName: 'x'.repeat(MIB - 100) })],
    ['many unknown fields', JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, n])))],
  ])('that is %s is 400', async (_, body) => {
    const answered = await send(body);
    expect(answered).toMatchObject({ status: 400, body: { title: 'Bad Request', type: '/docs/errors#bad-request' } });
    expect(Array.isArray(answered.body.errors)).toBe(true);
    expect(JSON.stringify(answered.body).length).toBeLessThan(100_000);
  });

  it('that is no JSON says where it stops being it, and repeats nothing of it', async () => {
    const { body } = await send('{\n  "Email": "ada@mail.example",\n  "FirstName": Ada\n}');
    const message = 'The JSON is wrong at line 3, column 16: expected a value.';
    expect(body).toMatchObject({ detail: message, errors: [{ field: '', message }] });
  });

  it('that is large and no JSON, too', async () => {
    const { body } = await send(`{"FirstName": "${'x'.repeat(20_000)}" "LastName": 1}`);
    expect(body.detail).toBe('The JSON is wrong at line 1, column 20018: expected a comma or }.');
  });

  it('with several unknown fields gets the list of those there are once', async () => {
    const { body } = await send('{"Foo": 1, "Bar": 2, "firstName": "Ada"}');
    expect(body.errors).toEqual([
      { field: 'Foo', message: expect.stringMatching(/^is not a field of this resource; its fields are Id, SiteId, /) },
      { field: 'Bar', message: 'is not a field of this resource.' },
      { field: 'firstName', message: 'is not a field of this resource; did you mean FirstName?' },
    ]);
  });

  it('may be named twice: the last value counts, as everywhere', async () => {
    expect((await send('{"FirstName": "A", "FirstName": "B"}')).body.FirstName).toBe('B');
  });

  it('over 1 MiB is 413', async () => {
    expect(await send(JSON.stringify({ FirstName: 'x'.repeat(MIB) }))).toMatchObject({
      status: 413,
      body: { title: 'Payload Too Large', type: '/docs/errors#payload-too-large' },
    });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'x',
  ])('of type %s is 415', async (type) => {
    const answered = await send('{}', { 'content-type': type });
    expect(answered).toMatchObject({ status: 415, body: { title: 'Unsupported Media Type' } });
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON'])('of type %s is taken', async (type) => {
    expect((await send('{}', { 'content-type': type })).status).toBe(201);
  });
});

describe('Every answer', () => {
  it('names its request; a client may name it itself', async () => {
    const made = await api.request('GET', '/health/live');
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const own = await api.request('GET', '/nowhere', { headers: { 'x-request-id': 'shop-42' } });
    expect([own.headers.get('x-request-id'), own.body.instance]).toEqual(['shop-42', 'shop-42']);
    const unfit = await api.request('GET', '/nowhere', { headers: { 'x-request-id': 'a b' } });
    expect(unfit.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('carries security headers, an error too', async () => {
    for (const path of ['/docs', '/nowhere']) {
      const { headers } = await api.request('GET', path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain(`default-src 'self'`);
      expect(headers.get('strict-transport-security')).toContain('max-age=');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });
});

describe('A path', () => {
  it('matches in any case, with or without a slash at its end', async () => {
    const { tokenAuth: token } = await given.merchant();
    for (const path of ['/API/customers', '/api/CUSTOMERS/', '/api/Customers']) {
      expect((await api.request('GET', path, { token })).status).toBe(200);
    }
  });

  it.each(['/nowhere', '/api', '/api/Customers/1/2/3', '/api/Customer', '/..%2f..%2fetc/passwd', '/docs/../../x'])(
    'that there is none of, %s, is 404',
    async (path) => {
      expect(await api.request('GET', path)).toMatchObject({ status: 404, body: { title: 'Not Found' } });
    },
  );

  it('that is malformed is 400, one that is far too long 404 or 414', async () => {
    expect((await api.request('GET', '/api/Customers/%E0%A4%A')).status).toBe(400);
    const { tokenAuth: token } = await given.merchant();
    expect([404, 414]).toContain((await api.request('GET', `/api/Customers/${'1'.repeat(5_000)}`, { token })).status);
  });

  it('knows its methods only', async () => {
    const { tokenAuth: token } = await given.merchant();
    for (const method of ['PATCH', 'OPTIONS']) {
      expect((await api.request(method, '/api/Customers', { token })).status).toBeGreaterThanOrEqual(400);
    }
  });

  it.each([
    ['PATCH', '/api/Customers', '/api/Customers', ['GET', 'HEAD', 'POST']],
    ['POST', '/API/customers/7/?x=1', '/api/Customers/{customerId}', ['DELETE', 'GET', 'HEAD', 'PUT']],
    ['GET', '/api/AccessTokens/Login', '/api/AccessTokens/Login', ['POST']],
    [
      'PATCH',
      '/api/Customers/7/PaymentMethods/Search',
      '/api/Customers/{customerId}/PaymentMethods/Search',
      ['GET', 'HEAD'],
    ],
    ['DELETE', '/api/Site/7', '/api/Site/{siteId}', ['GET', 'HEAD', 'PUT']],
  ])('that does not take %s, such as %s, is 405 and says what it takes', async (method, path, shown, allowed) => {
    const { status, headers, body } = await api.request(method, path, method === 'GET' ? {} : { body: '{"no JSON' });
    expect([status, headers.get('allow')]).toEqual([405, allowed.join(', ')]);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toEqual({
      type: '/docs/errors#method-not-allowed',
      title: 'Method Not Allowed',
      status: 405,
      detail: `${shown} does not take ${method}, only ${allowed.join(', ')}: see /docs.`,
      instance: headers.get('x-request-id'),
    });
  });

  it.each([
    ['GET', '/api/Customer/1', '/api/Customers/{customerId}'],
    ['GET', '/api/customer', '/api/Customers'],
    ['PUT', '/api/ShippingRates/1?x=1', '/api/ShippingRate/{shippingRateId}'],
    ['GET', '/api/ScheduledOrder/1/ErrorLogs', '/api/ScheduledOrders/{scheduledOrderId}/ErrorLog'],
    ['POST', '/api/Site', '/api/Sites'],
  ])('that differs by its plural only, %s %s, is 404 and names the other', async (method, path, meant) => {
    const { status, body } = await api.request(method, path);
    expect([status, body.detail]).toEqual([404, `There is no such path; did you mean ${meant}? See /docs.`]);
  });

  it('that is like no other is 404 without a hint', async () => {
    const { status, body } = await api.request('GET', '/api/Invoices/1');
    expect([status, body.detail]).toEqual([404, 'There is no such path: see /docs.']);
  });
});

describe('A query parameter', () => {
  const listed = async (path: string) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body } = await api.request('GET', path, { token });
    return { status, errors: body.errors as unknown };
  };

  it.each([
    ['/api/Customers?Email=ada%40mail.example', 'Email', 'which takes page, SiteId, q, limit, cursor, sort.'],
    ['/api/ScheduledOrderItems?pge=2', 'pge', 'which takes only page. Did you mean page?'],
    ['/api/ScheduledOrderItems?Page=99', 'Page', 'which takes only page. Did you mean page?'],
    [
      '/api/Customers/1/PaymentMethods/Search?GatewayCustomerID=1',
      'GatewayCustomerID',
      'which takes type, gatewayPaymentId, gatewayCustomerId. Did you mean gatewayCustomerId?',
    ],
    ['/api/Customers/1?page=1', 'page', 'which takes none.'],
    ['/api/ScheduledOrderItems?__proto__=1', '__proto__', 'which takes only page.'],
  ])('that the route does not know, %s, is 400', async (path, field, rest) => {
    const errors = [{ field, message: `is not a query parameter of this route, ${rest}` }];
    expect(await listed(path)).toEqual({ status: 400, errors });
  });

  it('that has no name, or one of 1,000 characters, is 400 as well', async () => {
    for (const query of ['=1', `${'x'.repeat(1_000)}=1`]) {
      expect((await listed(`/api/Customers?${query}`)).status).toBe(400);
    }
  });

  it('is listed up to a hundred times', async () => {
    const query = Array.from({ length: 500 }, (_, n) => `x${n}=1`).join('&');
    const { status, errors } = await listed(`/api/Customers?${query}`);
    expect([status, (errors as object[]).length]).toEqual([400, 100]);
  });

  it('that the route knows has its own faults', async () => {
    const message = '"x" must be an integer from 1 to 2147483647.';
    expect(await listed('/api/Customers?page=x')).toEqual({ status: 400, errors: [{ field: 'page', message }] });
    expect((await listed('/api/Customers?page=1')).status).toBe(200);
  });
});

describe('What never becomes a request', () => {
  /** Writes a text into a connection and gives what comes back until it is closed. */
  const write = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.write(text));
      socket.on('data', (data) => (answer += data.toString()));
      socket.once('close', () => resolve(answer));
      socket.once('error', reject);
    });

  const problemOf = (answer: string) => {
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    expect(head).toContain('content-type: application/problem+json; charset=utf-8');
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
    const { instance, ...problem } = JSON.parse(body) as Record<string, unknown>;
    expect(head).toContain(`x-request-id: ${String(instance)}`);
    return { line: head.split('\r\n')[0], ...problem };
  };

  it('has endless headers: 431', async () => {
    const answer = await write(`GET /health/live HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(problemOf(answer)).toEqual({
      line: 'HTTP/1.1 431 Request Header Fields Too Large',
      type: '/docs/errors#request-header-fields-too-large',
      title: 'Request Header Fields Too Large',
      status: 431,
      detail: 'The headers are larger than 16 KiB. Send fewer or shorter headers.',
    });
  });

  it('is no HTTP: 400', async () => {
    expect(problemOf(await write('EHLO shop.example\r\n\r\n'))).toEqual({
      line: 'HTTP/1.1 400 Bad Request',
      type: '/docs/errors#bad-request',
      title: 'Bad Request',
      status: 400,
      detail: 'The request cannot be read: it is not HTTP.',
      errors: [],
    });
  });

  it.each([
    ['headers', 'GET /health/live HTTP/1.1\r\nHost: x\r\n'],
    [
      'body',
      'POST /api/AccessTokens/Login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('arrives too slowly, its %s: 408', async (_, text) => {
    const server = api.app.getHttpServer();
    const { headersTimeout, requestTimeout } = server;
    expect([headersTimeout, requestTimeout]).toEqual([30_000, 30_000]);
    Object.assign(server, { headersTimeout: 50, requestTimeout: 50 });
    try {
      expect(problemOf(await write(text))).toEqual({
        line: 'HTTP/1.1 408 Request Timeout',
        type: '/docs/errors#request-timeout',
        title: 'Request Timeout',
        status: 408,
        detail: 'The request did not arrive within 30 seconds. Send it again, over a connection that is fast enough.',
      });
    } finally {
      Object.assign(server, { headersTimeout, requestTimeout });
    }
  });

  it('is a connection that says nothing: closed after a minute', () => {
    expect(api.app.getHttpServer().timeout).toBe(60_000);
  });
});

describe('CORS', () => {
  const preflight = (origin: string) =>
    api.request('OPTIONS', '/api/Customers', {
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });

  it('lets configured origins and the accounts’ own sites in, and nobody else', async () => {
    await given.merchant({ url: 'https://Shop.example/de/' });
    for (const origin of ['https://office.example', 'https://shop.example']) {
      const { status, headers } = await preflight(origin);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    }
    for (const origin of ['https://evil.example', 'https://shop.example.evil.example', 'http://shop.example', 'null']) {
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('shows the page what it needs', async () => {
    const { headers } = await api.request('GET', '/health/live', { headers: { origin: 'https://office.example' } });
    expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('For operators', () => {
  it('says that it lives and is ready', async () => {
    expect(await api.request('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'up' } });
    expect(await api.request('GET', '/health/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('counts requests by route, not by path', async () => {
    const { tokenAuth: token } = await given.merchant();
    await api.request('GET', '/api/Customers/123456', { token });
    const { status, body } = await api.request('GET', '/metrics');
    expect(status).toBe(200);
    expect(body).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/Customers/:customerId",status="404"} 1',
    );
    expect(body).not.toContain('123456');
  });
});

describe('Documentation', () => {
  it('is found from the root', async () => {
    const { status, headers } = await api.request('GET', '/');
    expect([status, headers.get('location')]).toEqual([302, '/docs']);
  });

  it('brings its own files', async () => {
    const { body: html } = await api.request('GET', '/docs');
    const links = [...(html as string).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link).toMatch(/^\.\/docs\//);
      expect((await api.request('GET', link.slice(1))).status).toBe(200);
    }
  });

  it('explains every problem where its type points', async () => {
    const { body: page } = await api.request('GET', '/docs/errors');
    const { type } = (await api.request('GET', '/nowhere')).body as { type: string };
    const [path, anchor] = type.split('#');
    expect(path).toBe('/docs/errors');
    expect(page).toContain(`id="${anchor}"`);
  });
});
