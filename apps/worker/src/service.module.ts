import { type DynamicModule, Inject, Injectable, Module, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { Cron, ScheduleModule } from '@nestjs/schedule';
import { ServiceProcess } from '#libs/platform';
import type { WorkerContext } from './core.module.js';
import { Dispatcher } from './dispatcher/dispatcher.js';
import { HealthController } from './operations/health.controller.js';
import { Pushes } from './pushes/pushes.js';
import { WORKER_ID } from './tokens.js';
import { Worker } from './worker.js';
import { WorkerModule } from './worker.module.js';

/** Starts the worker when its health can be asked for. Where the port is in use, nothing has begun. */
@Injectable()
class WorkerService implements OnApplicationBootstrap {
  constructor(
    private readonly service: ServiceProcess,
    private readonly worker: Worker,
    @Inject(WORKER_ID) private readonly id: string,
    private readonly http: HttpAdapterHost<FastifyAdapter>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { log, settings } = this.service;
    const server = this.http.httpAdapter.getInstance();
    const url = await this.service.listen(server, 'WORKER_PORT', settings.workerPort);
    this.worker.start();
    log.info(`The worker ${this.id} processes due orders; its health and metrics are at ${url}.`);
  }
}

/** The provider whose method the scheduler calls at the times of `cron`, in UTC. */
function tickOf(part: Type<{ tick(): Promise<void> }>, name: string, cron: string): Type {
  @Injectable()
  class Tick {
    constructor(@Inject(part) private readonly part: { tick(): Promise<void> }) {}

    @Cron(cron, { name, timeZone: 'UTC' })
    async tick(): Promise<void> {
      await this.part.tick();
    }
  }
  return Tick;
}

/** A worker that runs until it is stopped, with its cron and its health. */
@Module({})
export class ServiceModule {
  static with(service: ServiceProcess, context: Omit<WorkerContext, 'settings' | 'log'>): DynamicModule {
    const { settings, log } = service;
    const { processorCron, workerRoles } = settings;
    return {
      module: ServiceModule,
      imports: [ScheduleModule.forRoot(), WorkerModule.with({ settings, log, ...context })],
      controllers: [HealthController],
      providers: [
        { provide: ServiceProcess, useValue: service },
        tickOf(Worker, 'processor', processorCron),
        ...(workerRoles.includes('dispatcher') ? [tickOf(Dispatcher, 'dispatcher', processorCron)] : []),
        ...(workerRoles.includes('pushes') ? [tickOf(Pushes, 'pushes', processorCron)] : []),
        WorkerService,
      ],
    };
  }
}
