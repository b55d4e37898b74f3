import { Module } from '@nestjs/common';
import { GatewaysModule } from '../../gateways/gateways.module.js';
import { GuardsModule } from '../../guards/guards.module.js';
import { PrepareModule } from '../prepare/prepare.module.js';
import { FoundChargeStanding } from './found-charge-standing.js';
import { FoundCharges } from './found-charges.js';
import { ListComparison } from './list-comparison.js';
import { OverdueCheck } from './overdue-check.js';
import { Placer } from './placer.js';
import { Reconciler } from './reconciler.js';

/** Compares the gateways' lists with the ledger before anything else is charged, after commits were lost. */
@Module({
  imports: [GatewaysModule, GuardsModule, PrepareModule],
  providers: [FoundCharges, FoundChargeStanding, Placer, OverdueCheck, ListComparison, Reconciler],
  exports: [OverdueCheck, Reconciler],
})
export class ReconcileModule {}
