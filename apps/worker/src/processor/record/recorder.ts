import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { joinWaits, paidElsewhere, readNotHeld, reportDifference, type RetrySchedules } from '#libs/ledger';
import {
  ConnectionPool,
  constraintOf,
  isLost,
  isPassing,
  isUniqueViolation,
  type Logger,
  type Settings,
  type Transaction,
} from '#libs/platform';
import { FAILURE_CODES } from '#libs/rules';
import { DatabaseClock } from '../../database/clock.js';
import { inTransaction } from '../../database/transaction.js';
import { LOG, SETTINGS } from '../../tokens.js';
import type { LeasedCycle } from '../cycle/cycle.js';
import { type Result, technicalFault } from '../cycle/outcome.js';
import { type Completion, type FailedAttempt, NOTHING, type Recorded } from '../cycle/recorded.js';
import { type CompletedOutcome, completion, completionOf } from './completion.js';
import { decide, type FailedOutcome } from './decide.js';
import { LedgerWriter } from './ledger-writer.js';
import { RecordingHealth } from './recording-health.js';
import { transactionsTwice } from './transaction-twice.js';
import { countMissing, waitsForAccount } from './wrong-account.js';

const LOST_PAUSE_MS = 250;
const PASSING_PAUSE_MS = 50;
const LONGEST_PASSING_PAUSE_MS = 1_000;

/** Called with cycles that are recorded, or that another worker owns. */
export type Written = (recorded: Recorded, cycles: readonly LeasedCycle[]) => void;

/**
 * Records outcomes, a batch in one transaction. A charge is tried again until it is recorded. When a row cannot be
 * written, the batch is halved until that row is alone.
 */
