import { Module } from '@nestjs/common';
import { GuardsModule } from '../../guards/guards.module.js';
import { OutboxModule } from '../../outbox/outbox.module.js';
import { ChargeModule } from '../charge/charge.module.js';
import { ClaimModule } from '../claim/claim.module.js';
import { Claims } from '../claim/claims.js';
import { LeasedBySite } from './leased-by-site.js';
import { Simulation } from './simulation.js';
import { TurnParts } from './turn.js';

/**
 * The clocks of simulated sites. It has claims of its own: after a batch of one kind of sites that could not be frozen
 * as it began, those of the other kind are frozen still.
 */
@Module({
  imports: [GuardsModule, OutboxModule, ChargeModule, ClaimModule],
  providers: [Claims, LeasedBySite, TurnParts, Simulation],
  exports: [Simulation],
})
export class SimulationModule {}
