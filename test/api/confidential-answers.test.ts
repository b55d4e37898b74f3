import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const LOGIN = { Email: 'a@shop.example', AccessScope: 'Merchant' };

/** The whole answer, headers and all, to something that may be no HTTP. */
function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.end(request);
  return text(socket);
}

describe('An answer of the API', () => {
  it.each([
    ['a record', 'GET', 'record', 200],
    ['a record, asked for in capitals', 'GET', 'RECORD', 200],
    ['a whole list', 'GET', '/api/Products', 200],
    ['a page', 'GET', '/api/Customers?page=1', 200],
    ['no record', 'GET', '/api/Customers/999999999', 404],
    ['no path', 'GET', '/api/Nothing', 404],
    ['what is refused', 'POST', '/api/AccessTokens/Login', 400],
    ['an address that cannot be read', 'GET', '/api/Customers/%', 400],
  ])('may be kept by no cache: %s', async (_, method, path, status) => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const record = `/api/Customers/${await given.customer(siteId)}`;
    const target = path === 'record' ? record : path === 'RECORD' ? record.toUpperCase() : path;
    const answered = await api.request(method, target, { token });
    expect([answered.status, answered.headers.get('cache-control')]).toEqual([status, 'no-store']);
  });

  it('may be kept by no cache: without a token, and to what is no HTTP', async () => {
    const { status, headers } = await api.request('GET', '/api/Customers/1');
    expect([status, headers.get('cache-control')]).toEqual([401, 'no-store']);
    expect(await raw('no HTTP\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*\r\ncache-control: no-store\r\n/);
  });

  it.each([
    ['a number as Password', '/api/AccessTokens/Login', { ...LOGIN, Password: 314159265 }],
    ['too long a Password', '/api/AccessTokens/Login', { ...LOGIN, Password: '314159265'.repeat(200) }],
    ['an array as Password', '/api/AccessTokens/Login', { ...LOGIN, Password: ['314159265'] }],
    ['a Password without quotes', '/api/AccessTokens/Login', '{"Email": "a@shop.example", "Password": x314159265}'],
    ['a Password without an end', '/api/AccessTokens/Login', '{"Email": "a@shop.example", "Password": "314159265'],
    ['ApiAccount', '/api/PaymentIntegrations', { PaymentMethodType: 'GatewayTwo', ApiAccount: 314159265 }],
    ['ApiKey1', '/api/PaymentIntegrations', { PaymentMethodType: 'GatewayOne', ApiKey1: 314159265 }],
    ['ApiKey2', '/api/PaymentIntegrations', { PaymentMethodType: 'GatewayOne', ApiKey2: { 314159265: '314159265' } }],
    ["a site's ApiKey1", '/api/Sites', { ApiKey1: 314159265 }],
    ["a site's ApiKey2", '/api/Sites', { ApiKey2: 314159265.5 }],
    ["a site's ApiKey3", '/api/Sites', { ApiKey3: '314159265'.repeat(200) }],
    ['TokenAuth, where it is no field', '/api/Sites', { TokenAuth: 314159265 }],
  ])('repeats no value of a secret field: %s', async (_, path, body) => {
    const { tokenAuth: token } = await given.merchant();
    const answered = await api.request('POST', path, { token, body });
    expect(answered.status).toBe(400);
    expect(JSON.stringify(answered.body)).not.toContain('314159');
  });
});
