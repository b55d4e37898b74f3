import { businessNowSql, occurredSql } from '#libs/entities';
import { NamedValues, type Transaction, type ValuesOf } from '#libs/platform';
import { notifySql } from '../notify.js';

/** The changes that a request makes to a cycle: one statement each, with order and cycle locked. */

/** A cycle that waits, or whose retries are exhausted, is tried again at `nextAttemptUtc`, with the next attempt. */
export async function takeUpAgain(
  tx: Transaction,
  scheduledOrderId: number,
  cycle: number,
  nextAttemptUtc: Date,
): Promise<void> {
  await tx.execute(
    `UPDATE processing_cycles SET state = 'Retrying', open = true, retries_exhausted = false, rescheduled_meanwhile = false, made_pending = false, stopped_utc = NULL,
       waiting_since_utc = NULL, held_for = NULL, next_attempt_utc = $3, ended_utc = NULL, updated_utc = now()
     WHERE scheduled_order_id = $1 AND cycle = $2`,
    [scheduledOrderId, cycle, nextAttemptUtc],
  );
}

/** Sets the time of the next try of a waiting cycle. It does not probe its integration before that time. */
export async function moveNextAttempt(
  tx: Transaction,
  scheduledOrderId: number,
  cycle: number,
  nextAttemptUtc: Date,
): Promise<void> {
  await tx.execute(
    `UPDATE processing_cycles SET next_attempt_utc = $3, waiting_since_utc = NULL, updated_utc = now()
     WHERE scheduled_order_id = $1 AND cycle = $2`,
    [scheduledOrderId, cycle, nextAttemptUtc],
  );
}

/** Ends a cycle without a charge in flight. */
export async function endCycle(
  tx: Transaction,
  scheduledOrderId: number,
  cycle: number,
  state: 'Failed' | 'Skipped',
  missedOccurrences: number,
): Promise<void> {
  await tx.execute(
    `UPDATE processing_cycles c SET state = $3, open = false, missed_occurrences = $4, next_attempt_utc = NULL, held_for = NULL, worker = NULL, lease_until_utc = NULL,
       ended_utc = ${businessNowSql('c')}, occurred_utc = ${occurredSql('c')}, updated_utc = now()
     WHERE scheduled_order_id = $1 AND cycle = $2`,
    [scheduledOrderId, cycle, state, missedOccurrences],
  );
}

/** Marks that a request has set the order's next occurrence. */
export async function markRescheduled(tx: Transaction, scheduledOrderId: number, cycle: number): Promise<void> {
  await tx.execute(
    `UPDATE processing_cycles SET rescheduled_meanwhile = true, updated_utc = now() WHERE scheduled_order_id = $1 AND cycle = $2`,
    [scheduledOrderId, cycle],
  );
}

/** A cycle whose retries are exhausted stays failed: Process will not take it up again. */
export async function leaveFailed(tx: Transaction, scheduledOrderId: number, cycle: number): Promise<void> {
  await tx.execute(
    `UPDATE processing_cycles SET retries_exhausted = false, updated_utc = now() WHERE scheduled_order_id = $1 AND cycle = $2`,
    [scheduledOrderId, cycle],
  );
}

const SKIPPED = new NamedValues({
  siteId: 'bigint',
  scheduledOrderId: 'bigint',
  cycle: 'bigint',
  dueUtc: 'timestamptz',
  replacedUtc: 'timestamptz',
  missedOccurrences: 'bigint',
});
const { $ } = SKIPPED;

/** An occurrence that was passed over is a cycle too (decisions.md §9). */
export async function insertSkipped(tx: Transaction, skipped: ValuesOf<typeof SKIPPED>): Promise<void> {
  await tx.execute(
    `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, replaced_utc, missed_occurrences, ended_utc, simulated, begun_utc, occurred_utc)
     SELECT ${$.siteId}, ${$.scheduledOrderId}, ${$.cycle}, 'Skipped', false, ${$.dueUtc}, ${$.replacedUtc}, ${$.missedOccurrences},
       ${businessNowSql('o')}, o.simulated, clock.utc, clock.utc
     FROM scheduled_orders o CROSS JOIN LATERAL (SELECT ${occurredSql('o')} AS utc) clock WHERE o.id = ${$.scheduledOrderId}`,
    SKIPPED.values(skipped),
  );
}

/** Workers listen here; the payload is the id of an order. */
export const STOPPED_CHANNEL = 'scheduled_orders_stopped';

/**
 * Writes a stop into the open cycles of these orders that were, or may have been, sent. Nothing more is sent for them,
 * even when the order is active again (decisions.md §9). Workers read the stop as the last step before a sending; a
 * notification tells the worker that is about to send. The orders must be locked. uq_processing_cycles_open.
 */
export async function stopCycles(tx: Transaction, scheduledOrderIds: readonly number[]): Promise<void> {
  await tx.execute(
    `WITH stopped AS (
       UPDATE processing_cycles SET stopped_utc = coalesce(stopped_utc, clock_timestamp()), updated_utc = now()
       WHERE scheduled_order_id = ANY($2::bigint[]) AND open AND state IN ('Charging', 'Unknown')
       RETURNING scheduled_order_id, state)
     SELECT pg_notify($1, scheduled_order_id::text) FROM stopped WHERE state = 'Charging'`,
    [STOPPED_CHANNEL, scheduledOrderIds],
  );
}

/**
 * Call it when an order (locked in this transaction) gets another gateway or none. A cycle that waits for the old
 * integration is tried at once, because its turn to probe may be far away.
 */
export async function leaveWait(tx: Transaction, scheduledOrderId: number): Promise<void> {
  await tx.execute(
    // uq_processing_cycles_open
    `WITH woken AS (
       UPDATE processing_cycles c SET next_attempt_utc = ${businessNowSql('c')}, updated_utc = now()
       WHERE scheduled_order_id = $1 AND open AND state = 'Waiting' AND waiting_since_utc IS NOT NULL
         AND next_attempt_utc > ${businessNowSql('c')}
       RETURNING c.simulated
     )
     SELECT ${notifySql('woken.simulated')} FROM woken`,
    [scheduledOrderId],
  );
}
