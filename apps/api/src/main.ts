import { setTimeout as pause } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import {
  API_SESSIONS,
  type ConnectionPool,
  databaseSentence,
  LONGEST_ANSWER_MS,
  LONGEST_STATEMENT_MS,
  openPool,
  passedDemoLogin,
  readOptions,
  ServiceProcess,
} from '#libs/platform';
import { awaitDatabase, type Replica } from '#libs/records';
import { createApp } from './create-app.js';
import { boundedLists } from './http/load/list-memory.js';
import { openReplica } from './replica.js';
import { Metrics } from './system/metrics.js';

const POOL_SIZE = 20;
/**
 * Time limits, so that no request waits for ever or delays others: for locks, statements, and transactions of a process
 * that hangs.
 */
const SESSION = {
  lock_timeout: '5s',
  statement_timeout: `${LONGEST_STATEMENT_MS}ms`,
  idle_in_transaction_session_timeout: '60s',
};
const SWEEP_MS = 100;
/** The end of a connection to a replica. */
const LONGEST_END_MS = 1_000;

readOptions('api', 'Serves the REST API until it is stopped.');
const service = new ServiceProcess('api');
const { settings, log } = service;
await service.begin();

await run();
const isTraced = await service.end();
// A request to a collector, or a connection to a replica, that does not answer may still be open.
if (isTraced || settings.readDatabaseUrl !== undefined) process.exit(process.exitCode);

async function run(): Promise<void> {
  const pool = await connect();
  if (pool === null) return;
  const demoLogin = passedDemoLogin(process.env, process.ppid);
  const replica = await connectReplica(pool);
  const context = { settings: { ...settings, maxListStreams: boundLists() }, log, pool, replica, demoLogin };
  const app = await createApp(context);
  const metrics = await listenForMetrics(app);
  const url = await service.listen(app.getHttpAdapter().getInstance(), 'PORT', settings.port);
  log.info(`The API listens on ${url}; its documentation is at /docs.`);
  await service.stopped();
  log.info('The API stops.');
  setTimeout(() => service.fail('Requests in flight did not end in time.'), settings.shutdownGraceMs).unref();
  await close(app);
  await metrics?.close();
  // One that is silent delays nobody.
  if (replica) await Promise.race([replica.pool.end(), pause(LONGEST_END_MS, undefined, { ref: false })]);
  await pool.end();
}

/** Null when the process was asked to stop while it waited for the database. */
async function connect(): Promise<ConnectionPool | null> {
  const { databaseUrl: url, databasePooler: pooler } = settings;
  const pool = openPool(
    { url, pooler, applicationName: API_SESSIONS, session: SESSION, longestAnswerMs: LONGEST_ANSWER_MS },
    { connections: POOL_SIZE, pipeline: true },
  );
  try {
    await awaitDatabase(pool, service);
    return pool;
  } catch (error) {
    if (!service.signal.aborted) service.fail(databaseSentence(error, url));
    await pool.end();
    return null;
  }
}

async function connectReplica(pool: ConnectionPool): Promise<Replica | null> {
  const { readDatabaseUrl: url, databasePooler: pooler } = settings;
  if (url === undefined) return null;
  const opened = await openReplica(pool, { url, pooler, session: SESSION }, log);
  return typeof opened === 'string' ? service.fail(opened) : opened;
}

function boundLists(): number {
  const { most, sentence } = boundedLists(settings);
  if (sentence !== null) log.warn(sentence);
  return most;
}

/**
 * Listens before the API itself, so that monitoring works from the first request on. Undefined when /metrics is on the
 * API's own port.
 */
async function listenForMetrics(app: NestFastifyApplication): Promise<FastifyInstance | undefined> {
  const { metricsPort } = settings;
  if (metricsPort === undefined) return undefined;
  const server = app.get(Metrics).ownServer();
  log.info(`The API's metrics are at ${await service.listen(server, 'METRICS_PORT', metricsPort)}/metrics.`);
  return server;
}

/**
 * Connections that were busy when closing began stay open after their answer. They are closed when they become idle.
 */
async function close(app: NestFastifyApplication): Promise<void> {
  const sweep = setInterval(() => app.getHttpServer().closeIdleConnections(), SWEEP_MS);
  await app.close();
  clearInterval(sweep);
}
