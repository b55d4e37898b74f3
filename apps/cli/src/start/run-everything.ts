import { setTimeout as pause } from 'node:timers/promises';
import { type Environment, loadSettings, passDemoLogin, type Settings, startEmbeddedDatabase } from '#libs/platform';
import { assertDirect, connect, connectDataSource, type DatabasePlace } from '../database.js';
import { type Demo, DEMO_EMAIL, DEMO_PASSWORD, prepareDemo } from '../demo/demo-account.js';
import { fillDemo } from '../demo/fill-demo.js';
import { openShop } from '../demo/open-shop.js';
import type { PackingShop } from '../demo/packing-shop.js';
import type { Year } from '../demo/year/find-year.js';
import { liveInBackground } from '../demo/year/in-background.js';
import { migrate } from '../migrate/migrate.js';
import { remark } from '../output.js';
import { Refusal } from '../refusal.js';
import { greeting } from './greeting.js';
import { Interrupted, onInterruption } from './interruption.js';
import { type Addresses, chooseAddresses, innerUrl, shownUrl } from './ports.js';
import { type Ending, type Service, startService } from './service.js';

/** How long a stopping process may take after its own grace period before it is killed. */
const MARGIN_MS = 5_000;

interface Running {
  readonly databaseUrl: string;
  readonly encryptionKey: string | undefined;
  readonly dataFolder: string | undefined;
  /** Resolves when the database ends unexpectedly. */
  readonly exited: Promise<Ending>;
  stop(): Promise<void>;
}

async function startDatabase(env: Environment, dataDir: string): Promise<Running> {
  if ((env.DATABASE_URL ?? '').trim() !== '') {
    const forEver = new Promise<Ending>(() => undefined);
    return {
      databaseUrl: env.DATABASE_URL!.trim(),
      encryptionKey: undefined,
      dataFolder: undefined,
      exited: forEver,
      stop: () => Promise.resolve(),
    };
  }
  const embedded = await startEmbeddedDatabase(dataDir, (folder) =>
    remark(`First start: making a database in ${folder}. Everything runs in about half a minute.`),
  );
  if (embedded.note !== undefined) remark(embedded.note);
  return {
    databaseUrl: embedded.databaseUrl,
    encryptionKey: embedded.encryptionKey,
    dataFolder: embedded.dataFolder,
    exited: embedded.exited.then(() => `The embedded database stopped; its log is ${embedded.logFile}.`),
    stop: () => embedded.stop(),
  };
}

async function prepare(place: DatabasePlace, wantsDemo: boolean, now: Date): Promise<Demo | undefined> {
  assertDirect(place);
  const dataSource = await connectDataSource(place);
  await migrate(dataSource).finally(() => dataSource.destroy());
  if (!wantsDemo) return undefined;
  const database = await connect(place);
  return prepareDemo(database, now).finally(() => database.end());
}

function fail(ending: Ending): never {
  throw new Refusal(ending);
}

/** The running processes, in the order of their start. */
interface Started {
  database: Running | undefined;
  readonly services: Service[];
  /** That of the demo. */
  shop: PackingShop | undefined;
  /** Ends what the demo is still doing. */
  endDemo: () => Promise<void>;
}

interface Plan {
  readonly env: Environment;
  readonly settings: Pick<Settings, 'host' | 'port' | 'workerPort' | 'dataDir' | 'serveConsole' | 'databasePooler'>;
  readonly wantsDemo: boolean;
  readonly wantsYear: boolean;
  /** Does the work, unless a signal to stop comes before it is done. */
  readonly step: <T>(work: Promise<T>) => Promise<T>;
}

/** Starts API or worker, and waits until it is ready; rejects when it, or the database, ends before. */
async function launch(
  app: 'api' | 'worker',
  url: string,
  env: Environment,
  { database, services }: Started,
): Promise<void> {
  const service = startService(app, env);
  services.push(service);
  const asking = new AbortController();
  try {
    await Promise.race([
      untilReady(url, service.name, asking.signal),
      service.exited.then(fail),
      database!.exited.then(fail),
    ]);
  } finally {
    // One that has ended never becomes ready; asking it would keep this process alive.
    asking.abort();
  }
}

