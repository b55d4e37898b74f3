import { businessNowSql } from '#libs/entities';
import type { SqlExecutor } from '#libs/platform';
import { FAILURE_CODES } from '#libs/rules';
import {
  BELIEVED_NOW,
  CLAIM_REAL,
  type Claimant,
  claimed,
  type ClaimedRow,
  HERE,
  realClaimValues,
  RETURNING_CLAIMED,
} from './claim.sql.js';

const { $ } = CLAIM_REAL;

/** How often an integration that does not work is tried again (decisions.md §9, code 1003). */
export const INTEGRATION_RETRY_MS = 15 * 60_000;

/** A cycle that waits for the integration of `w` and that no worker leases. ix_processing_cycles_waiting. */
export const waitsFor = (w: string): string => `c.open AND c.waiting_since_utc IS NOT NULL AND c.site_id = ${w}.site_id
    AND c.payment_method_type = ${w}.payment_method_type AND c.failure_code = ${FAILURE_CODES.PaymentIntegrationNotFound.code} AND c.next_attempt_utc > ${businessNowSql('c')}`;

const nextInTurn = (condition: string) => `LEFT JOIN LATERAL (
    SELECT c.scheduled_order_id, c.cycle FROM processing_cycles c
    WHERE ${waitsFor('t')} AND ${condition}
    ORDER BY c.scheduled_order_id
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
  )`;

/**
 * SQL, for a `WITH`: claims one cycle of each wait in `t` (`now_utc`: its present), the next in turn, and sets the time
 * of the next probe.
 */
export const PROBED = `probe AS MATERIALIZED (
  SELECT t.site_id, t.payment_method_type, t.now_utc, coalesce(higher.scheduled_order_id, lowest.scheduled_order_id) AS id,
    coalesce(higher.cycle, lowest.cycle) AS cycle
  FROM t
  ${nextInTurn('c.scheduled_order_id > t.last_probed_order')} higher ON true
  ${nextInTurn('higher.cycle IS NULL')} lowest ON true
), waits AS MATERIALIZED (
  SELECT probe.*, probe.now_utc + interval '${INTEGRATION_RETRY_MS} milliseconds' AS next_probe_utc, probe.id IS NOT NULL OR EXISTS (
    SELECT 1 FROM processing_cycles c WHERE c.open AND c.waiting_since_utc IS NOT NULL AND c.site_id = probe.site_id
      AND c.payment_method_type = probe.payment_method_type) AS goes_on
  FROM probe
), renewed AS (
  UPDATE integration_waits w
  SET next_probe_utc = p.next_probe_utc, last_probed_order = coalesce(p.id, w.last_probed_order)
  FROM waits p
  WHERE w.site_id = p.site_id AND w.payment_method_type = p.payment_method_type AND p.goes_on
), over AS (
  DELETE FROM integration_waits w USING waits p
  WHERE w.site_id = p.site_id AND w.payment_method_type = p.payment_method_type AND NOT p.goes_on
), claimed AS (
  UPDATE processing_cycles c
  SET state = CASE WHEN c.state = 'Unknown' THEN 'Unknown' ELSE 'Claimed' END, next_attempt_utc = NULL, claim = c.claim + 1,
    worker = ${$.worker}, lease_until_utc = now() + ${$.leaseMs} * interval '1 millisecond', updated_utc = now()
  FROM waits p
  WHERE c.scheduled_order_id = p.id AND c.cycle = p.cycle
  ${RETURNING_CLAIMED}
)`;

/**
 * One waiting cycle of each integration whose next probe has come: the order with the next higher id than the last one,
 * then from the lowest. The same statement sets the time of the next probe, so that only one worker probes. When
 * nothing waits any more, the row is deleted. ix_integration_waits_next_probe, ix_processing_cycles_waiting.
 */
export const CLAIM_PROBES = `WITH t AS MATERIALIZED (
  SELECT w.site_id, w.payment_method_type, w.last_probed_order, now() AS now_utc
  FROM integration_waits w
  WHERE ${HERE} AND w.next_probe_utc <= ${BELIEVED_NOW} AND NOT w.simulated
  ORDER BY w.next_probe_utc
  LIMIT ${$.limit}
  FOR NO KEY UPDATE SKIP LOCKED
), ${PROBED}
${claimed()}`;

/** One waiting cycle of each integration that is to be probed now. */
export const claimProbes = (pool: SqlExecutor, claimant: Claimant, limit: number) =>
  pool.execute<ClaimedRow>(CLAIM_PROBES, CLAIM_REAL.values(realClaimValues(claimant, limit)));
