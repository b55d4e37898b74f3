import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { CustomerOrdersController } from './customer-orders.controller.js';
import { CustomersController } from './customers.controller.js';
import { Customers } from './customers.js';

@Module({
  imports: [ScheduledOrdersModule],
  controllers: [CustomersController, CustomerOrdersController],
  providers: [Customers],
  exports: [Customers],
})
export class CustomersModule {}
export { Customers };
