import { readers } from '../processor/readers.js';
import { ALL_CASES } from '../support/all-cases.js';
import { type Json, requestTo, useApi } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import {
  createWorker,
  ENCRYPTION_KEY,
  givenShop,
  startWorker,
  stopWorkers,
  type WorkerProcess,
} from '../support/worker.js';
import { previousBuild } from './previous-build.js';
import previousVersion from './previous-version.json' with { type: 'json' };

/**
 * While a version is rolled out, processes of the one before run on its schema: migrations are expand-then-contract (docs/operations.md).
 * Both versions run here as they are run for real: the previous one in processes of its own, one for several tests.
 */
describe('The previous version on the schema of this one', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, statesOf, comeDue } = readers(database);
  const OPEN = { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' };
  const presentApi = useApi(database, OPEN);
  let previous: string;
  let previousApi: Promise<string> | undefined;
  let gateway: StripeStandIn;
  let shops = 0;
  const newShop = () => givenShop(database, { apiKey1: `sk_test_upgrade_${++shops}` });

  const VERSIONS = ['previous', 'present'] as const;
  type Version = (typeof VERSIONS)[number];
  /** Side by side: who is killed one after the other, after so many more of the orders each, and then begins again (in `npm test` not the last of them). */
  const KILLED: readonly Version[] = ALL_CASES ? [...VERSIONS, ...VERSIONS] : ['present', 'previous'];
  const [ORDERS, STEP] = ALL_CASES ? [300, 40] : [60, 15];
  /** That an older process reads what a newer one wrote is what only an upgrade brings: `npm test` tries that direction. */
  const WRITERS: readonly Version[] = ALL_CASES ? VERSIONS : ['present'];
  /** What is frozen is read after a charge as well. */
  const DIES = ALL_CASES ? ['after-freeze', 'after-charge'] : ['after-charge'];
  const other = (version: Version): Version => (version === 'previous' ? 'present' : 'previous');
  const environment = (env: Record<string, string>) => ({
    GATEWAY_ONE_URL: gateway.url,
    CLAIM_LEASE: 'PT4S',
    CLAIM_BATCH: '20',
    GATEWAY_CONCURRENCY: '5',
    GATEWAY_TIMEOUT: 'PT5S',
    PROCESSOR_CRON: '* * * * * *',
    TECHNICAL_RETRY_SCHEDULE: Array.from({ length: 30 }, () => 'PT1S').join(),
    ...env,
  });
  const worker = (version: Version, env: Record<string, string> = {}, args: string[] = []): Promise<WorkerProcess> =>
    startWorker(database, environment(env), args, version === 'previous' ? previous : undefined);
  const urlOf = (version: Version) =>
    version === 'present'
      ? presentApi.url
      : (previousApi ??= startApi({ DATABASE_URL: database.url, ...OPEN }, previous).url());
  const api = async (version: Version, token: string) => {
    const url = await urlOf(version);
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
  afterEach(() => assertInvariants(database, gateway.ledger));
  afterAll(async () => {
    endApis();
    await stopWorkers();
    await gateway.stop();
  });

  /** One for several tests. */
  let running: readonly [Version, WorkerProcess] | undefined;
  async function endRunning(): Promise<void> {
    running?.[1].kill('SIGKILL');
    await running?.[1].exited;
    running = undefined;
  }
  async function onlyWorker(version: Version): Promise<WorkerProcess> {
    if (running?.[0] !== version) {
      await endRunning();
      running = [version, await worker(version)];
    }
    return running[1];
  }

  it('may work on it, for all that the database says', async () => {
    const [row] = await database.query<{ minimum: number }>(`SELECT schema_version AS minimum FROM minimum_version`);
    expect(row!.minimum).toBeLessThanOrEqual(previousVersion.schemaVersion);
  });

  describe.each(WRITERS)('when workers of the %s version have left cycles in all states', (version) => {
    /** Only the test ends it: nobody takes over before all have died. */
    const LONG = { CLAIM_LEASE: 'PT10M' };
    let paused: number;
    let late: number;
    let unknown: number;
    let still: WorkerProcess;
    const left: Record<string, number[]> = {};

    async function leaveUnknown(): Promise<void> {
      unknown = await (await newShop()).dueOrder();
      gateway.faults.next('loseAfter', { times: 2 });
      const env = { TECHNICAL_RETRY_SCHEDULE: 'PT1H,PT1H' };
      if (version === 'present') {
        const here = createWorker(database, environment(env));
        await here.drain();
        await here.end();
      } else {
        const first = await worker(version, env);
        await until(async () => (await cycleOf(unknown))?.state === 'Unknown');
        first.kill('SIGKILL');
        await first.exited;
      }
      gateway.faults.none();
      expect((await cycleOf(unknown)).state).toBe('Unknown');
    }

    /** It stands still with one cycle claimed, and then with another one charged. */
    async function standStill(): Promise<void> {
      const shop = await newShop();
      paused = await shop.dueOrder();
      still = await worker(version, { ...LONG, FAILPOINTS: 'after-claim:stop,after-charge:stop' });
      await until(async () => (await cycleOf(paused))?.state === 'Claimed');
      const ask = await api(other(version), shop.tokenAuth);
      await ask('PUT', `/api/ScheduledOrders/${paused}`, { Status: 'Paused' });
      still.kill('SIGCONT');
      await until(async () => (await cycleOf(paused)).state === 'Failed');
      late = await shop.dueOrder();
      await until(async () => (await cycleOf(late))?.state === 'Charging' && gateway.ledger.of(late).length === 1);
    }

    async function die(step: string): Promise<void> {
      const shop = await newShop();
      // The first order tests the integration. From then on the present version freezes cycles when they begin.
      const doomed = await worker(version, { ...LONG, FAILPOINTS: `${step}:kill@2` });
      const first = await shop.dueOrder();
      await until(async () => (await cycleOf(first))?.state === 'Completed');
      left[step] = await shop.dueOrders(10);
      expect(await doomed.exited).toBe('SIGKILL');
    }

    beforeAll(async () => {
      await endRunning();
      await leaveUnknown();
      await standStill();
      for (const step of DIES) await die(step);
      await comeDue(unknown);
      await database.query(
        `UPDATE processing_cycles SET lease_until_utc = now() WHERE open AND lease_until_utc > now()`,
      );
      await onlyWorker(other(version));
      const ended = `SELECT 1 FROM processing_cycles WHERE open AND lease_until_utc <= now()`;
      await until(async () => (await database.query(ended)).length === 0);
    });
    afterAll(async () => {
      still.kill('SIGKILL');
      await still.exited;
    });

    it.each(DIES)(
      'and died %s, one of the other version goes on with its cycles, and nothing is lost or doubled',
      async (step) => {
        for (const id of left[step]!) {
          await until(async () => (await cycleOf(id))?.state === 'Completed');
          expect(gateway.ledger.of(id)).toHaveLength(1);
          expect(await orderOf(id)).toMatchObject({ cycles: '1', status: 'Active' });
        }
      },
    );

    it('and stood still only, its late write is refused', async () => {
      await until(async () => (await cycleOf(late)).state === 'Completed');
      const recorded = await cycleOf(late);
      still.kill('SIGCONT');
      await until(() => /recorded already/.test(still.output()));
      expect(await cycleOf(late)).toEqual(recorded);
      expect(await orderOf(late)).toMatchObject({ cycles: '1' });
    });

    it('or stood still, an order that an API of the other version paused is not charged', async () => {
      expect(await statesOf(paused)).toEqual(['Failed']);
      expect(gateway.ledger.of(paused)).toEqual([]);
      expect(await orderOf(paused)).toMatchObject({ status: 'Paused' });
    });

    it('an outcome that it left unknown is settled by the other version', async () => {
      await until(async () => (await cycleOf(unknown)).state === 'Completed');
      expect(gateway.ledger.of(unknown)).toHaveLength(1);
    });
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

      await onlyWorker(by);
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
    const [present, ask] = [await api('present', shop.tokenAuth), await api('previous', shop.tokenAuth)];
    const path = `/api/PaymentIntegration/${shop.integrationId}`;
    const ApiKey1 = `sk_test_upgrade_${shops}_new`;
    await present('PUT', path, { ApiKey1 });
    expect(await ask('GET', path)).toMatchObject({ ApiKey1 });
    const site = { Name: 'Another', ApiKey1: 'ck_1' };
    const headers = { 'idempotency-key': 'one' };
    const made = await present('POST', '/api/Sites', site, headers);
    expect(await ask('POST', '/api/Sites', site, headers)).toEqual(made);
    await onlyWorker('previous');
    // Due only now: the worker that ran before must not have begun to charge with the old key.
    const id = await shop.dueOrder();
    await until(async () => (await cycleOf(id))?.state === 'Completed');
    expect(gateway.ledger.of(id)).toMatchObject([{ account: ApiKey1 }]);
  });

  it('side by side with this one, killed in turn, at a gateway with faults: each cycle is charged once', async () => {
    const shop = await newShop();
    gateway.latencyMs = 20;
    gateway.faults.randomly({ loseAfter: 0.05, loseBefore: 0.05, unavailable: 0.05, resetAfter: 0.05 });
    const both = { previous: await onlyWorker('previous'), present: await worker('present') };
    const ids = await shop.dueOrders(ORDERS);
    const completed = async () => {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM processing_cycles WHERE state = 'Completed' AND scheduled_order_id = ANY ($1)`,
        [ids],
      );
      return row!.count;
    };
    for (const [turn, version] of KILLED.entries()) {
      await until(async () => (await completed()) >= (turn + 1) * STEP);
      both[version].kill('SIGKILL');
      await both[version].exited;
      if (ALL_CASES || turn === 0) both[version] = await worker(version);
    }
    await until(async () => (await completed()) === ids.length);
    for (const id of ids) expect(gateway.ledger.of(id)).toHaveLength(1);
  });
});
