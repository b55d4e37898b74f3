import { Module } from '@nestjs/common';
import { ConnectionPool } from '#libs/platform';
import { GatewaysModule } from '../gateways/gateways.module.js';
import { LOG, SETTINGS } from '../tokens.js';
import { ClockGuard } from './clock-guard.js';
import { DeploymentGuard } from './deployment-guard.js';
import { PUT_BACK, putBackChores } from './put-back.js';
import { WorkGuard } from './work-guard.js';

const putBack = { provide: PUT_BACK, inject: [ConnectionPool, SETTINGS, LOG], useFactory: putBackChores };

/** Whether this worker may claim and send: version, database and clock are what they should be. */
@Module({
  imports: [GatewaysModule],
  providers: [putBack, ClockGuard, DeploymentGuard, WorkGuard],
  exports: [PUT_BACK, ClockGuard, DeploymentGuard, WorkGuard],
})
export class GuardsModule {}
