import { aheadSql, backSql } from '#libs/entities';
import type { SqlExecutor } from '#libs/platform';
import { worked } from './worked.js';

/** The present of simulated orders is another one. */
const backIfReal = (row: string, column: string): string =>
  worked(`CASE WHEN NOT ${row}.simulated AND ${row}.${column} > now() THEN now() ELSE ${row}.${column} END`);

/**
 * Open cycles are tried, or looked up, now. A lease begins anew: a worker that is alive renews it, that of a dead one
 * runs out. Reads every open cycle. uq_processing_cycles_open. $1 limit, $2 lease ms.
 */
export const PUT_BACK_CYCLES = `WITH ahead AS (
  SELECT c.scheduled_order_id, c.cycle FROM processing_cycles c
  WHERE c.open AND ${aheadSql('c.updated_utc')}
  ORDER BY c.scheduled_order_id LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE processing_cycles c SET updated_utc = now(), started_utc = ${backSql('c.started_utc')}, replayed_utc = ${backSql('c.replayed_utc')},
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

/** Open cycles that a wrong clock has put off, at most so many. @returns how many. */
export const putBackCycles = async (pool: SqlExecutor, limit: number, leaseMs: number): Promise<number> =>
  (await pool.execute(PUT_BACK_CYCLES, [limit, leaseMs])).length;

/** Probes that a wrong clock has put off, at most so many. @returns how many. */
export const putBackProbes = async (pool: SqlExecutor, limit: number): Promise<number> =>
  (await pool.execute(PUT_BACK_PROBES, [limit])).length;
