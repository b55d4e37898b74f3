import { useApi } from '../support/api.js';
import { itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const limited = useApi(database, { MAX_RATES_PER_SITE: '2' });
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const STAMPS = { CreatedUtc: expect.stringMatching(TIME), UpdatedUtc: expect.stringMatching(TIME) };

const PARCEL = {
  ShippingClass: 'parcel',
  Country: 'US',
  State: 'CA',
  City: 'Los Angeles',
  Postcode: '90001',
  PricePerUnit: 0.5,
  BasePrice: 4.9,
  MinUnits: 2,
  MinCycles: 3,
  MinSubtotal: 99.9999,
  Name: 'Parcel, Los Angeles',
};

const SALES_TAX = {
  TaxClass: 'standard',
  Country: 'US',
  State: 'CA',
  City: '*',
  Postcode: '900*',
  Rate: 8.123456,
  IsCompound: true,
  Name: 'Sales tax',
};

const nothing = (fields: object) => Object.fromEntries(Object.keys(fields).map((field) => [field, null]));

const RESOURCES = [
  {
    name: 'ShippingRate',
    id: 'shippingRateId',
    full: PARCEL,
    empty: nothing(PARCEL),
    insert: (siteId: number, values: object = {}) => given.shippingRate(siteId, { ...values }),
  },
  {
    name: 'TaxRate',
    id: 'taxRateId',
    full: SALES_TAX,
    empty: { ...nothing(SALES_TAX), IsCompound: false },
    insert: (siteId: number, values: object = {}) => given.taxRate(siteId, { ...values }),
  },
];

describe.each(RESOURCES)('$name', ({ name, id, full, empty, insert }) => {
  const many = `/api/${name}s`;
  const one = (rateId: number) => `/api/${name}/${rateId}`;
  const create = async (token: string, body: object) => api.request('POST', many, { token, body });

  it('is created, and found at its Location', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const created = await create(token, full);
    expect([created.status, created.body]).toEqual([201, { Id: created.body.Id, SiteId: siteId, ...full, ...STAMPS }]);
    expect(Object.keys(created.body)).toEqual(['Id', 'SiteId', ...Object.keys(full), 'CreatedUtc', 'UpdatedUtc']);
    expect(created.headers.get('location')).toBe(one(created.body.Id));
    expect(await api.request('GET', one(created.body.Id), { token })).toMatchObject({
      status: 200,
      body: created.body,
    });
  });

  it('needs no field at all', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const { status, body } = await create(token, {});
    expect([status, body]).toEqual([201, { Id: body.Id, SiteId: siteId, ...empty, ...STAMPS }]);
  });

  it('is made once for an Idempotency-Key', async () => {
    const { tokenAuth: token } = await given.merchant();
    const headers = { 'idempotency-key': 'one' };
    const [first, again] = [
      await api.request('POST', many, { token, body: full, headers }),
      await api.request('POST', many, { token, body: full, headers }),
    ];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(one(first.body.Id));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is changed in the fields that are sent, and takes back what GET returned', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: rate } = await create(token, full);
    const changed = await api.request('PUT', one(rate.Id), { token, body: { Name: 'New', Postcode: null } });
    const expected = { ...rate, Name: 'New', Postcode: null, UpdatedUtc: expect.stringMatching(TIME) };
    expect([changed.status, changed.body]).toEqual([200, expected]);
    expect(changed.body.UpdatedUtc > rate.UpdatedUtc).toBe(true);
    const again = await api.request('PUT', one(rate.Id), { token, body: changed.body });
    expect([again.status, again.body]).toEqual([200, { ...changed.body, UpdatedUtc: expect.stringMatching(TIME) }]);
  });

  it('is cleared by null', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const { body: rate } = await create(token, full);
    const cleared = await api.request('PUT', one(rate.Id), { token, body: empty });
    expect(cleared.body).toEqual({ Id: rate.Id, SiteId: siteId, ...empty, ...STAMPS });
  });

  it.each([
    [{ State: 'CA' }, [['State', 'requires Country.']]],
    [{ Country: 'US', City: 'Los Angeles' }, [['City', 'requires Country and State.']]],
    [{ Country: 'US', State: 'CA', Postcode: '90001' }, [['Postcode', 'requires Country, State and City.']]],
    [{ Country: ' ', State: 'CA' }, [['State', 'requires Country.']]],
    [{ State: '' }, [['State', 'requires Country.']]],
    [
      { State: 'CA', City: 'Los Angeles', Postcode: '90001' },
      [
        ['State', 'requires Country.'],
        ['City', 'requires Country and State.'],
        ['Postcode', 'requires Country, State and City.'],
      ],
    ],
  ])('is refused at %j', async (body, faults) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body: answer } = await create(token, body);
    expect([status, answer.errors]).toEqual([400, faults.map(([field, message]) => ({ field, message }))]);
  });

  it('has its place validated as a whole, with what is stored', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body: rate } = await create(token, { Country: 'US', State: 'CA' });
    const put = (body: object) => api.request('PUT', one(rate.Id), { token, body });
    expect((await put({ City: 'Los Angeles' })).body).toMatchObject({ State: 'CA', City: 'Los Angeles' });
    expect((await put({ Country: null })).body.errors).toEqual([
      { field: 'State', message: 'requires Country.' },
      { field: 'City', message: 'requires Country and State.' },
    ]);
    expect((await put({ Country: null, State: null, City: null })).status).toBe(200);
  });

  it('is refused with every fault at once', async () => {
    const { tokenAuth: token } = await given.merchant();
    const body = { SiteId: null, Country: 1, Name: 'x'.repeat(256), City: 'a\u0000', Foo: 1, name: 'x', Id: {} };
    const { status, body: answer } = await create(token, body);
    expect(status).toBe(400);
    expect(answer.errors).toEqual([
      { field: 'Foo', message: expect.stringMatching(/^is not a field of this resource; its fields are Id, SiteId, /) },
      { field: 'name', message: 'is not a field of this resource; did you mean Name?' },
      { field: 'SiteId', message: 'must not be null: leave it out instead.' },
      { field: 'Country', message: '1 must be text.' },
      { field: 'City', message: 'must not contain a NUL character.' },
      { field: 'Name', message: 'must have at most 255 characters; it has 256.' },
    ]);
  });

  it('stays on its site, and is of a site of the account', async () => {
    const merchant = await given.merchant();
    const second = await given.site(merchant.userId);
    const stranger = await given.merchant();
    const token = merchant.tokenAuth;
    expect((await create(token, {})).body.errors).toEqual([
      {
        field: 'SiteId',
        message: `is required, because the account has several sites: ${merchant.siteId}, ${second}.`,
      },
    ]);
    expect((await create(token, { SiteId: stranger.siteId })).status).toBe(403);
    const { body: rate } = await create(token, { SiteId: second });
    expect(rate.SiteId).toBe(second);
    const moved = await api.request('PUT', one(rate.Id), { token, body: { SiteId: merchant.siteId } });
    expect(moved.body.errors).toEqual([
      { field: 'SiteId', message: `A ${name} stays on its site ${second}: leave it out.` },
    ]);
  });

  it('is deleted for good', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const rateId = await insert(siteId);
    const deleted = await api.request('DELETE', one(rateId), { token });
    expect([deleted.status, deleted.body]).toEqual([204, '']);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? {} : undefined;
      const answered = await api.request(method, one(rateId), { token, body });
      expect([answered.status, answered.body.detail]).toEqual([404, `There is no ${name} ${rateId}.`]);
    }
    expect((await api.request('GET', many, { token })).body).toEqual([]);
  });

  it('is created up to the number that a site may have, of both kinds together', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const make = async (server = limited): Promise<[number, string | null]> => {
      const { status, body } = await server.request('POST', many, { token, body: {} });
      return [status, status === 409 ? (body.detail as string) : null];
    };
    const [first] = [await insert(siteId), await given.shippingRate(siteId), await given.taxRate(siteId)];
    const refused = (rates: number) => [
      409,
      `Site ${siteId} has ${rates} shipping and tax rates; at most 2 may be created (MAX_RATES_PER_SITE): delete one first.`,
    ];
    expect(await make()).toEqual(refused(3));
    expect((await limited.request('DELETE', one(first), { token })).status).toBe(204);
    expect(await make()).toEqual(refused(2));
    await database.query(
      `UPDATE ${name === 'TaxRate' ? 'shipping' : 'tax'}_rates SET deleted_utc = now() WHERE site_id = $1`,
      [siteId],
    );
    // Both at once: one is the last.
    expect((await Promise.all([make(), make()])).sort()).toEqual([[201, null], refused(2)]);
    expect(await make(api)).toEqual([201, null]);
    const other = await given.merchant();
    expect((await limited.request('POST', many, { token: other.tokenAuth, body: {} })).status).toBe(201);
  });

  it('is listed by Id: the whole array, or a page of 100', async () => {
    const merchant = await given.merchant();
    const second = await given.site(merchant.userId);
    await insert((await given.merchant()).siteId);
    const ids: number[] = [];
    for (let index = 0; index < 101; index++) ids.push(await insert(index % 2 === 0 ? merchant.siteId : second));
    const token = merchant.tokenAuth;
    const idsOf = async (path: string) =>
      ((await api.request('GET', path, { token })).body as { Id: number }[]).map(({ Id }) => Id);
    expect(await idsOf(many)).toEqual(ids);
    expect(await idsOf(`${many}?page=1`)).toEqual(ids.slice(0, 100));
    expect(await idsOf(`${many}?page=2`)).toEqual(ids.slice(100));
    expect(await idsOf(`${many}?page=3`)).toEqual([]);
  });

  describe('and who reaches it', () => {
    const merchantOnly = { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 };
    const path = async ({ siteId }: World) => one(await insert(siteId));
    const body = ({ siteId }: World) => ({ SiteId: siteId });
    itReaches(api, database, [
      { route: `POST ${many}`, path: () => many, body, answers: { ...merchantOnly, 'own account': 201 } },
      { route: `GET ${many}`, path: () => many, answers: { ...merchantOnly, 'another account': 200 } },
      { route: `PUT /api/${name}/{${id}}`, path, body, answers: merchantOnly },
      { route: `GET /api/${name}/{${id}}`, path, answers: merchantOnly },
      { route: `DELETE /api/${name}/{${id}}`, path, answers: { ...merchantOnly, 'own account': 204 } },
    ]);
  });
});

