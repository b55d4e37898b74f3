import { useApi } from '../support/api.js';
import { givenWorld, itReaches } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const ADA = {
  ExternalId: 'shop-7',
  Email: 'ada@mail.example',
  FirstName: 'Ada',
  LastName: 'Lovelace',
  Created: '2020-02-29T12:00:00.000Z',
  ShippingFirstName: 'Ada',
  ShippingLastName: 'Lovelace',
  ShippingStreet1: '12 St James Square',
  ShippingStreet2: 'Flat 3',
  ShippingCity: 'Los Angeles',
  ShippingState: 'CA',
  ShippingPostcode: '90001',
  ShippingCountry: 'US',
  BillingFirstName: 'Annabella',
  BillingLastName: 'Byron',
  BillingStreet1: '1 Main Street',
  BillingStreet2: 'Door 2',
  BillingCity: 'Austin',
  BillingState: 'TX',
  BillingPostcode: '73301',
  BillingCountry: 'US',
};

const NOTHING = Object.fromEntries(Object.keys(ADA).map((field) => [field, null]));

const customerJson = (id: number, siteId: number, fields: object) => ({
  Id: id,
  SiteId: siteId,
  ...NOTHING,
  ...fields,
  CreatedUtc: expect.stringMatching(TIME),
  UpdatedUtc: expect.stringMatching(TIME),
});

const fault = (field: string, message: unknown) => ({
  type: '/docs/errors#bad-request',
  title: 'Bad Request',
  status: 400,
  detail: `${field}: ${String(message)}`,
  instance: expect.any(String),
  errors: [{ field, message }],
});

const idsOf = (customers: { Id: number }[]) => customers.map(({ Id }) => Id);

describe('POST /api/Customers', () => {
  it('creates a customer on the account’s only site, and says where it is', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const created = await api.request('POST', '/api/Customers', { token, body: ADA });
    expect(created.status).toBe(201);
    expect(created.body).toEqual(customerJson(created.body.Id, siteId, ADA));
    expect(Object.keys(created.body)).toEqual(['Id', 'SiteId', ...Object.keys(ADA), 'CreatedUtc', 'UpdatedUtc']);
    expect(created.headers.get('location')).toBe(`/api/Customers/${created.body.Id}`);
    const read = await api.request('GET', created.headers.get('location')!, { token });
    expect(read.body).toEqual(created.body);
  });

  it('needs no field at all', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const created = await api.request('POST', '/api/Customers', { token, body: {} });
    expect(created.body).toEqual(customerJson(created.body.Id, siteId, {}));
  });

  it('ignores what the service sets', async () => {
    const { tokenAuth: token } = await given.merchant();
    const body = { Id: -1, CreatedUtc: 'never', UpdatedUtc: [[]] };
    expect((await api.request('POST', '/api/Customers', { token, body })).status).toBe(201);
  });

  it('wants to know the site when there are several, and knows another account’s', async () => {
    const merchant = await given.merchant();
    const second = await given.site(merchant.userId);
    const stranger = await given.merchant();
    const token = merchant.tokenAuth;
    const without = await api.request('POST', '/api/Customers', { token, body: {} });
    expect(without.body).toEqual(
      fault('SiteId', `is required, because the account has several sites: ${merchant.siteId}, ${second}.`),
    );
    const named = await api.request('POST', '/api/Customers', { token, body: { SiteId: second } });
    expect(named.body).toEqual(customerJson(named.body.Id, second, {}));
    const foreign = await api.request('POST', '/api/Customers', { token, body: { SiteId: stranger.siteId } });
    expect(foreign.status).toBe(403);
  });

  it('refuses a second ExternalId on a site, naming who has it; deleting frees it', async () => {
    const merchant = await given.merchant();
    const token = merchant.tokenAuth;
    const first = await given.customer(merchant.siteId, { externalId: 'x-1' });
    const second = await api.request('POST', '/api/Customers', { token, body: { ExternalId: 'x-1' } });
    expect(second.body).toEqual(
      fault('ExternalId', `"x-1" belongs to Customer ${first} already: update that one, or send another.`),
    );
    await api.request('DELETE', `/api/Customers/${first}`, { token });
    expect((await api.request('POST', '/api/Customers', { token, body: { ExternalId: 'x-1' } })).status).toBe(201);
  });

  it('makes one of many requests at once that bring the same ExternalId', async () => {
    const { tokenAuth: token } = await given.merchant();
    const body = { ExternalId: 'race' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.request('POST', '/api/Customers', { token, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
  });

  it('names every fault of a body at once', async () => {
    const { tokenAuth: token } = await given.merchant();
    const body = {
      Email: 'ada',
      FirstName: 1,
      LastName: 'x'.repeat(256),
      Created: '2025-02-29',
      firstName: 'A',
      SiteId: null,
    };
    const { status, body: answer } = await api.request('POST', '/api/Customers', { token, body });
    expect(status).toBe(400);
    expect(answer.errors).toEqual([
      { field: 'firstName', message: 'is not a field of this resource; did you mean FirstName?' },
      { field: 'SiteId', message: 'must not be null: leave it out instead.' },
      { field: 'Email', message: '"ada" must be an email address such as ada@mail.example.' },
      { field: 'FirstName', message: '1 must be text.' },
      { field: 'LastName', message: 'must have at most 255 characters; it has 256.' },
      { field: 'Created', message: '"2025-02-29" must be an ISO 8601 time such as 2026-01-31T09:00:00.000Z.' },
    ]);
  });

  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T10:20', '2026-01-31T10:20:00.000Z'],
    ['2026-01-31T10:20:30', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31T10:20:30.5', '2026-01-31T10:20:30.500Z'],
    ['2026-01-31T10:20:30.123456Z', '2026-01-31T10:20:30.123Z'],
    ['2026-01-31T10:20:30+02:00', '2026-01-31T08:20:30.000Z'],
    ['2024-02-29T23:59:59-0130', '2024-03-01T01:29:59.000Z'],
  ])('takes the time %s as %s', async (Created, expected) => {
    const { tokenAuth: token } = await given.merchant();
    const { body } = await api.request('POST', '/api/Customers', { token, body: { Created } });
    expect(body.Created).toBe(expected);
  });

  it.each([
    'yesterday',
    '2026-13-01',
    '2026-04-31',
    '2026-01-01T24:00',
    '2026-01-01T10:00:60Z',
    '2026-01-01T00:00+15:00',
    '0999-12-31',
    1767225600,
    true,
  ])('refuses the time %p', async (Created) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body } = await api.request('POST', '/api/Customers', { token, body: { Created } });
    expect([status, body.errors[0].field]).toEqual([400, 'Created']);
  });
});

