import { resolve } from 'node:path';
import { loadSettings, startEmbeddedDatabase, type Environment } from '#libs/config';
import { connect } from '../database.js';
import { prepareDemo, type Demo } from '../demo/demo-account.js';
import { fillDemo } from '../demo/fill-demo.js';
import { migrate } from '../migrate.js';
import { remark } from '../output.js';
import { Refusal } from '../refusal.js';
import { greeting } from './greeting.js';
import { Interrupted, onInterruption } from './interruption.js';
import { chooseAddresses, innerUrl, shownUrl } from './ports.js';
import { untilReady } from './readiness.js';
import { startService, type Ending, type Service } from './service.js';

/** What a stopping process may take beyond its own grace before it is killed. */
const MARGIN_MS = 5_000;

interface Running {
  readonly databaseUrl: string;
  readonly encryptionKey: string | undefined;
  /** Resolves when the database ends under our feet. */
  readonly exited: Promise<Ending>;
  stop(): Promise<void>;
}

async function startDatabase(env: Environment, dataDir: string): Promise<Running> {
  if ((env.DATABASE_URL ?? '').trim() !== '') {
    const forEver = new Promise<Ending>(() => undefined);
    return {
      databaseUrl: env.DATABASE_URL!.trim(),
      encryptionKey: undefined,
      exited: forEver,
      stop: () => Promise.resolve(),
    };
  }
  const embedded = await startEmbeddedDatabase(dataDir);
  if (embedded.note !== undefined) remark(embedded.note);
  return {
    databaseUrl: embedded.databaseUrl,
    encryptionKey: embedded.encryptionKey,
    exited: embedded.exited.then(() => `The embedded database stopped; its log is ${embedded.logFile}.`),
    stop: () => embedded.stop(),
  };
}

async function prepare(databaseUrl: string, wantsDemo: boolean, now: Date): Promise<Demo | undefined> {
  const database = await connect(databaseUrl);
  try {
    await migrate(database);
    return wantsDemo ? await prepareDemo(database, now) : undefined;
  } finally {
    await database.destroy();
  }
}

/**
 * Everything in one terminal: a database unless DATABASE_URL names one, the schema, on the first start a demo, API and
 * worker. Ends when somebody asks it to, or when one of them ends; then all the others are stopped.
 * @returns the exit code.
 */
export async function runEverything(env: Environment, demoWanted: boolean): Promise<number> {
  const isEmbedded = (env.DATABASE_URL ?? '').trim() === '';
  const settings = loadSettings(env, isEmbedded ? ['databaseUrl', 'encryptionKeys'] : []);
  const interruption = onInterruption();
  const unlessInterrupted = <T>(work: Promise<T>) => Promise.race([work, interruption.promise]);
  let database: Running | undefined;
  const services: Service[] = [];
  try {
    const addresses = await chooseAddresses(settings, env);
    database = await startDatabase(env, settings.dataDir);
    const demo = await unlessInterrupted(prepare(database.databaseUrl, isEmbedded || demoWanted, new Date()));
    const childEnv = {
      LOG_FORMAT: 'text',
      ...env,
      DATABASE_URL: database.databaseUrl,
      ENCRYPTION_KEY: env.ENCRYPTION_KEY?.trim() || database.encryptionKey,
      HOST: addresses.host,
      PORT: String(addresses.port),
      WORKER_PORT: String(addresses.workerPort),
    };
    const ended = database.exited.then(fail);
    const launch = async (app: 'api' | 'worker', port: number) => {
      const service = startService(app, childEnv);
      services.push(service);
      await Promise.race([untilReady(innerUrl(addresses.host, port), service.name), service.exited.then(fail), ended]);
    };
    const api = launch('api', addresses.port);
    if (demo?.isToBeFilled === true) {
      // The worker comes after: what is due then is processed before the reader's eyes.
      await unlessInterrupted(api);
      await unlessInterrupted(fillDemo(innerUrl(addresses.host, addresses.port), new Date()));
    }
    await unlessInterrupted(Promise.all([api, launch('worker', addresses.workerPort)]));
    process.stdout.write(
      greeting({
        apiUrl: shownUrl(addresses.host, addresses.port),
        workerUrl: shownUrl(addresses.host, addresses.workerPort),
        hasDemoLogin: demo?.hasKnownLogin === true,
        dataDir: isEmbedded ? resolve(settings.dataDir) : undefined,
      }),
    );
    return await unlessInterrupted(Promise.race([...services.map(({ exited }) => exited.then(fail)), ended]));
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode;
    throw error;
  } finally {
    await Promise.all(
      services.map((service) => service.stop(settings.shutdownGraceMs + MARGIN_MS, interruption.again)),
    );
    await database?.stop();
  }
}

function fail(ending: Ending): never {
  throw new Refusal(ending);
}
