import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { ExplainController } from './explain.controller.js';
import { ExplainService } from './explain.service.js';
import { PastExplainController } from './past/past-explain.controller.js';
import { PastExplainService } from './past/past-explain.service.js';
import { RatesTesterController } from './rates-tester.controller.js';
import { RatesTesterService } from './rates-tester.service.js';

@Module({
  imports: [ScheduledOrdersModule],
  controllers: [ExplainController, PastExplainController, RatesTesterController],
  providers: [ExplainService, PastExplainService, RatesTesterService],
})
export class ExplainModule {}
