import { type DynamicModule, Module } from '@nestjs/common';
import { ConnectionPool, type Logger, WriteProbe } from '#libs/platform';
import { CoreModule, type WorkerContext } from './core.module.js';
import { DispatcherModule } from './dispatcher/dispatcher.module.js';
import { GatewaysModule } from './gateways/gateways.module.js';
import { GuardsModule } from './guards/guards.module.js';
import { HousekeepingModule } from './housekeeping/housekeeping.module.js';
import { Readiness } from './operations/readiness.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { AuditModule } from './processor/audit/audit.module.js';
import { ProcessorModule } from './processor/processor.module.js';
import { PushesModule } from './pushes/pushes.module.js';
import { ReadBackModule } from './read-back/read-back.module.js';
import { LOG } from './tokens.js';
import { Worker } from './worker.js';

const writes = {
  provide: WriteProbe,
  inject: [ConnectionPool, LOG],
  useFactory: (pool: ConnectionPool, log: Logger) => new WriteProbe(pool, log),
};

/** A worker with all its parts. Nothing runs yet. */
@Module({})
export class WorkerModule {
  static with(context: WorkerContext): DynamicModule {
    const { workerRoles } = context.settings;
    const outward = [
      ...(workerRoles.includes('dispatcher') ? [DispatcherModule] : []),
      ...(workerRoles.includes('pushes') ? [PushesModule, ReadBackModule] : []),
    ];
    return {
      module: WorkerModule,
      imports: [
        CoreModule.with(context),
        ...[GatewaysModule, GuardsModule, ProcessorModule, AuditModule, OutboxModule, HousekeepingModule],
        ...outward,
      ],
      providers: [writes, Readiness, Worker],
      exports: [Readiness, Worker, ...outward],
    };
  }
}
