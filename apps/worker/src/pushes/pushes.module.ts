import { Module } from '@nestjs/common';
import type { ConnectionPool } from '#libs/platform';
import { GuardsModule } from '../guards/guards.module.js';
import { Metrics } from '../metrics/metrics.js';
import { DISPATCH_POOL } from '../tokens.js';
import { Places } from './places.js';
import { PushMetrics } from './push-metrics.js';
import { Pusher } from './pusher.js';
import { Pushes } from './pushes.js';

const metrics = {
  provide: PushMetrics,
  inject: [DISPATCH_POOL, Places, Metrics],
  useFactory: (pool: ConnectionPool, places: Places, metrics: Metrics) =>
    metrics.also(new PushMetrics(pool, places, metrics.registry)),
};

/** Brings charged Orders into the shops: a role of the worker (WORKER_ROLES). */
@Module({ imports: [GuardsModule], providers: [Places, metrics, Pusher, Pushes], exports: [Pushes] })
export class PushesModule {}
