import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '#libs/config';
import type { DatabaseClock } from '../database/clock.js';
import { isLost, isPassing } from '../database/faults.js';
import { inTransaction } from '../database/transaction.js';
import { type Completion, completion, completionOf, type CompletedOutcome } from './completion.js';
import type { HeldCycle } from './cycle.js';
import { decide, technicalFault, type SetbackOutcome } from './decide.js';
import type { RetrySchedules } from './next-step.js';
import type { Result } from './outcome.js';
import type { RecordStatements } from './record.js';
import type { Setback } from './setback.js';

const LOST_PAUSE_MS = 250;
const PASSING_PAUSE_MS = 50;

/** What became of the cycles of a batch. */
export interface Recorded {
  readonly completed: readonly Completion[];
  readonly setbacks: readonly Setback[];
  /** In other hands by now: their outcome is the other's to record. */
  readonly lost: readonly HeldCycle[];
}

const NOTHING: Recorded = { completed: [], setbacks: [], lost: [] };

/**
 * Writes outcomes, a batch in one transaction. A charge that was made is written however often it takes; a row that cannot be
 * written is parted from the others by halving.
 */
export class Recorder {
  constructor(
    private readonly pool: pg.Pool,
    private readonly statements: RecordStatements,
    private readonly schedules: RetrySchedules,
    private readonly clock: DatabaseClock,
    private readonly log: Logger,
  ) {}

  async record(results: readonly Result[]): Promise<Recorded> {
    const quick: Completion[] = [];
    const careful: Result[] = [];
    for (const result of results) {
      const ready =
        result.outcome.kind === 'completed' ? completionOf(result.cycle, result.outcome, this.clock.now()) : null;
      if (ready) quick.push(ready);
      else careful.push(result);
    }
    if (quick.length > 0 && !(await this.completeAtOnce(quick))) {
      careful.push(...results.filter((result) => !careful.includes(result)));
      quick.length = 0;
    }
    const rest = careful.length === 0 ? NOTHING : await this.halving(careful);
    return { ...rest, completed: [...quick, ...rest.completed] };
  }

  /** The whole batch, or nothing: rows that changed meanwhile, or cannot be written, take the careful way. */
  private async completeAtOnce(batch: readonly Completion[]): Promise<boolean> {
    try {
      return await inTransaction(this.pool, async (client) => {
        const { moved, settled } = await this.statements.complete(client, batch);
        if (moved.length === batch.length && settled.length === batch.length) return true;
        throw new Unmatched();
      });
    } catch (error) {
      if (!(error instanceof Unmatched))
        this.log.debug({ err: error }, 'A batch is recorded again, row by row as needed.');
      return false;
    }
  }

  /** Until it is written: a lost connection is waited for, what stands in the way is parted from the rest. */
  private async halving(results: readonly Result[]): Promise<Recorded> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTransaction(this.pool, (client) => this.carefully(client, results));
      } catch (error) {
        if (isLost(error)) await pause(LOST_PAUSE_MS);
        else if (results.length > 1) return this.halves(results);
        else if (isPassing(error) && attempt < 20) await pause(PASSING_PAUSE_MS * attempt);
        else return this.poisoned(results[0]!, error);
      }
    }
  }

  private async halves(results: readonly Result[]): Promise<Recorded> {
    const middle = results.length >> 1;
    const one = await this.halving(results.slice(0, middle));
    const other = await this.halving(results.slice(middle));
    return {
      completed: [...one.completed, ...other.completed],
      setbacks: [...one.setbacks, ...other.setbacks],
      lost: [...one.lost, ...other.lost],
    };
  }

  /** The row alone cannot be written as it should: it is put down as a technical failure, and what was charged stays on record. */
  private async poisoned({ cycle, outcome }: Result, thrown: unknown): Promise<Recorded> {
    const { scheduledOrderId, cycle: number } = cycle;
    this.log.error({ err: thrown, scheduledOrderId, cycle: number }, 'A cycle could not be recorded.');
    if (outcome.kind === 'unrecorded' || (outcome.kind === 'failure' && outcome.failure.code === 99)) {
      // Not even the failure can be written: when the lease has run out, it is tried again.
      return NOTHING;
    }
    const instead: SetbackOutcome =
      cycle.state === 'Claimed'
        ? { kind: 'failure', failure: technicalFault(), thrown }
        : { kind: 'unrecorded', transactionId: outcome.kind === 'completed' ? outcome.transactionId : null, thrown };
    return this.halving([{ cycle, outcome: instead }]);
  }

  /** Behind locks, from the orders as they are now. */
  private async carefully(client: pg.PoolClient, results: readonly Result[]): Promise<Recorded> {
    const orders = await this.statements.lock(
      client,
      results.map(({ cycle }) => cycle),
    );
    const now = this.clock.now();
    const completed: Completion[] = [];
    const setbacks: Setback[] = [];
    const lost: HeldCycle[] = [];
    for (const { cycle, outcome } of results) {
      const order = orders.get(cycle.scheduledOrderId);
      if (!order) lost.push(cycle);
      else if (outcome.kind === 'completed')
        completed.push(completion(cycle, outcome satisfies CompletedOutcome, order, order, now));
      else setbacks.push(decide(cycle, order, outcome, this.schedules, now));
    }
    if (completed.length > 0) {
      const { settled } = await this.statements.complete(client, completed);
      if (settled.length !== completed.length) throw new Unmatched();
    }
    if (setbacks.length > 0 && (await this.statements.setBack(client, setbacks)) !== setbacks.length)
      throw new Unmatched();
    return { completed, setbacks, lost };
  }
}

/** Rows were not the ones that they were taken for. */
class Unmatched extends Error {}
