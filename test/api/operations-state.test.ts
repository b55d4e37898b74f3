import { SCHEMA_VERSION } from '#libs/entities';
import { adoptDeployment } from '#libs/ledger';
import { productVersion, type Statement } from '#libs/platform';
import * as statements from '../../apps/api/src/reports/operations/state-statements.js';
import { describeInAllCases, itInAllCases } from '../support/all-cases.js';
import { type Json, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn, type GivenMerchant } from '../support/given.js';
import { explain, pagesOf } from '../support/sql/query-plan.js';
import { until } from '../support/until.js';
import { asCopy, ENCRYPTION_KEY, startWorker, stopWorkers, vault } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });
const behindPooler = useApi(database, { ENCRYPTION_KEY, DATABASE_POOLER: 'transaction' });
const given = givenIn(database);
afterAll(stopWorkers);

const MINUTE = 60_000;
const ago = (ms: number) => new Date(Math.floor((Date.now() - ms) / 1_000) * 1_000);

async function get(token: string, path = '/api/Operations'): Promise<Json> {
  const { status, body } = await api.request('GET', path, { token });
  expect([path, status, status === 200 ? null : body]).toEqual([path, 200, null]);
  return body;
}

async function cycle(siteId: number, id: number, state: string) {
  const values = { siteId, scheduledOrderId: id, cycle: 1, open: true, dueUtc: new Date(), state, failureCode: 2000 };
  await given.insert('processing_cycles', values);
}

/**
 * `times` of everything that waits: 6 orders that are due, 1 of each problem, 2 deliveries and 3 events. The oldest of
 * each is `age` minutes old.
 */
async function givenTrouble(siteId: number, times: number, age: number): Promise<void> {
  const customerId = await given.customer(siteId);
  const due = (nextOccurrenceUtc: Date) => given.scheduledOrder(siteId, customerId, { nextOccurrenceUtc });
  for (let n = 0; n < times; n++) {
    for (const minutes of [0.1, 1, 2, 6, 7, age]) await due(ago(minutes * MINUTE));
    for (const state of ['Retrying', 'Waiting', 'Unknown'])
      await cycle(siteId, await given.scheduledOrder(siteId, customerId), state);
    const { webhookEndpointId } = await given.webhook(vault, siteId);
    const delivery = { siteId, webhookEndpointId, eventType: 'order.created' };
    for (const sequence of [2, 3]) {
      const eventId = `0198c0de-0000-7000-8000-00000000000${sequence}`;
      const createdUtc = ago((age - sequence) * MINUTE);
      await given.insert('webhook_deliveries', { ...delivery, sequence, eventId, createdUtc, state: 'Waiting' });
    }
    for (let event = 0; event < 3; event++)
      await given.insert('outbox', { siteId, type: 'order.created', occurredUtc: ago((age - event) * MINUTE) });
  }
  await given.insert('integration_waits', {
    siteId,
    paymentMethodType: 'GatewayOne',
    waitingSinceUtc: ago(age * MINUTE),
    nextProbeUtc: ago(-MINUTE),
  });
  // That is over.
  await given.insert('integration_waits', { siteId, paymentMethodType: 'GatewayTwo', waitingSinceUtc: null });
}

const NOTHING = {
  Orders: {
    Due: 0,
    Overdue: 0,
    Retrying: 0,
    Waiting: 0,
    Unknown: 0,
    OldestDueUtc: null,
    Links: expect.any(Object),
  },
  Integrations: { Waits: [], Uncompared: 0 },
  Webhooks: { Waiting: 0, OldestWaitingUtc: null, EndpointsFailing: 0, EndpointsHeld: 0, EndpointsDisabled: 0 },
  Events: { Unnumbered: 0, OldestUnnumberedUtc: null },
  More: [],
};

