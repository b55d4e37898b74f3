import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { openDataSource } from '#libs/entities';
import { requestTo } from '../support/api.js';
import { endApis } from '../support/api-process.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { stopWorkers } from '../support/worker.js';
import { nextBuild } from '../upgrade/next-build.js';
import { Postgres } from './support/postgres.js';
import { npmPrograms, removeCopies } from './support/programs.js';
import { ProgramsOf, type Running } from './support/programs-of.js';
import { Traffic } from './support/traffic.js';

const EMAIL = 'owner@shop.example';
const PASSWORD = 'a password of a shop';
const CLIENTS = 3;
/** So many orders become due every so often. */
const DUE_AT_ONCE = 4;
const DUE_EVERY_MS = 250;

/**
 * What docs/upgrading.md says, step by step: the previous version sells while the next one migrates and takes over,
 * then the way back, and forward again. Requests are sent, and orders become due, all the time. Until there is a
 * release, the present version is the previous one.
 */
describe('An upgrade', () => {
  let postgres: Postgres;
  let dataSource: DataSource;
  let gateway: StripeStandIn;
  let previous: ProgramsOf;
  let present: ProgramsOf;
  let dist: string;
  let traffic: Traffic;
  const due: number[] = [];
  let ends = false;
  let becomingDue: Promise<void> | undefined;

  beforeAll(async () => {
    postgres = await Postgres.start(npmPrograms(18));
    await postgres.execute('CREATE DATABASE orders');
    const database = { url: postgres.url('orders') };
    dataSource = await openDataSource({ url: database.url, poolSize: 2 });
    gateway = await StripeStandIn.start();
    gateway.latencyMs = 30;
    dist = nextBuild();
    previous = new ProgramsOf(database, gateway.url);
    present = new ProgramsOf(database, gateway.url, dist);
  });
  afterAll(async () => {
    ends = true;
    await traffic?.end();
    await becomingDue;
    endApis();
    await stopWorkers();
    await gateway.stop();
    await dataSource.destroy();
    await postgres.stop();
    removeCopies();
    rmSync(dirname(dist), { recursive: true });
  });

  /** As the first day of a shop, over REST. */
  async function furnish(url: string): Promise<Traffic> {
    const post = async (path: string, body: object, token?: string) => {
      const answered = await requestTo(url)('POST', path, { body, ...(token === undefined ? {} : { token }) });
      if (answered.status >= 300) throw new Error(`${path}: ${answered.status} ${JSON.stringify(answered.body)}`);
      return answered.body as { Id: number; TokenAuth: string };
    };
    const login = { Email: EMAIL, Password: PASSWORD, AccessScope: 'Merchant' };
    const { TokenAuth: token } = await post('/api/AccessTokens/Login', login);
    const integration = { PaymentMethodType: 'GatewayOne', ApiKey1: 'sk_test_upgrade', TestMode: true };
    await post('/api/PaymentIntegrations', integration, token);
    const customer = { Email: 'ada@mail.example', FirstName: 'Ada', ShippingCountry: 'FR', BillingCountry: 'FR' };
    const made = await post('/api/Customers', customer, token);
    const product = await post('/api/Products', { Title: 'Coffee', Price: 12.5 }, token);
    return new Traffic({ token, customer: made.Id, product: product.Id });
  }

  /** Orders that their clients have finished with become due, some at a time. */
  async function becomeDue(): Promise<void> {
    while (!ends) {
      const ids = traffic.made.slice(due.length, due.length + DUE_AT_ONCE);
      due.push(...ids);
      await dataSource.query(
        `UPDATE scheduled_orders SET next_occurrence_utc = date_trunc('second', now()), schedule_anchor_utc = date_trunc('second', now())
         WHERE id = ANY ($1)`,
        [ids],
      );
      await pause(DUE_EVERY_MS);
    }
  }

  const completed = async () => {
    const [row] = await dataSource.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM processing_cycles WHERE state = 'Completed'`,
    );
    return row.count;
  };
  /** So many more cycles are completed, and requests answered. */
  const goOn = async (cycles = 15) => {
    const [before, requests] = [await completed(), traffic.requests];
    await until(async () => (await completed()) >= before + cycles && traffic.requests > requests + 50, 60_000);
  };

  /** As the page says: the load balancer first, then SIGTERM. */
  async function retire({ api, apiUrl, worker }: Running): Promise<void> {
    traffic.apis = traffic.apis.filter((url) => url !== apiUrl);
    await pause(100);
    api.child.kill('SIGTERM');
    worker.kill('SIGTERM');
    expect([await api.exited, await worker.exited]).toEqual([0, 0]);
  }

  let old: Running;
  let fresh: Running;

  it('takes over under traffic', async () => {
    expect(await previous.command('migrate')).toMatchObject({ code: 0 });
    const site = ['--site-name', 'Shop', '--site-url', 'https://shop.example'];
    const account = ['merchant:create', '--email', EMAIL, '--password', PASSWORD, ...site];
    expect(await previous.command(...account)).toMatchObject({ code: 0 });
    old = await previous.start();
    traffic = await furnish(old.apiUrl);
    traffic.apis = [old.apiUrl];
    traffic.begin(CLIENTS);
    becomingDue = becomeDue();
    await goOn();
    const [before] = await dataSource.query<[{ count: number }]>(`SELECT count(*)::int AS count FROM migrations`);
    const migrated = await present.command('migrate');
    expect(migrated).toEqual({ code: 0, output: expect.stringContaining('"Migrations":["') });
    const [after] = await dataSource.query<[{ count: number }]>(`SELECT count(*)::int AS count FROM migrations`);
    expect(after.count).toBeGreaterThan(before.count);
    await goOn();
    fresh = await present.start();
    traffic.apis = [old.apiUrl, fresh.apiUrl];
    await goOn();
    await retire(old);
    await goOn();
    expect(traffic.faults).toEqual([]);
  });

  it('goes back under traffic: the old programs work on the migrated database', async () => {
    old = await previous.start();
    traffic.apis = [fresh.apiUrl, old.apiUrl];
    await goOn();
    await retire(fresh);
    await goOn();
    expect(traffic.faults).toEqual([]);
  });

  it('and forward again; then every cycle that became due was charged once, and nothing is lost', async () => {
    fresh = await present.start();
    traffic.apis = [old.apiUrl, fresh.apiUrl];
    await goOn();
    await retire(old);
    await goOn();
    ends = true;
    await traffic.end();
    await becomingDue;
    await until(async () => (await completed()) === due.length, 60_000);
    expect(traffic.faults).toEqual([]);
    expect(gateway.ledger.doubles()).toEqual([]);
    expect(gateway.ledger.charges.map(({ scheduledOrderId }) => scheduledOrderId).sort((a, b) => a - b)).toEqual(
      [...due].sort((a, b) => a - b),
    );
    expect(new Set(gateway.ledger.charges.map(({ amount }) => amount))).toEqual(new Set(['25.00']));
    expect(traffic.requests).toBeGreaterThan(500);
    expect(due.length).toBeGreaterThan(60);
    expect(traffic.slowestMs).toBeLessThan(10_000);
    await assertInvariants(
      { query: (sql: string, values?: unknown[]) => dataSource.query(sql, values) } as never,
      gateway.ledger,
    );
  });

  it('when a migration asks for the new version, the old programs refuse, and say so', async () => {
    const token = { token: traffic.stock.token };
    await dataSource.query(`UPDATE minimum_version SET schema_version = 2`);
    const refusal =
      /This process is too old for the database, which needs schema version 2 or newer; this one has 1: deploy the newer version\./;
    old = await previous.start('listening');
    const ready = await requestTo(old.apiUrl)('GET', '/health/ready');
    expect([ready.status, JSON.stringify(ready.body)]).toEqual([503, expect.stringMatching(refusal)]);
    const listed = await requestTo(old.apiUrl)('GET', '/api/Products', token);
    expect([listed.status, JSON.stringify(listed.body)]).toEqual([503, expect.stringMatching(refusal)]);
    await until(() => refusal.test(old.worker.output()));
    expect(await previous.command('cycles:stuck')).toEqual({ code: 1, output: expect.stringMatching(refusal) });
    expect((await requestTo(fresh.apiUrl)('GET', '/api/Products', token)).status).toBe(200);
  });
});
