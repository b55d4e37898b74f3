import { Vault } from '#libs/platform';
import { type Json, nextLink, TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);

const idsOf = (body: Json) => (body as { Id: number }[]).map(({ Id }) => Id);

/** An account with a real site, a second one and a simulated one. */
async function givenSites() {
  const { userId, siteId, tokenAuth: token } = await given.merchant();
  return { token, siteId, other: await given.site(userId), simulated: await given.site(userId, { simulated: true }) };
}

describe.each([
  ['/api/TaxRates', 'tax_rates'],
  ['/api/ShippingRates', 'shipping_rates'],
])('GET %s', (path, table) => {
  it('gives the rates of a site in pages, also of a simulated one', async () => {
    const { token, siteId, other, simulated } = await givenSites();
    const make = (id: number) => given.insert(table, { siteId: id, name: 'Rate' });
    const ids = [await make(siteId), await make(siteId), await make(siteId)];
    await make(other);
    const copied = await make(simulated);
    const first = await api.request('GET', `${path}?SiteId=${siteId}&limit=2`, { token });
    expect([first.status, idsOf(first.body)]).toEqual([200, ids.slice(0, 2)]);
    const second = await api.request('GET', nextLink(first.headers)!, { token });
    expect([idsOf(second.body), nextLink(second.headers)]).toEqual([ids.slice(2), undefined]);
    expect(idsOf((await api.request('GET', `${path}?SiteId=${simulated}`, { token })).body)).toEqual([copied]);
    expect(idsOf((await api.request('GET', path, { token })).body)).not.toContain(copied);
    expect((await api.request('GET', `${path}/Count?SiteId=${siteId}`, { token })).body).toEqual({
      Count: 3,
      IsMore: false,
    });
  });

  it('finds how a name or a part of the place begins, in any case, and what is not deleted', async () => {
    const { token, siteId } = await givenSites();
    const make = (values: object) => given.insert(table, { siteId, ...values });
    const place = { country: 'US', state: 'CA', city: 'Oakland', postcode: '94607' };
    const [tax, city] = [await make({ name: 'Sales tax' }), await make({ name: 'District', ...place })];
    await make({ name: 'Sales tax', deletedUtc: new Date() });
    for (const [q, ids] of [
      ['sales', [tax]],
      ['OAK', [city]],
      ['946', [city]],
      ['us', [city]],
      [String(tax), [tax]],
      ['land', []],
    ] as const) {
      const { body } = await api.request('GET', `${path}?SiteId=${siteId}&q=${q}`, { token });
      expect([q, idsOf(body)]).toEqual([q, ids]);
    }
  });

  it('refuses what it does not know, and sites of others', async () => {
    const { token, siteId } = await givenSites();
    const { siteId: foreign } = await given.merchant();
    const wrong = await api.request('GET', `${path}?SiteId=${siteId}&Country=US`, { token });
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ field: 'Country' }]]);
    expect((await api.request('GET', `${path}?SiteId=${foreign}`, { token })).status).toBe(403);
    expect((await api.request('GET', `${path}/Count?SiteId=${foreign}`, { token })).status).toBe(403);
  });

  it('is a table with Accept: text/csv', async () => {
    const { token, siteId } = await givenSites();
    const id = await given.insert(table, { siteId, name: '=Rate', country: 'US' });
    const { headers, body } = await api.request('GET', `${path}?SiteId=${siteId}`, {
      token,
      headers: { accept: 'text/csv' },
    });
    expect(headers.get('content-type')).toContain('text/csv');
    expect(body).toContain(`${id},`);
    expect(body).toContain(`'=Rate`);
  });
});

describe('GET /api/PaymentIntegrations', () => {
  it('gives those of a site with SiteId, also of a simulated one; nobody else’s', async () => {
    const { token, siteId, simulated } = await givenSites();
    const real = await given.integration(vault, siteId);
    const copied = await given.integration(vault, simulated);
    const list = async (query: string) => api.request('GET', `/api/PaymentIntegrations${query}`, { token });
    expect(idsOf((await list('')).body)).toEqual([real]);
    expect(idsOf((await list(`?SiteId=${siteId}`)).body)).toEqual([real]);
    expect(idsOf((await list(`?SiteId=${simulated}`)).body)).toEqual([copied]);
    expect((await list(`?SiteId=${(await given.merchant()).siteId}`)).status).toBe(403);
    expect((await list('?SiteId=first')).body.errors).toMatchObject([{ field: 'SiteId' }]);
  });
});
