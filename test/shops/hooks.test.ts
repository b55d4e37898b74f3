import { createHmac } from 'node:crypto';
import { AddressRule, OutboundClient, Vault, WORKER_LISTENERS } from '#libs/platform';
import { repairHooks } from '#libs/shops';
import { ReadBack } from '../../apps/worker/src/read-back/read-back.js';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { encryptedValues } from '../support/encrypted.js';
import { given, SHOP_SECRET } from '../support/given.js';
import { ConnectedShop } from '../support/shops/connected-shop.js';
import { givenShop } from '../support/shops/index.js';
import { until } from '../support/until.js';
import { createWorker, type TestWorker } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' });
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);
const TOPICS = ['order.updated', 'order.deleted', 'order.restored', 'product.updated', 'product.deleted'];

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

const path = (siteId: number | string = shop.siteId) => `/api/Hooks/WooCommerce/${siteId}`;
const signatureOf = (body: string, secret = SHOP_SECRET) => createHmac('sha256', secret).update(body).digest('base64');
const repair = () => {
  const connected = givenShop('WooCommerceRest', shop.woo.url, { secrets: [SHOP_SECRET] });
  const hooks = { url: api.url + path(), secret: SHOP_SECRET };
  return repairHooks(new OutboundClient(new AddressRule(['127.0.0.0/8'])), connected, hooks);
};

interface Sent {
  readonly topic?: string;
  readonly signature?: string;
  readonly siteId?: number | string;
}

async function send(body: string, { topic = 'order.updated', signature = signatureOf(body), siteId }: Sent = {}) {
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-signature': signature,
  };
  const { status } = await api.request('POST', path(siteId), { body, headers });
  return status;
}
const hints = () =>
  database.query(`SELECT kind, record_id::int AS id FROM shop_hints WHERE site_id = $1 ORDER BY kind, record_id`, [
    shop.siteId,
  ]);
const followStock = () => database.query(`UPDATE site_shops SET stock_sync = true WHERE site_id = $1`, [shop.siteId]);
const read = async () => (await worker.part(ReadBack)).drain();

