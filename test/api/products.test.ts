import { useApi } from '../support/api.js';
import { itReaches } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const COFFEE = {
  ExternalId: '1042',
  Availability: 'InStock',
  StockLevel: '12',
  Type: 'simple',
  Sku: 'COFFEE-1KG',
  Title: 'Coffee, 1 kg',
  Description: 'Roasted on Mondays.',
  Price: 12.5,
  SalePrice: 9.9999,
  Length: '20',
  Width: '10',
  Height: '30',
  Weight: '1.05',
  ShippingClass: 'parcel',
  TaxClass: 'standard',
  ImageUrl: 'https://shop.example/coffee.jpg',
  ImageThumbUrl: 'https://shop.example/coffee-small.jpg',
};

describe('POST /api/Products', () => {
  it('creates a product', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const created = await api.request('POST', '/api/Products', { token, body: COFFEE });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      Id: created.body.Id,
      SiteId: siteId,
      ...COFFEE,
      CreatedUtc: expect.stringMatching(TIME),
      UpdatedUtc: expect.stringMatching(TIME),
    });
    expect(created.headers.get('location')).toBe(`/api/Products/${created.body.Id}`);
  });

  it.each([0, 0.0001, 0.1, 1.005, 99999999999, 99999999999.9999, 12345678901.2345])(
    'keeps the price %d exactly',
    async (Price) => {
      const { tokenAuth: token } = await given.merchant();
      const { body } = await api.request('POST', '/api/Products', { token, body: { Price } });
      expect(body.Price).toBe(Price);
    },
  );

  it.each([
    [-1, '-1 must not be negative.'],
    [0.00001, '0.00001 must have at most 4 decimal places.'],
    [1e-7, '1e-7 must have at most 4 decimal places.'],
    [1.23456, '1.23456 must have at most 4 decimal places.'],
    [1e11, '100000000000 must be below 100,000,000,000.'],
    [1e300, '1e+300 must be below 100,000,000,000.'],
    ['12.5', '"12.5" must be a number.'],
    [true, 'true must be a number.'],
    [[1], '[…] must be a number.'],
    [{}, '{…} must be a number.'],
  ])('refuses the price %p', async (Price, message) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body } = await api.request('POST', '/api/Products', { token, body: { Price } });
    expect([status, body.errors]).toEqual([400, [{ field: 'Price', message }]]);
  });

  it.each(['ftp://shop.example/x', 'shop.example/x', 'x', 'javascript:alert(1)'])(
    'refuses the URL %s',
    async (ImageUrl) => {
      const { tokenAuth: token } = await given.merchant();
      const { body } = await api.request('POST', '/api/Products', { token, body: { ImageUrl } });
      const message = `"${ImageUrl}" must be a URL such as https://shop.example/coffee.jpg.`;
      expect(body.errors).toEqual([{ field: 'ImageUrl', message }]);
    },
  );

  it.each([
    ['a\u0000b', 'must not contain a NUL character.'],
    ['a\ud800', 'must be valid Unicode: it contains half of a surrogate pair.'],
    ['x'.repeat(256), 'must have at most 255 characters; it has 256.'],
  ])('refuses the title %j', async (Title, message) => {
    const { tokenAuth: token } = await given.merchant();
    const { body } = await api.request('POST', '/api/Products', { token, body: { Title } });
    expect(body.errors).toEqual([{ field: 'Title', message }]);
  });

  it('counts characters, not bytes', async () => {
    const { tokenAuth: token } = await given.merchant();
    const Title = '☕💚'.repeat(127);
    const { body } = await api.request('POST', '/api/Products', { token, body: { Title } });
    expect(body.Title).toBe(Title);
  });
});

describe('PUT /api/Products/{productId}', () => {
  it('changes what is sent, clears what is null, and takes back what GET returned', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: coffee } = await api.request('POST', '/api/Products', { token, body: COFFEE });
    const path = `/api/Products/${coffee.Id}`;
    const updated = await api.request('PUT', path, { token, body: { SalePrice: null, Title: 'Coffee' } });
    expect(updated.body).toEqual({ ...coffee, SalePrice: null, Title: 'Coffee', UpdatedUtc: expect.any(String) });
    const again = await api.request('PUT', path, { token, body: updated.body });
    expect([again.status, again.body]).toEqual([200, { ...updated.body, UpdatedUtc: expect.any(String) }]);
  });
});

describe('Who reaches products', () => {
  const one = async ({ siteId }: { siteId: number }) => `/api/Products/${await given.product(siteId)}`;
  const written = { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 };
  const readable = { ...written, 'own customer': 200, 'another customer': 200 };
  itReaches(api, database, [
    { route: 'GET /api/Products/{productId}', path: one, answers: readable },
    { route: 'GET /api/Products', path: () => '/api/Products', answers: { ...readable, 'another account': 200 } },
    { route: 'PUT /api/Products/{productId}', path: one, body: () => ({}), answers: written },
    { route: 'DELETE /api/Products/{productId}', path: one, answers: { ...written, 'own account': 204 } },
    {
      route: 'POST /api/Products',
      path: () => '/api/Products',
      body: ({ siteId }) => ({ SiteId: siteId }),
      answers: { ...written, 'own account': 201 },
    },
  ]);

  it('hides another account’s products from a customer', async () => {
    const { userId, siteId } = await given.merchant();
    const token = await given.token(userId, { customerId: await given.customer(siteId) });
    const foreign = await given.product((await given.merchant()).siteId);
    expect((await api.request('GET', `/api/Products/${foreign}`, { token })).status).toBe(403);
    const own = await given.product(siteId);
    const { body } = await api.request('GET', '/api/Products', { token });
    expect((body as { Id: number }[]).map(({ Id }) => Id)).toEqual([own]);
  });
});
