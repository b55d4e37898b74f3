import { Module } from '@nestjs/common';
import { ConnectionPool } from '#libs/platform';
import { RateLoader } from '#libs/records';
import { GatewaysModule } from '../../gateways/gateways.module.js';
import { GuardsModule } from '../../guards/guards.module.js';
import { Loader } from './loader.js';
import { Preparation } from './preparation.js';
import { PricingTurns } from './pricing-turns.js';

const rates = {
  provide: RateLoader,
  inject: [ConnectionPool],
  useFactory: (pool: ConnectionPool) => new RateLoader(pool),
};

/** Step 4: orders are loaded, priced, and written down before anything is sent. */
@Module({
  imports: [GatewaysModule, GuardsModule],
  providers: [rates, Loader, PricingTurns, Preparation],
  exports: [Loader, PricingTurns, Preparation],
})
export class PrepareModule {}
