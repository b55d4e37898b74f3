import { type DynamicModule, Injectable, Module, type Type } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Dispatcher } from './dispatcher.js';

/** The provider whose method the scheduler calls at the times of `cron`, in UTC. */
function tickUnder(cron: string): Type {
  @Injectable()
  class Tick {
    constructor(private readonly dispatcher: Dispatcher) {}

    @Cron(cron, { name: 'dispatcher', timeZone: 'UTC' })
    async dispatchEvents(): Promise<void> {
      await this.dispatcher.tick();
    }
  }
  return Tick;
}

/** Sends events to webhook endpoints: a role of the worker (WORKER_ROLES). */
@Module({})
export class DispatcherModule {
  static of(dispatcher: Dispatcher, cron: string): DynamicModule {
    return { module: DispatcherModule, providers: [{ provide: Dispatcher, useValue: dispatcher }, tickUnder(cron)] };
  }
}
