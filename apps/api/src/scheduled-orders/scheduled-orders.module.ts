import { Module } from '@nestjs/common';
import { ForecastController } from './forecast.controller.js';
import { ForecastService } from './forecast.service.js';
import { OperationsController } from './operations.controller.js';
import { OperationsService } from './operations.service.js';
import { PaymentProblems } from './payment-problems.js';
import { ScheduledOrderItemsController } from './scheduled-order-items.controller.js';
import { ScheduledOrderItemsService } from './scheduled-order-items.service.js';
import { ScheduledOrdersController } from './scheduled-orders.controller.js';
import { ScheduledOrdersService } from './scheduled-orders.service.js';

@Module({
  controllers: [ScheduledOrdersController, ScheduledOrderItemsController, OperationsController, ForecastController],
  providers: [ScheduledOrdersService, ScheduledOrderItemsService, OperationsService, ForecastService, PaymentProblems],
  exports: [ScheduledOrdersService],
})
export class ScheduledOrdersModule {}
export { ScheduledOrdersService };
