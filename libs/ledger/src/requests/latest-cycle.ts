import type { CycleState } from '#libs/entities';
import type { SqlExecutor, Transaction } from '#libs/platform';
import { Conflict } from '#libs/records';
import { shownInstant } from '#libs/rules';
import { madeForFoundSql } from '../statements/found.sql.js';

/** What a request must know about the newest cycle of an order. An open cycle is always the newest. */
export interface LatestCycle {
  readonly cycle: number;
  readonly state: CycleState;
  readonly dueUtc: Date;
  readonly replacedUtc: Date | null;
  readonly retriesExhausted: boolean;
  /** A request set the next occurrence while the cycle was in progress. */
  readonly rescheduledMeanwhile: boolean;
  /** It was made for a charge that a comparison found, and not for the order's next occurrence. */
  readonly madeForFound: boolean;
}

/** pk_processing_cycles, backwards. */
const NEWEST = `SELECT cycle, state, due_utc AS "dueUtc", replaced_utc AS "replacedUtc", retries_exhausted AS "retriesExhausted",
    rescheduled_meanwhile AS "rescheduledMeanwhile", ${madeForFoundSql('processing_cycles')} AS "madeForFound"
  FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle DESC LIMIT 1`;

/**
 * Locks the newest cycle of an order. Lock the order first: that prevents a new claim. This lock prevents workers from
 * changing the cycle's state before the request has committed.
 */
export const lockLatestCycle = (tx: Transaction, scheduledOrderId: number): Promise<LatestCycle | null> =>
  newest(tx, `${NEWEST} FOR NO KEY UPDATE`, scheduledOrderId);

/** The same without a lock, for whoever only wants to know. */
export const readLatestCycle = (executor: SqlExecutor, scheduledOrderId: number): Promise<LatestCycle | null> =>
  newest(executor, NEWEST, scheduledOrderId);

async function newest(executor: SqlExecutor, sql: string, scheduledOrderId: number): Promise<LatestCycle | null> {
  const [row] = await executor.execute<LatestCycle>(sql, [scheduledOrderId]);
  return row ?? null;
}

/** pk_processing_cycles, backwards. $1 order id. */
const MISSED = `SELECT missed_occurrences AS missed FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle DESC LIMIT 1`;

/** How many later occurrences the newest cycle of an order has passed over. */
export async function readMissed(executor: SqlExecutor, scheduledOrderId: number): Promise<number> {
  const [row] = await executor.execute<{ missed: number }>(MISSED, [scheduledOrderId]);
  return row!.missed;
}

/** Between two tries, or waiting for its integration: no charge is in flight. */
export const isWaiting = (cycle: LatestCycle | null): cycle is LatestCycle & { state: 'Retrying' | 'Waiting' } =>
  cycle?.state === 'Retrying' || cycle?.state === 'Waiting';

/** Claimed by a worker, charging, or charged with an unknown outcome. */
export const isInProgress = (
  cycle: LatestCycle | null,
): cycle is LatestCycle & { state: 'Claimed' | 'Charging' | 'Unknown' } =>
  cycle?.state === 'Claimed' || cycle?.state === 'Charging' || cycle?.state === 'Unknown';

/** Every regular occurrence up to this instant is done: the schedule goes on after it. */
export const settledUtc = ({ dueUtc, replacedUtc }: LatestCycle): Date =>
  replacedUtc !== null && replacedUtc > dueUtc ? replacedUtc : dueUtc;

/** @throws Conflict with the reason (decisions.md §9). */
export function refuseWhileInProgress(cycle: LatestCycle | null, operation: string): void {
  refuseWhileUnknown(cycle, operation);
  if (isInProgress(cycle)) {
    throw new Conflict(
      `The occurrence of ${shownInstant(cycle.dueUtc)} is being processed, so that the order cannot be ${operation} now. ` +
        'Read it again in a moment.',
    );
  }
}

/** @throws Conflict while the outcome of the charge is unknown (decisions.md §9). */
export function refuseWhileUnknown(cycle: LatestCycle | null, operation: string): void {
  if (cycle?.state !== 'Unknown') return;
  throw new Conflict(
    `Whether the occurrence of ${shownInstant(cycle.dueUtc)} was charged is not known yet, so that the order cannot be ${operation}. ` +
      'It is looked up at the gateway until it is settled; see the Cycles of this order.',
  );
}
