import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/records';
import { FairTurns } from './fair-turns.js';
import { shareOf } from './places.js';

/** Calculations that may take some 100 ms: one at a time, in turn by account. Before each, requests that calculate nothing get their turn. */
@Injectable()
export class Calculations {
  private readonly turns = new FairTurns(1);

  run<T>(caller: Caller, work: () => T): Promise<T> {
    return this.turns.take(shareOf(caller), async () => {
      await setImmediate();
      return work();
    });
  }
}
