import { Injectable } from '@nestjs/common';
import { fastify, type FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Metrics of requests by route and status, and of the process, at /metrics: on the API's own port, or on METRICS_PORT if it is set. */
@Injectable()
export class Metrics {
  private readonly register = new Registry();
  private readonly duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.register],
  });

  constructor() {
    collectDefaultMetrics({ register: this.register });
  }

  /** Counts every request that `server` answers. */
  count(server: FastifyInstance): void {
    const children = new Map<string, Histogram.Internal<string>>();
    server.addHook('onResponse', (request, reply, done) => {
      const labels = [request.method, request.routeOptions.url ?? 'none', String(reply.statusCode)];
      const key = labels.join(' ');
      const child = children.get(key) ?? this.duration.labels(...labels);
      children.set(key, child);
      child.observe(reply.elapsedTime / 1000);
      done();
    });
  }

  serve(server: FastifyInstance): void {
    const { register } = this;
    server.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
  }

  /** For METRICS_PORT: it answers /metrics and nothing else. An open connection of Prometheus does not delay its stop. */
  ownServer(): FastifyInstance {
    const server = fastify({ logger: false, forceCloseConnections: true });
    this.serve(server);
    return server;
  }
}
