import { UPCOMING_NOTICE_DAYS } from '#libs/entities';
import { listensSql, OUTBOX_COLUMNS } from '#libs/events';
import { numbers, type SqlExecutor, type Transaction } from '#libs/platform';
import { isFreeSql } from '../reading/cycles.js';
import {
  CLAIM,
  CLAIMANT,
  type Claimant,
  claimantValues,
  claimed,
  CLAIMED_AGAIN,
  type ClaimedRow,
  DUE_COLUMNS,
  type DueRow,
  HERE,
  IN_KNOWN,
  LOCKED_DUE,
  LOCKING,
  type Locking,
  lockingValues,
  NEWEST_CYCLE,
  TAKEN_OVER,
} from './claim.sql.js';
import { PROBED } from './probe.sql.js';
import { WAKE_IF_PUBLISHED } from './published.js';
import { worked } from './worked.js';

/**
 * The claims of simulated sites: as those of real ones, with the site's clock as the present. Only the worker that
 * leads the site claims. The clock is locked until the cycles have begun, and it moves only while no cycle is leased:
 * so a cycle's present stays until its outcome is recorded.
 */

const CLAIM_OF_SITE = CLAIM.and({ siteId: 'bigint' });
/** At most so many, but of these sites none. */
const LEAD = CLAIM.and({ exceptSites: 'bigint[]' });
const LOCKING_OF_SITE = LOCKING.and({ limit: 'bigint', siteId: 'bigint', worker: 'text' });
const STEP = CLAIMANT.and({ siteId: 'bigint', processed: 'bigint' });
const { $ } = CLAIM_OF_SITE;

/** The most cycles of one Advance. */
export const MOST_CYCLES = 100_000;

/** pk_test_clocks. */
const clock = (site: string, worker: string) => `clock AS MATERIALIZED (
  SELECT k.site_id, k.now_utc FROM test_clocks k WHERE k.site_id = ${site} AND k.worker = ${worker} FOR SHARE
)`;

/** The present of the cycles that a statement has claimed. */
const PRESENT = `(SELECT clock.now_utc FROM clock) AS present_utc`;

const ACTIVE = `o.status = 'Active' AND o.deleted_utc IS NULL AND o.simulated`;

const IS_FREE = isFreeSql('o');

/** Open cycles of the site of clock `k`. ix_processing_cycles_simulated. */
const OPEN = `FROM processing_cycles c WHERE c.open AND c.simulated AND c.site_id = k.site_id`;

const NOTICE = `(SELECT coalesce(g.upcoming_notice_days, ${UPCOMING_NOTICE_DAYS}) * interval '1 day' AS notice)`;

/** SQL: whether site `id` listens. pk_sites. */
const listens = (id: string) => `EXISTS (SELECT 1 FROM sites s WHERE s.id = ${id} AND s.listens_since_utc IS NOT NULL)`;

/**
 * An occurrence of clock `k` is within its notice and not announced yet. pk_sites, ix_scheduled_orders_site_due,
 * pk_upcoming_notices.
 */
const HAS_NOTICE = `EXISTS (SELECT 1 FROM sites s LEFT JOIN site_settings g ON g.site_id = s.id CROSS JOIN LATERAL ${NOTICE} n
    JOIN scheduled_orders o ON o.site_id = s.id AND ${ACTIVE} AND o.next_occurrence_utc > k.now_utc AND o.next_occurrence_utc <= k.now_utc + n.notice
      AND ${IS_FREE} AND NOT EXISTS (SELECT 1 FROM upcoming_notices x WHERE x.scheduled_order_id = o.id AND x.occurrence_utc = o.next_occurrence_utc)
    WHERE s.id = k.site_id AND s.listens_since_utc IS NOT NULL)`;

/** Longer than CLAIM_LEASE may be: only a wrong clock writes such a lease. */
const LONGEST_LEASE = `interval '25 hours'`;

/**
 * Something to do for clock `k`, before its site moves on. ix_scheduled_orders_site_due,
 * ix_processing_cycles_simulated, pk_integration_waits.
 */
const HAS_WORK = `k.state <> 'Deleting' AND (k.state = 'Advancing'
    OR EXISTS (SELECT 1 FROM scheduled_orders o WHERE o.site_id = k.site_id AND ${ACTIVE} AND o.next_occurrence_utc <= k.now_utc AND ${IS_FREE})
    OR EXISTS (SELECT 1 ${OPEN} AND (c.next_attempt_utc <= k.now_utc OR c.lease_until_utc <= now()))
    OR EXISTS (SELECT 1 FROM integration_waits w WHERE w.site_id = k.site_id AND w.next_probe_utc <= k.now_utc)
    OR ${HAS_NOTICE})`;

