import { Module } from '@nestjs/common';
import { Gateways } from '#libs/gateways';
import { Metrics } from '../metrics/metrics.js';
import { LOG, SETTINGS } from '../tokens.js';
import { GatewayClocks } from './gateway-clocks.js';
import { GatewayTime } from './gateway-time.js';
import { Integrations } from './integrations.js';
import { watchedGateways } from './watched-gateways.js';

const gateways = { provide: Gateways, inject: [SETTINGS, LOG, Metrics, GatewayClocks], useFactory: watchedGateways };

/** The payment integrations, their gateways, and the gateways' clocks. */
@Module({
  providers: [GatewayClocks, GatewayTime, gateways, Integrations],
  exports: [GatewayClocks, GatewayTime, Gateways, Integrations],
})
export class GatewaysModule {}
