import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CalendarController } from './calendar/calendar.controller.js';
import { CalendarService } from './calendar/calendar.service.js';
import { Future } from './calendar/future.js';
import { ForecastController } from './forecast/forecast.controller.js';
import { ForecastService } from './forecast/forecast.service.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';

@Module({
  imports: [ScheduledOrdersModule, WebhooksModule],
  controllers: [OverviewController, CalendarController, ForecastController],
  providers: [OverviewService, CalendarService, ForecastService, Future],
})
export class ReportsModule {}
