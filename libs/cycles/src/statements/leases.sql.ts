import { businessNowSql } from '#libs/entities';
import { FENCE } from './fence.js';
import { worked } from './worked.js';

/**
 * Another worker may own a cycle now: rows that this worker lost are not renewed, and their late outcomes are not recorded. A locked row must not
 * delay the other leases: it is renewed the next time. pk_processing_cycles.
 * $1 until when, $2 order ids, $3 cycles, $4 workers, $5 claims.
 */
export const RENEW = `WITH leased AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[]) AS b (id, cycle, worker, claim)
  JOIN processing_cycles c ON ${FENCE} AND c.open
  FOR NO KEY UPDATE OF c SKIP LOCKED
)
UPDATE processing_cycles c
SET lease_until_utc = $1
FROM leased h
WHERE c.scheduled_order_id = h.scheduled_order_id AND c.cycle = h.cycle
RETURNING c.scheduled_order_id, c.cycle`;

/** Undoes a claim that was not used, so that any worker can claim the cycle at once. $1 order ids, $2 cycles, $3 workers, $4 claims. */
export const RELEASE = `UPDATE processing_cycles c
SET state = CASE WHEN c.waiting_since_utc IS NULL AND c.held_for IS NULL THEN 'Retrying' ELSE 'Waiting' END, next_attempt_utc = ${worked(businessNowSql('c'))}, worker = NULL,
  lease_until_utc = NULL, updated_utc = now()
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS b (id, cycle, worker, claim)
WHERE ${FENCE} AND c.state = 'Claimed'`;

/** $1 order ids, $2 cycles, $3 workers, $4 claims. */
export const END_LEASES = `UPDATE processing_cycles c
SET lease_until_utc = now()
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS b (id, cycle, worker, claim)
WHERE ${FENCE} AND c.open`;
