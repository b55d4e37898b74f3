import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { CustomerOrdersController } from './customer-orders.controller.js';
import { CustomerSettingsService } from './customer-settings.service.js';
import { CustomersController } from './customers.controller.js';
import { CustomersService } from './customers.service.js';

@Module({
  imports: [ScheduledOrdersModule],
  controllers: [CustomersController, CustomerOrdersController],
  providers: [CustomersService, CustomerSettingsService],
  exports: [CustomersService],
})
export class CustomersModule {}
