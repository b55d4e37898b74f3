import { Module } from '@nestjs/common';
import type { ConnectionPool } from '#libs/platform';
import { GuardsModule } from '../guards/guards.module.js';
import { Metrics } from '../metrics/metrics.js';
import { DISPATCH_POOL } from '../tokens.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { Dispatcher } from './dispatcher.js';
import { InFlight } from './in-flight.js';
import { Sender } from './sender.js';

const metrics = {
  provide: DispatchMetrics,
  inject: [DISPATCH_POOL, InFlight, Metrics],
  useFactory: (pool: ConnectionPool, inFlight: InFlight, metrics: Metrics) =>
    metrics.also(new DispatchMetrics(pool, inFlight, metrics.registry)),
};

/** Sends events to webhook endpoints: a role of the worker (WORKER_ROLES). */
@Module({
  imports: [GuardsModule],
  providers: [InFlight, metrics, Sender, Dispatcher],
  exports: [Dispatcher],
})
export class DispatcherModule {}
