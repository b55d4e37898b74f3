import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { checkTables } from '#libs/entities';
import {
  boot,
  checkSession,
  connectWithRetry,
  databaseSentence,
  DecryptionError,
  EXIT_CONFIGURATION,
  listeningUrl,
  listenSentence,
  NestLog,
  productVersion,
  readEnvironment,
  readOptions,
  startTracing,
  Vault,
} from '#libs/platform';
import { assertEncryptionKeys } from '#libs/records';
import { createPool } from './database/pool.js';
import { armFailpoints } from './failpoints.js';
import { within } from './operations/within.js';
import { Worker } from './worker.js';
import { WorkerModule } from './worker.module.js';

const CONNECTIONS = 8;
/**
 * Of the dispatcher, besides: webhooks never wait for processing, nor the other way round. They are made when they are
 * needed.
 */
const DISPATCH_CONNECTIONS = 4;
/** The longest wait for a connection that does not answer. */
const LONGEST_END_MS = 1_000;
const EXIT_FAILURE = 1;

const { once } = readOptions(
  'worker',
  'Processes the orders that are due and sends webhooks, again and again, until it is stopped.',
  {
    '--once': 'processes and sends what is due now, and ends',
  },
);
const { settings, log } = boot('worker');
armFailpoints(log);
const stopTracing = await startTracing({
  endpoint: settings.tracesEndpoint,
  environment: readEnvironment,
  service: 'scheduled-orders-worker',
  version: productVersion(),
  log,
});
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());

const poolOf = (connections: number) =>
  createPool({
    url: settings.databaseUrl,
    pooler: settings.databasePooler,
    connections,
    longestPauseMs: settings.claimLeaseMs,
    onLost: (error) => log.debug({ err: error }, 'A connection to the database has ended.'),
  });
const [pool, dispatchPool] = [poolOf(CONNECTIONS), poolOf(DISPATCH_CONNECTIONS)];

try {
  await run();
} catch (error) {
  if (!stopping.signal.aborted) fail(databaseSentence(error, settings.databaseUrl));
}
await within(LONGEST_END_MS, Promise.all([pool.end(), dispatchPool.end()])).catch(() => undefined);
await stopTracing?.();
process.exit(0);

async function run(): Promise<void> {
  const { databaseUrl, processorCron, workerPort, host } = settings;
  const { signal } = stopping;
  await connectWithRetry(() => checkSession(pool), { databaseUrl, log, signal });
  await connectWithRetry(() => checkTables(pool), { databaseUrl, log, signal });
  await connectWithRetry(checkKeys, { databaseUrl, log, signal });
  const worker = new Worker(settings, log, pool, { dispatchPool });
  if (once === true) {
    const isDone = await Promise.race([worker.drain(), aborted()]);
    if (signal.aborted) return worker.stop();
    if (worker.refusal !== null) fail('Nothing was charged.');
    return isDone === true ? undefined : fail('Not everything that was due could be processed.');
  }
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkerModule.of(worker, processorCron),
    new FastifyAdapter(),
    { logger: new NestLog(log), abortOnError: false },
  );
  try {
    await app.listen(workerPort, host);
  } catch (error) {
    fail(listenSentence(error, 'WORKER_PORT', host, workerPort));
  }
  worker.start();
  const url = listeningUrl(app.getHttpServer());
  log.info(`The worker ${worker.id} processes due orders; its health and metrics are at ${url}.`);
  await aborted();
  log.info('The worker stops.');
  await worker.stop();
  await app.close();
}

async function checkKeys(): Promise<void> {
  try {
    await assertEncryptionKeys(pool, Vault.fromSetting(settings.encryptionKeys));
  } catch (error) {
    if (error instanceof DecryptionError) fail(error.message, EXIT_CONFIGURATION);
    throw error;
  }
}

function aborted(): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.signal.aborted) resolve();
    else stopping.signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function fail(sentence: string, code = EXIT_FAILURE): never {
  log.fatal(sentence);
  process.exit(code);
}
