import { Module } from '@nestjs/common';
import { GuardsModule } from '../guards/guards.module.js';
import { PrepareModule } from '../processor/prepare/prepare.module.js';
import { EventNumbering } from './event-numbering.js';
import { UpcomingNotices } from './upcoming-notices.js';

/** Events get their public numbers, and upcoming occurrences are announced. */
@Module({
  imports: [GuardsModule, PrepareModule],
  providers: [EventNumbering, UpcomingNotices],
  exports: [EventNumbering, UpcomingNotices],
})
export class OutboxModule {}
