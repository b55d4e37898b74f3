import { Batch, type BatchRow, type SqlExecutor } from '#libs/database';
import { businessNowSql } from '#libs/entities';
import { FENCE, OWNED } from './fence.js';
import { worked } from './worked.js';

const OWNED_CYCLES = new Batch(OWNED);
const RENEWED_CYCLES = new Batch(OWNED, 2);

/** A cycle that a worker has claimed. `id`: of the order. */
export type OwnedRow = BatchRow<typeof OWNED_CYCLES>;

/**
 * Another worker may own a cycle now: rows that this worker lost are not renewed, and their late outcomes are not recorded. A locked row must not
 * delay the other leases: it is renewed the next time. pk_processing_cycles. $1 until when, then the cycles.
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

/** @returns those that are the worker's until then. */
export const renewLeases = (pool: SqlExecutor, untilUtc: Date, cycles: readonly OwnedRow[]) =>
  pool.execute<{ scheduled_order_id: string; cycle: string }>(RENEW, [untilUtc, ...RENEWED_CYCLES.values(cycles)]);

export const releaseCycles = (pool: SqlExecutor, cycles: readonly OwnedRow[]) =>
  pool.execute(RELEASE, OWNED_CYCLES.values(cycles));

export const endLeases = (pool: SqlExecutor, cycles: readonly OwnedRow[]) =>
  pool.execute(END_LEASES, OWNED_CYCLES.values(cycles));
