import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Logger, Settings } from '#libs/platform';
import type { RequestsInFlight } from './http/load/in-flight.js';
import { answerClientErrors } from './http/problems/client-errors.js';
import type { ProblemFilter } from './http/problems/problem.filter.js';
import type { RefusalLog } from './http/problems/refusal-log.js';

const MIB = 1024 * 1024;
const REQUEST_ID = /^[\w.:-]{1,64}$/;

/** A client that sends or reads nothing for this time is gone. */
const IDLE_MS = 60_000;
/** A request that has not arrived completely in this time is an attack, or too slow. */
const ARRIVAL_MS = 30_000;
/** How often this is checked. */
const CHECK_MS = 2_000;

/**
 * Fastify with the limits of this service. It logs nothing itself: the hooks below and the problem filter log
 * everything that matters.
 */
export function createAdapter(
  settings: Settings,
  problems: ProblemFilter,
  refusals: RefusalLog,
  inFlight: RequestsInFlight,
): FastifyAdapter {
  return new FastifyAdapter({
    logger: false,
    serverFactory: (handle: RequestListener, options: FastifyHttpOptions<Server>) =>
      httpServer(inFlight.bound(handle), options),
    // Nest's middleware is not used, and would slow down every request.
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
    clientErrorHandler: answerClientErrors(settings.publicUrl ?? '', refusals),
    forceCloseConnections: 'idle',
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      problems.answer(error, request, reply),
  } as FastifyServerOptions);
}

/** Fastify's default factory. Fastify has no documented way to put something before its own handler. */
function httpServer(handle: RequestListener, options: FastifyHttpOptions<Server>): Server {
  const server = createServer(options.http ?? {}, handle);
  Object.assign(server, { keepAliveTimeout: options.keepAliveTimeout, requestTimeout: options.requestTimeout });
  return server.setTimeout(options.connectionTimeout);
}

/** Every answer has its request id, and every request has a log line (at `debug`). */
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
