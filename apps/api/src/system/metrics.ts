import { Injectable } from '@nestjs/common';
import { fastify, type FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { schemaMetrics } from '#libs/entities';
import { poolMetrics, processMetrics, productVersion, WriteProbe } from '#libs/platform';
import { Database, type Replica } from '#libs/records';
import type { RequestsInFlight } from '../http/load/in-flight.js';
import { unreadyBecause } from './readiness.js';

/**
 * Metrics of requests by route and status, and of the process, at /metrics: on the API's own port, or on METRICS_PORT
 * if it is set.
 */
@Injectable()
export class Metrics {
  readonly register = new Registry();
  private readonly duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by declared route (none: there is no such path) and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10],
    registers: [this.register],
  });

  constructor(database: Database, writes: WriteProbe) {
    processMetrics(this.register, productVersion());
    const { connections: main, replica } = database;
    poolMetrics(this.register, { main, ...(replica !== null && { replica: replica.pool }) });
    this.countReplicaReads(replica);
    schemaMetrics(this.register, database.connections, () => unreadyBecause(database));
    writes.show(this.register);
  }

  /** Counts every request that `server` answers, and those that were refused before it has seen them. */
  count(server: FastifyInstance, inFlight: RequestsInFlight): void {
    this.countInFlight(inFlight);
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

  private countInFlight(inFlight: RequestsInFlight): void {
    const registers = [this.register];
    new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests that are worked on, also those that wait for events.',
      registers,
      collect() {
        this.set(inFlight.counts.working);
      },
    });
    new Gauge({
      name: 'http_requests_in_flight_max',
      help: 'The most requests that may be worked on (MAX_REQUESTS_IN_FLIGHT).',
      registers,
    }).set(inFlight.counts.most);
    new Counter({
      name: 'http_requests_refused_total',
      help: 'Requests that were answered 503 at once, because there was no room for them. No other metric counts them.',
      registers,
      collect() {
        this.reset();
        this.inc(inFlight.counts.refused);
      },
    });
  }

  private countReplicaReads(replica: Replica | null): void {
    new Counter({
      name: 'scheduled_orders_replica_reads_total',
      help: 'Lists and reports of an API with READ_DATABASE_URL, by where they were read: from the primary while the replica is behind, or away.',
      labelNames: ['read_from'],
      registers: [this.register],
      collect() {
        this.reset();
        for (const [place, count] of Object.entries(replica?.counts ?? {})) this.inc({ read_from: place }, count);
      },
    });
  }

  serve(server: FastifyInstance): void {
    const { register } = this;
    server.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
  }

  /**
   * For METRICS_PORT: it answers /metrics and nothing else. An open connection of Prometheus does not delay its stop.
   */
  ownServer(): FastifyInstance {
    const server = fastify({ logger: false, forceCloseConnections: true });
    this.serve(server);
    return server;
  }
}
