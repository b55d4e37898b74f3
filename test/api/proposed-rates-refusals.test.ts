import { useApi } from '../support/api.js';
import { givenKeys, givenWorld, itReaches } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { MAX_ITEMS_PER_ORDER: '30' });
const given = givenIn(database);

const CART = { Address: { ShippingCountry: 'US' }, Lines: [] };
const ROUTE = 'POST /api/Site/{siteId}/Explain/Rates';
const pathOf = (siteId: number) => `/api/Site/${siteId}/Explain/Rates`;

/** A site, what its rates are, and the status and faults of a request. */
async function shop() {
  const { siteId, tokenAuth: token, userId } = await given.merchant();
  const californian = { country: 'US', state: 'CA' };
  const tax = await given.taxRate(siteId, californian);
  const shipping = await given.shippingRate(siteId, californian);
  const refusal = async (proposals: object, caller = token) => {
    const { status, body } = await api.request('POST', pathOf(siteId), {
      token: caller,
      body: { ...CART, ...proposals },
    });
    return { status, errors: body.errors as unknown, detail: body.detail as unknown };
  };
  return { siteId, userId, token, tax, shipping, refusal };
}

const refused = (...errors: [field: string, message: unknown][]) => ({
  status: 400,
  errors: errors.map(([field, message]) => ({ field, message })),
  detail: expect.any(String) as unknown,
});

