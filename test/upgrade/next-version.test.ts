import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bareEnvironment } from '../cli/run.js';
import { readers } from '../processor/readers.js';
import { ALL_CASES } from '../support/all-cases.js';
import { type Json, requestTo } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import {
  ENCRYPTION_KEY,
  type GivenShop,
  givenShop,
  startWorker,
  stopWorkers,
  type WorkerProcess,
} from '../support/worker.js';
import { nextBuild } from './next-build.js';

/**
 * While a version is rolled out, processes of the one before run on its schema: migrations are expand-then-contract
 * (docs/operations.md). Both versions run here as they are run for real. They differ by one migration until there is a
 * release to start from; the tests go through an upgrade in their order.
 */
describe('An upgrade to a next version', () => {
  const database = useDatabase();
  const { cycleOf, statesOf } = readers(database);
  const VERSIONS = ['previous', 'next'] as const;
  type Version = (typeof VERSIONS)[number];
  /** Who is killed one after the other, after so many more of the orders each, and begins again. */
  const KILLED: readonly Version[] = ALL_CASES ? [...VERSIONS, ...VERSIONS] : ['next'];
  const [ORDERS, STEP] = ALL_CASES ? [300, 40] : [40, 15];

  let dist: Readonly<Record<Version, string | undefined>>;
  let gateway: StripeStandIn;
  let shop: GivenShop;
  const urls = {} as Record<Version, string>;
  const workers = {} as Record<Version, WorkerProcess>;

  const begin = async (version: Version) => {
    const env = {
      GATEWAY_ONE_URL: gateway.url,
      CLAIM_LEASE: 'PT4S',
      CLAIM_BATCH: '20',
      GATEWAY_CONCURRENCY: '5',
      GATEWAY_TIMEOUT: 'PT5S',
      PROCESSOR_CRON: '* * * * * *',
      TECHNICAL_RETRY_SCHEDULE: Array.from({ length: 30 }, () => 'PT1S').join(),
    };
    workers[version] = await startWorker(database, env, [], dist[version]);
  };
  const end = async (version: Version) => {
    workers[version].kill('SIGKILL');
    await workers[version].exited;
  };
  const ask = (version: Version, method: string, path: string, body?: object) =>
    requestTo(urls[version])(method, path, { token: shop.tokenAuth, body });
  const ready = async (version: Version): Promise<[number, string | undefined][]> =>
    Promise.all(
      [urls[version], workers[version].url].map(async (url): Promise<[number, string | undefined]> => {
        const response = await fetch(`${url}/health/ready`);
        const { detail, reason } = (await response.json()) as Json;
        return [response.status, detail ?? reason];
      }),
    );
  const isReady = async (version: Version) => (await ready(version)).every(([status]) => status === 200);
  const isCompleted = async (id: number) => (await statesOf(id)).includes('Completed');
  const minimumIs = (schemaVersion: number) =>
    database.query(`UPDATE minimum_version SET schema_version = $1`, [schemaVersion]);

  beforeAll(async () => {
    dist = { previous: undefined, next: nextBuild() };
    gateway = await StripeStandIn.start();
    gateway.latencyMs = 20;
    shop = await givenShop(database, { apiKey1: 'sk_test_upgrade' });
    for (const version of VERSIONS) {
      const env = { DATABASE_URL: database.url, ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' };
      urls[version] = await startApi(env, dist[version]).url();
      await begin(version);
    }
  });
  afterAll(async () => {
    endApis();
    await stopWorkers();
    await gateway.stop();
    rmSync(dirname(dist.next!), { recursive: true });
  });
  afterEach(() => assertInvariants(database, gateway.ledger));

  it('its programs are not ready before its migration, and the previous ones are', async () => {
    await until(() => isReady('previous'));
    const sentence = 'The database is not up to date: run the migrate command.';
    expect(await ready('next')).toEqual([
      [503, sentence],
      [503, sentence],
    ]);
    await end('next');
  });

  it('migrates while the previous version works, and both work after that', async () => {
    const ids = await shop.dueOrders(STEP);
    const env = { ...bareEnvironment(), DATABASE_URL: database.url, ENCRYPTION_KEY };
    const migrated = execFileSync(process.execPath, [join(dist.next!, 'apps/cli/src/main.js'), 'migrate'], { env });
    expect(JSON.parse(String(migrated))).toEqual({ Migrations: ['Next1780000000002'] });
    await until(async () => (await Promise.all(ids.map(isCompleted))).every(Boolean));
    await begin('next');
    for (const version of VERSIONS) await until(() => isReady(version));
  });

  it.each(VERSIONS)('what the API of the other version writes, the %s worker charges and records', async (version) => {
    const other = version === 'previous' ? 'next' : 'previous';
    await end(other);
    const order = await ask(other, 'POST', '/api/ScheduledOrders', {
      CustomerId: shop.customerId,
      FrequencyType: 'Months',
      Frequency: 1,
      PaymentMethodType: 'GatewayOne',
      PaymentMethodCustomerId: 'cus_1',
      PaymentMethodId: 'pm_card',
      ScheduledOrderItems: [{ ProductId: shop.productId, Quantity: 2 }],
    });
    const id = order.body.Id as number;
    expect((await ask(other, 'POST', `/api/ScheduledOrders/${id}/Process`)).status).toBe(202);
    await until(() => isCompleted(id));
    expect(gateway.ledger.capturesOf(id)).toMatchObject([{ amount: '25.00' }]);
    const cycles = await ask(other, 'GET', `/api/ScheduledOrders/${id}/Cycles`);
    expect(cycles.body).toMatchObject([{ OrderId: Number((await cycleOf(id)).order_id) }]);
    await begin(other);
  });

  it('side by side, killed in turn, at a gateway with faults: each cycle is charged once', async () => {
    gateway.faults.randomly({ loseAfter: 0.05, loseBefore: 0.05, unavailable: 0.05, resetAfter: 0.05 });
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
      await end(version);
      await begin(version);
    }
    await until(async () => (await completed()) === ids.length);
    gateway.faults.none();
    for (const id of ids) expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
  });

  it('ends the previous version where a later migration asks for the next one: it claims and answers nothing', async () => {
    await minimumIs(2);
    const sentence =
      'This process is too old for the database, which needs schema version 2 or newer; this one has 1: deploy the newer version.';
    await until(async () => (await ask('previous', 'GET', '/api/Products')).status === 503);
    expect(await ready('previous')).toEqual([
      [503, sentence],
      [503, sentence],
    ]);
    expect(await isReady('next')).toBe(true);
    expect((await ask('next', 'GET', '/api/Products')).status).toBe(200);
    await until(() => workers.previous.output().includes(`${sentence} Nothing is claimed.`));
    const id = await shop.dueOrder();
    await until(() => isCompleted(id));
  });
});
