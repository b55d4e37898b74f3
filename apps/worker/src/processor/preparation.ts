import type pg from 'pg';
import type { Logger } from '#libs/config';
import { unlessLost } from '../database/unless-lost.js';
import { reach } from '../failpoints.js';
import { lookUpFirst } from './adoption.js';
import type { HeldCycle } from './cycle.js';
import { technicalFault } from './decide.js';
import { freeze } from './freeze.js';
import type { LoadedBatch, Loader } from './load.js';
import type { Result } from './outcome.js';
import { type Attempt, prepare, type Prepared } from './prepare.js';

export interface PreparationSettings {
  readonly worker: string;
  readonly keyPrefix: () => string;
  readonly adoptedUtc: () => Date | null;
}

/** What became of claimed cycles on the way to the gateway. */
export interface Ready {
  /** Frozen: to be charged now. */
  readonly attempts: readonly Attempt[];
  /** That cannot be charged, and why. */
  readonly results: readonly Result[];
  /** Ended by a request, or in other hands: nothing of theirs is ours to write. */
  readonly gone: readonly HeldCycle[];
}

/** Loads, prices and freezes batches of claimed cycles. One that cannot be done is parted from the others by halving. */
export class Preparation {
  constructor(
    private readonly pool: pg.Pool,
    private readonly loader: Loader,
    private readonly settings: PreparationSettings,
    private readonly log: Logger,
  ) {}

  async ready(cycles: readonly HeldCycle[]): Promise<Ready> {
    const results: Result[] = [];
    const prepared = await this.halving(cycles, (some) => this.price(some), results);
    reach('after-load');
    const priced = new Map<HeldCycle, Attempt>();
    for (const one of prepared) {
      if (one.kind === 'attempt') priced.set(one.attempt.cycle, one.attempt);
      else results.push(resultOf(one));
    }
    const toFreeze = [...priced.keys()];
    const { pool, settings } = this;
    const attempts = await this.halving(
      toFreeze,
      (some) =>
        freeze(
          pool,
          settings.worker,
          some.map((cycle) => priced.get(cycle)!),
        ),
      results,
    );
    if (toFreeze.length > 0) reach('after-freeze');
    for (const { cycle } of attempts) priced.delete(cycle);
    for (const { cycle } of results) priced.delete(cycle);
    return { attempts, results, gone: [...priced.keys()] };
  }

  private async price(cycles: readonly HeldCycle[]): Promise<Prepared[]> {
    const batch = await this.loader.load(
      cycles.map(({ scheduledOrderId }) => scheduledOrderId),
      [...new Set(cycles.map(({ siteId }) => siteId))],
    );
    const doubtful = await lookUpFirst(this.pool, cycles, this.settings.adoptedUtc());
    return cycles.map((cycle) => this.priceOne(cycle, batch, doubtful.has(cycle.scheduledOrderId)));
  }

  private priceOne(cycle: HeldCycle, batch: LoadedBatch, isDoubtful: boolean): Prepared {
    try {
      return prepare(cycle, batch, this.settings.keyPrefix(), isDoubtful);
    } catch (thrown) {
      return { kind: 'failure', cycle, failure: technicalFault(), thrown };
    }
  }

  private async halving<T>(
    cycles: readonly HeldCycle[],
    work: (cycles: readonly HeldCycle[]) => Promise<T[]>,
    results: Result[],
  ): Promise<T[]> {
    if (cycles.length === 0) return [];
    try {
      return await unlessLost(() => work(cycles));
    } catch (thrown) {
      const [first] = cycles;
      if (cycles.length === 1 && first) {
        this.log.error({ err: thrown, scheduledOrderId: first.scheduledOrderId }, 'An order could not be prepared.');
        results.push({ cycle: first, outcome: { kind: 'failure', failure: technicalFault(), thrown } });
        return [];
      }
      const middle = cycles.length >> 1;
      return [
        ...(await this.halving(cycles.slice(0, middle), work, results)),
        ...(await this.halving(cycles.slice(middle), work, results)),
      ];
    }
  }
}

function resultOf(prepared: Exclude<Prepared, { kind: 'attempt' }>): Result {
  const { cycle } = prepared;
  // Its request has ended the cycle as well; where it has not, this does.
  if (prepared.kind === 'gone') return { cycle, outcome: { kind: 'postponed', delayMs: 0 } };
  return { cycle, outcome: { kind: 'failure', failure: prepared.failure, thrown: prepared.thrown } };
}
