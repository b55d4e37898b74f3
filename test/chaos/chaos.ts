import { setMaxListeners } from 'node:events';
import { createDataSource } from '#libs/entities';
import type { TestDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { ChargeLedger } from '../support/gateways/ledger.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY } from '../support/worker.js';
import { repeatedly } from './actor.js';
import { check, type Finding, storyOf } from './check.js';
import { Merchants } from './merchants.js';
import type { ChaosOptions } from './options.js';
import { Person } from './person.js';
import { CrashingPostgres } from './postgres.js';
import { CuttingProxy } from './proxy.js';
import { Random } from './random.js';
import type { ChaosReport } from './report.js';
import { Shopkeepers } from './shopkeepers.js';
import { openShops, type Shop } from './shops.js';
import { Supervisor } from './supervisor.js';
import { Tally } from './tally.js';
import { clearUp, weather } from './weather.js';

const LEASE_MS = 1_500;
const GATEWAY_TIMEOUT_MS = 1_500;
const STORIES = 5;
/** Of actors, for the end: each waits for it. */
const MOST_WAITS = 200;
/** On a machine that has other things to do the numbers take longer to be reached: so many times as long. */
const LONGEST = 3;

export interface ChaosResult {
  readonly report: ChaosReport;
  readonly findings: readonly Finding[];
  /** Of the first orders that something was found about. */
  readonly stories: readonly object[];
  /** Processes that did what they never should. */
  readonly faults: readonly string[];
  readonly database: TestDatabase;
  readonly books: ChargeLedger;
  end(): Promise<void>;
}

type Closings = (() => Promise<unknown>)[];

/** Everything that can go wrong, all at once; then everything comes to rest, and is checked. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const closings: Closings = [];
  const end = async () => {
    for (const close of closings.splice(0).reverse()) await close();
  };
  try {
    return { ...(await run(options, closings)), end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function run(options: ChaosOptions, closings: Closings): Promise<Omit<ChaosResult, 'end'>> {
  const random = (actor: string) => new Random(options.seed, actor);
  const tallies = {
    kills: new Tally(),
    freezes: new Tally(),
    clocks: new Tally(),
    terminations: new Tally(),
    databaseCrashes: new Tally(),
    cuts: new Tally(),
    requests: new Tally(),
    integrations: new Tally(),
    resolutions: new Tally(),
  };
  const postgres = new CrashingPostgres(random('postgres'), tallies.databaseCrashes);
  await postgres.start();
  closings.push(() => postgres.stop());
  const shops = await prepared(postgres, options);
  const gateways = { one: await StripeStandIn.start(), two: await AuthorizeNetStandIn.start() };
  closings.push(() => Promise.all([gateways.one.stop(), gateways.two.stop()]));
  const target = () => addressOf(postgres.url);
  const proxy = new CuttingProxy(target, random('proxy'), tallies.cuts, true);
  const apiProxy = new CuttingProxy(target, random('apiProxy'), tallies.cuts);
  const env = environment(postgres.url, await proxy.listen(), gateways);
  closings.push(() => Promise.all([proxy.stop(), apiProxy.stop()]));
  const lifeMs = (options.workers * options.seconds * 1_000) / options.kills;
  const supervisor = new Supervisor(
    { env, workers: options.workers, leaseMs: LEASE_MS, lifeMs },
    tallies,
    random('supervisor'),
  );
  closings.push(() => supervisor.end());
  const apiEnv = {
    DATABASE_URL: through(postgres.url, await apiProxy.listen()),
    GATEWAY_ONE_URL: gateways.one.url,
    GATEWAY_TWO_URL: gateways.two.url,
  };
  const merchants = new Merchants(apiEnv, shops, random('merchants'), tallies.requests);
  closings.push(() => merchants.end());
  const shopkeepers = new Shopkeepers(merchants, gateways.one, shops, random('shopkeepers'), tallies.integrations);

  await merchants.ready();
  proxy.isCutting = apiProxy.isCutting = true;
  const started = performance.now();
  const ending = new AbortController();
  const over = ending.signal;
  setMaxListeners(MOST_WAITS, over);
  const reached = () => tallies.kills.total >= options.kills && faultsOf(gateways).total >= options.gatewayFaults;
  const betweenCrashesMs = (options.seconds * 1_000) / (options.databaseCrashes + 1);
  await together(ending, [
    supervisor.run(over),
    merchants.run(options.requestsPerSecond, over),
    shopkeepers.run(60_000 / options.integrationsPerMinute, over),
    weather(gateways, options.slowGatewaySeconds * 1_000, random('weather'), over),
    repeatedly(
      over,
      () => betweenCrashesMs * 0.95,
      () => (tallies.databaseCrashes.total < options.databaseCrashes ? postgres.crash() : undefined),
    ),
    repeatedly(
      over,
      () => 100,
      () => {
        const seconds = elapsed(started);
        if (seconds >= options.seconds && (reached() || seconds >= options.seconds * LONGEST)) ending.abort();
      },
    ),
  ]);
  const chaos = elapsed(started);

  proxy.isCutting = apiProxy.isCutting = false;
  clearUp(gateways, random('end'));
  await shopkeepers.mendAll();
  await merchants.end();
  supervisor.calm(2);
  const database = await connect(postgres.url);
  closings.push(() => database.dataSource.destroy());
  const resting = performance.now();
  const books = [gateways.one.ledger, gateways.two.ledger];
  const person = new Person(database, books, tallies.resolutions);
  const settled = async () => {
    await person.settle();
    return (await unsettled(database)) === 0;
  };
  const drained = await until(settled, options.drainSeconds * 1_000).then(
    () => true,
    () => false,
  );
  const drain = elapsed(resting);
  await supervisor.end();

  const all = new ChargeLedger();
  for (const { charges } of books) for (const charge of charges) all.add(charge);
  const findings = await check(database, all.charges, merchants.touched);
  const told = [...new Set(findings.map(({ scheduledOrderId }) => scheduledOrderId))].slice(0, STORIES);
  return {
    database,
    books: all,
    findings,
    stories: await Promise.all(told.map((id) => storyOf(database, all.charges, id))),
    faults: [...supervisor.faults, ...merchants.faults, ...(drained ? [] : ['Not everything came to rest in time.'])],
    report: {
      seed: options.seed,
      orders: await count(database, 'scheduled_orders'),
      ...tallies,
      gatewayFaults: faultsOf(gateways),
      cycles: await cyclesByState(database),
      charges: all.charges.length,
      doubles: findings.filter(({ kind }) => kind === 'double').length,
      losses: findings.filter(({ kind }) => kind === 'loss').length,
      seconds: { chaos, drain, databaseDown: Math.round(postgres.downMs / 100) / 10 },
    },
  };
}

/** When one of them fails, all end. */
async function together(ending: AbortController, actors: readonly Promise<void>[]): Promise<void> {
  try {
    await Promise.all(actors);
  } finally {
    ending.abort();
    await Promise.allSettled(actors);
  }
}

interface StandIns {
  readonly one: StripeStandIn;
  readonly two: AuthorizeNetStandIn;
}

function faultsOf({ one, two }: StandIns): Tally {
  const tally = new Tally();
  for (const { faults } of [one, two]) for (const [fault, times] of faults.met) tally.add(fault, times);
  return tally;
}

async function prepared(postgres: CrashingPostgres, options: ChaosOptions): Promise<Shop[]> {
  const database = await connect(postgres.url);
  await database.dataSource.runMigrations();
  const shops = await openShops(database, options);
  await database.dataSource.destroy();
  return shops;
}

function environment(databaseUrl: string, proxyPort: number, { one, two }: StandIns): Record<string, string> {
  return {
    DATABASE_URL: through(databaseUrl, proxyPort),
    ENCRYPTION_KEY,
    LOG_FORMAT: 'text',
    GATEWAY_ONE_URL: one.url,
    GATEWAY_TWO_URL: two.url,
    GATEWAY_TIMEOUT: `PT${GATEWAY_TIMEOUT_MS / 1_000}S`,
    CLAIM_LEASE: `PT${LEASE_MS / 1_000}S`,
    CLAIM_BATCH: '40',
    PROCESSOR_CRON: '* * * * * *',
    SHUTDOWN_GRACE: 'PT3S',
    PAYMENT_RETRY_SCHEDULE: 'PT1S,PT2S',
    TECHNICAL_RETRY_SCHEDULE: 'PT1S,PT1S,PT2S,PT2S,PT3S,PT3S',
  };
}

async function connect(url: string): Promise<TestDatabase> {
  const dataSource = await until(() =>
    createDataSource({ url, poolSize: 4, applicationName: 'chaos' })
      .initialize()
      .catch(() => null),
  );
  return { url, dataSource, query: (sql, parameters) => dataSource.query(sql, parameters) };
}

function through(databaseUrl: string, proxyPort: number): string {
  const url = new URL(databaseUrl);
  url.port = String(proxyPort);
  return url.href;
}

function addressOf(databaseUrl: string): { host: string; port: number } {
  const { hostname, port } = new URL(databaseUrl);
  return { host: hostname, port: Number(port) };
}

async function unsettled(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: string }>(
    `SELECT (SELECT count(*) FROM processing_cycles WHERE open)
       + (SELECT count(*) FROM scheduled_orders WHERE status = 'Active' AND deleted_utc IS NULL AND next_occurrence_utc <= now()) AS count`,
  );
  return Number(row!.count);
}

async function count(database: TestDatabase, table: string): Promise<number> {
  const [row] = await database.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(row!.count);
}

async function cyclesByState(database: TestDatabase): Promise<Tally> {
  const tally = new Tally();
  const rows = await database.query<{ state: string; count: string }>(
    `SELECT state, count(*) FROM processing_cycles GROUP BY state`,
  );
  for (const { state, count: n } of rows) tally.add(state, Number(n));
  return tally;
}

const elapsed = (since: number): number => Math.round((performance.now() - since) / 100) / 10;