@Injectable()
export class Recorder {
  private readonly schedules: RetrySchedules;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly ledger: LedgerWriter,
    @Inject(SETTINGS) { paymentRetryScheduleMs, technicalRetryScheduleMs }: Settings,
    private readonly clock: DatabaseClock,
    private readonly health: RecordingHealth,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.schedules = { payment: paymentRetryScheduleMs, technical: technicalRetryScheduleMs };
  }

  /**
   * Calls `written` for every part of the results as soon as it is recorded. An error that it throws does not stop the
   * others.
   */
  async record(results: readonly Result[], written: Written): Promise<void> {
    const report: Written = (recorded, cycles) => {
      if (recorded.completed.length > 0) this.health.succeeded();
      try {
        written(recorded, cycles);
      } catch (error) {
        this.log.error(
          { err: error },
          'The outcomes of cycles are recorded, but the worker could not process them further.',
        );
      }
    };
    const quick: Completion[] = [];
    const careful: Result[] = [];
    for (const result of results) {
      const ready = this.quickly(result);
      if (ready) quick.push(ready);
      else careful.push(result);
    }
    const done = quick.length > 0 ? await this.completeAtOnce(quick) : null;
    const cycles = quick.map(({ cycle }) => cycle);
    if (done !== null) report(done, cycles);
    const rest = done !== null || quick.length === 0 ? careful : results;
    if (rest.length > 0) await this.halving(rest, report);
  }

  /** Null: it is recorded with locks (`carefully`), where a fault shows for that result alone. */
  private quickly({ cycle, outcome }: Result): Completion | null {
    try {
      return outcome.kind === 'completed' ? completionOf(cycle, outcome, cycle.presentUtc ?? this.clock.now()) : null;
    } catch {
      return null;
    }
  }

  /**
   * Records the whole batch or nothing. Rows that changed in the meantime, or cannot be written, are then recorded with
   * locks. @returns null: nothing.
   */
  private async completeAtOnce(batch: readonly Completion[]): Promise<Recorded | null> {
    try {
      return await inTransaction(this.pool, async (tx) => {
        const { updatedIds, recordedIds, hasPushes } = await this.ledger.complete(tx, batch);
        if (updatedIds.length !== batch.length || recordedIds.length !== batch.length) throw new Unmatched();
        return { ...NOTHING, completed: batch, hasPushes };
      });
    } catch (error) {
      if (!(error instanceof Unmatched))
        this.log.debug({ err: error }, 'A batch is recorded again, row by row as needed.');
      return null;
    }
  }

  /**
   * Tries until everything is written. It waits for a lost connection and for locks; a row that cannot be written is
   * separated from the rest.
   */
  private async halving(results: readonly Result[], written: Written, tries = 1): Promise<void> {
    const cycles = results.map(({ cycle }) => cycle);
    for (;;) {
      try {
        const recorded = await inTransaction(this.pool, (tx) => this.carefully(tx, results));
        return written(recorded, cycles);
      } catch (error) {
        if (isLost(error)) await pause(LOST_PAUSE_MS);
        else if (results.length > 1) {
          const middle = results.length >> 1;
          await Promise.all([
            this.halving(results.slice(0, middle), written),
            this.halving(results.slice(middle), written),
          ]);
          return;
        } else if (isPassing(error)) {
          // The next batch does not wait for this one: the leases are renewed in the meantime.
          const delayMs = Math.min(PASSING_PAUSE_MS * tries, LONGEST_PASSING_PAUSE_MS);
          setTimeout(() => void this.halving(results, written, tries + 1), delayMs);
          return;
        } else if (isIdTaken(error) && (await this.renumber(results[0]!))) {
          // Its sequence had fallen behind: the next try has a free id.
        } else {
          const held = isPaidElsewhere(error) ? await this.held(results[0]!) : null;
          if (held === null) return this.poisoned(results[0]!, error, written);
          return this.halving([held], written);
        }
      }
    }
  }

  /** A single row cannot be written: it is recorded as a technical failure, and its transaction id is kept. */
  private async poisoned({ cycle, outcome }: Result, thrown: unknown, written: Written): Promise<void> {
    const { scheduledOrderId, cycle: number } = cycle;
    this.log.error({ err: thrown, scheduledOrderId, cycle: number }, 'A cycle could not be recorded.');
    if (outcome.kind === 'completed') this.health.failed(cycle, thrown);
    if (outcome.kind === 'unrecorded' || (outcome.kind === 'failure' && outcome.failure.name === 'Unknown')) {
      // Not even the failure can be written: when the lease has run out, it is tried again.
      return written(NOTHING, [cycle]);
    }
    const instead: FailedOutcome =
      cycle.state === 'Claimed'
        ? { kind: 'failure', failure: technicalFault(), thrown }
        : { kind: 'unrecorded', transactionId: outcome.kind === 'completed' ? outcome.transactionId : null, thrown };
    await this.halving([{ cycle, outcome: instead }], written);
  }

  /**
   * @returns what is recorded instead of a payment whose transaction has paid another occurrence; null: it cannot be
   * told which.
   */
  private async held({ cycle, outcome }: Result): Promise<Result | null> {
    if (outcome.kind !== 'completed' || outcome.transactionId === null) return null;
    const { scheduledOrderId, cycle: number } = cycle;
    const { transactionId } = outcome;
    try {
      const paid = await paidElsewhere(this.pool, scheduledOrderId, number, transactionId);
      if (paid === null) return null;
      this.log.error({ scheduledOrderId, cycle: number, transactionId }, `${paid.message} Run cycles:stuck.`);
      return { cycle, outcome: { kind: 'paidElsewhere', transactionId, paid } };
    } catch {
      return null;
    }
  }

  /** @returns whether this worker still owns the cycle, which then has another id for its Order. */
  private async renumber({ cycle }: Result): Promise<boolean> {
    try {
      const orderId = await this.ledger.renumber(this.pool, cycle);
      if (orderId !== null) this.log.warn({ scheduledOrderId: cycle.scheduledOrderId, orderId }, ID_TAKEN);
      return orderId !== null;
    } catch {
      return false;
    }
  }

  /** With locks, calculated from the orders as they are now. */
  private async carefully(tx: Transaction, results: readonly Result[]): Promise<Recorded> {
    const orders = await this.ledger.lock(
      tx,
      results.map(({ cycle }) => cycle),
    );
    const now = this.clock.now();
    const owned = results.filter(({ cycle }) => orders.has(cycle.scheduledOrderId));
    const wrongAccounts = await countMissing(tx, owned, now);
    const completed: Completion[] = [];
    const failed: FailedAttempt[] = [];
    const notOwned: Result[] = [];
    for (const { cycle, outcome } of results) {
      const presentUtc = cycle.presentUtc ?? now;
      const order = orders.get(cycle.scheduledOrderId);
      const wrong = wrongAccounts.get(cycle);
      if (!order) notOwned.push({ cycle, outcome });
      else if (outcome.kind === 'completed')
        completed.push(completion(cycle, outcome satisfies CompletedOutcome, order, order, presentUtc));
      else if (wrong) failed.push(waitsForAccount(cycle, order, this.schedules, presentUtc, wrong));
      else failed.push(decide(cycle, order, outcome, this.schedules, presentUtc));
    }
    const { hasPushes } = await this.completeOwned(tx, completed);
    const attempts = await settledMeanwhile(tx, failed, now);
    if (attempts.length > 0 && (await this.ledger.recordFailed(tx, attempts, orders)) !== attempts.length)
      throw new Unmatched();
    await reportDifference(tx, ...transactionsTwice(owned));
    await waitForIntegrations(tx, attempts);
    return { completed, failed: attempts, hasPushes, ...(await this.confirm(tx, notOwned)) };
  }

  private async completeOwned(tx: Transaction, batch: readonly Completion[]): Promise<Pick<Recorded, 'hasPushes'>> {
    if (batch.length === 0) return NOTHING;
    const { recordedIds, hasPushes } = await this.ledger.complete(tx, batch);
    if (recordedIds.length !== batch.length) throw new Unmatched();
    return { hasPushes };
  }

  /**
   * A cycle that this worker does not own any more may have been recorded by it, when the answer to COMMIT was lost: it
   * is read again.
   */
  private async confirm(tx: Transaction, notOwned: readonly Result[]): Promise<Pick<Recorded, 'confirmed' | 'lost'>> {
    if (notOwned.length === 0) return { confirmed: [], lost: [] };
    const cycles = notOwned.map(({ cycle }) => cycle);
    const completed = await this.ledger.completed(tx, cycles);
    const isConfirmed = ({ cycle, outcome }: Result) =>
      outcome.kind === 'completed' && completed.has(cycle.scheduledOrderId);
    return {
      confirmed: notOwned.filter(isConfirmed).map(({ cycle }) => cycle),
      lost: notOwned.filter((result) => !isConfirmed(result)).map(({ cycle }) => cycle),
    };
  }
}

