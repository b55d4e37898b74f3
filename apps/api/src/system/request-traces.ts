import type { FastifyInstance, FastifyRequest } from 'fastify';
import { activeTracing, type Attributes, type OpenSpan } from '#libs/platform';

declare module 'fastify' {
  interface FastifyRequest {
    /** While traces are on. */
    trace?: OpenSpan;
  }
}

/**
 * Every request that reaches a route, or is refused before it, has a span; its statements are the span's children.
 * Nothing happens while traces are off.
 */
export function traceRequests(server: FastifyInstance): void {
  const tracing = activeTracing();
  if (tracing === null) return;
  server.addHook('onRequest', (request, _reply, done) => {
    request.trace = tracing.answer(request.method, request.headers);
    request.trace.within(done);
  });
  // A body arrives outside of what its request is within.
  server.addHook('preValidation', (request, _reply, done) => within(request, done));
  server.addHook('onResponse', (request, reply, done) => {
    const { trace, method } = request;
    // The log line of the request belongs to it, too.
    within(request, done);
    const route = request.routeOptions.url;
    if (route !== undefined) trace?.rename(`${method} ${route}`);
    const { statusCode } = reply;
    const errorType = statusCode >= 500 ? String(statusCode) : undefined;
    trace?.end({ attributes: attributesOf(request, statusCode), errorType });
  });
}

const within = (request: FastifyRequest, done: () => void) => (request.trace ? request.trace.within(done) : done());

/** Neither the address nor the query: they may have whatever a shop puts there. */
function attributesOf(request: FastifyRequest, status: number): Attributes {
  const query = Object.entries(request.query as object).find(([name]) => name.toLowerCase() === 'siteid');
  return {
    'http.request.method': request.method,
    'http.route': request.routeOptions.url,
    'http.response.status_code': status,
    'request.id': request.id,
    'site.id': idOf(query?.[1]),
    ...idsOf(request.params),
  };
}

const IDS: Readonly<Record<string, string>> = {
  siteId: 'site.id',
  scheduledOrderId: 'scheduled_order.id',
  orderId: 'order.id',
  cycle: 'cycle.number',
};

function idsOf(params: unknown): Attributes {
  const named = Object.entries((params ?? {}) as Readonly<Record<string, unknown>>);
  const ids = named
    .filter(([name]) => IDS[name] !== undefined)
    .map(([name, value]) => [IDS[name]!, idOf(value)] as const);
  return Object.fromEntries(ids);
}

const idOf = (text: unknown) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined);
