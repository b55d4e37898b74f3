import { Module } from '@nestjs/common';
import { ScheduledOrderItemsController } from './items/scheduled-order-items.controller.js';
import { ScheduledOrderItemsService } from './items/scheduled-order-items.service.js';
import { OperationsController } from './operations/operations.controller.js';
import { OperationsService } from './operations/operations.service.js';
import { PaymentProblems } from './quotes/payment-problems.js';
import { QuotesController } from './quotes/quotes.controller.js';
import { QuotesService } from './quotes/quotes.service.js';
import { ScheduledOrdersController } from './scheduled-orders.controller.js';
import { ScheduledOrdersService } from './scheduled-orders.service.js';
import { OrderTermsController } from './terms/order-terms.controller.js';
import { OrderTermsService } from './terms/order-terms.service.js';

@Module({
  controllers: [
    ScheduledOrdersController,
    ScheduledOrderItemsController,
    OperationsController,
    OrderTermsController,
    QuotesController,
  ],
  providers: [
    ScheduledOrdersService,
    ScheduledOrderItemsService,
    OperationsService,
    OrderTermsService,
    QuotesService,
    PaymentProblems,
  ],
  exports: [ScheduledOrdersService, QuotesService, PaymentProblems],
})
export class ScheduledOrdersModule {}
