import { PassThrough } from 'node:stream';
import { ENCRYPTED_TABLES } from '#libs/platform';
import { readers } from './processor/readers.js';
import { useApi } from './support/api.js';
import { useDatabase } from './support/database.js';
import { StripeStandIn } from './support/gateways/index.js';
import { given as givenIn } from './support/given.js';
import { createWorker, givenShop, stopWorkers, type TestWorker } from './support/worker.js';

const logged: string[] = [];
const log = new PassThrough().on('data', (line: Buffer) => logged.push(line.toString()));
const database = useDatabase();
const api = useApi(database, { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, log);
const given = givenIn(database);

const ONE = { PaymentMethodType: 'GatewayOne', ApiAccount: 'account', ApiKey1: 'sk_test_victim', ApiKey2: 'pk_victim' };
const SITE = { ApiKey1: 'ck_victim', ApiKey2: 'cs_victim', ApiKey3: 'secret_victim' };
const NOT_HERE = 'is damaged or was encrypted for another place';

const integration = async (token: string, body: object = {}) =>
  (await api.request('POST', '/api/PaymentIntegrations', { token, body: { ...ONE, ...body } })).body.Id as number;
const site = async (token: string) =>
  (await api.request('POST', '/api/Sites', { token, body: SITE })).body.Id as number;
const postCustomer = (token: string, key: string) =>
  api.request('POST', '/api/Customers', { token, body: {}, headers: { 'idempotency-key': key } });
const copy = (table: string, [from, into]: [string, string], [source, target]: [number, number]) =>
  database.query(`UPDATE ${table} t SET ${into} = s.${from} FROM ${table} s WHERE s.id = $1 AND t.id = $2`, [
    source,
    target,
  ]);

beforeEach(() => logged.splice(0));

describe('An encrypted value that somebody copied', () => {
  const { payment_integrations: integrations, sites } = ENCRYPTED_TABLES;

  it.each([
    ...integrations.columns.map((column) => ['payment_integrations', '/api/PaymentIntegration', column] as const),
    ...sites.columns.map((column) => ['sites', '/api/Site', column] as const),
  ])('into another account’s row is shown to nobody: %s (%s, %s)', async (table, path, column) => {
    const [victim, thief] = [(await given.merchant()).tokenAuth, (await given.merchant()).tokenAuth];
    const make = table === 'sites' ? site : integration;
    const ids: [number, number] = [await make(victim), await make(thief)];
    await copy(table, [column, column], ids);
    for (const read of [`${path}/${ids[1]}`, `${path}s`, `${path}s?page=1`])
      expect((await api.request('GET', read, { token: thief })).status).toBe(500);
    expect(logged.join('')).toContain(
      `The stored value in ${table}.${column} of row ${ids[1]}, encrypted with the key`,
    );
    expect(logged.join('')).toContain(NOT_HERE);
    expect((await api.request('GET', `${path}/${ids[0]}`, { token: victim })).status).toBe(200);
  });

  it('into another column of its own row is shown to nobody', async () => {
    const { tokenAuth: token } = await given.merchant();
    const [id, ofSite] = [await integration(token), await site(token)];
    await copy('sites', ['api_key2', 'api_key1'], [ofSite, ofSite]);
    await copy('payment_integrations', ['api_key1', 'api_key2'], [id, id]);
    for (const path of [`/api/Site/${ofSite}`, `/api/PaymentIntegration/${id}`])
      expect((await api.request('GET', path, { token })).status).toBe(500);
  });

  it('into another site’s shop is shown to nobody, and signs nothing', async () => {
    const [victim, thief] = [await given.merchant(), await given.merchant()];
    for (const { siteId, tokenAuth: token } of [victim, thief])
      expect((await api.request('PUT', `/api/Site/${siteId}/Shop`, { token, body: {} })).status).toBe(200);
    await database.query(
      `UPDATE site_shops t SET secret = s.secret FROM site_shops s WHERE s.site_id = $1 AND t.site_id = $2`,
      [victim.siteId, thief.siteId],
    );
    const path = `/api/Site/${thief.siteId}/Shop`;
    const { tokenAuth: token } = thief;
    expect((await api.request('GET', `${path}/Secret`, { token })).status).toBe(500);
    expect((await api.request('POST', `${path}/Verify`, { token })).status).toBe(500);
    expect(logged.join('')).toContain(
      `The stored value in site_shops.secret of row ${thief.siteId}, encrypted with the key`,
    );
    expect((await api.request('GET', path, { token })).status).toBe(200);
  });

  it('is not sent to a gateway by Verify, and can be replaced', async () => {
    const [victim, thief] = [(await given.merchant()).tokenAuth, (await given.merchant()).tokenAuth];
    const ids: [number, number] = [await integration(victim), await integration(thief)];
    await copy('payment_integrations', ['api_key1', 'api_key1'], ids);
    const path = `/api/PaymentIntegration/${ids[1]}`;
    expect((await api.request('POST', `${path}/Verify`, { token: thief })).status).toBe(500);
    const replaced = await api.request('PUT', path, { token: thief, body: { ApiKey1: 'sk_test_own' } });
    expect([replaced.status, replaced.body.ApiKey1]).toEqual([200, 'sk_test_own']);
  });

  it('is nobody’s answer under another Idempotency-Key', async () => {
    const [victim, thief] = [(await given.merchant()).tokenAuth, (await given.merchant()).tokenAuth];
    for (const [token, key] of [
      [victim, 'of-victim'],
      [thief, 'of-thief'],
    ] as const)
      expect((await postCustomer(token, key)).status).toBe(201);
    await database.query(
      `UPDATE idempotency_keys t SET body = s.body FROM idempotency_keys s WHERE s.key = 'of-victim' AND t.key = 'of-thief'`,
    );
    expect((await postCustomer(thief, 'of-thief')).status).toBe(500);
    expect(logged.join('')).toContain(`The stored value in idempotency_keys.body, encrypted with the key`);
  });
});

describe('A worker that meets an encrypted value of another place', () => {
  const { cycleOf, statesOf, errorsOf, comeDue } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;
  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
  });
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
    await stopWorkers();
  });

  it.each<[string, (victim: number, thief: number) => Promise<unknown>]>([
    [
      'another account’s key',
      (victim, thief) => copy('payment_integrations', ['api_key1', 'api_key1'], [victim, thief]),
    ],
    ['another column', (_, thief) => copy('payment_integrations', ['api_key1', 'api_key2'], [thief, thief])],
  ])('charges nobody with %s: its orders wait with 1003, those of others go on', async (what, place) => {
    const [victim, thief] = [
      await givenShop(database, { apiKey1: `sk_test_victim_${what.length}` }),
      await givenShop(database, { apiKey1: `sk_test_thief_${what.length}` }),
    ];
    const [row] = await database.query<{ api_key1: string }>(
      `SELECT api_key1 FROM payment_integrations WHERE id = $1`,
      [thief.integrationId],
    );
    await place(victim.integrationId, thief.integrationId);
    const [paid, waits] = [await victim.dueOrder(), await thief.dueOrder()];
    await worker.drain();
    expect(await statesOf(paid)).toEqual(['Completed']);
    expect(await cycleOf(waits)).toMatchObject({ state: 'Waiting', failure_code: 1003, attempt: '0' });
    expect(await errorsOf(waits)).toMatchObject([{ exception_info: { Message: expect.stringContaining(NOT_HERE) } }]);
    expect(gateway.ledger.capturesOf(waits)).toEqual([]);

    await database.query(`UPDATE payment_integrations SET api_key1 = $2, api_key2 = NULL WHERE id = $1`, [
      thief.integrationId,
      row!.api_key1,
    ]);
    await comeDue(waits);
    await worker.drain();
    expect(await statesOf(waits)).toEqual(['Completed']);
  });
});
