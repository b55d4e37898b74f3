import { Module } from '@nestjs/common';
import { GuardsModule } from '../guards/guards.module.js';
import { Metrics } from '../metrics/metrics.js';
import { Places } from './places.js';
import { PushMetrics } from './push-metrics.js';
import { Pusher } from './pusher.js';
import { Pushes } from './pushes.js';

const metrics = {
  provide: PushMetrics,
  inject: [Places, Metrics],
  useFactory: (places: Places, metrics: Metrics) => metrics.also(new PushMetrics(places, metrics.registry)),
};

/** Brings charged Orders into the shops: a role of the worker (WORKER_ROLES). */
@Module({ imports: [GuardsModule], providers: [Places, metrics, Pusher, Pushes], exports: [Pushes] })
export class PushesModule {}
