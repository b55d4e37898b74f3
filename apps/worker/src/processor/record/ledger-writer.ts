import { Inject, Injectable } from '@nestjs/common';
import {
  type LockedOrder,
  type LockedRow,
  lockLeased,
  readCompleted,
  recordCompleted,
  type RecordedCompletions,
  recordFailed,
  renumber,
} from '#libs/ledger';
import type { SqlExecutor, Transaction } from '#libs/platform';
import { describeFailure } from '#libs/rules';
import { pushName } from '#libs/shops';
import { DeploymentGuard } from '../../guards/deployment-guard.js';
import { WORKER_ID } from '../../tokens.js';
import { type LeasedCycle, leasedRow } from '../cycle/cycle.js';
import type { Completion, FailedAttempt } from '../cycle/recorded.js';
import { publishedJson } from './published-events.js';

/** A locked order and the frozen values of its cycle. */
export interface LockedCycle extends LockedOrder {
  readonly amount: number;
  readonly currencyIso: string;
  readonly leftOut: readonly string[];
}

/** Records the outcomes of one worker's cycles. The caller holds the transaction. */
@Injectable()
export class LedgerWriter {
  constructor(
    @Inject(WORKER_ID) private readonly worker: string,
    private readonly deployment: DeploymentGuard,
  ) {}

  /** Locks the cycles that this worker still owns, and their orders. By order id. */
  async lock(tx: Transaction, cycles: readonly LeasedCycle[]): Promise<Map<number, LockedCycle>> {
    const rows = await lockLeased(
      tx,
      cycles.map((cycle) => leasedRow(cycle, this.worker)),
    );
    return new Map(rows.map((row) => [row.id, locked(row)]));
  }

  /** When an id is missing in one of the two, the transaction must not be committed. */
  complete(tx: Transaction, batch: readonly Completion[]): Promise<RecordedCompletions> {
    const { keyPrefix: installation } = this.deployment;
    const nameOf = ({ scheduledOrderId, dueUtc }: LeasedCycle) => pushName({ installation, scheduledOrderId, dueUtc });
    const rows = batch.map((completion) => ({
      version: completion.version,
      rescheduled_meanwhile: completion.rescheduledMeanwhile,
      next_utc: completion.nextUtc,
      missed_occurrences: completion.missedOccurrences,
      new_shipping_total: completion.totals?.shippingTotal ?? null,
      new_tax_total: completion.totals?.taxTotal ?? null,
      new_total: completion.totals?.total ?? null,
      transaction_id: completion.transactionId,
      charged: completion.charged,
      event_description: completion.description,
      reactivates: completion.reactivates,
      charged_amount: completion.chargedAmount,
      found_at: completion.foundAt?.integrationId ?? null,
      found_type: completion.foundAt?.type ?? null,
      push_name: nameOf(completion.cycle),
      ...leasedRow(completion.cycle, this.worker),
    }));
    return recordCompleted(tx, rows);
  }

  /** Which of these are completed, by any worker. */
  completed(tx: Transaction, cycles: readonly LeasedCycle[]): Promise<ReadonlySet<number>> {
    return readCompleted(
      tx,
      cycles.map((cycle) => leasedRow(cycle, this.worker)),
    );
  }

  /** Call `lock` before: `orders` is what it gave. @returns how many cycles were written. */
  recordFailed(
    tx: Transaction,
    batch: readonly FailedAttempt[],
    orders: ReadonlyMap<number, LockedCycle>,
  ): Promise<number> {
    const rows = batch.map((attempt) => ({
      new_attempt: attempt.attempt,
      state: attempt.state,
      next_attempt_utc: attempt.nextAttemptUtc,
      payment_failures: attempt.paymentFailures,
      technical_failures: attempt.technicalFailures,
      retries_exhausted: attempt.retriesExhausted,
      waiting_since_utc: attempt.waitingSinceUtc,
      missed_occurrences: attempt.missedOccurrences,
      failure_code: attempt.failure?.code ?? null,
      failure_message: attempt.failure?.message ?? null,
      transaction_id: attempt.transactionId,
      new_status: attempt.status,
      sets_dates: attempt.nextOccurrenceUtc !== undefined,
      next_utc: attempt.nextOccurrenceUtc ?? null,
      event_type: attempt.event?.type ?? null,
      event_description: attempt.event?.description ?? null,
      error_description: attempt.failure && describeFailure(attempt.failure),
      exception_info: attempt.error && JSON.stringify(attempt.error),
      unsent: attempt.unsent,
      is_look_up: attempt.isLookUp,
      is_known: attempt.isKnownToGateway,
      is_replayed: attempt.isReplayed,
      made_pending: attempt.madePending,
      published: publishedJson(attempt, orders.get(attempt.cycle.scheduledOrderId)!),
      held_for: attempt.heldFor,
      begins_review: attempt.beginsReview,
      ...leasedRow(attempt.cycle, this.worker),
    }));
    return recordFailed(tx, rows);
  }

  /**
   * For an id that was in use already: moves every sequence beyond its table, and gives the cycle another id for its
   * Order. Null: another worker owns it.
   */
  async renumber(pool: SqlExecutor, cycle: LeasedCycle): Promise<number | null> {
    await pool.execute('SELECT advance_ids(0)');
    return renumber(pool, leasedRow(cycle, this.worker));
  }
}

const locked = ({ amount, currencyIso, leftOut, ...order }: LockedRow): LockedCycle => ({
  amount: amount ?? 0,
  currencyIso: currencyIso ?? 'XXX',
  leftOut: leftOut ?? [],
  ...order,
});