describe('PUT /api/Customers/{customerId}', () => {
  it('changes what is sent, clears what is null, and leaves the rest', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const { body: ada } = await api.request('POST', '/api/Customers', { token, body: ADA });
    const body = { LastName: 'King', BillingStreet2: null };
    const updated = await api.request('PUT', `/api/Customers/${ada.Id}`, { token, body });
    expect(updated.status).toBe(200);
    expect(updated.body).toEqual(customerJson(ada.Id, siteId, { ...ADA, ...body }));
    expect(updated.body.UpdatedUtc > ada.UpdatedUtc).toBe(true);
    expect(updated.body.CreatedUtc).toBe(ada.CreatedUtc);
  });

  it('takes back what GET returned', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: ada } = await api.request('POST', '/api/Customers', { token, body: ADA });
    const { status, body } = await api.request('PUT', `/api/Customers/${ada.Id}`, { token, body: ada });
    expect(status).toBe(200);
    expect(body).toEqual({ ...ada, UpdatedUtc: expect.stringMatching(TIME) });
  });

  it('keeps a customer on its site', async () => {
    const merchant = await given.merchant();
    const second = await given.site(merchant.userId);
    const id = await given.customer(merchant.siteId);
    const { body } = await api.request('PUT', `/api/Customers/${id}`, {
      token: merchant.tokenAuth,
      body: { SiteId: second },
    });
    expect(body).toEqual(fault('SiteId', `A Customer stays on its site ${merchant.siteId}: leave it out.`));
  });

  it('lets a Customer token repeat its ExternalId, but not change it', async () => {
    const { userId, siteId } = await given.merchant();
    const customerId = await given.customer(siteId, { externalId: 'me' });
    const token = await given.token(userId, { customerId });
    const path = `/api/Customers/${customerId}`;
    expect((await api.request('PUT', path, { token, body: { ExternalId: 'me', FirstName: 'A' } })).status).toBe(200);
    expect((await api.request('PUT', path, { token, body: { ExternalId: 'you' } })).status).toBe(403);
    expect((await api.request('PUT', path, { token, body: { ExternalId: null } })).status).toBe(403);
  });
});