describe('POST /api/Hooks/WooCommerce/{siteId}', () => {
  it('answers the ping of a new hook, which is a form and unsigned', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const ping = await api.request('POST', path(), { body: 'webhook_id=1', headers });
    expect([ping.status, ping.body, await hints()]).toEqual([200, '', []]);
  });

  it('keeps what a signed hook hints at, once, however often it comes', async () => {
    await followStock();
    const ours = JSON.stringify({ id: 135, meta_data: [{ key: '_scheduled_orders_push', value: 'x' }] });
    const sent = [await send(ours), await send(ours), await send('{"id":7}', { topic: 'order.deleted' })];
    sent.push(await send('{"id":10,"name":"Coffee"}', { topic: 'product.updated' }));
    expect(sent).toEqual([200, 200, 200, 200]);
    expect(await hints()).toEqual([
      { kind: 'Order', id: 7 },
      { kind: 'Order', id: 135 },
      { kind: 'Product', id: 10 },
    ]);
  });

  it('keeps what hints at a product that was not sold, also without StockSync', async () => {
    await given(database).product(shop.siteId, { externalId: '10', unsellable: 'It was not sold.' });
    for (const id of [10, 11]) await send(JSON.stringify({ id }), { topic: 'product.updated' });
    expect(await hints()).toEqual([{ kind: 'Product', id: 10 }]);
  });

  it.each([
    ['a draft now', { status: 'draft' }, 'product.updated'],
    ['not for sale now', { status: 'publish', purchasable: false }, 'product.updated'],
    ['deleted', {}, 'product.deleted'],
  ])('keeps what hints at a product of the catalogue that is %s, also without StockSync', async (_, fields, topic) => {
    await given(database).product(shop.siteId, { externalId: '10' });
    for (const id of [10, 11]) await send(JSON.stringify({ id, ...fields }), { topic });
    expect(await hints()).toEqual([{ kind: 'Product', id: 10 }]);
  });

  it.each([
    ['of an order that was not pushed', '{"id":135,"meta_data":[{"key":"_other","value":"x"}]}', 'order.updated'],
    ['of a topic that nothing is read for', '{"id":135}', 'customer.updated'],
    ['without an id', '{"name":"x"}', 'order.updated'],
    ['with an id that is none', '{"id":"135; DROP TABLE"}', 'order.updated'],
    ['whose body is no JSON', 'null', 'order.updated'],
    ['whose body is half', '{"id":13', 'order.updated'],
  ])('takes a signed hook %s, and keeps nothing', async (_, body, topic) => {
    expect([await send(body, { topic }), await hints()]).toEqual([200, []]);
  });

  it.each([
    ['with another secret', (body: string) => signatureOf(body, 'hush')],
    ['over another body', () => signatureOf('{"id":136}')],
    ['with half a signature', (body: string) => signatureOf(body).slice(0, 20)],
    ['with nothing', () => ''],
  ])('refuses a hook that is signed %s: 401', async (_, sign) => {
    const body = '{"id":135}';
    expect([await send(body, { signature: sign(body) }), await hints()]).toEqual([401, []]);
  });

  it('refuses an unsigned hook that is no ping, and one without a body', async () => {
    expect((await api.request('POST', path(), { body: { id: 135 } })).status).toBe(401);
    expect((await api.request('POST', path())).status).toBe(401);
  });

  it.each(['9007199254740991', '0', 'x', '1;2'])('knows no site %s: 404', async (siteId) => {
    expect(await send('{"id":1}', { siteId })).toBe(404);
  });

  it('knows no hooks of a site whose shop is none of WooCommerce, and no other method', async () => {
    await database.query(`UPDATE site_shops SET receiver = 'Http' WHERE site_id = $1`, [shop.siteId]);
    expect(await send('{"id":1}')).toBe(404);
    expect((await api.request('GET', path())).status).toBe(405);
  });

  it('is bounded: 413', async () => {
    expect(await send(JSON.stringify({ id: 1, text: 'x'.repeat(1_100_000) }))).toBe(413);
    expect(await send(JSON.stringify({ id: 1, text: 'x'.repeat(900_000) }))).toBe(200);
  });

  it('takes both secrets while a rotation overlaps', async () => {
    const secrets = encryptedValues(vault, 'site_shops', shop.siteId, {
      secret: 'whsec_new',
      previousSecret: SHOP_SECRET,
    });
    await database.query(
      `UPDATE site_shops SET secret = $2, previous_secret = $3, previous_until_utc = now() + interval '1 minute' WHERE site_id = $1`,
      [shop.siteId, secrets.secret, secrets.previousSecret],
    );
    const sent = async (secret: string) => send('{"id":1}', { signature: signatureOf('{"id":1}', secret) });
    expect([await sent('whsec_new'), await sent(SHOP_SECRET)]).toEqual([200, 200]);
    await database.query(`UPDATE site_shops SET previous_until_utc = now() - interval '1 second' WHERE site_id = $1`, [
      shop.siteId,
    ]);
    expect([await sent('whsec_new'), await sent(SHOP_SECRET)]).toEqual([200, 401]);
  });

  it('keeps no hint at a product without StockSync: every push takes stock', async () => {
    expect([await send('{"id":10}', { topic: 'product.updated' }), await hints()]).toEqual([200, []]);
  });

  it('keeps no more hints than its lists would tell', async () => {
    await followStock();
    await database.query(
      `INSERT INTO shop_hints (site_id, kind, record_id) SELECT $1, 'Product', n FROM generate_series(1, 4000) n`,
      [shop.siteId],
    );
    expect(await send('{"id":5000}', { topic: 'product.updated' })).toBe(200);
    expect(await hints()).toHaveLength(4_000);
  });
});