describe('GET /api/Operations', () => {
  it('says of the installation which versions there are, and that this database charges', async () => {
    const { tokenAuth } = await given.merchant();
    const [minimum] = await database.query<{ version: number }>(
      `SELECT schema_version AS version FROM minimum_version`,
    );
    expect(await get(tokenAuth)).toEqual({
      AsOfUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      Version: productVersion(),
      Schema: { Version: SCHEMA_VERSION, Expected: SCHEMA_VERSION, Minimum: minimum!.version },
      Deployment: { MayCharge: true, Refusal: null },
      Writes: { Accepted: true, Refusal: null },
      Workers: { Connected: 0, MissingRoles: ['processor'], SeenUtc: null },
      Quotas: expect.any(Array),
      ...NOTHING,
    });
  });

  itInAllCases('sees workers come and go', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    // Before there is anything to do, and without the role that sends webhooks.
    for (let n = 0; n < 2; n++) await startWorker(database, { WORKER_ROLES: 'processor' });
    const seen = await until(async () => {
      const { Workers } = (await get(token)) as {
        Workers: { Connected: number; MissingRoles: string[]; SeenUtc: string | null };
      };
      return Workers.Connected === 2 && Workers.SeenUtc !== null ? Workers : false;
    });
    expect(Date.now() - Date.parse(seen.SeenUtc!)).toBeLessThan(2 * MINUTE);
    const pooled = await behindPooler.request('GET', '/api/Operations', { token });
    expect(pooled.body.Workers).toEqual({ Connected: null, MissingRoles: null, SeenUtc: expect.any(String) });
    // Nobody wants webhooks or pushes.
    expect(seen.MissingRoles).toEqual([]);
    const { webhookEndpointId } = await given.webhook(vault, siteId);
    expect((await get(token)).Workers.MissingRoles).toEqual(['dispatcher']);
    await database.query(`UPDATE webhook_endpoints SET status = 'Disabled' WHERE id = $1`, [webhookEndpointId]);
    expect((await get(token)).Workers.MissingRoles).toEqual([]);
    await database.query(`UPDATE webhook_endpoints SET status = 'Enabled' WHERE id = $1`, [webhookEndpointId]);
    await given.shop(vault, siteId, { push: true });
    expect((await get(token)).Workers.MissingRoles).toEqual(['dispatcher', 'pushes']);
    await startWorker(database, { WORKER_ROLES: 'dispatcher,pushes' });
    await until(async () => (await get(token)).Workers.MissingRoles.length === 0);
    await stopWorkers();
    await until(async () => (await get(token)).Workers.Connected === 0);
    expect((await get(token)).Workers.SeenUtc).not.toBeNull();
  });

  it('counts what waits on the real sites of the account, and nothing of others', async () => {
    const { tokenAuth: token, siteId, userId } = await given.merchant();
    const second = await given.site(userId);
    await givenTrouble(siteId, 1, 20);
    await givenTrouble(second, 2, 90);
    await givenTrouble(await given.site(userId, { simulated: true }), 1, 500);
    const other = await given.merchant();
    await givenTrouble(other.siteId, 3, 1_000);

    const found = await get(token);
    expect(found.Orders).toMatchObject({ Due: 18, Overdue: 9, Retrying: 3, Waiting: 3, Unknown: 3 });
    expect(found.Webhooks).toMatchObject({ Waiting: 6, EndpointsFailing: 0, EndpointsHeld: 0, EndpointsDisabled: 0 });
    expect(found.Events.Unnumbered).toBe(9);
    const age = (utc: string) => Math.round((Date.parse(found.AsOfUtc as string) - Date.parse(utc)) / MINUTE);
    expect(age(found.Orders.OldestDueUtc as string)).toBe(90);
    expect(age(found.Webhooks.OldestWaitingUtc as string)).toBe(88);
    expect(age(found.Events.OldestUnnumberedUtc as string)).toBe(90);
    const wait = { PaymentMethodType: 'GatewayOne', WrongAccount: false };
    expect(found.Integrations.Waits).toEqual([
      { SiteId: second, ...wait, WaitingSinceUtc: expect.any(String), NextProbeUtc: expect.any(String) },
      { SiteId: siteId, ...wait, WaitingSinceUtc: expect.any(String), NextProbeUtc: expect.any(String) },
    ]);

    for (const [name, path] of Object.entries(found.Orders.Links as Record<string, string>)) {
      expect({ [name]: await get(token, path) }).toEqual({ [name]: Array(found.Orders[name]).fill(expect.anything()) });
    }
    const overviews = [
      await get(token, `/api/Site/${siteId}/Overview`),
      await get(token, `/api/Site/${second}/Overview`),
    ];
    for (const name of ['Due', 'Overdue', 'Retrying', 'Waiting', 'Unknown'])
      expect(overviews[0][name] + overviews[1][name]).toBe(found.Orders[name]);
    const ofOther = await get(other.tokenAuth);
    expect([ofOther.Orders.Due, ofOther.Webhooks.Waiting, ofOther.Events.Unnumbered]).toEqual([18, 6, 9]);
    expect(ofOther.Integrations.Waits).toHaveLength(1);
  });

  it('knows endpoints that fail, are held back, or were disabled', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    for (const [status, failures, failingSinceUtc, disabledReason, deletedUtc] of [
      ['Enabled', 0, null, null, null],
      ['Enabled', 4, ago(MINUTE), null, null],
      ['Enabled', 5, ago(MINUTE), null, null],
      ['Disabled', 9, ago(MINUTE), 'Nothing could be delivered for 5 days.', null],
      ['Disabled', 9, ago(MINUTE), null, null],
      ['Enabled', 9, ago(MINUTE), null, new Date()],
    ] as const) {
      const { webhookEndpointId: id } = await given.webhook(vault, siteId);
      await database.query(
        `UPDATE webhook_endpoints SET status = $2, failures = $3, failing_since_utc = $4, disabled_reason = $5, deleted_utc = $6 WHERE id = $1`,
        [id, status, failures, failingSinceUtc, disabledReason, deletedUtc],
      );
      await database.query(`UPDATE webhook_deliveries SET state = 'Waiting' WHERE webhook_endpoint_id = $1`, [id]);
    }
    const overview = await get(token, `/api/Site/${siteId}/Overview`);
    expect((await get(token)).Webhooks).toEqual({
      // Of those that may be sent to.
      Waiting: 3,
      OldestWaitingUtc: expect.any(String),
      EndpointsFailing: overview.EndpointsFailing,
      EndpointsHeld: 1,
      EndpointsDisabled: 1,
    });
    expect(overview.EndpointsFailing).toBe(3);
  });

  it('says why nothing may be charged from a copy', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { Deployment } = await asCopy(database, () => get(token));
    expect(Deployment).toEqual({
      MayCharge: false,
      Refusal: expect.stringMatching(/^This database is a copy .* deployment:adopt$/),
    });
    expect((await get(token)).Deployment).toEqual({ MayCharge: true, Refusal: null });
  });

  it('counts integrations of the account that must be compared before anything is charged', async () => {
    const [own, other] = [await given.merchant(), await given.merchant()];
    await given.integration(vault, own.siteId);
    for (const type of ['GatewayOne', 'GatewayTwo'])
      await given.integration(vault, other.siteId, { paymentMethodType: type });
    await adoptDeployment(database.pool, undefined);
    expect((await get(own.tokenAuth)).Integrations.Uncompared).toBe(1);
    expect((await get(other.tokenAuth)).Integrations.Uncompared).toBe(2);
    await database.query(`DELETE FROM required_reconciliations`);
    expect((await get(own.tokenAuth)).Integrations.Uncompared).toBe(0);
  });

  it('says how much of what is limited there is: of the account, and of its fullest site', async () => {
    const { tokenAuth: token, siteId, userId } = await given.merchant();
    const full = await given.site(userId);
    const empty = (await get(token)).Quotas;
    const quota = (Of: string, SiteId: number | null, Used: number, Limit: number) => ({ Of, SiteId, Used, Limit });
    expect(empty).toEqual([
      quota('Sites', null, 2, 200),
      quota('TestClocks', null, 0, 100),
      quota('ApiKeys', null, 0, 100),
      quota('Rates', null, 0, 100_000),
      quota('WebhookEndpoints', null, 0, 20),
    ]);
    const simulated = await given.site(userId, { simulated: true });
    for (const site of [siteId, full, full, simulated, simulated, simulated]) {
      await given.shippingRate(site);
      await given.webhook(vault, site);
    }
    await given.taxRate(full);
    await given.apiKey(userId, [siteId]);
    const other = await given.merchant();
    for (let n = 0; n < 4; n++) await given.taxRate(other.siteId);
    expect((await get(token)).Quotas).toEqual([
      quota('Sites', null, 2, 200),
      quota('TestClocks', null, 1, 100),
      quota('ApiKeys', null, 1, 100),
      quota('Rates', full, 3, 100_000),
      quota('WebhookEndpoints', full, 2, 20),
    ]);
    expect((await get(other.tokenAuth)).Quotas[3]).toEqual(quota('Rates', other.siteId, 4, 100_000));
  });

  it('is for the account itself: a key, limited to sites or reading, and a customer are refused', async () => {
    const { userId, siteId } = await given.merchant();
    const keys = [await given.apiKey(userId, [siteId]), await given.apiKey(userId, [siteId], { access: 'Read' })];
    const customer = await given.token(userId, { customerId: await given.customer(siteId) });
    for (const token of [...keys.map(({ value }) => value), customer])
      expect((await api.request('GET', '/api/Operations', { token })).status).toBe(403);
    expect((await api.request('GET', '/api/Operations')).status).toBe(401);
  });

  describeInAllCases('in a large installation', () => {
    const MANY = 12_000;
    let [own, large] = [null, null] as unknown as [GivenMerchant, GivenMerchant];

    beforeAll(async () => {
      [own, large] = [await given.merchant(), await given.merchant()];
      await givenTrouble(own.siteId, 1, 10);
      await givenTrouble(large.siteId, 1, 10);
      const customerId = await given.customer(large.siteId);
      await database.query(
        `INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc, next_occurrence_utc)
         SELECT $1, $2, 'Active', 'Weeks', 1, 'USD', now(), now() - interval '1 hour' - n * interval '1 second' FROM generate_series(1, $3::int) n`,
        [large.siteId, customerId, MANY],
      );
      const { webhookEndpointId } = await given.webhook(vault, large.siteId);
      await database.query(
        `INSERT INTO webhook_deliveries (site_id, webhook_endpoint_id, sequence, event_id, event_type, state)
         SELECT $1, $2, 10 + n, gen_random_uuid(), 'order.created', CASE WHEN n <= $3::int THEN 'Waiting' ELSE 'Delivered' END
         FROM generate_series(1, 3 * $3::int) n`,
        [large.siteId, webhookEndpointId, MANY],
      );
      await database.query(
        `INSERT INTO sites (user_id, url) SELECT $1, 'https://shop-' || n || '.example' FROM generate_series(1, 2000) n`,
        [large.userId],
      );
      await database.query(
        `INSERT INTO integration_waits (site_id, payment_method_type, waiting_since_utc) SELECT s.id, 'GatewayOne', now()
         FROM sites s WHERE s.user_id = $1 AND s.id <> $2`,
        [large.userId, large.siteId],
      );
      await database.query(
        `INSERT INTO payment_integrations (site_id, payment_method_type, test_mode) SELECT s.id, 'GatewayOne', true
         FROM sites s WHERE s.user_id = $1`,
        [large.userId],
      );
      await database.query(
        `VACUUM ANALYZE scheduled_orders, webhook_deliveries, webhook_endpoints, integration_waits, payment_integrations, sites, outbox`,
      );
    });

    const blocks = async ({ text }: Statement, values: unknown[]): Promise<number> =>
      pagesOf((await explain(database, text, values)).plan);

    it('reads a few blocks for a small account, whatever waits for a large one', async () => {
      const sites = [own.siteId];
      const read = {
        installation: await blocks(statements.INSTALLATION, []),
        oldestDue: await blocks(statements.OLDEST_DUE, [sites, new Date()]),
        waits: await blocks(statements.INTEGRATION_WAITS, [sites, 100]),
        uncompared: await blocks(statements.UNCOMPARED, [sites]),
        webhooks: await blocks(statements.WEBHOOKS, [sites]),
        events: await blocks(statements.UNNUMBERED, [sites]),
        used: await blocks(statements.USED, [sites, own.userId]),
      };
      process.stderr.write(`blocks: ${JSON.stringify(read)}\n`);
      for (const [name, most] of Object.entries({ ...read })) expect([name, most < 40]).toEqual([name, true]);
    });

    it('reads no more of a long queue of events than the first 10,000, and says so', async () => {
      expect((await get(own.tokenAuth)).More).toEqual([]);
      await database.query(
        `INSERT INTO outbox (site_id, type) SELECT $1, 'order.created' FROM generate_series(1, 30000)`,
        [large.siteId],
      );
      await database.query(`VACUUM ANALYZE outbox`);
      const found = await get(own.tokenAuth);
      expect([found.Events.Unnumbered, found.More]).toEqual([3, ['Events.Unnumbered']]);
      expect(await blocks(statements.UNNUMBERED, [[own.siteId]])).toBeLessThan(600);
    });

    it('counts up to 10,000, lists the 100 longest waits, and is soon answered', async () => {
      const startedMs = performance.now();
      const found = await get(large.tokenAuth);
      process.stderr.write(
        `2,001 sites, ${MANY} orders due and deliveries: ${Math.round(performance.now() - startedMs)} ms\n`,
      );
      expect([found.Orders.Due, found.Orders.Overdue, found.Webhooks.Waiting]).toEqual([10_000, 10_000, 10_000]);
      expect(found.More).toEqual(['Orders.Due', 'Orders.Overdue', 'Webhooks.Waiting', 'Events.Unnumbered']);
      expect(found.Integrations.Waits).toHaveLength(100);
      expect(found.Integrations.Waits[0].SiteId).toBe(large.siteId);
    });
  });
});
