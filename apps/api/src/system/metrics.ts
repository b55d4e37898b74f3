import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Requests by route and status, and the process itself, at /metrics. */
export function serveMetrics(server: FastifyInstance): void {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [register],
  });
  const children = new Map<string, Histogram.Internal<string>>();
  server.addHook('onResponse', (request, reply, done) => {
    const labels = [request.method, request.routeOptions.url ?? 'none', String(reply.statusCode)];
    const key = labels.join(' ');
    const child = children.get(key) ?? duration.labels(...labels);
    children.set(key, child);
    child.observe(reply.elapsedTime / 1000);
    done();
  });
  server.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
}