describe('A shipping rate', () => {
  it.each([
    [{ PricePerUnit: -0.01 }, 'PricePerUnit', '-0.01 must not be negative.'],
    [{ BasePrice: 1.00001 }, 'BasePrice', '1.00001 must have at most 4 decimal places.'],
    [{ MinSubtotal: 1e11 }, 'MinSubtotal', '100000000000 must be below 100,000,000,000.'],
    [{ MinSubtotal: '5' }, 'MinSubtotal', '"5" must be a number.'],
    [{ MinUnits: -1 }, 'MinUnits', '-1 must be an integer from 0 to 9007199254740991.'],
    [{ MinUnits: 1.5 }, 'MinUnits', '1.5 must be an integer from 0 to 9007199254740991.'],
    [{ MinCycles: 2 ** 53 }, 'MinCycles', '9007199254740992 must be an integer from 0 to 9007199254740991.'],
    [{ MinCycles: '1' }, 'MinCycles', '"1" must be an integer from 0 to 9007199254740991.'],
  ])('is refused with %j', async (body, field, message) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body: answer } = await api.request('POST', '/api/ShippingRates', { token, body });
    expect([status, answer.errors]).toEqual([400, [{ field, message }]]);
  });

  it('keeps its bounds exactly', async () => {
    const { tokenAuth: token } = await given.merchant();
    const bounds = {
      PricePerUnit: 99999999999.9999,
      BasePrice: 0,
      MinUnits: Number.MAX_SAFE_INTEGER,
      MinCycles: 0,
      MinSubtotal: 0.0001,
    };
    const { body } = await api.request('POST', '/api/ShippingRates', { token, body: bounds });
    expect(body).toMatchObject(bounds);
  });
});

