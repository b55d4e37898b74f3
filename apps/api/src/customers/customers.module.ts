import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { CustomersController } from './customers.controller.js';
import { Customers } from './customers.js';

@Module({
  imports: [ScheduledOrdersModule],
  controllers: [CustomersController],
  providers: [Customers],
  exports: [Customers],
})
export class CustomersModule {}
export { Customers };