/** The cause is a logical copy without its sequences. */
const ID_TAKEN = 'The id of an Order was taken already: the sequences of ids were moved beyond their tables.';

const isIdTaken = (error: unknown): boolean =>
  isUniqueViolation(error) && constraintOf(error)?.startsWith('pk_') === true;

/** One transaction pays for one Order. */
const isPaidElsewhere = (error: unknown): boolean =>
  isUniqueViolation(error) && constraintOf(error)?.startsWith('uq_orders_transaction') === true;

/** The statement wrote fewer rows than expected. */
class Unmatched extends Error {}

/**
 * A difference may have been settled since the worker has read that it holds the order. That found the cycle in a
 * worker's hands, so it goes on at once from here. The orders are locked.
 */
async function settledMeanwhile(
  tx: Transaction,
  failed: readonly FailedAttempt[],
  now: Date,
): Promise<FailedAttempt[]> {
  const held = failed.filter(
    ({ state, heldFor, cycle }) =>
      heldFor === FAILURE_CODES.PaymentDiffers.code || (state === 'Unknown' && cycle.heldBy !== null),
  );
  if (held.length === 0) return [...failed];
  const orderOf = ({ cycle }: FailedAttempt) => cycle.scheduledOrderId;
  const free = await readNotHeld(tx, held.map(orderOf));
  return failed.map((attempt) =>
    held.includes(attempt) && free.has(orderOf(attempt))
      ? { ...attempt, nextAttemptUtc: attempt.cycle.presentUtc ?? now }
      : attempt,
  );
}

/** Runs in the transaction that records the failed attempts. */
async function waitForIntegrations(tx: Transaction, failed: readonly FailedAttempt[]): Promise<void> {
  const waiting = failed.filter(({ nextProbeUtc }) => nextProbeUtc !== null);
  if (waiting.length === 0) return;
  const rows = waiting.map(({ cycle, nextProbeUtc }) => ({
    id: cycle.scheduledOrderId,
    cycle: cycle.cycle,
    type: cycle.paymentMethodType,
    next_probe_utc: nextProbeUtc,
  }));
  await joinWaits(tx, rows);
}
