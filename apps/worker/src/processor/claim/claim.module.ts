import { Module } from '@nestjs/common';
import type { Settings } from '#libs/platform';
import { RequestSignal } from '../../database/request-signal.js';
import { GuardsModule } from '../../guards/guards.module.js';
import { SETTINGS } from '../../tokens.js';
import { ChargeModule } from '../charge/charge.module.js';
import { PrepareModule } from '../prepare/prepare.module.js';
import { ReconcileModule } from '../reconcile/reconcile.module.js';
import { RecordModule } from '../record/record.module.js';
import { AtOnce } from './at-once.js';
import { Claims } from './claims.js';
import { DueFloor } from './due-floor.js';
import { Permission } from './permission.js';
import { SiteTurns } from './site-turns.js';
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
  imports: [GuardsModule, PrepareModule, RecordModule, ReconcileModule, ChargeModule],
  providers: [Permission, AtOnce, Claims, floor, windows, SiteTurns],
  exports: [Permission, AtOnce, Claims, DueFloor, SiteWindows, SiteTurns],
})
export class ClaimModule {}
