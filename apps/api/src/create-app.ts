import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLog, Vault } from '#libs/platform';
import { Database } from '#libs/records';
import { AppModule } from './app.module.js';
import { sendAnswers } from './http/answer.js';
import type { ApiContext } from './http/core.module.js';
import { noteWork } from './http/load/heavy-requests.js';
import { RequestsInFlight } from './http/load/in-flight.js';
import { acceptJsonOnly } from './http/parameters/json-body.js';
import { acceptHosts } from './http/problems/accepted-hosts.js';
import { ProblemFilter } from './http/problems/problem.filter.js';
import { RefusalLog } from './http/problems/refusal-log.js';
import { explainUnknownPaths } from './http/problems/unknown-paths.js';
import { sendToLivingCallers } from './http/standing.js';
import { createAdapter, nameRequests } from './server.js';
import { receiveHooks } from './shops/woocommerce-hooks.js';
import { allowOrigins } from './system/cors.js';
import { Metrics } from './system/metrics.js';
import { serveOpenApi } from './system/openapi/openapi.js';
import { refuseWhenOutdated } from './system/outdated.js';
import { serveConsole } from './system/pages/console.js';
import { DocsSite } from './system/pages/docs-site.js';
import { serveGuides } from './system/pages/guides.js';
import { servePages } from './system/pages/pages.js';
import { traceRequests } from './system/request-traces.js';
import { sendSecurityHeaders } from './system/security-headers.js';

/** Makes the whole API, initialised and ready to listen. */
export async function createApp(context: ApiContext): Promise<NestFastifyApplication> {
  const { settings, log, demoLogin } = context;
  const site = new DocsSite(context.docsFolder);
  const refusals = new RefusalLog(log);
  const problems = new ProblemFilter(log, refusals, settings.publicUrl ?? '');
  const inFlight = new RequestsInFlight(settings.maxRequestsInFlight, settings.publicUrl ?? '');
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(context),
    createAdapter(settings, problems, refusals, inFlight),
    { logger: new NestLog(log), bodyParser: false, abortOnError: false },
  );
  const server = app.getHttpAdapter().getInstance();
  traceRequests(server);
  await sendSecurityHeaders(server);
  nameRequests(server, log);
  acceptHosts(server, settings, problems);
  acceptJsonOnly(server, settings);
  const database = app.get(Database);
  sendAnswers(server, database, settings);
  noteWork(server);
  sendToLivingCallers(server);
  const metrics = app.get(Metrics);
  metrics.count(server, inFlight);
  const isPublic = settings.metricsPort === undefined;
  if (isPublic) metrics.serve(server);
  servePages(server, site);
  await serveGuides(server, site);
  if (settings.serveConsole) await serveConsole(server, { demoLogin });
  await allowOrigins(server, database, settings);
  refuseWhenOutdated(server, database);
  explainUnknownPaths(server);
  receiveHooks(server, { database, vault: app.get(Vault), problems });
  app.useGlobalFilters(problems);
  serveOpenApi(app, settings.publicUrl ?? '', isPublic);
  await app.init();
  await server.ready();
  return app;
}
