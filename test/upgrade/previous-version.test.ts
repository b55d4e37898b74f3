import { readers } from '../processor/readers.js';
import { ALL_CASES } from '../support/all-cases.js';
import { type Json, requestTo } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, givenShop, startWorker, stopWorkers, type WorkerProcess } from '../support/worker.js';
import { previousBuild } from './previous-build.js';
import previousVersion from './previous-version.json' with { type: 'json' };

/**
 * While a version is rolled out, processes of the one before run on its schema: migrations are expand-then-contract (docs/operations.md).
 * Both versions run here as they are run for real.
 */
describe('The previous version on the schema of this one', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, statesOf, comeDue } = readers(database);
  let previous: string;
  let gateway: StripeStandIn;
  let shops = 0;
  const newShop = () => givenShop(database, { apiKey1: `sk_test_upgrade_${++shops}` });

  const VERSIONS = ['previous', 'present'] as const;
  type Version = (typeof VERSIONS)[number];
  /** Side by side: who is killed one after the other, after 40 more of the orders each. */
  const KILLED: readonly Version[] = ALL_CASES ? [...VERSIONS, ...VERSIONS] : VERSIONS;
  const ORDERS = ALL_CASES ? 300 : 160;
  const distOf = (version: Version) => (version === 'previous' ? previous : undefined);
  /** That an older process reads what a newer one wrote is what only an upgrade brings: `npm test` tries that direction. */
  const WRITERS: readonly Version[] = ALL_CASES ? VERSIONS : ['present'];
  const other = (version: Version): Version => (version === 'previous' ? 'present' : 'previous');
  const worker = (version: Version, env: Record<string, string> = {}, args: string[] = []): Promise<WorkerProcess> =>
    startWorker(
      database,
      {
        GATEWAY_ONE_URL: gateway.url,
        CLAIM_LEASE: 'PT4S',
        GATEWAY_TIMEOUT: 'PT5S',
        PROCESSOR_CRON: '* * * * * *',
        TECHNICAL_RETRY_SCHEDULE: Array.from({ length: 30 }, () => 'PT1S').join(),
        ...env,
      },
      args,
      distOf(version),
    );
  const api = async (version: Version, token: string) => {
    const url = await startApi(
      { DATABASE_URL: database.url, ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' },
      distOf(version),
    ).url();
    return async (method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Json> => {
      const answered = await requestTo(url)(method, path, { token, body, headers });
      if (answered.status >= 300)
        throw new Error(`${method} ${path}: ${answered.status} ${JSON.stringify(answered.body)}`);
      return answered.body;
    };
  };

  beforeAll(async () => {
    previous = previousBuild();
    // As the migration leaves a database that the previous version has worked on (test/encrypted-places.test.ts).
    await database.query(`UPDATE sealing SET binding = 'Unbound'`);
    gateway = await StripeStandIn.start();
  });
  afterEach(async () => {
    endApis();
    await stopWorkers();
    gateway.latencyMs = 0;
    gateway.faults.none();
    await assertInvariants(database, gateway.ledger);
  });
  afterAll(() => gateway.stop());

  it('may work on it, for all that the database says', async () => {
    const [row] = await database.query<{ minimum: number }>(`SELECT schema_version AS minimum FROM minimum_version`);
    expect(row!.minimum).toBeLessThanOrEqual(previousVersion.schemaVersion);
  });

  it.each(ALL_CASES ? VERSIONS : (['previous'] as const))(
    'its API creates, pauses, skips and processes, and the %s worker charges and records',
    async (by) => {
      const shop = await newShop();
      const ask = await api('previous', shop.tokenAuth);
      const order = await ask('POST', '/api/ScheduledOrders', {
        CustomerId: shop.customerId,
        FrequencyType: 'Months',
        Frequency: 1,
        PaymentMethodType: 'GatewayOne',
        PaymentMethodCustomerId: 'cus_1',
        PaymentMethodId: 'pm_insufficient_funds',
        ScheduledOrderItems: [{ ProductId: shop.productId, Quantity: 2 }],
      });
      const path = `/api/ScheduledOrders/${order.Id}`;
      expect((await ask('PUT', path, { Status: 'Paused' })).Status).toBe('Paused');
      expect((await ask('PUT', path, { Status: 'Active' })).Status).toBe('Active');
      const skipped = await ask('POST', `${path}/Skip`);
      expect(Date.parse(skipped.NextOccurrenceUtc)).toBeGreaterThan(Date.parse(order.NextOccurrenceUtc));

      await worker(by);
      await ask('POST', `${path}/Process`);
      await until(async () => (await cycleOf(order.Id)).state === 'Retrying');
      await ask('PUT', path, { PaymentMethodId: 'pm_card' });
      await ask('POST', `${path}/Process`);
      await until(async () => (await cycleOf(order.Id)).state === 'Completed');
      expect(await statesOf(order.Id)).toEqual(['Skipped', 'Completed']);
      expect(gateway.ledger.of(order.Id)).toMatchObject([{ attempt: 2, amount: '25.00' }]);

      const [cycle] = await ask('GET', `${path}/Cycles`);
      expect(await ask('GET', `/api/Orders/${cycle.OrderId}`)).toMatchObject({ Total: 25, IsRecurring: true });
      expect(await ask('GET', `${path}/EventLogs`)).toMatchObject([
        { EventType: 'ScheduledOrderProcessed' },
        { EventType: 'ScheduledOrderRetryScheduled' },
      ]);
      await ask('DELETE', path);
    },
  );

  it('decrypts what the present version encrypts: its worker charges with a new key, its API replays an answer', async () => {
    const shop = await newShop();
    const id = await shop.dueOrder();
    const [present, ask] = [await api('present', shop.tokenAuth), await api('previous', shop.tokenAuth)];
    const path = `/api/PaymentIntegration/${shop.integrationId}`;
    const ApiKey1 = `sk_test_upgrade_${shops}_new`;
    await present('PUT', path, { ApiKey1 });
    expect(await ask('GET', path)).toMatchObject({ ApiKey1 });
    const site = { Name: 'Another', ApiKey1: 'ck_1' };
    const headers = { 'idempotency-key': 'one' };
    const made = await present('POST', '/api/Sites', site, headers);
    expect(await ask('POST', '/api/Sites', site, headers)).toEqual(made);
    await worker('previous');
    await until(async () => (await cycleOf(id))?.state === 'Completed');
    expect(gateway.ledger.of(id)).toHaveLength(1);
  });

  describe.each(WRITERS)('when a worker of the %s version dies', (version) => {
    it.each(['after-freeze', 'after-charge'])(
      '%s, one of the other version goes on with its cycles, and nothing is lost or doubled',
      async (step) => {
        const shop = await newShop();
        // The first order tests the integration. From then on the present version freezes cycles when they begin.
        const doomed = await worker(version, { FAILPOINTS: `${step}:kill@2` });
        const first = await shop.dueOrder();
        await until(async () => (await cycleOf(first))?.state === 'Completed');
        const ids = await shop.dueOrders(10);
        expect(await doomed.exited).toBe('SIGKILL');
        await worker(other(version));
        for (const id of ids) {
          await until(async () => (await cycleOf(id))?.state === 'Completed');
          expect(gateway.ledger.of(id)).toHaveLength(1);
          expect(await orderOf(id)).toMatchObject({ cycles: '1', status: 'Active' });
        }
      },
    );

    it('and stood still only, its late write is refused', async () => {
      const shop = await newShop();
      const id = await shop.dueOrder();
      const frozen = await worker(version, { FAILPOINTS: 'after-charge:stop' });
      await until(async () => (await cycleOf(id))?.state === 'Charging' && gateway.ledger.of(id).length === 1);
      await worker(other(version));
      await until(async () => (await cycleOf(id)).state === 'Completed');
      const recorded = await cycleOf(id);
      frozen.kill('SIGCONT');
      await until(() => /recorded already/.test(frozen.output()));
      expect(await cycleOf(id)).toEqual(recorded);
      expect(await orderOf(id)).toMatchObject({ cycles: '1' });
    });

    it('or stands still, an order that an API of the other version paused is not charged', async () => {
      const shop = await newShop();
      const id = await shop.dueOrder();
      const still = await worker(version, { FAILPOINTS: 'after-claim:stop' });
      await until(async () => (await cycleOf(id))?.state === 'Claimed');
      const ask = await api(other(version), shop.tokenAuth);
      await ask('PUT', `/api/ScheduledOrders/${id}`, { Status: 'Paused' });
      still.kill('SIGCONT');
      const second = await shop.dueOrder();
      await until(async () => (await cycleOf(second))?.state === 'Completed');
      await until(async () => (await cycleOf(id)).state === 'Failed');
      expect(await statesOf(id)).toEqual(['Failed']);
      expect(gateway.ledger.of(id)).toEqual([]);
      expect(await orderOf(id)).toMatchObject({ status: 'Paused' });
    });

    it('an outcome that it left unknown is settled by the other version', async () => {
      const shop = await newShop();
      const id = await shop.dueOrder();
      gateway.faults.next('loseAfter', { times: 2 });
      const first = await worker(version, { TECHNICAL_RETRY_SCHEDULE: 'PT1H,PT1H' });
      await until(async () => (await cycleOf(id))?.state === 'Unknown');
      first.kill('SIGKILL');
      await first.exited;
      gateway.faults.none();
      await comeDue(id);
      await worker(other(version));
      await until(async () => (await cycleOf(id)).state === 'Completed');
      expect(gateway.ledger.of(id)).toHaveLength(1);
    });
  });

  it('side by side with this one, killed in turn, at a gateway with faults: each cycle is charged once', async () => {
    const shop = await newShop();
    gateway.latencyMs = 20;
    gateway.faults.randomly({ loseAfter: 0.05, loseBefore: 0.05, unavailable: 0.05, resetAfter: 0.05 });
    const ids = await shop.dueOrders(ORDERS);
    const env = { CLAIM_BATCH: '20', GATEWAY_CONCURRENCY: '5' };
    const running = { previous: await worker('previous', env), present: await worker('present', env) };
    const completed = async () => {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM processing_cycles WHERE state = 'Completed' AND scheduled_order_id = ANY ($1)`,
        [ids],
      );
      return row!.count;
    };
    for (const [turn, version] of KILLED.entries()) {
      await until(async () => (await completed()) >= (turn + 1) * 40);
      running[version].kill('SIGKILL');
      await running[version].exited;
      running[version] = await worker(version, env);
    }
    await until(async () => (await completed()) === ids.length);
    for (const id of ids) expect(gateway.ledger.of(id)).toHaveLength(1);
  });
});
