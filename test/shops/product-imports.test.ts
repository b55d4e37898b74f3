import { Vault } from '#libs/platform';
import { ReadBack } from '../../apps/worker/src/read-back/read-back.js';
import { type Json, TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { itReaches } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { ConnectedShop } from '../support/shops/connected-shop.js';
import { createWorker, type TestWorker } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);
const pathOf = (siteId: number) => `/api/Site/${siteId}/Shop/ImportProducts`;
const NONE = { Total: null, Message: null, EndedUtc: null };

describe('GET and POST /api/Site/{id}/Shop/ImportProducts', () => {
  itReaches(api, database, [
    {
      route: 'GET /api/Site/{id}/Shop/ImportProducts',
      path: ({ siteId }) => pathOf(siteId),
      answers: { 'own account': 404, 'another account': 403, 'own customer': 403, 'another customer': 403 },
    },
    {
      route: 'POST /api/Site/{id}/Shop/ImportProducts',
      path: ({ siteId }) => pathOf(siteId),
      answers: { 'own account': 409, 'another account': 403, 'own customer': 403, 'another customer': 403 },
    },
  ]);

  it('is NotFound for no site', async () => {
    const { tokenAuth: token } = await given.merchant();
    for (const method of ['GET', 'POST'] as const)
      expect((await api.request(method, pathOf(987_654), { token })).status).toBe(404);
  });

  it.each([
    ['no shop', null, 'has no WooCommerce'],
    ['an Http receiver', {}, 'has no WooCommerce'],
  ])('is a Conflict for a site with %s', async (_, values, why) => {
    const { siteId, tokenAuth: token } = await given.merchant();
    if (values !== null) await given.shop(vault, siteId, values);
    const { status, body } = await api.request('POST', pathOf(siteId), { token });
    expect([status, body.detail]).toEqual([409, expect.stringContaining(why)]);
  });
});