describe('GET /api/Customers', () => {
  it('gives pages of 100 by Id, of the account’s sites only, without the deleted', async () => {
    const merchant = await given.merchant();
    const second = await given.site(merchant.userId);
    await given.customer((await given.merchant()).siteId);
    const ids: number[] = [];
    for (let index = 0; index < 101; index++)
      ids.push(await given.customer(index % 2 === 0 ? merchant.siteId : second));
    await given.customer(second, { deletedUtc: new Date() });
    const token = merchant.tokenAuth;
    const first = await api.request('GET', '/api/Customers', { token });
    expect(idsOf(first.body)).toEqual(ids.slice(0, 100));
    expect(first.headers.get('link')).toBe('</api/Customers?page=1>; rel="first", </api/Customers?page=2>; rel="next"');
    const last = await api.request('GET', '/api/Customers?page=2', { token });
    expect(idsOf(last.body)).toEqual([ids[100]]);
    expect(last.headers.get('link')).toBe('</api/Customers?page=1>; rel="first", </api/Customers?page=1>; rel="prev"');
    const beyond = await api.request('GET', '/api/Customers?page=2147483647', { token });
    expect([beyond.status, beyond.body]).toEqual([200, []]);
  });

  it.each(['0', '-1', '2147483648', 'x', '1.5', ''])('refuses page=%s', async (page) => {
    const { tokenAuth: token } = await given.merchant();
    const { body } = await api.request('GET', `/api/Customers?page=${page}`, { token });
    expect(body).toEqual(fault('page', `"${page}" must be an integer from 1 to 2147483647.`));
  });
});

describe('DELETE /api/Customers/{customerId}', () => {
  it('is final', async () => {
    const { tokenAuth: token, siteId, userId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const own = await given.token(userId, { customerId });
    const path = `/api/Customers/${customerId}`;
    const deleted = await api.request('DELETE', path, { token });
    expect([deleted.status, deleted.body]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE']) expect((await api.request(method, path, { token })).status).toBe(404);
    expect((await api.request('PUT', path, { token, body: {} })).status).toBe(404);
    expect((await api.request('GET', path, { token: own })).status).toBe(401);
  });
});

describe('An id in the path', () => {
  it.each([
    ['abc', 400],
    ['1.5', 400],
    ['9223372036854775808', 400],
    ['9223372036854775807', 404],
    ['9007199254740992', 404],
    ['-1', 404],
    ['0', 404],
    ['%00', 400],
  ])('%s is %i', async (id, status) => {
    const { tokenAuth: token } = await given.merchant();
    expect((await api.request('GET', `/api/Customers/${id}`, { token })).status).toBe(status);
  });
});

describe('Who reaches customers', () => {
  const one = (world: { customerId: number }) => `/api/Customers/${world.customerId}`;
  const merchantOnly = { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 };
  itReaches(api, database, [
    { route: 'GET /api/Customers/{customerId}', path: one, answers: { ...merchantOnly, 'own customer': 200 } },
    {
      route: 'PUT /api/Customers/{customerId}',
      path: one,
      body: () => ({}),
      answers: { ...merchantOnly, 'own customer': 200 },
    },
    { route: 'DELETE /api/Customers/{customerId}', path: one, answers: { ...merchantOnly, 'own account': 204 } },
    {
      route: 'POST /api/Customers',
      path: () => '/api/Customers',
      body: ({ siteId }) => ({ SiteId: siteId }),
      answers: { ...merchantOnly, 'own account': 201 },
    },
    { route: 'GET /api/Customers', path: () => '/api/Customers', answers: { ...merchantOnly, 'another account': 200 } },
  ]);

  it('lists to another account nothing of this one', async () => {
    const { tokens } = await givenWorld(database);
    const { body } = await api.request('GET', '/api/Customers', { token: tokens['another account'] });
    expect(body).toEqual([]);
  });
});
