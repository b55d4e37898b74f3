import { FENCE, heldBySql } from '#libs/cycles';

/**
 * Which of this worker's cycles are stopped or held. Cycles that another worker owns by now are left out, and those that one may take over: when the
 * database's clock has jumped, its leases end before this machine's clock says so. pk_processing_cycles, ix_payment_differences_holding.
 * $1 order ids, $2 cycles, $3 workers, $4 claims, $5 generation and $6 log position of the database that the worker knows.
 */
export const READ_STOPS = `SELECT c.scheduled_order_id, c.stopped_utc IS NOT NULL AS stopped, ${heldBySql('c.site_id', 'c.scheduled_order_id')} AS held_by
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS b (id, cycle, worker, claim)
JOIN processing_cycles c ON ${FENCE} AND c.open
WHERE assert_same_database($5, $6) AND c.lease_until_utc > now()`;
