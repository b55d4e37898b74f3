import { businessNowSql } from '#libs/entities';
import type { PaymentMethodType } from '#libs/gateways';
import { Batch, type BatchRow, type SqlExecutor, type Transaction } from '#libs/platform';
import { waitsFor } from './probe.sql.js';
import { insertRecoveredSql, insertRefusedSql, WAKE_IF_PUBLISHED } from './published.js';
import { worked } from './worked.js';

const WAITING_CYCLES = new Batch({ id: 'bigint', cycle: 'bigint', type: 'text', next_probe_utc: 'timestamptz' });

/**
 * A cycle that was just written as waiting. `id`: of the order. `type`: that it was tried with. `next_probe_utc`: the
 * latest time of the next probe.
 */
export type WaitingRow = BatchRow<typeof WAITING_CYCLES>;

/**
 * Cycles that were just written as waiting join the wait for their integration. From now on the integration is probed,
 * and the cycles store only their deadline. The lock on its row prevents that a worker wakes all and misses one. An
 * order that now has another gateway is tried at once. pk_processing_cycles, pk_integration_waits.
 */
export const JOIN_WAITS = `WITH b AS (
  SELECT * FROM ${WAITING_CYCLES.sql}
), elsewhere AS (
  UPDATE processing_cycles c SET next_attempt_utc = ${worked(businessNowSql('c'))}
  FROM b
  WHERE c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.open AND c.payment_method_type IS DISTINCT FROM b.type
), s AS (
  SELECT w.site_id, w.type, (${businessNowSql('w')})::timestamptz(3) AS now_utc, w.next_probe_utc
  FROM (SELECT c.site_id, c.simulated, b.type, min(b.next_probe_utc) AS next_probe_utc
    FROM b JOIN processing_cycles c ON c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.open
    WHERE b.type IS NOT NULL
    GROUP BY c.site_id, c.simulated, b.type) w
), joined AS (
  INSERT INTO integration_waits AS w (site_id, payment_method_type, waiting_since_utc, next_probe_utc)
  SELECT s.site_id, s.type, s.now_utc, s.next_probe_utc FROM s
  ORDER BY s.site_id, s.type
  ON CONFLICT (site_id, payment_method_type) DO UPDATE
  SET waiting_since_utc = coalesce(w.waiting_since_utc, excluded.waiting_since_utc),
    next_probe_utc = least(w.next_probe_utc, excluded.next_probe_utc)
  RETURNING w.site_id, w.payment_method_type, w.wrong_account, w.waiting_since_utc
), refused AS (
  SELECT j.site_id, j.payment_method_type, false AS is_wrong_account
  FROM joined j JOIN s ON s.site_id = j.site_id AND s.type = j.payment_method_type
  WHERE j.waiting_since_utc = s.now_utc AND NOT j.wrong_account
), published AS (${insertRefusedSql('refused')}
)
SELECT ${WAKE_IF_PUBLISHED}`;

/** The next cycle in turn is tried at once. $1 site, $2 type, $3 whether the gateway did not know the card. */
export const PROBE_SOON = `UPDATE integration_waits w SET next_probe_utc = ${worked(businessNowSql('w'))}
WHERE site_id = $1 AND payment_method_type = $2 AND waiting_since_utc IS NOT NULL AND NOT (wrong_account AND $3)`;

/** $1 site, $2 type. */
export const LOCK_WAIT = `SELECT 1 FROM integration_waits WHERE site_id = $1 AND payment_method_type = $2 FOR UPDATE`;

/**
 * Cycles that requests and workers have locked are left for the next probe. $1 site, $2 type, $3 states, $4 limit.
 * ix_processing_cycles_waiting.
 */
