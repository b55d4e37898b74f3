import { LOCK_LEASED, READ_COMPLETED, RECORD_COMPLETED, RECORD_FAILED_ATTEMPTS, RENUMBER } from '#libs/cycles';
import { flags, instants, numbers, type SqlExecutor, texts, type Transaction } from '#libs/database';
import { describeFailure, type FrequencyType, type Status } from '#libs/rules';
import type { LeasedCycle } from '../cycle.js';
import type { Completion } from './completion.js';
import type { FailedAttempt, LockedOrder } from './failed-attempt.js';
import { toldJson } from './told.js';

/** A locked order and the frozen values of its cycle. */
export interface LockedCycle extends LockedOrder {
  readonly amount: number;
  readonly currencyIso: string;
  readonly leftOut: readonly string[];
}

/** The statements that record the outcomes of one worker's cycles. The caller holds the transaction. */
export class RecordStatements {
  constructor(private readonly worker: string) {}

  /** Locks the cycles that this worker still owns, and their orders. By order id. */
  async lock(tx: Transaction, cycles: readonly LeasedCycle[]): Promise<Map<number, LockedCycle>> {
    const rows = await tx.execute<LockedRow>(LOCK_LEASED, this.fence(cycles));
    return new Map(rows.map((row) => [Number(row.id), locked(row)]));
  }

  /** When an id is missing in one of the two, the transaction must not be committed. */
  async complete(tx: Transaction, batch: readonly Completion[]): Promise<CompletedIds> {
    const rows = await tx.execute<CompletedRow>(RECORD_COMPLETED, [
      ...this.fence(batch.map(({ cycle }) => cycle)),
      texts(batch.map(({ version }) => version)),
      flags(batch.map(({ rescheduledMeanwhile }) => rescheduledMeanwhile)),
      instants(batch.map(({ nextUtc }) => nextUtc)),
      numbers(batch.map(({ missedOccurrences }) => missedOccurrences)),
      numbers(batch.map(({ totals }) => totals?.shippingTotal ?? null)),
      numbers(batch.map(({ totals }) => totals?.taxTotal ?? null)),
      numbers(batch.map(({ totals }) => totals?.total ?? null)),
      texts(batch.map(({ transactionId }) => transactionId)),
      texts(batch.map(({ charged }) => charged)),
      texts(batch.map(({ description }) => description)),
      flags(batch.map(({ reactivates }) => reactivates)),
      numbers(batch.map(({ chargedAmount }) => chargedAmount)),
      numbers(batch.map(({ foundAt }) => foundAt?.integrationId ?? null)),
      texts(batch.map(({ foundAt }) => foundAt?.type ?? null)),
    ]);
    const { updated_ids, recorded_ids } = rows[0]!;
    return { updatedIds: updated_ids, recordedIds: recorded_ids };
  }

  /** Which of these are completed, by any worker. */
  async completed(tx: Transaction, cycles: readonly LeasedCycle[]): Promise<ReadonlySet<number>> {
    const rows = await tx.execute<{ scheduled_order_id: string }>(READ_COMPLETED, this.fence(cycles).slice(0, 2));
    return new Set(rows.map((row) => Number(row.scheduled_order_id)));
  }

