import { Injectable, type Type } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Worker } from '../worker.js';

/** The provider whose method the scheduler calls at the times of `cron`, in UTC. */
export function tickUnder(cron: string): Type {
  @Injectable()
  class Tick {
    constructor(private readonly worker: Worker) {}

    @Cron(cron, { name: 'processor', timeZone: 'UTC' })
    async processDueOrders(): Promise<void> {
      await this.worker.tick();
    }
  }
  return Tick;
}
