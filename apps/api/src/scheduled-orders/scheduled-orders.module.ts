import { Module } from '@nestjs/common';
import { ForecastController } from './forecast.controller.js';
import { Forecast } from './forecast.js';
import { OperationsController } from './operations.controller.js';
import { Operations } from './operations.js';
import { PaymentProblems } from './payment-problems.js';
import { ScheduledOrderItemsController } from './scheduled-order-items.controller.js';
import { ScheduledOrderItems } from './scheduled-order-items.js';
import { ScheduledOrdersController } from './scheduled-orders.controller.js';
import { ScheduledOrders } from './scheduled-orders.js';

@Module({
  controllers: [ScheduledOrdersController, ScheduledOrderItemsController, OperationsController, ForecastController],
  providers: [ScheduledOrders, ScheduledOrderItems, Operations, Forecast, PaymentProblems],
  exports: [ScheduledOrders],
})
export class ScheduledOrdersModule {}
export { ScheduledOrders };
