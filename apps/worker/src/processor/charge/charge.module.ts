import { Module } from '@nestjs/common';
import { GatewaysModule } from '../../gateways/gateways.module.js';
import { GuardsModule } from '../../guards/guards.module.js';
import { PrepareModule } from '../prepare/prepare.module.js';
import { ReconcileModule } from '../reconcile/reconcile.module.js';
import { RecordModule } from '../record/record.module.js';
import { BusyBatches } from './busy-batches.js';
import { Charger } from './charger.js';
import { CyclePipeline } from './cycle-pipeline.js';
import { CycleSteps } from './cycle-steps.js';
import { EarlierAttempts } from './earlier-attempts.js';
import { FinishedCycles } from './finished-cycles.js';
import { InDoubtAttempts } from './in-doubt-attempts.js';
import { IntegrationHealth } from './integrations/integration-health.js';
import { IntegrationQueues } from './integrations/integration-queues.js';
import { IntegrationWaits } from './integrations/integration-waits.js';
import { TestedIntegrations } from './integrations/tested-integrations.js';
import { Wakes } from './integrations/wakes.js';
import { LeasedCycles } from './leased-cycles.js';
import { LookUp } from './look-up.js';
import { SendGate } from './send-gate.js';

/** Steps 3 and 5: cycles wait in the queue of their integration, and are charged or looked up. */
@Module({
  imports: [GatewaysModule, GuardsModule, PrepareModule, ReconcileModule, RecordModule],
  providers: [
    ...[LeasedCycles, IntegrationQueues, TestedIntegrations, CyclePipeline, CycleSteps, FinishedCycles, BusyBatches],
    ...[SendGate, EarlierAttempts, InDoubtAttempts, Charger, LookUp, IntegrationHealth, IntegrationWaits, Wakes],
  ],
  exports: [LeasedCycles, IntegrationQueues, TestedIntegrations, CyclePipeline, BusyBatches, Wakes],
})
export class ChargeModule {}
