import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/records';
import { FairTurns } from './fair-turns.js';
import { shareOf } from './places.js';

/**
 * Calculations that may take some 100 ms: one at a time, in turn by account. Before each, requests that calculate
 * nothing get their turn.
 */
@Injectable()
export class Calculations {
  private readonly turns = new FairTurns(1);
  /** Milliseconds of the processor, for one request: each has a caller of its own. */
  private readonly spent = new WeakMap<Caller, number>();

  run<T>(caller: Caller, work: () => T): Promise<T> {
    return this.turns.take(shareOf(caller), async () => {
      await setImmediate();
      const before = process.cpuUsage();
      try {
        return work();
      } finally {
        const { user, system } = process.cpuUsage(before);
        this.spent.set(caller, this.msOf(caller) + (user + system) / 1_000);
      }
    });
  }

  /** What the calculations of a caller's request have taken so far. */
  msOf(caller: Caller): number {
    return this.spent.get(caller) ?? 0;
  }
}
