import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { DispatcherModule } from './dispatcher/dispatcher.module.js';
import { HealthController } from './operations/health.controller.js';
import { tickUnder } from './processor/tick.js';
import { Worker } from './worker.js';

@Module({})
export class WorkerModule {
  static of(worker: Worker, cron: string): DynamicModule {
    const { dispatcher } = worker;
    return {
      module: WorkerModule,
      imports: [ScheduleModule.forRoot(), ...(dispatcher === null ? [] : [DispatcherModule.of(dispatcher, cron)])],
      controllers: [HealthController],
      providers: [{ provide: Worker, useValue: worker }, tickUnder(cron)],
    };
  }
}
