import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { HealthController } from './operations/health.controller.js';
import { tickUnder } from './processor/tick.js';
import { Worker } from './worker.js';

@Module({})
export class WorkerModule {
  static of(worker: Worker, cron: string): DynamicModule {
    return {
      module: WorkerModule,
      imports: [ScheduleModule.forRoot()],
      controllers: [HealthController],
      providers: [{ provide: Worker, useValue: worker }, tickUnder(cron)],
    };
  }
}
