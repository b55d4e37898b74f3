import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

let written = '';
const log = new Writable({ write: (chunk, _encoding, done) => ((written += String(chunk)), done()) });
const database = useDatabase();
// The default level.
const api = useApi(database, { LOG_LEVEL: 'info', LOG_FORMAT: 'json', RATE_LIMIT_PER_SECOND: '0' }, log);
const given = givenIn(database);

interface Line {
  level: string;
  requestId: string;
  msg: string;
  leftOut?: number;
}

const logged = () =>
  written
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

/** The lines that a request leaves, without what differs every time. */
async function linesOf(method: string, path: string, options: Parameters<typeof api.request>[2] = {}) {
  const { status, headers } = await api.request(method, path, options);
  const requestId = headers.get('x-request-id');
  const lines = logged().filter((line) => line.requestId === requestId);
  return {
    status,
    lines: lines.map((line) => ({ ...line, time: undefined, process: undefined, requestId: undefined })),
  };
}

const refused = (fields: object) => [{ level: 'info', ms: expect.any(Number), msg: 'request refused', ...fields }];

beforeEach(() => (written = ''));

describe('A request that is answered 4xx leaves one line', () => {
  it('with its route, never its path or its query, and the account', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    const path = '/api/Customers/987654321?Email=needle';
    expect(await linesOf('GET', path, { token })).toEqual({
      status: 400,
      lines: refused({ method: 'GET', route: '/api/Customers/:customerId', status: 400, account: userId }),
    });
    expect(await linesOf('GET', '/api/Customers/987654321', { token })).toEqual({
      status: 404,
      lines: refused({ method: 'GET', route: '/api/Customers/:customerId', status: 404, account: userId }),
    });
    expect(written).not.toMatch(/987654321|Email|needle/);
  });

  it('with the customer of a Customer token', async () => {
    const { userId, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const token = await given.token(userId, { customerId });
    expect(await linesOf('GET', '/api/Customers', { token })).toEqual({
      status: 403,
      lines: refused({ method: 'GET', route: '/api/Customers', status: 403, account: userId, customer: customerId }),
    });
  });

  it('with the id of an API key', async () => {
    const { userId, siteId } = await given.merchant();
    const { id, value: token } = await given.apiKey(userId, [siteId], { access: 'Read' });
    expect(await linesOf('POST', '/api/Customers', { token })).toEqual({
      status: 403,
      lines: refused({ method: 'POST', route: '/api/Customers', status: 403, account: userId, apiKey: id }),
    });
  });

  it.each([
    ['without a token', 'GET', '/api/Customers', '/api/Customers', 401],
    ['to no path', 'GET', '/private/needle', 'none', 404],
    ['with a wrong verb', 'PATCH', '/api/Customers', 'none', 405],
    ['that cannot be read', 'GET', '/api/Customers/%E0%A4%A', 'none', 400],
  ])('when it comes %s', async (_, method, path, route, status) => {
    expect(await linesOf(method, path)).toEqual({ status, lines: refused({ method, route, status }) });
  });

  it('without its body', async () => {
    const { tokenAuth: token, userId } = await given.merchant();
    const body = { ApiKey1: 'secret-key', Junk: 'secret-junk' };
    const { status, lines } = await linesOf('POST', '/api/PaymentIntegrations', { token, body });
    const route = '/api/PaymentIntegrations';
    expect([status, lines]).toEqual([400, refused({ method: 'POST', route, status, account: userId })]);
    expect(written).not.toContain('secret');
  });

  it('also when it is no HTTP at all', async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.end('EHLO needle\r\n\r\n'));
    const lines = await until(() => logged().length > 0 && logged());
    socket.destroy();
    expect(lines).toEqual([expect.objectContaining({ level: 'info', status: 400, msg: 'request refused' })]);
    expect(written).not.toContain('needle');
  });

  it('and one that is answered otherwise none', async () => {
    const { tokenAuth: token } = await given.merchant();
    expect(await linesOf('GET', '/api/Customers', { token })).toEqual({ status: 200, lines: [] });
  });
});

it('A login that fails is a warning, without the email and the password', async () => {
  const body = { Email: 'ada@shop.example', Password: 'wrong-password', AccessScope: 'Merchant' };
  expect(await linesOf('POST', '/api/AccessTokens/Login', { body })).toEqual({
    status: 400,
    lines: [
      {
        level: 'warn',
        method: 'POST',
        route: '/api/AccessTokens/Login',
        status: 400,
        ms: expect.any(Number),
        msg: 'login refused',
      },
    ],
  });
  expect(written).not.toMatch(/shop\.example|wrong-password/);
});

it('A flood of refused requests is no flood of lines, hides no failed login, and is counted', async () => {
  const beganMs = performance.now();
  const lines = () => logged().filter(({ level }) => level === 'info');
  let sent = 0;
  // On a busy machine the first ones may come too slowly to be a flood.
  await until(async () => {
    const statuses = await Promise.all(Array.from({ length: 400 }, () => api.request('GET', '/nowhere')));
    expect(statuses.every(({ status }) => status === 404)).toBe(true);
    sent += statuses.length;
    return lines().length < sent;
  }, 45_000);
  const body = { Email: 'ada@shop.example', Password: 'wrong', AccessScope: 'Merchant' };
  const login = await linesOf('POST', '/api/AccessTokens/Login', { body });
  expect(login.lines).toHaveLength(1);
  const seconds = Math.ceil((performance.now() - beganMs) / 1000);
  expect(lines().length).toBeLessThanOrEqual(50 * (seconds + 1));
  await until(async () => {
    sent++;
    return (await linesOf('GET', '/nowhere')).lines.length > 0;
  });
  expect(lines().reduce((sum, { leftOut = 0 }) => sum + leftOut + 1, 0)).toBe(sent);
});
