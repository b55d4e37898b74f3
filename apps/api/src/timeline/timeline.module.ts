import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { TimelineController } from './timeline.controller.js';
import { TimelineService } from './timeline.service.js';

@Module({ imports: [ScheduledOrdersModule], controllers: [TimelineController], providers: [TimelineService] })
export class TimelineModule {}
