import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { databaseSentence, NestLog, readOptions, ServiceProcess } from '#libs/platform';
import { awaitDatabase } from '#libs/records';
import { createPool } from './database/pool.js';
import { armFailpoints } from './failpoints.js';
import { WorkGuard } from './guards/work-guard.js';
import { ServiceModule } from './service.module.js';
import { within } from './within.js';
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

const { once } = readOptions(
  'worker',
  'Processes the orders that are due and sends webhooks, again and again, until it is stopped.',
  {
    '--once': 'processes and sends what is due now, and ends',
  },
);
const service = new ServiceProcess('worker');
const { settings, log } = service;
armFailpoints(log);
await service.begin();

const poolOf = (connections: number) =>
  createPool({
    url: settings.databaseUrl,
    pooler: settings.databasePooler,
    connections,
    longestPauseMs: settings.claimLeaseMs,
    onLost: (error) => log.debug({ err: error }, 'A connection to the database has ended.'),
  });
const [pool, dispatchPool] = [poolOf(CONNECTIONS), poolOf(DISPATCH_CONNECTIONS)];
const nest = { logger: new NestLog(log), abortOnError: false };

try {
  await awaitDatabase(pool, service);
  await (once === true ? drain() : serve());
} catch (error) {
  if (!service.signal.aborted) service.fail(databaseSentence(error, settings.databaseUrl));
}
await within(LONGEST_END_MS, Promise.all([pool.end(), dispatchPool.end()])).catch(() => undefined);
await service.end();
process.exit(0);

async function serve(): Promise<void> {
  const app = await NestFactory.create(ServiceModule.with(service, { pool, dispatchPool }), new FastifyAdapter(), nest);
  await app.init();
  await service.stopped();
  log.info('The worker stops.');
  await app.close();
}

async function drain(): Promise<void> {
  const app = await NestFactory.createApplicationContext(
    WorkerModule.with({ settings, log, pool, dispatchPool }),
    nest,
  );
  const isDone = await Promise.race([app.get(Worker).drain(), service.stopped()]);
  if (service.signal.aborted) return app.close();
  if (app.get(WorkGuard, { strict: false }).refusal !== null) service.fail('Nothing was charged.');
  if (isDone !== true) service.fail('Not everything that was due could be processed.');
}