/** How many clocks of the account of clock `k` are led. ix_sites_user, pk_test_clocks. */
const LED_OF_ACCOUNT = `(SELECT count(*) FROM sites s JOIN sites x ON x.user_id = s.user_id AND x.simulated
    JOIN test_clocks l ON l.site_id = x.id AND l.lease_until_utc > now() WHERE s.id = k.site_id)`;

/**
 * Takes the lead of sites that have something to do: first of the account that has the fewest led, then those that have
 * waited longest. So nobody's clocks keep another account's waiting. pk_test_clocks (few rows).
 */
export const LEAD_CLOCKS = `WITH free AS (
  SELECT k.site_id FROM test_clocks k
  WHERE ${HERE} AND coalesce(k.lease_until_utc <= now() OR k.lease_until_utc > now() + ${LONGEST_LEASE}, true) AND k.site_id <> ALL (${LEAD.$.exceptSites}::bigint[]) AND ${HAS_WORK}
  ORDER BY ${LED_OF_ACCOUNT}, k.led_utc NULLS FIRST, k.site_id
  LIMIT ${$.limit}
  FOR NO KEY UPDATE SKIP LOCKED
), led AS (
  UPDATE test_clocks k SET worker = ${$.worker}, lease_until_utc = now() + ${$.leaseMs} * interval '1 millisecond', led_utc = now()
  FROM free WHERE k.site_id = free.site_id
  RETURNING k.site_id, k.now_utc
)
SELECT k.site_id, k.now_utc AS present_utc, ${listens('k.site_id')} AS listens FROM led k`;

/**
 * Whether there is any test clock, and how soon the next lease of another worker may run out: one that has run out is
 * taken at once, where there is work. pk_test_clocks (few rows). $1 worker.
 */
export const CLOCKS = `SELECT count(*)::int AS clocks,
  (extract(epoch FROM min(k.lease_until_utc) FILTER (WHERE k.worker <> $1 AND k.lease_until_utc > now()) - now()) * 1000)::bigint AS expires_in_ms
FROM test_clocks k`;

/** pk_test_clocks. $1 lease ms, $2 worker, $3 sites. */
export const RENEW_CLOCKS = `UPDATE test_clocks k SET lease_until_utc = now() + $1 * interval '1 millisecond'
WHERE k.site_id = ANY ($3::bigint[]) AND k.worker = $2`;

/** pk_test_clocks. $1 worker, $2 site, $3 cycles processed since the last step. */
export const LEAVE_CLOCK = `UPDATE test_clocks k SET worker = NULL, lease_until_utc = NULL, cycles = k.cycles + $3 WHERE k.worker = $1 AND k.site_id = $2`;

/**
 * The next step of a site. While something is due at its present, or a cycle is leased, the clock stands; else, during
 * an Advance, it moves to what comes next (where the site listens, also to when an occurrence is to be announced), at
 * most to the target. The step after the one that reached the target, or the most cycles, ends the Advance: so all
 * notices are given before `test_clock.ready`. No row: another worker leads, or the site is being deleted.
 * ix_scheduled_orders_site_due, ix_processing_cycles_simulated, pk_integration_waits.
 */
