import { worked } from './worked.js';

/** SQL: whether a row was written while the database's clock was ahead, as its stamp shows. A minute: more than clocks drift. */
export const aheadSql = (stamp: string): string => `${stamp} > now() + interval '1 minute'`;

/** SQL: a time that is not to come any more. */
export const backSql = (column: string): string => worked(`CASE WHEN ${column} > now() THEN now() ELSE ${column} END`);

/** The present of simulated orders is another one. */
const backIfReal = (row: string, column: string): string =>
  worked(`CASE WHEN NOT ${row}.simulated AND ${row}.${column} > now() THEN now() ELSE ${row}.${column} END`);

/**
 * Open cycles are tried, or looked up, now. A lease begins anew: a worker that is alive renews it, that of a dead one runs out. Reads every open cycle.
 * uq_processing_cycles_open. $1 limit, $2 lease ms.
 */
export const PUT_BACK_CYCLES = `WITH ahead AS (
  SELECT c.scheduled_order_id, c.cycle FROM processing_cycles c
  WHERE c.open AND ${aheadSql('c.updated_utc')}
  ORDER BY c.scheduled_order_id LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE processing_cycles c SET updated_utc = now(), started_utc = ${backSql('c.started_utc')},
  lease_until_utc = ${worked(`CASE WHEN c.lease_until_utc IS NOT NULL THEN now() + $2 * interval '1 millisecond' END`)},
  next_attempt_utc = ${backIfReal('c', 'next_attempt_utc')},
  waiting_since_utc = ${backIfReal('c', 'waiting_since_utc')}
FROM ahead a WHERE c.scheduled_order_id = a.scheduled_order_id AND c.cycle = a.cycle
RETURNING 1`;

/** pk_integration_waits (few rows). $1 limit. */
export const PUT_BACK_PROBES = `UPDATE integration_waits w SET next_probe_utc = ${backIfReal('w', 'next_probe_utc')},
  waiting_since_utc = ${backIfReal('w', 'waiting_since_utc')}
WHERE (w.site_id, w.payment_method_type) IN (
  SELECT a.site_id, a.payment_method_type FROM integration_waits a
  WHERE ${aheadSql('a.written_utc')}
  ORDER BY a.site_id, a.payment_method_type LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`;
