import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { OrderLogsController } from './order-logs.controller.js';
import { OrderLogs } from './order-logs.js';

@Module({ imports: [ScheduledOrdersModule], controllers: [OrderLogsController], providers: [OrderLogs] })
export class LogsModule {}