export const STEP_CLOCK = `WITH k AS MATERIALIZED (
  SELECT k.site_id, k.now_utc, k.state = 'Advancing' AS advances, k.target_utc, k.cycles + ${STEP.$.processed}::bigint AS cycles
  FROM test_clocks k WHERE ${HERE} AND k.site_id = ${STEP.$.siteId} AND k.worker = ${$.worker}
  FOR NO KEY UPDATE
), ahead AS MATERIALIZED (
  SELECT k.*,
    (SELECT o.next_occurrence_utc FROM scheduled_orders o WHERE o.site_id = k.site_id AND ${ACTIVE} AND ${IS_FREE}
     ORDER BY o.next_occurrence_utc, o.id LIMIT 1) AS due_utc,
    (SELECT min(c.next_attempt_utc) ${OPEN}) AS try_utc,
    (SELECT min(w.next_probe_utc) FROM integration_waits w WHERE w.site_id = k.site_id) AS probe_utc,
    (SELECT o.next_occurrence_utc - n.notice FROM sites s LEFT JOIN site_settings g ON g.site_id = s.id
     CROSS JOIN LATERAL ${NOTICE} n
     JOIN scheduled_orders o ON o.site_id = s.id AND ${ACTIVE} AND ${IS_FREE} AND o.next_occurrence_utc > k.now_utc + n.notice
     WHERE s.id = k.site_id AND s.listens_since_utc IS NOT NULL
     ORDER BY o.next_occurrence_utc, o.id LIMIT 1) AS notice_utc,
    EXISTS (SELECT 1 ${OPEN} AND c.worker IS NOT NULL) AS is_busy,
    EXISTS (SELECT 1 ${OPEN} AND c.worker IS NOT NULL AND c.lease_until_utc <= now()) AS has_expired
  FROM k
), step AS MATERIALIZED (
  SELECT a.*, CASE WHEN a.advances AND NOT a.is_busy AND a.cycles < ${MOST_CYCLES}
    THEN greatest(a.now_utc, least(a.due_utc, a.try_utc, a.probe_utc, a.notice_utc, a.target_utc)) ELSE a.now_utc END AS present_utc
  FROM ahead a
), found AS MATERIALIZED (
  SELECT s.*, coalesce(s.due_utc <= s.present_utc, false) AS has_due, coalesce(s.try_utc <= s.present_utc, false) AS has_again,
    coalesce(s.probe_utc <= s.present_utc, false) AS has_probe
  FROM step s
), moved AS (
  UPDATE test_clocks k
  SET now_utc = f.present_utc, cycles = f.cycles, lease_until_utc = now() + ${$.leaseMs} * interval '1 millisecond',
    updated_utc = ${worked('CASE WHEN over.is_over OR f.present_utc > f.now_utc THEN now() ELSE k.updated_utc END')},
    state = CASE WHEN over.is_over THEN 'Ready' ELSE k.state END
  FROM found f CROSS JOIN LATERAL (SELECT f.advances AND NOT f.is_busy AND (f.cycles >= ${MOST_CYCLES}
    OR f.now_utc >= f.target_utc AND NOT (f.has_due OR f.has_again OR f.has_probe)) AS is_over) over
  WHERE k.site_id = f.site_id
  RETURNING k.site_id, k.now_utc, k.target_utc, k.cycles, k.state, over.is_over, f.is_busy, f.has_expired, f.has_due, f.has_again, f.has_probe
), published AS (
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT m.site_id, NULL::bigint, 'test_clock.ready', NULL::uuid,
    jsonb_build_object('NowUtc', to_char(m.now_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'Cycles', m.cycles), m.now_utc
  FROM moved m
  WHERE m.is_over AND ${listensSql('m.site_id', 'moved')}
  RETURNING site_id
)
SELECT m.now_utc AS present_utc, m.state = 'Advancing' AS advances, m.is_busy, m.has_expired, m.has_due, m.has_again, m.has_probe,
  ${listens('m.site_id')} AS listens, ${WAKE_IF_PUBLISHED}
FROM moved m`;

/** Locks due orders of a site, as LOCK_DUE. ix_scheduled_orders_site_due. */
export const LOCK_DUE_SIMULATED = `WITH ${clock(LOCKING_OF_SITE.$.siteId, LOCKING_OF_SITE.$.worker)}, due AS (
  SELECT ${DUE_COLUMNS}, clock.now_utc AS present_utc
  FROM clock JOIN scheduled_orders o ON o.site_id = clock.site_id ${NEWEST_CYCLE}
  WHERE ${IN_KNOWN} AND ${ACTIVE} AND o.next_occurrence_utc <= clock.now_utc AND newest.open IS NOT TRUE
  ORDER BY o.next_occurrence_utc, o.id
  LIMIT ${LOCKING_OF_SITE.$.limit}
  FOR NO KEY UPDATE OF o SKIP LOCKED
) SELECT ${LOCKED_DUE}, due.present_utc
FROM due`;

/** As CLAIM_AGAIN. ix_processing_cycles_simulated. */
export const CLAIM_AGAIN_SIMULATED = `WITH ${clock($.siteId, $.worker)}, due AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM clock JOIN processing_cycles c ON c.site_id = clock.site_id
  WHERE ${HERE} AND c.open AND c.simulated AND c.next_attempt_utc <= clock.now_utc
  ORDER BY c.next_attempt_utc, c.scheduled_order_id
  LIMIT ${$.limit}
  FOR NO KEY UPDATE OF c SKIP LOCKED
), ${CLAIMED_AGAIN}
${claimed(PRESENT)}`;