describe('Hooks that Verify makes', () => {
  it('have the topics that something is read for, and bring changes at once', async () => {
    expect(await repair()).toMatchObject({ check: 'Hooks', agrees: true });
    expect(shop.woo.hooks.hooks.map(({ topic }) => topic)).toEqual(TOPICS);
    const order = await shop.arrived();
    await read();
    await shop.woo.hooks.runCron();
    await read();
    const lists = shop.woo.requests.filter((one) => one.endsWith('/orders')).length;
    shop.woo.changeOrder(order.id, { status: 'completed' });
    expect((await shop.order(order)).date_completed).toBeNull();
    await shop.woo.hooks.runCron();
    await read();
    expect((await shop.order(order)).date_completed).not.toBeNull();
    // One record, and no list of what has changed.
    expect(shop.woo.requests.filter((one) => one.endsWith('/orders'))).toHaveLength(lists + 1);
    expect(await hints()).toEqual([]);
  });

  it('tell of an order that was deleted there for good', async () => {
    await repair();
    const order = await shop.arrived();
    await read();
    shop.woo.books.orders.get(order.id)!.isDeleted = true;
    shop.woo.hooks.happened('order.deleted', () => ({ id: order.id }));
    await shop.woo.hooks.runCron();
    await read();
    expect((await shop.order(order)).ended_in_shop).toBe('Deleted');
  });

  it('are repaired where the shop has disabled them, lost one, or has an old secret', async () => {
    await repair();
    const { hooks } = shop.woo.hooks;
    shop.woo.hooks.disableAll();
    hooks.splice(1, 1);
    for (const hook of hooks) hook.secret = 'an old one';
    expect(await repair()).toMatchObject({ agrees: true });
    expect(hooks.map(({ topic }) => topic).sort()).toEqual([...TOPICS].sort());
    expect(hooks.every(({ status, secret }) => status === 'active' && secret === SHOP_SECRET)).toBe(true);
    await repair();
    expect(hooks).toHaveLength(TOPICS.length);
  });

  it('leave those of others alone', async () => {
    const theirs = { topic: 'order.updated', delivery_url: `${api.url}/elsewhere`, secret: 'theirs' };
    shop.woo.hooks.answer('POST', undefined, theirs, new URLSearchParams());
    await repair();
    expect(shop.woo.hooks.hooks[0]).toMatchObject({ secret: 'theirs' });
    expect(shop.woo.hooks.hooks).toHaveLength(TOPICS.length + 1);
  });

  it('are found among pages of others', async () => {
    await repair();
    const { hooks } = shop.woo.hooks;
    const theirs = { topic: 'order.updated', delivery_url: 'https://other.example', secret: 'theirs', failures: 0 };
    while (hooks.length < 200) hooks.push({ ...theirs, id: hooks.length + 1, status: 'active' });
    expect(await repair()).toMatchObject({ agrees: true });
    expect(hooks).toHaveLength(200);
  });

  it('that got lost, or were never sent, lose nothing: the next reading sees all', async () => {
    const order = await shop.arrived();
    await read();
    shop.woo.changeOrder(order.id, { status: 'cancelled' });
    await shop.comesDue();
    await read();
    expect((await shop.order(order)).ended_in_shop).toBe('Cancelled');
  });

  it('that could not be made are a finding, which says what a person needs to make them', async () => {
    shop.woo.access.keys.delete('ck_shop');
    const finding = await repair();
    expect(finding).toMatchObject({ check: 'Hooks', agrees: false });
    for (const part of [api.url + path(), ...TOPICS]) expect(finding.message).toContain(part);
    expect(finding.message).not.toContain(SHOP_SECRET);
  });

  it('that a plugin refuses in its own words are a finding without their secret', async () => {
    shop.woo.hooks.echoes = true;
    const { message } = await repair();
    expect([message.includes('[redacted]'), message.includes(SHOP_SECRET)]).toEqual([true, false]);
  });
});

it.each([
  ['makes a draft of', '"Coffee" is not published in the shop (draft).', 'product.updated'],
  ['deletes', 'The shop has no product 10.', 'product.deleted'],
])('A product that the shop %s counts as not sold', async (_, because, topic) => {
  const id = await given(database).product(shop.siteId, { externalId: '10' });
  const product = shop.woo.products.get(10)!;
  if (topic === 'product.deleted') shop.woo.products.delete(10);
  else shop.woo.products.set(10, { ...product, status: 'draft' });
  await send(JSON.stringify({ id: 10, status: 'draft' }), { topic });
  await read();
  expect(await database.query(`SELECT unsellable FROM products WHERE id = $1`, [id])).toEqual([
    { unsellable: because },
  ]);
});

it('A worker that has seen no shop reads one as soon as Verify finds it Ready', async () => {
  await database.query(`UPDATE site_shops SET state = 'Unverified'`);
  await worker.start();
  await (await worker.part(ReadBack)).begin();
  const listening = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE '${WORKER_LISTENERS}%' AND query LIKE 'LISTEN%'`;
  await until(async () => (await database.query(listening)).length > 0);
  const verified = await api.request('POST', `/api/Site/${shop.siteId}/Shop/Verify`, {
    token: shop.merchant.tokenAuth,
  });
  expect(verified.body).toMatchObject({ State: 'Ready' });
  const read = `SELECT 1 FROM site_shops WHERE site_id = $1 AND last_sync_utc IS NOT NULL`;
  // By itself it looks for shops once a minute.
  await until(async () => (await database.query(read, [shop.siteId])).length > 0, 30_000);
});

it('A worker that runs reads a hint soon', async () => {
  const order = await shop.arrived();
  await worker.start();
  await until(
    async () => (await database.query(`SELECT 1 FROM shop_reads WHERE site_id = $1`, [shop.siteId])).length > 0,
  );
  shop.woo.changeOrder(order.id, { status: 'completed' });
  await send(JSON.stringify({ id: order.id }), { topic: 'order.deleted' });
  await until(async () => (await shop.order(order)).date_completed !== null);
});
