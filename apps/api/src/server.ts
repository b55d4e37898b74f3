import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Logger, Settings } from '#libs/config';
import { answerClientErrors } from './http/client-errors.js';
import type { ProblemFilter } from './http/problem.filter.js';

const MIB = 1024 * 1024;
const REQUEST_ID = /^[\w.:-]{1,64}$/;

/** A client that sends or reads nothing for so long is gone. */
const IDLE_MS = 60_000;
/** A request that has not fully arrived by then is an attack, or hopeless. */
const ARRIVAL_MS = 30_000;
/** How often that is looked at. */
const CHECK_MS = 2_000;

/** Fastify with the limits of this service. It logs nothing itself: whatever matters passes the hooks below or the filter of problems. */
export function createAdapter(settings: Settings, problems: ProblemFilter): FastifyAdapter {
  return new FastifyAdapter({
    logger: false,
    // Nest's own middleware is not used, and its machinery costs every request.
    skipMiddie: true,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    trustProxy: settings.trustProxy.length === 0 ? false : [...settings.trustProxy],
    bodyLimit: MIB,
    requestTimeout: ARRIVAL_MS,
    connectionTimeout: IDLE_MS,
    http: { headersTimeout: ARRIVAL_MS, connectionsCheckingInterval: CHECK_MS, maxHeaderSize: 16 * 1024 },
    clientErrorHandler: answerClientErrors(settings.publicUrl ?? ''),
    forceCloseConnections: 'idle',
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      problems.answer(error, request, reply),
  } as FastifyServerOptions);
}

/** Every answer names its request, and every request leaves a line for whoever looks for it. */
export function nameRequests(server: FastifyInstance, log: Logger): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  if (!log.isLevelEnabled('debug')) return;
  server.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, url } = request;
    log.debug({ requestId, method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
    done();
  });
}
