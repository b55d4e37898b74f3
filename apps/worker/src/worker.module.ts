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
    const dispatcher = context.settings.workerRoles.includes('dispatcher') ? [DispatcherModule] : [];
    return {
      module: WorkerModule,
      imports: [
        CoreModule.with(context),
        ...[GatewaysModule, GuardsModule, ProcessorModule, AuditModule, OutboxModule, HousekeepingModule],
        ...dispatcher,
      ],
      providers: [writes, Readiness, Worker],
      exports: [Readiness, Worker, ...dispatcher],
    };
  }
}