describe('An import', () => {
  let shop: ConnectedShop;
  let worker: TestWorker;
  beforeEach(async () => {
    shop = await ConnectedShop.start(database, vault);
    const env = {
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      WORKER_ROLES: 'pushes',
      OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8',
    };
    worker = createWorker(database, env, {}, { outbound: { wholeMs: 60_000 } });
  });
  afterEach(async () => {
    await worker.end();
    await shop.stop();
    await database.query(`UPDATE site_shops SET state = 'Unverified'`);
  });

  const begin = (key?: string) =>
    api.request('POST', pathOf(shop.siteId), {
      token: shop.merchant.tokenAuth,
      headers: key === undefined ? undefined : { 'idempotency-key': key },
    });
  const progress = async (): Promise<Json> =>
    (await api.request('GET', pathOf(shop.siteId), { token: shop.merchant.tokenAuth })).body;
  const run = async () => (await worker.part(ReadBack)).drain();
  const products = () =>
    database.query(
      `SELECT external_id, title, type, sku, price, sale_price, availability, stock_level, description FROM products WHERE site_id = $1 ORDER BY external_id`,
      [shop.siteId],
    );

  it('adds what can be bought, each variation by itself, and leaves the catalogue as it is', async () => {
    const { woo, siteId } = shop;
    woo.products.set(11, {
      id: 11,
      name: 'Mug &amp; spoon',
      price: '4.25',
      salePrice: '4',
      sku: 'MUG',
      stock: 3,
      description: '<p>Of <b>clay</b>.</p>',
    });
    woo.products.set(13, { id: 13, name: 'Tea', price: '', type: 'variable' });
    woo.products.set(14, { id: 14, name: 'Tea - green', price: '5.5', type: 'variation', parentId: 13 });
    woo.products.set(15, { id: 15, name: 'Draft', price: '1', status: 'draft' });
    woo.products.set(16, {
      id: 16,
      name: 'Tea - black',
      price: '5',
      type: 'variation',
      parentId: 13,
      stockStatus: 'outofstock',
    });
    await given.product(siteId, { externalId: '10', title: 'Ours', price: '1' });
    const begun = await begin();
    expect([begun.status, begun.body]).toEqual([
      202,
      { ...NONE, SiteId: siteId, State: 'Running', Read: 0, Created: 0, StartedUtc: expect.any(String) },
    ]);
    await run();
    expect(await progress()).toEqual({
      ...{ ...NONE, SiteId: siteId, State: 'Done', Read: 4, Total: 4, Created: 3 },
      ...{ StartedUtc: begun.body.StartedUtc, EndedUtc: expect.any(String) },
    });
    const plain = { sku: null, sale_price: null, availability: 'InStock', stock_level: null, description: null };
    expect(await products()).toEqual([
      { ...plain, external_id: '10', title: 'Ours', type: null, price: '1.0000', availability: null },
      {
        ...{
          external_id: '11',
          title: 'Mug & spoon',
          type: 'simple',
          sku: 'MUG',
          price: '4.2500',
          sale_price: '4.0000',
        },
        ...{ availability: 'InStock', stock_level: '3', description: 'Of clay.' },
      },
      { ...plain, external_id: '14', title: 'Tea - green', type: 'variation', price: '5.5000' },
      {
        ...plain,
        external_id: '16',
        title: 'Tea - black',
        type: 'variation',
        price: '5.0000',
        availability: 'OutOfStock',
      },
    ]);
  });

  it('of many products goes on over several turns, also after a failure, and says how far it is', async () => {
    const { woo } = shop;
    for (let id = 1_000; id < 2_300; id += 1)
      woo.products.set(id, { id, name: `Product ${id}`, price: '1', modifiedMs: id < 1_200 ? 0 : id * 1_000 });
    await begin();
    // The lists of orders come first, and the currency after the first page.
    woo.settings.refusesAfter = woo.requests.length + 2 + 1 + 3;
    await run();
    const stopped = await progress();
    expect(stopped).toMatchObject({ State: 'Running', Total: 1_301, Message: expect.stringContaining('key') });
    expect([stopped.Read, stopped.Created]).toEqual([100, 100]);
    woo.settings.refusesAfter = Infinity;
    await database.query(`UPDATE site_shops SET state = 'Ready' WHERE site_id = $1`, [shop.siteId]);
    await shop.comesDue();
    await run();
    expect(await progress()).toMatchObject({ State: 'Done', Read: 1_301, Total: 1_301, Created: 1_301, Message: null });
    expect(await products()).toHaveLength(1_301);
  });

  it('from a shop with another currency takes no prices over', async () => {
    shop.woo.settings.currency = 'EUR';
    await begin();
    await run();
    expect(await products()).toMatchObject([{ external_id: '10', title: 'Coffee', price: null, sale_price: null }]);
  });

  it('waits for Verify, and says so', async () => {
    await database.query(`UPDATE site_shops SET state = 'Unverified' WHERE site_id = $1`, [shop.siteId]);
    const { status, body } = await begin();
    expect([status, body.Message]).toEqual([202, 'The shop is Unverified: it is read when Verify finds it Ready.']);
    await run();
    expect(await progress()).toMatchObject({ State: 'Running', Read: 0 });
    await database.query(`UPDATE site_shops SET state = 'Ready' WHERE site_id = $1`, [shop.siteId]);
    await run();
    expect(await progress()).toMatchObject({ State: 'Done', Read: 1, Message: null });
  });

  it('is one at a time, answers its key again, and can be run again when it is done', async () => {
    const first = await begin('one');
    expect((await begin()).status).toBe(409);
    await run();
    const again = await begin('one');
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(await progress()).toMatchObject({ State: 'Done', Created: 1 });
    expect((await begin()).status).toBe(202);
    await run();
    expect(await progress()).toMatchObject({ State: 'Done', Read: 1, Created: 0 });
  });
});