/** As TAKE_OVER. ix_processing_cycles_simulated. */
export const TAKE_OVER_SIMULATED = `WITH ${clock($.siteId, $.worker)}, expired AS (
  SELECT c.scheduled_order_id, c.cycle, c.worker, c.claim
  FROM clock JOIN processing_cycles c ON c.site_id = clock.site_id
  WHERE ${HERE} AND c.open AND c.simulated AND c.lease_until_utc <= now()
  ORDER BY c.scheduled_order_id
  LIMIT ${$.limit}
  FOR NO KEY UPDATE OF c SKIP LOCKED
), ${TAKEN_OVER}
${claimed('c.kept_claim', PRESENT)}`;

/** As CLAIM_PROBES. pk_integration_waits, ix_processing_cycles_waiting. */
export const CLAIM_PROBES_SIMULATED = `WITH ${clock($.siteId, $.worker)}, t AS MATERIALIZED (
  SELECT w.site_id, w.payment_method_type, w.last_probed_order, clock.now_utc
  FROM clock JOIN integration_waits w ON w.site_id = clock.site_id
  WHERE ${HERE} AND w.next_probe_utc <= clock.now_utc
  ORDER BY w.next_probe_utc
  LIMIT ${$.limit}
  FOR NO KEY UPDATE OF w SKIP LOCKED
), ${PROBED}
${claimed(PRESENT)}`;

/** At most so many due orders of the site. Begin their cycles in the same transaction. */
export const lockDueSimulated = (
  tx: Transaction,
  locking: Locking,
  { limit, siteId, worker }: { readonly limit: number; readonly siteId: number; readonly worker: string },
) =>
  tx.execute<DueRow>(LOCK_DUE_SIMULATED, LOCKING_OF_SITE.values({ limit, siteId, worker, ...lockingValues(locking) }));

const claimOfSite =
  (statement: string) =>
  (pool: SqlExecutor, claimant: Claimant, limit: number, siteId: number): Promise<ClaimedRow[]> =>
    pool.execute<ClaimedRow>(statement, CLAIM_OF_SITE.values({ limit, siteId, ...claimantValues(claimant) }));

export const claimAgainSimulated = claimOfSite(CLAIM_AGAIN_SIMULATED);
export const takeOverSimulated = claimOfSite(TAKE_OVER_SIMULATED);
export const claimProbesSimulated = claimOfSite(CLAIM_PROBES_SIMULATED);

/**
 * Whether there is any test clock, and how soon the next lease of another worker may run out, in milliseconds; null:
 * there is none.
 */
export async function countClocks(
  pool: SqlExecutor,
  worker: string,
): Promise<{ readonly clocks: number; readonly expiresInMs: number | null }> {
  const rows = await pool.execute<{ clocks: number; expiresInMs: number | null }>(CLOCKS, [worker]);
  return rows[0]!;
}

/** A site whose lead was taken. */
export interface LedRow {
  readonly siteId: number;
  readonly presentUtc: Date;
  readonly listens: boolean;
}

export const leadClocks = (pool: SqlExecutor, claimant: Claimant, limit: number, exceptSites: readonly number[]) =>
  pool.execute<LedRow>(LEAD_CLOCKS, LEAD.values({ limit, exceptSites, ...claimantValues(claimant) }));

export const renewClocks = (
  pool: SqlExecutor,
  { worker, leaseMs }: Omit<Claimant, 'known'>,
  siteIds: readonly number[],
) => pool.execute(RENEW_CLOCKS, [leaseMs, worker, numbers(siteIds)]);

/** Any worker may lead from now on. `processed`: cycles since the last step. */
export const leaveClock = (pool: SqlExecutor, worker: string, siteId: number, processed: number) =>
  pool.execute(LEAVE_CLOCK, [worker, siteId, processed]);

/** Where a simulated site stands, after a step of its clock. */
export interface StepRow {
  readonly presentUtc: Date;
  /** An Advance goes on. */
  readonly advances: boolean;
  /** Cycles of it are leased: the clock stands. */
  readonly isBusy: boolean;
  /** Leases of dead workers have run out. */
  readonly hasExpired: boolean;
  readonly hasDue: boolean;
  readonly hasAgain: boolean;
  readonly hasProbe: boolean;
  readonly listens: boolean;
}

/**
 * The next step, and a new lease. `processed`: cycles since the last step. @returns null when another worker leads, or
 * the site was deleted.
 */
export async function stepClock(
  pool: SqlExecutor,
  claimant: Claimant,
  siteId: number,
  processed: number,
): Promise<StepRow | null> {
  const values = STEP.values({ siteId, processed, ...claimantValues(claimant) });
  return (await pool.execute<StepRow>(STEP_CLOCK, values))[0] ?? null;
}
