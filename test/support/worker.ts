import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type INestApplicationContext, Logger, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { adoptDeployment, readDeployment } from '#libs/ledger';
import { createLogger, loadSettings, Vault } from '#libs/platform';
import type { WorkerContext } from '../../apps/worker/src/core.module.js';
import { createPool, type PoolSettings } from '../../apps/worker/src/database/pool.js';
import { WorkGuard } from '../../apps/worker/src/guards/work-guard.js';
import { Metrics } from '../../apps/worker/src/metrics/metrics.js';
import { Worker } from '../../apps/worker/src/worker.js';
import { WorkerModule } from '../../apps/worker/src/worker.module.js';
import type { TestDatabase } from './database.js';
import { given } from './given.js';
import { machine } from './machine.js';
import { givePool, takePool } from './postgres/kept-pools.js';
import { until } from './until.js';

export const ENCRYPTION_KEY = 'c0ffee'.padEnd(64, '0');
export const vault = Vault.fromSetting(ENCRYPTION_KEY);

/** A new `ApiKey1` of an integration, as it is stored. */
export const encryptedKey = (integrationId: number, apiKey1: string): string =>
  vault.encrypt(apiKey1, { table: 'payment_integrations', column: 'api_key1', row: [integrationId] });

const DIST = join(__dirname, '../..', process.env.TEST_DIST ?? 'dist');

export type WorkerEnvironment = Readonly<Record<string, string>>;

function environment(database: { url: string }, env: WorkerEnvironment): Record<string, string> {
  // The stand-ins show a charge at once, unless a test says otherwise.
  const ours = { LOG_LEVEL: 'warn', LOG_FORMAT: 'text', GATEWAY_LIST_LAG: 'PT0S' };
  return { DATABASE_URL: database.url, ENCRYPTION_KEY, ...ours, ...env };
}

