import 'reflect-metadata';
import helmet from '@fastify/helmet';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLog } from '#libs/config';
import { AppModule } from './app.module.js';
import { sendAnswers } from './http/answer.js';
import type { Given } from './http/core.module.js';
import { ProblemFilter } from './http/problem.filter.js';
import { acceptJsonOnly, createAdapter, nameRequests } from './server.js';
import { allowOrigins } from './system/cors.js';
import { serveMetrics } from './system/metrics.js';
import { serveOpenApi } from './system/openapi.js';
import { servePages } from './system/pages.js';

/** Swagger UI's own files and inline styles; nothing from elsewhere, and no upgrade of plain http on the loopback. */
const CONTENT_SECURITY_POLICY = {
  directives: {
    'img-src': [`'self'`, 'data:'],
    'style-src': [`'self'`, `'unsafe-inline'`],
    'upgrade-insecure-requests': null,
  },
};

/** The whole API, initialised, ready to listen. */
export async function createApp(given: Given): Promise<NestFastifyApplication> {
  const { settings, log } = given;
  const problems = new ProblemFilter(log, settings.publicUrl ?? '');
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(given),
    createAdapter(settings, problems),
    { logger: new NestLog(log), bodyParser: false, abortOnError: false },
  );
  const server = app.getHttpAdapter().getInstance();
  await server.register(helmet, { contentSecurityPolicy: CONTENT_SECURITY_POLICY });
  nameRequests(server, log);
  acceptJsonOnly(server);
  sendAnswers(server);
  serveMetrics(server);
  servePages(server);
  allowOrigins(app, settings);
  app.useGlobalFilters(problems);
  serveOpenApi(app, settings.publicUrl ?? '');
  await app.init();
  await server.ready();
  return app;
}