export const WAKE_WAITING = `WITH w AS (SELECT $1::bigint AS site_id, $2::text AS payment_method_type), waiting AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM w CROSS JOIN LATERAL (
    SELECT c.scheduled_order_id, c.cycle FROM processing_cycles c
    WHERE ${waitsFor('w')} AND c.state = ANY ($3::text[])
    ORDER BY c.scheduled_order_id
    LIMIT $4
    FOR NO KEY UPDATE SKIP LOCKED) c
)
UPDATE processing_cycles c SET next_attempt_utc = ${worked(businessNowSql('c'))}, updated_utc = now()
FROM waiting w
WHERE c.scheduled_order_id = w.scheduled_order_id AND c.cycle = w.cycle
RETURNING 1`;

/**
 * Runs after all were woken. If locked cycles were left out, the next probe comes at once; otherwise the wait is over.
 * After a false alarm the row remembers the right credentials, so that the same unknown cards do not cause another one.
 * $1 site, $2 type, $3 fingerprint.
 */
export const END_WAIT = `WITH rest AS (
  SELECT w.site_id, w.payment_method_type, EXISTS (SELECT 1 FROM processing_cycles c WHERE ${waitsFor('w')}) AS waits,
    w.wrong_account OR w.cleared_fingerprint IS NOT NULL AS stays, w.waiting_since_utc IS NOT NULL AS was_waiting
  FROM integration_waits w
  WHERE w.site_id = $1 AND w.payment_method_type = $2
), over AS (
  DELETE FROM integration_waits w USING rest
  WHERE w.site_id = rest.site_id AND w.payment_method_type = rest.payment_method_type AND NOT rest.waits AND NOT rest.stays
), recovered AS (
  SELECT site_id, payment_method_type FROM rest WHERE was_waiting AND NOT waits
), published AS (${insertRecoveredSql('recovered')}
), stays AS (
  UPDATE integration_waits w
  SET waiting_since_utc = CASE WHEN rest.waits THEN w.waiting_since_utc END,
    next_probe_utc = ${worked(`CASE WHEN rest.waits THEN ${businessNowSql('w')} END`)},
    missing = '[]', wrong_account = false, cleared_fingerprint = CASE WHEN w.wrong_account THEN $3 ELSE w.cleared_fingerprint END
  FROM rest
  WHERE w.site_id = rest.site_id AND w.payment_method_type = rest.payment_method_type AND (rest.waits OR rest.stays)
)
SELECT ${WAKE_IF_PUBLISHED}`;

/** The integration of a site and type, whether it exists or not. */
export interface WaitKey {
  readonly siteId: number;
  readonly paymentMethodType: PaymentMethodType | null;
}

/** In the transaction that has written them as waiting. */
export const joinWaits = (tx: Transaction, cycles: readonly WaitingRow[]) =>
  tx.execute(JOIN_WAITS, WAITING_CYCLES.values(cycles));

/** `isMissing`: the gateway did not know the card. */
export const probeSoon = (pool: SqlExecutor, { siteId, paymentMethodType }: WaitKey, isMissing: boolean) =>
  pool.execute(PROBE_SOON, [siteId, paymentMethodType, isMissing]);

/** No other cycle joins the wait before the transaction ends. */
export const lockWait = (tx: Transaction, { siteId, paymentMethodType }: WaitKey) =>
  tx.execute(LOCK_WAIT, [siteId, paymentMethodType]);

/** @returns how many cycles in these states are tried now: `limit` where there may be more. */
export async function wakeWaiting(
  executor: SqlExecutor,
  { siteId, paymentMethodType }: WaitKey,
  states: readonly ('Waiting' | 'Unknown')[],
  limit: number,
): Promise<number> {
  return (await executor.execute(WAKE_WAITING, [siteId, paymentMethodType, states, limit])).length;
}

/** Call `lockWait` before. `fingerprint`: of the credentials that work. */
export const endWait = (tx: Transaction, { siteId, paymentMethodType }: WaitKey, fingerprint: string | null) =>
  tx.execute(END_WAIT, [siteId, paymentMethodType, fingerprint]);