/** A worker in the test's own process, which processes when it is told to. */
export interface TestWorker {
  /** All that is due now, to the end. */
  drain(): Promise<void>;
  /** From now on it works by itself. */
  start(): Promise<void>;
  /** The cron's call. */
  tick(): Promise<void>;
  part<Part>(type: Type<Part>): Promise<Part>;
  /** As Prometheus reads them. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
  end(): Promise<void>;
}

// Nest tells how each context is made: to whoever made the last application of the process, such as the API.
Logger.overrideLogger(false);

export const workerContext = (given: WorkerContext): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(WorkerModule.with(given), { abortOnError: false });

export function createWorker(
  database: { url: string },
  env: WorkerEnvironment = {},
  poolSettings: Partial<PoolSettings> = {},
  options: Pick<WorkerContext, 'dispatchPool' | 'outbound'> = {},
  logTo?: NodeJS.WritableStream,
): TestWorker {
  const settings = loadSettings(environment(database, { LOG_LEVEL: 'silent', ...env }));
  const { databaseUrl: url, databasePooler: pooler } = settings;
  const isUsual = pooler === 'none' && Object.keys(poolSettings).length === 0;
  const pool =
    (isUsual && takePool(url)) || createPool({ url, pooler, connections: 4, onLost: () => undefined, ...poolSettings });
  const log = createLogger('worker', settings, logTo);
  const context = workerContext({ settings, log, pool, ...options });
  const part = async <Part>(type: Type<Part>) => (await context).get(type, { strict: false });
  const stop = async () => (await context).close();
  return {
    drain: async () => void (await (await part(Worker)).drain()),
    start: async () => (await part(Worker)).start(),
    tick: async () => (await part(Worker)).tick(),
    part,
    metrics: async () => (await part(Metrics)).text(),
    stop,
    end: async () => {
      await stop();
      await (isUsual ? givePool(url, pool) : pool.end());
    },
  };
}

/**
 * All that is due now, to the end, by a worker in the test's own process: `--once` without the second or two of
 * processor time that a process takes to begin.
 * @returns what it logged.
 */
export async function drainOnce(database: { url: string }, env: WorkerEnvironment = {}): Promise<string> {
  const log = new PassThrough();
  const made = createWorker(database, { LOG_LEVEL: 'info', ...env }, {}, {}, log);
  try {
    expect(await (await made.part(Worker)).drain()).toBe(true);
    expect((await made.part(WorkGuard)).refusal).toBeNull();
  } finally {
    await made.end();
  }
  return String(log.read() ?? '');
}

/** What a worker in the test's own process does by itself, until all of it is done. */
export async function workUntil(
  database: { url: string },
  isDone: () => Promise<boolean>,
  env: WorkerEnvironment = {},
): Promise<void> {
  const worker = createWorker(database, env);
  try {
    await worker.start();
    await until(isDone);
  } finally {
    await worker.end();
  }
}

/** The database as a worker that has looked at it knows it. */
export const knownDatabase = (database: TestDatabase) => readDeployment(database.pool, undefined);

/**
 * Adopts the database, as if a minute ago: for twice the time-out after it nothing is charged, because something may be
 * under way.
 */
export async function adoptEarlier(database: TestDatabase, deploymentId?: string): Promise<void> {
  await adoptDeployment(database.pool, deploymentId);
  await database.query(`UPDATE required_reconciliations SET began_utc = began_utc - interval '1 minute'`);
}

/** What `work` gives while the database looks like a copy of another one. */
export async function asCopy<T>(database: TestDatabase, work: () => Promise<T>): Promise<T> {
  await knownDatabase(database);
  await database.query(`UPDATE deployment SET database_identity = 'another'`);
  try {
    return await work();
  } finally {
    await database.query(`UPDATE deployment SET database_identity = (SELECT database_identity FROM database_here())`);
  }
}

/** A built worker, as it is run for real: a process of its own. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** Of its health and metrics. */
  readonly url: string;
  readonly output: () => string;
  readonly exited: Promise<number | NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts a worker (of the build in `dist`); resolves when it is ready, unless `args` say that it is to end by itself.
 */
export async function startWorker(
  database: { url: string },
  env: WorkerEnvironment = {},
  args: readonly string[] = [],
  dist = DIST,
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [join(dist, 'apps/worker/src/main.js'), ...args], {
    env: {
      ...machine(),
      ...environment(database, { HOST: '127.0.0.1', WORKER_PORT: '0', LOG_LEVEL: 'info', ...env }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => {
      started.delete(child);
      resolve(signal ?? code);
    }),
  );
  const address = () => /metrics are at (http:\S+[^.\s])/.exec(output)?.[1] ?? '';
  if (args.length === 0) {
    await until(() => address() !== '' || child.exitCode !== null || child.signalCode !== null);
  }
  return { child, url: address(), output: () => output, exited, kill: (signal) => void child.kill(signal) };
}

const started = new Set<ChildProcess>();

/** Ends whatever a test has left running. */
export async function stopWorkers(): Promise<void> {
  const ended = [...started].map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of started) child.kill('SIGKILL');
  await Promise.all(ended);
}

/** A shop with everything that processing needs. */
export interface GivenShop {
  readonly siteId: number;
  readonly customerId: number;
  readonly productId: number;
  readonly integrationId: number;
  readonly tokenAuth: string;
  /** Active orders that have been due for an hour, monthly: one item of 12.50 each, unless said otherwise. */
  readonly dueOrders: (count: number, values?: Record<string, unknown>) => Promise<number[]>;
  readonly dueOrder: (values?: Record<string, unknown>) => Promise<number>;
}

export interface ShopValues {
  readonly type?: 'GatewayOne' | 'GatewayTwo';
  readonly apiAccount?: string | null;
  readonly apiKey1?: string;
}

export async function givenShop(database: TestDatabase, values: ShopValues = {}): Promise<GivenShop> {
  const { type = 'GatewayOne', apiAccount = null, apiKey1 = 'sandbox' } = values;
  const make = given(database);
  const { siteId, tokenAuth } = await make.merchant();
  const customerId = await make.customer(siteId, { billingCity: 'Lyon', billingCountry: 'FR' });
  const productId = await make.product(siteId, { title: 'Coffee' });
  const integrationId = await make.integration(vault, siteId, { paymentMethodType: type, apiAccount, apiKey1 });
  /** Due when they are whole, and all at once: a worker may be running. */
  async function dueOrders(count: number, values: Record<string, unknown> = {}): Promise<number[]> {
    // One instant: some tests compare the two.
    const hourAgo = new Date(Date.now() - 3_600_000);
    const { nextOccurrenceUtc = hourAgo, ...orderValues } = values;
    const id = await make.scheduledOrder(siteId, customerId, {
      nextOccurrenceUtc: new Date(Date.now() + 86_400_000),
      scheduleAnchorUtc: hourAgo,
      paymentMethodType: type,
      paymentMethodCustomerId: type === 'GatewayOne' ? 'cus_1' : '1001',
      paymentMethodId: type === 'GatewayOne' ? 'pm_card' : '2001',
      shippingFirstName: 'Ada',
      shippingCity: 'Paris',
      shippingCountry: 'FR',
      ...orderValues,
    });
    const copies = count === 1 ? [] : await make.copiesOf(id, count - 1);
    const ids = [id, ...copies];
    await database.query(
      `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
       SELECT $1, order_id, $2, 12.50, 1 FROM unnest($3::bigint[]) AS order_id`,
      [siteId, productId, ids],
    );
    await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = $2 WHERE id = ANY($1::bigint[])`, [
      ids,
      nextOccurrenceUtc,
    ]);
    return ids;
  }
  return {
    siteId,
    customerId,
    productId,
    integrationId,
    tokenAuth,
    dueOrders,
    dueOrder: async (orderValues) => (await dueOrders(1, orderValues))[0]!,
  };
}