/** The settings of API and worker. */
function childEnvironment(
  env: Environment,
  { host, port, workerPort }: Addresses,
  { databaseUrl, encryptionKey }: Running,
  databasePooler: string,
  hasDemoLogin: boolean,
): Environment {
  return {
    LOG_FORMAT: 'text',
    // A receiver of webhooks that is tried out runs on this machine.
    OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8,::1',
    ...env,
    DATABASE_URL: databaseUrl,
    DATABASE_POOLER: databasePooler,
    ENCRYPTION_KEY: env.ENCRYPTION_KEY?.trim() || encryptionKey,
    // A page that reaches the API under its own name could use the demo's public login.
    ALLOWED_HOSTS: [env.ALLOWED_HOSTS?.trim(), new URL(innerUrl(host, port)).hostname].filter(Boolean).join(','),
    HOST: host,
    PORT: String(port),
    WORKER_PORT: String(workerPort),
    ...passDemoLogin(hasDemoLogin ? { email: DEMO_EMAIL, password: DEMO_PASSWORD } : undefined),
  };
}

/** Starts one after the other, greets, and then waits until one of them ends. */
async function startAll({ env, settings, wantsDemo, wantsYear, step }: Plan, started: Started): Promise<never> {
  const { host, port, workerPort } = await chooseAddresses(settings, env);
  const database = await startDatabase(env, settings.dataDir);
  started.database = database;
  const { databaseUrl } = database;
  // The embedded database has no pooler.
  const databasePooler = database.dataFolder === undefined ? settings.databasePooler : 'none';
  const demo = await step(prepare({ databaseUrl, databasePooler }, wantsDemo, new Date()));
  const hasDemoLogin = demo?.hasKnownLogin === true;
  const [apiUrl, workerUrl] = [innerUrl(host, port), innerUrl(host, workerPort)];
  const childEnv = childEnvironment(env, { host, port, workerPort }, database, databasePooler, hasDemoLogin);
  remark('Starting the API and a worker.');
  const api = launch('api', apiUrl, childEnv, started);
  let year: Year | undefined = demo?.year;
  // The worker starts later, so that its Orders find the shop, and the user sees how due orders are processed.
  if (demo !== undefined) await step(api);
  if (hasDemoLogin) started.shop = await step(openShop(apiUrl, settings.dataDir, demo.isToBeFilled));
  if (demo?.isToBeFilled === true) {
    remark('Filling the demo shop.');
    const siteId = await step(fillDemo(apiUrl, new Date()));
    year = { siteId, isOver: false };
  }
  await step(Promise.all([api, launch('worker', workerUrl, childEnv, started)]));
  process.stdout.write(
    greeting({
      apiUrl: shownUrl(host, port),
      workerUrl: shownUrl(host, workerPort),
      hasConsole: settings.serveConsole,
      hasDemoLogin,
      shopUrl: started.shop?.pageUrl,
      year,
      wantsYear,
      dataFolder: database.dataFolder,
    }),
  );
  if (wantsYear && hasDemoLogin && year?.isOver === false) started.endDemo = liveInBackground(apiUrl, year.siteId);
  const endings = [...started.services, database].map(({ exited }) => exited.then(fail));
  return step(Promise.race(endings));
}

interface DemoOptions {
  /** Also in the user's own database. */
  readonly demo: boolean;
  /** Whether its simulated shop gets a year of orders. */
  readonly demoYear: boolean;
}

/**
 * Everything in one terminal: a database unless DATABASE_URL names one, the schema, on the first start a demo, API and
 * worker. It ends after a signal, or when one of them ends; then all others are stopped.
 * @returns the exit code.
 */
export async function runEverything(env: Environment, { demo, demoYear }: DemoOptions): Promise<number> {
  const isEmbedded = (env.DATABASE_URL ?? '').trim() === '';
  const settings = loadSettings(env, isEmbedded ? ['databaseUrl', 'encryptionKeys'] : []);
  const interruption = onInterruption();
  const step = <T>(work: Promise<T>) => Promise.race([work, interruption.promise]);
  const started: Started = { database: undefined, services: [], shop: undefined, endDemo: () => Promise.resolve() };
  try {
    return await startAll({ env, settings, wantsDemo: isEmbedded || demo, wantsYear: demoYear, step }, started);
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode;
    throw error;
  } finally {
    await started.endDemo();
    const graceMs = settings.shutdownGraceMs + MARGIN_MS;
    await Promise.all(started.services.map((service) => service.stop(graceMs, interruption.again)));
    started.shop?.close();
    await started.database?.stop();
  }
}

const LIMIT_MS = 60_000;
const POLL_MS = 50;

/** Waits until the process at `url` says that it is ready, or `end` says that nobody waits any more. */
export async function untilReady(url: string, name: string, end: AbortSignal): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const signal = AbortSignal.any([end, AbortSignal.timeout(5_000)]);
    const answer = await fetch(`${url}/health/ready`, { signal }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true || end.aborted) return;
    await pause(POLL_MS);
  }
  throw new Refusal(`${name} did not become ready within ${LIMIT_MS / 1_000} seconds.`);
}
