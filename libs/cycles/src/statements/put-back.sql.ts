import { worked } from './worked.js';

/** Longer than clocks drift, and than a transaction of a worker takes. */
const DRIFT = `interval '1 minute'`;
/** Longer than a probe is ever put off. */
const LONGEST_PROBE = `interval '1 day'`;
const back = (column: string): string => worked(`CASE WHEN ${column} > now() THEN now() ELSE ${column} END`);
const backIfReal = (column: string): string =>
  worked(`CASE WHEN NOT c.simulated AND ${column} > now() THEN now() ELSE ${column} END`);

/**
 * Open cycles that were written while the database's clock was ahead, as their stamp shows: they are tried, or looked up, now. A lease begins anew: a
 * worker that is alive renews it, that of a dead one runs out. Reads every open cycle. uq_processing_cycles_open. $1 limit, $2 lease ms.
 */
export const PUT_BACK_CYCLES = `WITH ahead AS (
  SELECT c.scheduled_order_id, c.cycle FROM processing_cycles c
  WHERE c.open AND c.updated_utc > now() + ${DRIFT}
  ORDER BY c.scheduled_order_id LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE processing_cycles c SET updated_utc = now(), started_utc = ${back('c.started_utc')},
  lease_until_utc = ${worked(`CASE WHEN c.lease_until_utc IS NOT NULL THEN now() + $2 * interval '1 millisecond' END`)},
  next_attempt_utc = ${backIfReal('c.next_attempt_utc')},
  waiting_since_utc = ${backIfReal('c.waiting_since_utc')}
FROM ahead a WHERE c.scheduled_order_id = a.scheduled_order_id AND c.cycle = a.cycle
RETURNING 1`;

/** pk_integration_waits (few rows). $1 limit. */
export const PUT_BACK_PROBES = `UPDATE integration_waits w SET next_probe_utc = now() WHERE (w.site_id, w.payment_method_type) IN (
  SELECT a.site_id, a.payment_method_type FROM integration_waits a
  WHERE NOT a.simulated AND a.next_probe_utc > now() + ${LONGEST_PROBE}
  ORDER BY a.site_id, a.payment_method_type LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`;
