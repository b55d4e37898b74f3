import { Module } from '@nestjs/common';
import { OperationsController } from './operations.controller.js';
import { OperationsService } from './operations.service.js';
import { PaymentProblems } from './payment-problems.js';
import { QuotesController } from './quotes.controller.js';
import { QuotesService } from './quotes.service.js';
import { ScheduledOrderItemsController } from './scheduled-order-items.controller.js';
import { ScheduledOrderItemsService } from './scheduled-order-items.service.js';
import { ScheduledOrdersController } from './scheduled-orders.controller.js';
import { ScheduledOrdersService } from './scheduled-orders.service.js';

@Module({
  controllers: [ScheduledOrdersController, ScheduledOrderItemsController, OperationsController, QuotesController],
  providers: [ScheduledOrdersService, ScheduledOrderItemsService, OperationsService, QuotesService, PaymentProblems],
  exports: [ScheduledOrdersService, QuotesService, PaymentProblems],
})
export class ScheduledOrdersModule {}
export { PaymentProblems, QuotesService, ScheduledOrdersService };
export { ASKABLE_ORDERS } from './asked-orders.js';
export { validateItem } from './item-rules.js';
export { storedCountryProblem, storedCountryProblems } from './order-country.js';
export { pricingForQuote } from './order-rates.js';
export { assertStatusChange } from './order-rules.js';
export { quoteJson } from './quote-json.js';
export { productsFor } from './referenced-products.js';