describe('a proposed rate is refused', () => {
  it('by the rules of its fields, under its path', async () => {
    const { refusal } = await shop();
    expect(
      await refusal({
        TaxRates: [
          { Rate: 8 },
          { Rate: -1, IsCompound: 'yes', Country: 7, Name: 'x'.repeat(256) },
          { Rate: 1.1234567, Terms: { Priority: -1, AppliesToShipping: null, Rate: 8 } },
          'US',
          { Terms: 'ByRate' },
        ],
        ShippingRates: [{ BasePrice: 100_000_000_000, MinUnits: 1.5, Rate: 8, Terms: {} }],
      }),
    ).toEqual(
      refused(
        ['TaxRates[1].Country', '7 must be text.'],
        ['TaxRates[1].Rate', '-1 must not be negative.'],
        ['TaxRates[1].IsCompound', '"yes" must be true or false.'],
        ['TaxRates[1].Name', 'must have at most 255 characters; it has 256.'],
        ['TaxRates[2].Rate', '1.1234567 must have at most 6 decimal places.'],
        ['TaxRates[2].Terms.Rate', 'is not a field of this resource; its fields are Priority, AppliesToShipping.'],
        ['TaxRates[2].Terms.Priority', '-1 must be an integer from 0 to 2147483647.'],
        ['TaxRates[2].Terms.AppliesToShipping', 'must not be null: leave it out instead.'],
        ['TaxRates[3]', 'must be an object.'],
        ['TaxRates[4].Terms', 'must be an object.'],
        [
          'ShippingRates[0].Rate',
          expect.stringContaining('is not a field of this resource; its fields are Id, SiteId,'),
        ],
        ['ShippingRates[0].Terms', 'is not a field of this resource.'],
        ['ShippingRates[0].BasePrice', '100000000000 must be below 100,000,000,000.'],
        ['ShippingRates[0].MinUnits', '1.5 must be an integer from 0 to 9007199254740991.'],
      ),
    );
    expect(await refusal({ TaxRates: {}, ShippingRates: 'none' })).toEqual(
      refused(['TaxRates', 'must be an array, or null.'], ['ShippingRates', 'must be an array, or null.']),
    );
  });

  it('when there are more than 20 of a kind, whatever an order may have', async () => {
    const { refusal } = await shop();
    const rates = (count: number) => Array.from({ length: count }, () => ({}));
    const most = (field: string) => refused([field, 'has 21 elements; at most 20 are allowed. Send fewer.']);
    expect(await refusal({ TaxRates: rates(21) })).toEqual(most('TaxRates'));
    expect(await refusal({ ShippingRates: rates(21) })).toEqual(most('ShippingRates'));
    expect(await refusal({ TaxRates: rates(20), ShippingRates: rates(20) })).toMatchObject({ status: 200 });
  });

  it('without the larger parts of its place, also as it would be with what is stored', async () => {
    const { refusal, tax, shipping } = await shop();
    expect(
      await refusal({
        TaxRates: [{ State: 'CA' }, { Id: tax, Country: ' ' }, { Country: 'US', Postcode: '9*' }],
        ShippingRates: [{ City: 'Paris' }, { Id: shipping, Postcode: '90001' }],
      }),
    ).toEqual(
      refused(
        ['TaxRates[0].State', 'requires Country.'],
        ['TaxRates[1].State', 'requires Country.'],
        ['TaxRates[2].Postcode', 'requires Country, State and City.'],
        ['ShippingRates[0].City', 'requires Country and State.'],
        ['ShippingRates[1].Postcode', 'requires Country, State and City.'],
      ),
    );
    expect(await refusal({ TaxRates: [{ Id: tax, City: 'Los Angeles' }] })).toMatchObject({ status: 200 });
  });

  it('in place of no rate of the site', async () => {
    const { refusal, userId, siteId, tax, shipping } = await shop();
    const otherSite = await given.site(userId);
    const elsewhere = await given.taxRate(otherSite);
    const deleted = await given.shippingRate(siteId, { deletedUtc: new Date() });
    expect(
      await refusal({
        TaxRates: [{ Id: tax }, { Id: 999_999_999 }, { Id: elsewhere }],
        ShippingRates: [{ Id: deleted }, { Id: shipping }],
      }),
    ).toEqual(
      refused(
        ['TaxRates[1].Id', 'There is no TaxRate 999999999.'],
        ['TaxRates[2].Id', `TaxRate ${elsewhere} is on site ${otherSite}, not on site ${siteId} as it must be.`],
        ['ShippingRates[0].Id', `There is no ShippingRate ${deleted}.`],
      ),
    );
    for (const Id of [0, -1, 1.5, 'x'])
      expect(await refusal({ TaxRates: [{ Id }], ShippingRates: [] })).toEqual(
        refused(['TaxRates[0].Id', `${JSON.stringify(Id)} must be an integer from 1 to 9007199254740991.`]),
      );
  });

  it('when it is sent twice, or for another site', async () => {
    const { refusal, siteId, tax } = await shop();
    const other = await shop();
    expect(
      await refusal({
        TaxRates: [{ Id: tax }, { SiteId: siteId }, { Id: tax, Rate: 8 }],
        ShippingRates: [{ SiteId: other.siteId }],
      }),
    ).toEqual(
      refused(
        ['TaxRates[2].Id', `TaxRate ${tax} is in TaxRates[0] already: send each rate once.`],
        ['ShippingRates[0].SiteId', `The rates are those of site ${siteId}: leave it out.`],
      ),
    );
  });

  it('when the cart would cost more than can be', async () => {
    const { siteId, token } = await shop();
    const product = await given.product(siteId, { price: '99999999' });
    const body = {
      ...CART,
      Lines: [{ ProductId: product, Quantity: 1_000_000 }],
      TaxRates: [{ Country: 'US', Rate: 99_999_999_999 }],
    };
    const answer = await api.request('POST', pathOf(siteId), { token, body });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [expect.objectContaining({ message: expect.any(String) as unknown })],
    ]);
  });

  it('403 in place of a rate of another account', async () => {
    const { refusal } = await shop();
    const other = await shop();
    const detail = (name: string, id: number) => `${name} ${id} belongs to another account.`;
    expect(await refusal({ TaxRates: [{ Id: other.tax }] })).toEqual({
      status: 403,
      detail: detail('TaxRate', other.tax),
    });
    expect(await refusal({ ShippingRates: [{ Id: other.shipping, BasePrice: 1 }] })).toEqual({
      status: 403,
      detail: detail('ShippingRate', other.shipping),
    });
  });

  it('403 for an API key in place of a rate of a site that it does not reach', async () => {
    const { refusal, siteId, userId, tax } = await shop();
    const elsewhere = await given.taxRate(await given.site(userId));
    const { value: key } = await given.apiKey(userId, [siteId], { access: 'Read' });
    expect(await refusal({ TaxRates: [{ Id: elsewhere }] }, key)).toEqual({
      status: 403,
      detail: `TaxRate ${elsewhere} cannot be reached with this API key, which is limited to site ${siteId}.`,
    });
    expect(await refusal({ TaxRates: [{ Id: tax }] }, key)).toMatchObject({ status: 200 });
  });
});

describe('who may propose rates', () => {
  const PROPOSALS = { TaxRates: [{ Rate: 8 }], ShippingRates: [{ BasePrice: 1 }] };

  itReaches(api, database, [
    {
      route: ROUTE,
      path: ({ siteId }) => pathOf(siteId),
      body: () => ({ ...CART, ...PROPOSALS }),
      answers: { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 },
    },
  ]);

  it('API keys of the site, also those that may only read', async () => {
    const world = await givenWorld(database);
    const statuses: Record<string, number> = {};
    for (const [asker, token] of Object.entries(await givenKeys(database, world))) {
      const body = { ...CART, ...PROPOSALS };
      statuses[asker] = (await api.request('POST', pathOf(world.siteId), { token, body })).status;
    }
    expect(statuses).toEqual({
      'a key of its site': 200,
      'a key of several sites': 200,
      'a Read key of its site': 200,
      'a key of another site': 403,
      'a Read key of another site': 403,
      'a key of another account': 403,
      'a revoked key': 401,
      'an expired key': 401,
    });
  });

  it('nobody for a site that is not there', async () => {
    const { token } = await shop();
    const answer = await api.request('POST', pathOf(999_999_999), { token, body: { ...CART, ...PROPOSALS } });
    expect([answer.status, answer.body.detail]).toEqual([404, 'There is no Site 999999999.']);
  });
});
