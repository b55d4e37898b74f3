import { Module } from '@nestjs/common';
import { GuardsModule } from '../guards/guards.module.js';
import { ChargeModule } from './charge/charge.module.js';
import { ClaimModule } from './claim/claim.module.js';
import { Intake } from './intake.js';
import { Processor } from './processor.js';
import { ProcessorRole } from './processor-role.js';
import { ReconcileModule } from './reconcile/reconcile.module.js';
import { Rounds } from './rounds.js';
import { SimulationModule } from './simulated/simulation.module.js';

/** Step 1: rounds begin, and what they claim goes its way. */
@Module({
  imports: [GuardsModule, ReconcileModule, ChargeModule, ClaimModule, SimulationModule],
  providers: [Intake, Processor, Rounds, ProcessorRole],
  exports: [ProcessorRole, ChargeModule],
})
export class ProcessorModule {}