  /** Call `lock` before: `orders` is what it gave. @returns how many cycles were written. */
  async recordFailed(
    tx: Transaction,
    batch: readonly FailedAttempt[],
    orders: ReadonlyMap<number, LockedCycle>,
  ): Promise<number> {
    const rows = await tx.execute<{ recorded_ids: string[] }>(RECORD_FAILED_ATTEMPTS, [
      ...this.fence(batch.map(({ cycle }) => cycle)),
      numbers(batch.map(({ attempt }) => attempt)),
      texts(batch.map(({ state }) => state)),
      instants(batch.map(({ nextAttemptUtc }) => nextAttemptUtc)),
      numbers(batch.map(({ paymentFailures }) => paymentFailures)),
      numbers(batch.map(({ technicalFailures }) => technicalFailures)),
      flags(batch.map(({ retriesExhausted }) => retriesExhausted)),
      instants(batch.map(({ waitingSinceUtc }) => waitingSinceUtc)),
      numbers(batch.map(({ missedOccurrences }) => missedOccurrences)),
      numbers(batch.map(({ failure }) => failure?.code ?? null)),
      texts(batch.map(({ failure }) => failure?.message ?? null)),
      texts(batch.map(({ transactionId }) => transactionId)),
      texts(batch.map(({ status }) => status)),
      flags(batch.map(({ nextOccurrenceUtc }) => nextOccurrenceUtc !== undefined)),
      instants(batch.map(({ nextOccurrenceUtc }) => nextOccurrenceUtc ?? null)),
      texts(batch.map(({ event }) => event?.type ?? null)),
      texts(batch.map(({ event }) => event?.description ?? null)),
      texts(batch.map(({ failure }) => failure && describeFailure(failure))),
      texts(batch.map(({ error }) => error && JSON.stringify(error))),
      flags(batch.map(({ unsent }) => unsent)),
      flags(batch.map(({ isLookUp }) => isLookUp)),
      flags(batch.map(({ isKnownToGateway }) => isKnownToGateway)),
      flags(batch.map(({ madePending }) => madePending)),
      texts(batch.map((attempt) => toldJson(attempt, orders.get(attempt.cycle.scheduledOrderId)!))),
      numbers(batch.map(({ heldFor }) => heldFor)),
      flags(batch.map(({ isHeld }) => isHeld)),
    ]);
    return rows[0]!.recorded_ids.length;
  }

  /**
   * For an id that was in use already: moves every sequence beyond its table, and gives the cycle another id for its Order. Null: another worker owns
   * it.
   */
  async renumber(pool: SqlExecutor, cycle: LeasedCycle): Promise<number | null> {
    await pool.execute('SELECT advance_ids(0)');
    const rows = await pool.execute<{ order_id: string }>(RENUMBER, this.fence([cycle]));
    return rows[0] ? Number(rows[0].order_id) : null;
  }

  private fence(cycles: readonly LeasedCycle[]): string[] {
    return [
      numbers(cycles.map(({ scheduledOrderId }) => scheduledOrderId)),
      numbers(cycles.map(({ cycle }) => cycle)),
      numbers(cycles.map(({ attempt }) => attempt)),
      texts(cycles.map(() => this.worker)),
      numbers(cycles.map(({ claim }) => claim)),
    ];
  }
}

export interface CompletedIds {
  /** Orders that have their new dates. */
  readonly updatedIds: readonly string[];
  /** Orders whose cycles are completed now. */
  readonly recordedIds: readonly string[];
}

interface CompletedRow {
  updated_ids: string[];
  recorded_ids: string[];
}

interface LockedRow {
  id: string;
  version: string;
  status: Status;
  deleted: boolean;
  frequency_type: FrequencyType | null;
  frequency: string | null;
  schedule_anchor_utc: Date;
  next_occurrence_utc: Date | null;
  rescheduled_meanwhile: boolean;
  stopped: boolean;
  made_pending: boolean;
  amount: string | null;
  currency_iso: string | null;
  left_out: string[] | null;
}

function locked(row: LockedRow): LockedCycle {
  return {
    version: row.version,
    status: row.status,
    deleted: row.deleted,
    frequencyType: row.frequency_type,
    frequency: row.frequency === null ? null : Number(row.frequency),
    scheduleAnchorUtc: row.schedule_anchor_utc,
    nextOccurrenceUtc: row.next_occurrence_utc,
    rescheduledMeanwhile: row.rescheduled_meanwhile,
    stopped: row.stopped,
    madePending: row.made_pending,
    amount: Number(row.amount ?? 0),
    currencyIso: row.currency_iso ?? 'XXX',
    leftOut: row.left_out ?? [],
  };
}
