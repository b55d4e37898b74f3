import { businessNowSql } from '#libs/entities';
import { Batch, type BatchRow, numbers, type SqlExecutor } from '#libs/platform';
import { FENCE, OWNED } from './fence.js';
import { worked } from './worked.js';

const OWNED_CYCLES = new Batch(OWNED);
const RENEWED_CYCLES = new Batch(OWNED, 2);

/** A cycle that a worker has claimed. `id`: of the order. */
export type OwnedRow = BatchRow<typeof OWNED_CYCLES>;

/**
 * Another worker may own a cycle now: rows that this worker lost are not renewed, and their late outcomes are not
 * recorded. A locked row must not delay the other leases: it is renewed the next time. pk_processing_cycles. $1 until
 * when, then the cycles.
 */
export const RENEW = `WITH leased AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM ${RENEWED_CYCLES.sql}
  JOIN processing_cycles c ON ${FENCE} AND c.open
  FOR NO KEY UPDATE OF c SKIP LOCKED
)
UPDATE processing_cycles c
SET lease_until_utc = $1
FROM leased h
WHERE c.scheduled_order_id = h.scheduled_order_id AND c.cycle = h.cycle
RETURNING c.scheduled_order_id, c.cycle`;

/** Undoes a claim that was not used, so that any worker can claim the cycle at once. */
export const RELEASE = `UPDATE processing_cycles c
SET state = CASE WHEN c.waiting_since_utc IS NULL AND c.held_for IS NULL THEN 'Retrying' ELSE 'Waiting' END, next_attempt_utc = ${worked(businessNowSql('c'))}, worker = NULL,
  lease_until_utc = NULL, updated_utc = now()
FROM ${OWNED_CYCLES.sql}
WHERE ${FENCE} AND c.state = 'Claimed'`;

export const END_LEASES = `UPDATE processing_cycles c
SET lease_until_utc = now()
FROM ${OWNED_CYCLES.sql}
WHERE ${FENCE} AND c.open`;

/**
 * Of these orders those that are not charged any more. The processor itself makes an order Pending while an outcome
 * stays unknown: that stops nothing. uq_processing_cycles_open. $1 order ids.
 */
export const INACTIVE = `SELECT o.id FROM scheduled_orders o LEFT JOIN processing_cycles c ON c.scheduled_order_id = o.id AND c.open
WHERE o.id = ANY ($1::bigint[]) AND (o.status <> 'Active' OR o.deleted_utc IS NOT NULL)
  AND (c.state IS DISTINCT FROM 'Unknown' OR c.stopped_utc IS NOT NULL)`;

/** @returns those that are the worker's until then. */
export const renewLeases = (pool: SqlExecutor, untilUtc: Date, cycles: readonly OwnedRow[]) =>
  pool.execute<{ scheduledOrderId: number; cycle: number }>(RENEW, [untilUtc, ...RENEWED_CYCLES.values(cycles)]);

export const releaseCycles = (pool: SqlExecutor, cycles: readonly OwnedRow[]) =>
  pool.execute(RELEASE, OWNED_CYCLES.values(cycles));

export const endLeases = (pool: SqlExecutor, cycles: readonly OwnedRow[]) =>
  pool.execute(END_LEASES, OWNED_CYCLES.values(cycles));

/** @returns those of the orders that are not charged any more. */
export async function readInactive(pool: SqlExecutor, scheduledOrderIds: readonly number[]): Promise<number[]> {
  const rows = await pool.execute<{ id: number }>(INACTIVE, [numbers(scheduledOrderIds)]);
  return rows.map(({ id }) => id);
}
