import { Module } from '@nestjs/common';
import { GatewaysModule } from '../../gateways/gateways.module.js';
import { GuardsModule } from '../../guards/guards.module.js';
import { PrepareModule } from '../prepare/prepare.module.js';
import { EarlierCharges } from './earlier-charges.js';
import { FoundChargeLookUps } from './found-charge-look-ups.js';
import { FoundCharges } from './found-charges.js';
import { Placer } from './placer.js';
import { Reconciler } from './reconciler.js';

/** Compares the gateways' lists with the ledger before anything else is charged, after commits were lost. */
@Module({
  imports: [GatewaysModule, GuardsModule, PrepareModule],
  providers: [FoundCharges, FoundChargeLookUps, Placer, EarlierCharges, Reconciler],
  exports: [EarlierCharges, Reconciler],
})
export class ReconcileModule {}
