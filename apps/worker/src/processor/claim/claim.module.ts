import { Module } from '@nestjs/common';
import type { Settings } from '#libs/platform';
import { RequestSignal } from '../../database/request-signal.js';
import { GuardsModule } from '../../guards/guards.module.js';
import { SETTINGS } from '../../tokens.js';
import { ChargeModule } from '../charge/charge.module.js';
import { Claimer } from './claimer.js';
import { Claims } from './claims.js';
import { DueFloor } from './due-floor.js';
import { SiteWindows } from './site-windows.js';

const floor = {
  provide: DueFloor,
  inject: [RequestSignal],
  useFactory: (signal: RequestSignal) => new DueFloor(() => signal.isListening),
};
const windows = {
  provide: SiteWindows,
  inject: [SETTINGS],
  useFactory: (settings: Settings) => SiteWindows.fromSettings(settings),
};

/** Step 2: which due orders are claimed next, and how. */
@Module({
  imports: [GuardsModule, ChargeModule],
  providers: [Claims, floor, windows, Claimer],
  exports: [Claims, DueFloor, SiteWindows, Claimer],
})
export class ClaimModule {}
