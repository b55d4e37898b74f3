import { Module } from '@nestjs/common';
import { AddressRule, type ConnectionPool, OutboundClient, type OutboundOptions, type Settings } from '#libs/platform';
import { GuardsModule } from '../guards/guards.module.js';
import { Metrics } from '../metrics/metrics.js';
import { DISPATCH_POOL, OUTBOUND, SETTINGS } from '../tokens.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { Dispatcher } from './dispatcher.js';
import { InFlight } from './in-flight.js';
import { Sender } from './sender.js';

const client = {
  provide: OutboundClient,
  inject: [SETTINGS, OUTBOUND],
  useFactory: ({ outboundAllowedAddresses }: Settings, options: OutboundOptions) =>
    new OutboundClient(new AddressRule(outboundAllowedAddresses), options),
};
const metrics = {
  provide: DispatchMetrics,
  inject: [DISPATCH_POOL, InFlight, Metrics],
  useFactory: (pool: ConnectionPool, inFlight: InFlight, metrics: Metrics) =>
    metrics.also(new DispatchMetrics(pool, inFlight, metrics.registry)),
};

/** Sends events to webhook endpoints: a role of the worker (WORKER_ROLES). */
@Module({
  imports: [GuardsModule],
  providers: [client, InFlight, metrics, Sender, Dispatcher],
  exports: [Dispatcher],
})
export class DispatcherModule {}
