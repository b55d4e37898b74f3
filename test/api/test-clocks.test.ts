import { itInAllCases } from '../support/all-cases.js';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn, type GivenMerchant } from '../support/given.js';
import { createWorker } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const STAMPS = { CreatedUtc: expect.stringMatching(TIME), UpdatedUtc: expect.stringMatching(TIME) };
const START = '2024-01-31T09:00:00.000Z';

const post = (token: string, path: string, body: object) => api.request('POST', path, { token, body });
const get = (token: string, path: string) => api.request('GET', path, { token });
const makeClock = (token: string, body: object = {}) =>
  post(token, '/api/TestClocks', { Name: 'A year', NowUtc: START, ...body });

async function drain(): Promise<void> {
  const worker = createWorker(database, { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  await worker.drain();
  await worker.end();
}

/** A clock, and a shop on its site with a monthly order, all made over HTTP. */
async function givenShop(merchant: GivenMerchant) {
  const token = merchant.tokenAuth;
  const SiteId = (await makeClock(token)).body.SiteId as number;
  const { body: product } = await post(token, '/api/Products', { SiteId, Title: 'Coffee', Price: 10 });
  const integration = { SiteId, PaymentMethodType: 'GatewayOne', ApiKey1: 'sandbox', TestMode: true };
  const { body: gateway } = await post(token, '/api/PaymentIntegrations', integration);
  const { body: customer } = await post(token, '/api/Customers', { SiteId, ShippingCountry: 'US' });
  const card = { PaymentMethodType: 'GatewayOne', PaymentMethodCustomerId: 'cus_1', PaymentMethodId: 'pm_1' };
  const { body: order } = await post(token, '/api/ScheduledOrders', {
    CustomerId: customer.Id,
    FrequencyType: 'Months',
    Frequency: 1,
    ScheduledOrderItems: [{ ProductId: product.Id, Quantity: 1 }],
    ...card,
  });
  const made = {
    customerId: customer.Id as number,
    productId: product.Id as number,
    integrationId: gateway.Id as number,
  };
  return { token, siteId: SiteId, ...made, order };
}

describe('POST /api/TestClocks', () => {
  it('makes a simulated site whose clock stands, and says where it is', async () => {
    const { tokenAuth: token } = await given.merchant();
    const made = await makeClock(token);
    const clock = {
      SiteId: made.body.SiteId,
      Name: 'A year',
      NowUtc: START,
      State: 'Ready',
      TargetUtc: null,
      Cycles: 0,
    };
    expect([made.status, made.body]).toEqual([201, { ...clock, ...STAMPS }]);
    expect(made.headers.get('location')).toBe(`/api/TestClock/${made.body.SiteId}`);
    expect((await get(token, `/api/TestClock/${made.body.SiteId}`)).body).toEqual(made.body);
    expect((await get(token, '/api/TestClocks')).body).toEqual([made.body]);
    expect((await get(token, `/api/Site/${made.body.SiteId}`)).body).toMatchObject({
      Name: 'A year',
      CurrencyIso: 'USD',
    });
  });

  it('copies products, rates and settings, and nothing else', async () => {
    const { tokenAuth: token, siteId } = await given.merchant({ currencyIso: 'EUR' });
    await given.product(siteId, { title: 'Tea', sku: 'T1' });
    await given.product(siteId, { title: 'Gone', deletedUtc: new Date() });
    await given.shippingRate(siteId, { country: 'US' });
    await given.taxRate(siteId, { country: 'US' });
    await given.customer(siteId);
    await api.request('PUT', `/api/Site/${siteId}/Settings`, {
      token,
      body: { ShippingTax: 'ByRate', KeepEvents: true },
    });
    const { SiteId } = (await makeClock(token, { CopyOf: siteId })).body;
    const list = async (path: string): Promise<unknown> => (await get(token, `${path}?SiteId=${SiteId}`)).body;
    expect(await list('/api/Products')).toMatchObject([{ Title: 'Tea', Sku: 'T1', SiteId }]);
    expect(await list('/api/Customers')).toEqual([]);
    const counts = await database.query(
      `SELECT (SELECT count(*)::int FROM shipping_rates WHERE site_id = $1) AS shipping,
        (SELECT count(*)::int FROM tax_rates WHERE site_id = $1) AS tax,
        (SELECT listens_since_utc IS NOT NULL FROM sites WHERE id = $1) AS listens,
        (SELECT currency_iso FROM sites WHERE id = $1) AS currency`,
      [SiteId],
    );
    expect(counts).toEqual([{ shipping: 1, tax: 1, listens: true, currency: 'EUR' }]);
    const { body: settings } = await get(token, `/api/Site/${SiteId}/Settings`);
    expect(settings).toMatchObject({ ShippingTax: 'ByRate', KeepEvents: true });
  });

  it('names what is wrong', async () => {
    const { tokenAuth: token } = await given.merchant();
    const other = await given.merchant();
    const wrong = await post(token, '/api/TestClocks', { NowUtc: 'soon' });
    expect([wrong.status, (wrong.body.errors as { field: string }[]).map(({ field }) => field)]).toEqual([
      400,
      ['Name', 'NowUtc'],
    ]);
    expect((await makeClock(token, { CopyOf: other.siteId })).status).toBe(403);
    const sites = `INSERT INTO sites (user_id, simulated) SELECT user_id, true FROM sites, generate_series(1, 100) WHERE id = $1`;
    await database.query(sites, [other.siteId]);
    expect(await makeClock(other.tokenAuth)).toMatchObject({
      status: 409,
      body: { detail: 'The account has 100 test clocks: delete one first.' },
    });
  });

  itInAllCases('makes no more than 100 of an account, also when the last ones are asked for at once', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const sites = `INSERT INTO sites (user_id, simulated) SELECT user_id, true FROM sites, generate_series(1, 98) WHERE id = $1`;
    await database.query(sites, [siteId]);
    const made = await Promise.all(Array.from({ length: 6 }, () => makeClock(token)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  });

  it('writes its JSON as that of every other resource is written', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { SiteId } = (await makeClock(token)).body;
    await makeClock(token);
    for (const path of [`/api/TestClock/${SiteId}`, '/api/TestClocks']) {
      const text = await (await fetch(api.url + path, { headers: { authorization: `Basic ${token}` } })).text();
      expect(text).toBe(JSON.stringify(JSON.parse(text)));
    }
  });
});

describe('A simulated site', () => {
  it('does not count where no site is named', async () => {
    const merchant = await given.merchant();
    const { token, siteId, customerId, productId, order } = await givenShop(merchant);
    for (const path of ['/api/Products', '/api/Customers', '/api/ScheduledOrders', '/api/Orders'])
      expect([path, (await get(token, path)).body]).toEqual([path, []]);
    expect((await get(token, '/api/Sites')).body).toMatchObject([{ Id: merchant.siteId }]);
    // The only site that counts is the default of a new record.
    expect((await post(token, '/api/Products', { Title: 'Real' })).body).toMatchObject({ SiteId: merchant.siteId });
    expect((await get(token, `/api/ScheduledOrders?SiteId=${siteId}`)).body).toMatchObject([{ Id: order.Id }]);
    expect((await get(token, `/api/Products?SiteId=${siteId}`)).body).toMatchObject([{ Id: productId }]);
    expect((await get(token, `/api/Customers/${customerId}`)).status).toBe(200);
    const { value } = await given.apiKey(merchant.userId, [siteId]);
    const asKey = (path: string) => api.request('GET', path, { headers: { authorization: `Basic ${value}` } });
    expect((await asKey('/api/ScheduledOrders')).body).toMatchObject([{ Id: order.Id }]);
  });

  it('takes no integration but in TestMode', async () => {
    const { token, siteId } = await givenShop(await given.merchant());
    const live = { SiteId: siteId, PaymentMethodType: 'GatewayTwo', ApiAccount: 'account', ApiKey1: 'key' };
    const refused = await post(token, '/api/PaymentIntegrations', live);
    const message = 'must be true, because the site is simulated: send true, with a sandbox key or a test key.';
    expect([refused.status, refused.body.errors]).toEqual([400, [{ field: 'TestMode', message }]]);
    const made = await post(token, '/api/PaymentIntegrations', { ...live, TestMode: true });
    expect(made.status).toBe(201);
    const changed = await api.request('PUT', `/api/PaymentIntegration/${made.body.Id}`, {
      token,
      body: { TestMode: false },
    });
    expect([changed.status, changed.body.errors]).toEqual([400, [{ field: 'TestMode', message }]]);
  });

  it.each(['sk_live_1', 'rk_live_1', 'sk_org_live_1', 'old_key'])(
    'takes no key that is not surely a test key: %s',
    async (ApiKey1) => {
      const { token, siteId, integrationId } = await givenShop(await given.merchant());
      const path = `/api/PaymentIntegration/${integrationId}`;
      const message = 'must be a test key (sk_test_… or rk_test_…) or a sandbox key, because the site is simulated.';
      const refused = [400, [{ field: 'ApiKey1', message }]];
      const changed = await api.request('PUT', path, { token, body: { ApiKey1 } });
      expect([changed.status, changed.body.errors]).toEqual(refused);
      expect((await api.request('PUT', path, { token, body: { ApiKey1: 'rk_test_1' } })).status).toBe(200);
      await api.request('DELETE', path, { token });
      const body = { SiteId: siteId, PaymentMethodType: 'GatewayOne', ApiKey1, TestMode: true };
      const made = await post(token, '/api/PaymentIntegrations', body);
      expect([made.status, made.body.errors]).toEqual(refused);
    },
  );

  it('counts from its own now: new orders, Upcoming, Process', async () => {
    const { token, order } = await givenShop(await given.merchant());
    expect(order).toMatchObject({ NextOccurrenceUtc: '2024-02-29T09:00:00.000Z', Status: 'Active' });
    const upcoming = await get(token, `/api/ScheduledOrders/${order.Id}/Upcoming`);
    expect(upcoming.body[1].OccurrenceUtc).toBe('2024-03-31T09:00:00.000Z');
    const processed = await post(token, `/api/ScheduledOrders/${order.Id}/Process`, {});
    expect(processed.body.NextOccurrenceUtc).toBe(START);
    await drain();
    const { body: after } = await get(token, `/api/ScheduledOrders/${order.Id}`);
    expect(after).toMatchObject({ Cycles: 1, LastOccurrenceUtc: START, NextOccurrenceUtc: '2024-03-31T09:00:00.000Z' });
    const twice = await post(token, `/api/ScheduledOrders/${order.Id}/Process`, {});
    expect([twice.status, twice.body.detail]).toEqual([409, expect.stringContaining('less than 60 seconds ago')]);
  });
});

describe('POST /api/TestClock/{siteId}/Advance', () => {
  it('processes a year of a monthly order, and tells that it is ready', async () => {
    const { token, siteId, order } = await givenShop(await given.merchant());
    await api.request('PUT', `/api/Site/${siteId}/Settings`, { token, body: { KeepEvents: true } });
    const upcoming = (await get(token, `/api/ScheduledOrders/${order.Id}/Upcoming?count=12`)).body as {
      OccurrenceUtc: string;
      Total: number;
    }[];
    const first = await post(token, `/api/TestClock/${siteId}/Advance`, { By: 'P1Y' });
    const target = '2025-01-31T09:00:00.000Z';
    expect([first.status, first.body]).toMatchObject([202, { State: 'Advancing', NowUtc: START, TargetUtc: target }]);
    const second = await post(token, `/api/TestClock/${siteId}/Advance`, { By: 'P1D' });
    const busy = `The clock of site ${siteId} is Advancing: wait until its State is Ready.`;
    expect([second.status, second.body.detail]).toEqual([409, busy]);
    expect((await post(token, `/api/TestClock/${siteId}/Outage`, { By: 'P1D' })).status).toBe(409);
    await drain();
    expect((await get(token, `/api/TestClock/${siteId}`)).body).toMatchObject({
      State: 'Ready',
      NowUtc: target,
      Cycles: 12,
    });
    // What was foretold is what came.
    const orders = (await get(token, `/api/Orders?SiteId=${siteId}`)).body as { DateCreated: string; Total: number }[];
    expect(orders.map(({ DateCreated, Total }) => [DateCreated, Total * 100])).toEqual(
      upcoming.map(({ OccurrenceUtc, Total }) => [OccurrenceUtc, Total]),
    );
    const events = (await get(token, `/api/Events?SiteId=${siteId}&limit=500`)).body as {
      Type: string;
      TimestampUtc: string;
      Data: { Simulated: boolean; NowUtc?: string; Cycles?: number };
    }[];
    expect(new Set(events.map(({ Data }) => Data.Simulated))).toEqual(new Set([true]));
    const processed = events.filter(({ Type }) => Type === 'scheduled_order.processed');
    expect(processed.map(({ TimestampUtc }) => TimestampUtc)).toEqual(
      upcoming.map(({ OccurrenceUtc }) => OccurrenceUtc),
    );
    const announced = events.filter(({ Type }) => Type === 'scheduled_order.upcoming');
    // Three days before each occurrence, by the clock.
    expect(announced.map(({ TimestampUtc }) => Date.parse(TimestampUtc) + 3 * 86_400_000)).toEqual(
      upcoming.map(({ OccurrenceUtc }) => Date.parse(OccurrenceUtc)),
    );
    expect(events.filter(({ Type }) => Type === 'test_clock.ready')).toMatchObject([
      { TimestampUtc: target, Data: { NowUtc: target, Cycles: 12 } },
    ]);
  });

  it('goes to what comes next, and to now', async () => {
    const { token, siteId } = await givenShop(await given.merchant());
    const next = await post(token, `/api/TestClock/${siteId}/Advance`, { ToNext: true });
    expect(next.body).toMatchObject({ TargetUtc: '2024-02-29T09:00:00.000Z' });
    await drain();
    const clock = async (): Promise<unknown> => (await get(token, `/api/TestClock/${siteId}`)).body;
    expect(await clock()).toMatchObject({ NowUtc: '2024-02-29T09:00:00.000Z', State: 'Ready', Cycles: 1 });
    const toNow = await post(token, `/api/TestClock/${siteId}/Advance`, { ToUtc: '2024-02-29T09:00:00.000Z' });
    expect(toNow.status).toBe(202);
    await drain();
    expect(await clock()).toMatchObject({ NowUtc: '2024-02-29T09:00:00.000Z', State: 'Ready', Cycles: 0 });
  });

  it.each([
    [{}, 400, 'one of three'],
    [{ By: 'P1D', ToNext: true }, 400, 'one of three'],
    [{ By: 'three months' }, 400, 'ISO 8601 duration'],
    [{ By: 'P9000Y' }, 400, 'beyond the year 9999'],
    [{ ToUtc: '9999-12-31T23:59:59.999Z' }, 400, 'must lead to a time before 9999-12-31T23:59:59.999Z'],
    [{ ToUtc: '10000-01-01T00:00:00Z' }, 400, 'ISO 8601 time'],
    [{ ToUtc: '2024-01-31T08:59:59.999Z' }, 409, 'it does not go back to 2024-01-31T08:59:59.999Z'],
    [{ ToNext: true }, 409, 'it has no Active order'],
  ])('answers %j with %i', async (body, status, words) => {
    const { tokenAuth: token } = await given.merchant();
    const { SiteId } = (await makeClock(token)).body;
    const refused = await post(token, `/api/TestClock/${SiteId}/Advance`, body);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([status, expect.stringContaining(words)]);
  });

  it('reaches the end of the calendar', async () => {
    const { token, siteId, order } = await givenShop(await given.merchant());
    await database.query(`UPDATE test_clocks SET now_utc = '9999-10-01' WHERE site_id = $1`, [siteId]);
    await api.request('PUT', `/api/ScheduledOrders/${order.Id}/NextOccurrenceUtc`, {
      token,
      body: { NextOccurrenceUtc: '9999-10-15T00:00:00Z' },
    });
    expect((await post(token, `/api/TestClock/${siteId}/Advance`, { ToUtc: '9999-12-31T23:59:59Z' })).status).toBe(202);
    await drain();
    const { body: clock } = await get(token, `/api/TestClock/${siteId}`);
    expect(clock).toMatchObject({ NowUtc: '9999-12-31T23:59:59.000Z', State: 'Ready', Cycles: 3 });
    const { body: after } = await get(token, `/api/ScheduledOrders/${order.Id}`);
    expect(after).toMatchObject({ Status: 'Pending', NextOccurrenceUtc: null, Cycles: 3 });
  });

  it('takes one of those that come at once', async () => {
    const { token, siteId } = await givenShop(await given.merchant());
    const ask = (by: string) => post(token, `/api/TestClock/${siteId}/Advance`, { By: by });
    const answers = await Promise.all([ask('P1M'), ask('P1M'), ask('P1M')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    await drain();
    const { body: clock } = await get(token, `/api/TestClock/${siteId}`);
    expect(clock).toMatchObject({ NowUtc: '2024-02-29T09:00:00.000Z', State: 'Ready', Cycles: 1 });
  });

  it('is 404 for a real site', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const real = await post(token, `/api/TestClock/${siteId}/Advance`, { By: 'P1D' });
    expect([real.status, real.body.detail]).toEqual([404, `There is no TestClock ${siteId}.`]);
  });
});

describe('POST /api/TestClock/{siteId}/Outage', () => {
  it('moves the clock alone: what was missed becomes one cycle, as after a long outage', async () => {
    const { token, siteId, order } = await givenShop(await given.merchant());
    const answer = await post(token, `/api/TestClock/${siteId}/Outage`, { By: 'P3M' });
    const now = '2024-04-30T09:00:00.000Z';
    expect([answer.status, answer.body]).toMatchObject([200, { NowUtc: now, State: 'Ready' }]);
    await drain();
    const { body: cycles } = await get(token, `/api/ScheduledOrders/${order.Id}/Cycles`);
    expect(cycles).toMatchObject([{ Cycle: 1, State: 'Completed', DueUtc: '2024-02-29T09:00:00.000Z', PassedOver: 2 }]);
    const { body: after } = await get(token, `/api/ScheduledOrders/${order.Id}`);
    expect(after).toMatchObject({ LastOccurrenceUtc: now, NextOccurrenceUtc: '2024-05-31T09:00:00.000Z' });
  });

  it('waits for an order that is being processed', async () => {
    const { token, siteId, order } = await givenShop(await given.merchant());
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, worker, lease_until_utc, claim, simulated)
       VALUES ($1, $2, 1, 'Claimed', true, now(), 'another', now() + interval '1 hour', 1, true)`,
      [siteId, order.Id],
    );
    const words = `Orders of site ${siteId} are being processed at this moment: ask again when they are done.`;
    const outage = () => post(token, `/api/TestClock/${siteId}/Outage`, { By: 'P1D' });
    const refused = await outage();
    expect([refused.status, refused.body.detail]).toEqual([409, words]);
    await database.query(`DELETE FROM processing_cycles WHERE site_id = $1`, [siteId]);
    expect((await outage()).status).toBe(200);
  });

  it('names what is wrong', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { SiteId } = (await makeClock(token)).body;
    for (const body of [{}, { By: 'P9999Y' }, { By: 'long' }])
      expect((await post(token, `/api/TestClock/${SiteId}/Outage`, body)).body).toMatchObject({
        errors: [{ field: 'By' }],
      });
  });
});

describe('DELETE /api/TestClock/{siteId}', () => {
  it('leaves nothing of the site, and everything of the others', async () => {
    const merchant = await given.merchant();
    const kept = await givenShop(merchant);
    const { token, siteId } = await givenShop(merchant);
    await post(token, '/api/ShippingRates', { SiteId: siteId, Country: 'US', BasePrice: 1 });
    await api.request('PUT', `/api/Site/${siteId}/Settings`, { token, body: { ShippingTax: 'ByRate' } });
    const endpoint = { SiteId: siteId, Url: 'https://shop.example/hooks' };
    expect((await post(token, '/api/WebhookEndpoints', endpoint)).status).toBe(201);
    const key = await given.apiKey(merchant.userId, [siteId]);
    for (const site of [siteId, kept.siteId]) await post(token, `/api/TestClock/${site}/Advance`, { By: 'P2M' });
    await drain();
    const tables = await database.query<{ name: string }>(
      `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_name)
       WHERE c.column_name = 'site_id' AND t.table_type = 'BASE TABLE' AND c.table_schema = 'public'`,
    );
    const rowsOf = async (site: number) => {
      const counts = await Promise.all(
        tables.map(async ({ name }) => {
          const [row] = await database.query<{ n: number }>(
            `SELECT count(*)::int AS n FROM ${name} WHERE site_id = $1`,
            [site],
          );
          return [name, row!.n] as const;
        }),
      );
      return Object.fromEntries(counts.filter(([, n]) => n > 0));
    };
    const before = await rowsOf(kept.siteId);
    expect(Object.keys(await rowsOf(siteId)).length).toBeGreaterThan(10);
    expect((await api.request('DELETE', `/api/TestClock/${siteId}`, { token })).status).toBe(204);
    expect(await rowsOf(siteId)).toEqual({});
    expect(await rowsOf(kept.siteId)).toEqual(before);
    expect((await get(token, `/api/TestClock/${siteId}`)).status).toBe(404);
    expect((await get(token, `/api/Site/${siteId}`)).status).toBe(404);
    const ended = await api.request('GET', '/api/Sites', { headers: { authorization: `Basic ${key.value}` } });
    expect(ended.status).toBe(401);
  });

  it('goes on with what was interrupted: nothing is processed and no clock moves in the meantime', async () => {
    const { token, siteId, order } = await givenShop(await given.merchant());
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, worker, lease_until_utc, claim, simulated)
       VALUES ($1, $2, 1, 'Claimed', true, now(), 'another', now() + interval '1 hour', 1, true)`,
      [siteId, order.Id],
    );
    const remove = () => api.request('DELETE', `/api/TestClock/${siteId}`, { token });
    const refused = await remove();
    const words = `Site ${siteId} is being deleted, and an order of it is still being processed: send the request again when it is done.`;
    expect([refused.status, refused.body.detail]).toEqual([409, words]);
    expect((await get(token, `/api/TestClock/${siteId}`)).body).toMatchObject({ State: 'Deleting', NowUtc: START });
    await database.query(`DELETE FROM processing_cycles WHERE site_id = $1`, [siteId]);
    await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = $2 WHERE site_id = $1`, [siteId, START]);
    for (const path of ['Advance', 'Outage']) {
      const { status, body } = await post(token, `/api/TestClock/${siteId}/${path}`, { By: 'P1M' });
      const detail = `Site ${siteId} is being deleted. If that was interrupted, send its DELETE again.`;
      expect([status, body.detail]).toEqual([409, detail]);
    }
    await drain();
    expect((await get(token, `/api/ScheduledOrders/${order.Id}/Cycles`)).body).toEqual([]);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await get(token, `/api/ScheduledOrders/${order.Id}`)).status).toBe(404);
  });

  it('takes a lease that has run out for an end: its worker records nothing any more', async () => {
    const { token, siteId, order } = await givenShop(await given.merchant());
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, worker, lease_until_utc, claim, simulated)
       VALUES ($1, $2, 1, 'Claimed', true, now(), 'dead', now() - interval '1 second', 1, true)`,
      [siteId, order.Id],
    );
    expect((await api.request('DELETE', `/api/TestClock/${siteId}`, { token })).status).toBe(204);
    expect(await database.query(`SELECT FROM processing_cycles WHERE site_id = $1`, [siteId])).toEqual([]);
  });

  it('is done by one request at a time', async () => {
    const { token, siteId } = await givenShop(await given.merchant());
    const remove = () => api.request('DELETE', `/api/TestClock/${siteId}`, { token });
    await database.query(
      `UPDATE test_clocks SET state = 'Deleting', worker = 'deletion of another request', lease_until_utc = now() + interval '1 minute' WHERE site_id = $1`,
      [siteId],
    );
    const refused = await remove();
    const words = `Another request is deleting site ${siteId}. If that was interrupted, send this one again in a minute.`;
    expect([refused.status, refused.body.detail]).toEqual([409, words]);
    await database.query(`UPDATE test_clocks SET lease_until_utc = now() WHERE site_id = $1`, [siteId]);
    const answers = await Promise.all([remove(), remove()]);
    expect(answers.map(({ status }) => status)).toContain(204);
    expect(answers.every(({ status, body }) => [204, 404].includes(status) || body.detail === words)).toBe(true);
    expect(await database.query(`SELECT FROM sites WHERE id = $1`, [siteId])).toEqual([]);
  });

  it('takes what is deleted already, and orders without a schedule', async () => {
    const { token, siteId, customerId, order } = await givenShop(await given.merchant());
    const { body: other } = await post(token, '/api/Customers', { SiteId: siteId });
    await post(token, '/api/Orders', { CustomerId: other.Id });
    const { body: gone } = await post(token, '/api/Orders', { CustomerId: customerId });
    for (const path of [`/api/Orders/${gone.Id}`, `/api/ScheduledOrders/${order.Id}`, `/api/Customers/${customerId}`])
      expect([path, (await api.request('DELETE', path, { token })).status]).toEqual([path, 204]);
    expect((await api.request('DELETE', `/api/TestClock/${siteId}`, { token })).status).toBe(204);
    for (const table of ['orders', 'scheduled_orders', 'scheduled_order_items', 'customers', 'products'])
      expect([table, await database.query(`SELECT FROM ${table} WHERE site_id = $1`, [siteId])]).toEqual([table, []]);
  });
});
