import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { OrderLogsController } from './order-logs.controller.js';
import { OrderLogsService } from './order-logs.service.js';

@Module({ imports: [ScheduledOrdersModule], controllers: [OrderLogsController], providers: [OrderLogsService] })
export class LogsModule {}
