import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CalendarController } from './calendar/calendar.controller.js';
import { CalendarService } from './calendar/calendar.service.js';
import { Future } from './calendar/future.js';
import { ForecastController } from './forecast/forecast.controller.js';
import { ForecastService } from './forecast/forecast.service.js';
import { OperationsStateController } from './operations/operations-state.controller.js';
import { OperationsStateService } from './operations/operations-state.service.js';
import { OrderFigures } from './overview/order-figures.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';

@Module({
  imports: [ScheduledOrdersModule, WebhooksModule],
  controllers: [OverviewController, CalendarController, ForecastController, OperationsStateController],
  providers: [OrderFigures, OverviewService, CalendarService, ForecastService, Future, OperationsStateService],
})
export class ReportsModule {}