describe('A tax rate', () => {
  it.each([
    [{ Rate: -1 }, 'Rate', '-1 must not be negative.'],
    [{ Rate: 0.0000001 }, 'Rate', '1e-7 must have at most 6 decimal places.'],
    [{ Rate: 1.1234567 }, 'Rate', '1.1234567 must have at most 6 decimal places.'],
    [{ Rate: 1e11 }, 'Rate', '100000000000 must be below 100,000,000,000.'],
    [{ Rate: 12345678901.12345 }, 'Rate', '12345678901.12345 must have at most 15 digits.'],
    [{ Rate: true }, 'Rate', 'true must be a number.'],
    [{ IsCompound: 'true' }, 'IsCompound', '"true" must be true or false.'],
    [{ IsCompound: null }, 'IsCompound', 'must not be null: leave it out instead.'],
  ])('is refused with %j', async (body, field, message) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body: answer } = await api.request('POST', '/api/TaxRates', { token, body });
    expect([status, answer.errors]).toEqual([400, [{ field, message }]]);
  });

  it.each([0, 0.000001, 8.25, 8.123456, 99999999999, 999999999.999999])('keeps %d %% exactly', async (Rate) => {
    const { tokenAuth: token } = await given.merchant();
    const { body } = await api.request('POST', '/api/TaxRates', { token, body: { Rate } });
    expect(body.Rate).toBe(Rate);
  });
});
