import { type CycleState, here, type KnownDatabase } from '#libs/entities';
import type { PaymentMethodType } from '#libs/gateways';
import {
  Batch,
  type BatchRow,
  type ConnectionPool,
  NamedValues,
  type SqlExecutor,
  Statement,
  type Transaction,
} from '#libs/platform';

/** Who claims: `leaseMs` is how long the cycles are his. */
export interface Claimant {
  readonly worker: string;
  readonly leaseMs: number;
  readonly known: KnownDatabase;
  /** The database's clock cannot be later, unless it has jumped since the claimant read it. Null: nobody watches it. */
  readonly latestUtc?: Date | null;
}

/** The values of whatever a claimant sends. */
export const CLAIMANT = new NamedValues({ worker: 'text', leaseMs: 'float8', generation: 'bigint', lsn: 'text' });
export const claimantValues = ({ worker, leaseMs, known: { generation, lsn } }: Claimant) => ({
  worker,
  leaseMs,
  generation,
  lsn,
});

/** The values of a claim: at most so many. */
export const CLAIM = CLAIMANT.and({ limit: 'bigint' });
/** The same of real sites, whose present is the database's clock. */
export const CLAIM_REAL = CLAIM.and({ latestUtc: 'timestamptz' });
/** The same, but of these sites none. */
const CLAIM_ELSEWHERE = CLAIM_REAL.and({ exceptSites: 'bigint[]' });

export const realClaimValues = (claimant: Claimant, limit: number) => ({
  limit,
  latestUtc: claimant.latestUtc ?? null,
  ...claimantValues(claimant),
});

const { $ } = CLAIM_ELSEWHERE;

/**
 * How due orders are locked. A worker that stands still for longer than `longestPauseMs` loses the locks: requests wait
 * for these rows.
 */
export interface Locking {
  readonly longestPauseMs: number;
  readonly known: KnownDatabase;
}

/** The values of whatever locks due orders. */
export const LOCKING = new NamedValues({ longestPauseMs: 'text', generation: 'bigint', lsn: 'text' });
export const lockingValues = ({ longestPauseMs, known: { generation, lsn } }: Locking) => ({
  longestPauseMs: String(longestPauseMs),
  generation,
  lsn,
});

const LOCKING_AFTER = LOCKING.and({ limit: 'bigint', afterUtc: 'timestamptz', afterId: 'bigint' });
const SHARES = new Batch({ site_id: 'bigint', take: 'integer', after_utc: 'timestamptz', after_id: 'bigint' }, 4);

/** The part of a batch that one site may get: at most `take` orders after this due time and id. */
export type ShareRow = BatchRow<typeof SHARES>;

/** A due order that is locked, with the number of its next cycle (LOCKED_DUE). */
export interface DueRow {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly siteId: number;
  readonly dueUtc: Date;
  readonly replacedUtc: Date | null;
  readonly paymentMethodType: PaymentMethodType | null;
  readonly orderId: number;
  /** Of a simulated site. */
  readonly presentUtc?: Date;
}

/** An existing cycle that was claimed (CYCLE_COLUMNS). */
export interface ClaimedRow extends DueRow {
  readonly state: CycleState;
  readonly attempt: number;
  readonly paymentFailures: number;
  readonly technicalFailures: number;
  readonly lookUps: number;
  readonly waitingSinceUtc: Date | null;
  readonly heldFor: number | null;
  readonly retriesExhausted: boolean;
  readonly claim: number;
  /** The claim that ran out, if it was this worker's own. */
  readonly keptClaim?: number | null;
}

/** The columns of a cycle that every claim gives, besides the type of its payment method. */
export const CYCLE_COLUMNS = `c.scheduled_order_id, c.cycle, c.site_id, c.state, c.attempt, c.order_id, c.due_utc, c.replaced_utc,
    c.payment_failures, c.technical_failures, c.look_ups, c.waiting_since_utc, c.held_for, c.retries_exhausted, c.claim`;

/**
 * The payment type of an existing cycle: the one that was sent or, if nothing was sent, the order's present one. A
 * cycle that a person or a gateway's list has resolved needs no gateway and waits for none. pk_scheduled_orders.
 */
export const PRESENT_TYPE = `CASE WHEN c.state = 'Claimed'
    THEN (SELECT o.payment_method_type FROM scheduled_orders o WHERE o.id = c.scheduled_order_id)
    WHEN c.resolution IS NULL THEN c.payment_method_type END AS payment_method_type`;

/** What the UPDATE `claimed` returns: all that `claimed()` needs. */
export const RETURNING_CLAIMED = `RETURNING ${CYCLE_COLUMNS}, c.resolution, c.payment_method_type`;

/**
 * SQL, behind a `WITH`: the cycles of `claimed`. Their orders are read here, because Citus allows no sub-select in
 * RETURNING (deploy/citus/README.md).
 */
export const claimed = (...more: readonly string[]): string =>
  `SELECT ${[CYCLE_COLUMNS, PRESENT_TYPE, ...more].join(', ')} FROM claimed c`;

/** The database is the one that the claimant knows. */
export const HERE = here($.generation, $.lsn);

/** The same for whoever locks due orders. */
export const IN_KNOWN = here(LOCKING.$.generation, LOCKING.$.lsn);

const ACTIVE = `o.status = 'Active' AND o.deleted_utc IS NULL AND NOT o.simulated`;

export const DUE = `${ACTIVE} AND o.next_occurrence_utc <= now()`;

/**
 * The newest cycle shows the next number, and whether the order has an open cycle already (pk_processing_cycles,
 * backwards).
 */
export const NEWEST_CYCLE = `LEFT JOIN LATERAL (
    SELECT c.cycle, c.open FROM processing_cycles c WHERE c.scheduled_order_id = o.id ORDER BY c.cycle DESC LIMIT 1
  ) newest ON true`;

export const DUE_COLUMNS = `o.id, o.site_id, o.next_occurrence_utc, o.replaced_occurrence_utc, o.payment_method_type,
    greatest(newest.cycle, o.archived_cycle, 0) + 1 AS cycle`;

/**
 * SQL: the columns of orders `due` that are locked. The locks are held until the cycles are begun, in the same
 * transaction (`begin.sql.ts`). A worker that stands still in between loses them, behind a pooler too. The id of the
 * future Order is allocated here, so that its items can be inserted without a join.
 */
export const LOCKED_DUE = `due.id AS scheduled_order_id, due.cycle, due.site_id, due.next_occurrence_utc AS due_utc,
  due.replaced_occurrence_utc AS replaced_utc, due.payment_method_type, nextval('orders_id_seq') AS order_id,
  set_config('idle_in_transaction_session_timeout', ${LOCKING.$.longestPauseMs}, true)`;

/**
 * Locks due orders that no worker has, oldest due first, from a watermark on: in-flight orders and dead index entries
 * collect at its beginning, and every claim would have to skip them. ix_scheduled_orders_due.
 */
export const LOCK_DUE = `WITH due AS (
  SELECT ${DUE_COLUMNS}
  FROM scheduled_orders o ${NEWEST_CYCLE}
  WHERE ${IN_KNOWN} AND ${DUE} AND (o.next_occurrence_utc, o.id) > (${LOCKING_AFTER.$.afterUtc}::timestamptz, ${LOCKING_AFTER.$.afterId}::bigint) AND newest.open IS NOT TRUE
  ORDER BY o.next_occurrence_utc, o.id
  LIMIT ${LOCKING_AFTER.$.limit}
  FOR NO KEY UPDATE OF o SKIP LOCKED
) SELECT ${LOCKED_DUE}
FROM due`;

/**
 * The same with a share for each of several sites, so that none waits for another's backlog.
 * ix_scheduled_orders_site_due.
 */
export const LOCK_SHARES = `WITH due AS (
  SELECT o.*
  FROM ${SHARES.sql}
  CROSS JOIN LATERAL (
    SELECT ${DUE_COLUMNS}
    FROM scheduled_orders o ${NEWEST_CYCLE}
    WHERE o.site_id = b.site_id AND ${DUE} AND (o.next_occurrence_utc, o.id) > (b.after_utc, b.after_id)
      AND newest.open IS NOT TRUE
    ORDER BY o.next_occurrence_utc, o.id
    LIMIT b.take
    FOR NO KEY UPDATE OF o SKIP LOCKED
  ) o
  WHERE ${IN_KNOWN}
) SELECT ${LOCKED_DUE}
FROM due`;

/**
 * Sites with due orders, by skipping from site to site: two look-ups per site with an active order.
 * ix_scheduled_orders_site_due, pk_sites.
 */
export const DUE_SITES = `WITH RECURSIVE site AS (
  (SELECT o.site_id FROM scheduled_orders o WHERE o.status = 'Active' AND o.deleted_utc IS NULL ORDER BY o.site_id LIMIT 1)
  UNION ALL
  SELECT (SELECT o.site_id FROM scheduled_orders o
    WHERE o.status = 'Active' AND o.deleted_utc IS NULL AND o.site_id > site.site_id ORDER BY o.site_id LIMIT 1)
  FROM site WHERE site.site_id IS NOT NULL
)
SELECT site.site_id FROM site JOIN sites s ON s.id = site.site_id AND NOT s.simulated
WHERE EXISTS (SELECT 1 FROM scheduled_orders o WHERE o.site_id = site.site_id AND ${DUE})`;

/**
 * SQL: the present, but no later than the claimant believes: what only a jump of the clock makes due would be tried
 * early, or taken from a worker that is alive.
 */
export const BELIEVED_NOW = `least(now(), ${$.latestUtc}::timestamptz)`;

/** SQL, for a `WITH`: claims the cycles of `due` again. */
export const CLAIMED_AGAIN = `claimed AS (
  UPDATE processing_cycles c
  SET state = CASE WHEN c.state = 'Unknown' THEN 'Unknown' ELSE 'Claimed' END, next_attempt_utc = NULL,
    worker = ${$.worker}, lease_until_utc = now() + ${$.leaseMs} * interval '1 millisecond', claim = c.claim + 1, updated_utc = now()
  FROM due
  WHERE c.scheduled_order_id = due.scheduled_order_id AND c.cycle = due.cycle
  ${RETURNING_CLAIMED}
)`;

/**
 * Cycles whose next try or check has come. A try begins like a claim. A check keeps its state, because the outcome of
 * the sent charge must be known first. Left out are sites that already have as many leased cycles as they may have.
 * ix_processing_cycles_next_attempt.
 */
export const CLAIM_AGAIN = `WITH due AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM processing_cycles c
  WHERE ${HERE} AND c.open AND NOT c.simulated AND c.next_attempt_utc <= ${BELIEVED_NOW} AND c.site_id <> ALL (${$.exceptSites}::bigint[])
  ORDER BY c.next_attempt_utc, c.scheduled_order_id
  LIMIT ${$.limit}
  FOR NO KEY UPDATE SKIP LOCKED
), ${CLAIMED_AGAIN}
${claimed()}`;

/** SQL, for a `WITH`: takes over the cycles of `expired`. */
export const TAKEN_OVER = `claimed AS (
  UPDATE processing_cycles c
  SET worker = ${$.worker}, lease_until_utc = now() + ${$.leaseMs} * interval '1 millisecond', claim = c.claim + 1, updated_utc = now()
  FROM expired e
  WHERE c.scheduled_order_id = e.scheduled_order_id AND c.cycle = e.cycle
  ${RETURNING_CLAIMED}, CASE WHEN e.worker = ${$.worker} THEN e.claim END AS kept_claim
)`;

/**
 * Cycles whose worker has not renewed its lease. They go on from their present state. The statement reads every open
 * cycle, so it runs only when a lease may have run out, not with every tick. uq_processing_cycles_open.
 */
export const TAKE_OVER = `WITH expired AS (
  SELECT c.scheduled_order_id, c.cycle, c.worker, c.claim
  FROM processing_cycles c
  WHERE ${HERE} AND c.open AND NOT c.simulated AND c.lease_until_utc <= ${BELIEVED_NOW}
  ORDER BY c.scheduled_order_id
  LIMIT ${$.limit}
  FOR NO KEY UPDATE SKIP LOCKED
), ${TAKEN_OVER}
${claimed('c.kept_claim')}`;

/** When the next lease of another worker runs out, in milliseconds from now; null when there is none. $1 worker. */
export const NEXT_EXPIRY = `SELECT (extract(epoch FROM min(c.lease_until_utc) - now()) * 1000)::bigint AS in_ms
FROM processing_cycles c
WHERE c.open AND NOT c.simulated AND c.worker <> $1`;

const nextDue = (isWanted: (column: string) => string) => `SELECT (extract(epoch FROM least(
    (SELECT o.next_occurrence_utc FROM scheduled_orders o
     WHERE ${ACTIVE} AND o.next_occurrence_utc > $1
     ORDER BY o.next_occurrence_utc, o.id LIMIT 1),
    (SELECT c.next_attempt_utc FROM processing_cycles c
     WHERE c.open AND NOT c.simulated AND ${isWanted('c.next_attempt_utc')} ORDER BY c.next_attempt_utc, c.scheduled_order_id LIMIT 1),
    (SELECT w.next_probe_utc FROM integration_waits w WHERE ${isWanted('w.next_probe_utc')} AND NOT w.simulated ORDER BY w.next_probe_utc LIMIT 1)
  ) - now()) * 1000)::bigint AS in_ms`;

/**
 * The time until the next order, try or probe after $1, in milliseconds: 0 or less when it has passed. Three index
 * look-ups. ix_scheduled_orders_due, ix_processing_cycles_next_attempt, ix_integration_waits_next_probe.
 */
export const NEXT_DUE = nextDue((column) => `${column} > $1`);

/**
 * The same for the next order after $1, and for the first try or probe of all. Planned once: idle workers ask it with
 * every tick, and planning it would read more than the answer.
 */
export const LEFT_DUE = Statement.named(nextDue((column) => `${column} IS NOT NULL`));

/**
 * The oldest due first, from a place in the order in which orders fall due. Begin their cycles in the same transaction.
 */
export const lockDue = (
  tx: Transaction,
  locking: Locking,
  limit: number,
  after: { readonly dueUtc: Date; readonly scheduledOrderId: number },
) => {
  const place = { limit, afterUtc: after.dueUtc, afterId: after.scheduledOrderId };
  return tx.execute<DueRow>(LOCK_DUE, LOCKING_AFTER.values({ ...place, ...lockingValues(locking) }));
};

/** The same, each site for itself. */
export const lockShares = (tx: Transaction, locking: Locking, shares: readonly ShareRow[]) =>
  tx.execute<DueRow>(LOCK_SHARES, [...LOCKING.values(lockingValues(locking)), ...SHARES.values(shares)]);

export async function readDueSites(pool: SqlExecutor): Promise<number[]> {
  const rows = await pool.execute<{ siteId: number }>(DUE_SITES);
  return rows.map((row) => row.siteId);
}

/** Cycles whose next try or look-up has come. */
export const claimAgain = (pool: SqlExecutor, claimant: Claimant, limit: number, exceptSites: readonly number[]) =>
  pool.execute<ClaimedRow>(CLAIM_AGAIN, CLAIM_ELSEWHERE.values({ exceptSites, ...realClaimValues(claimant, limit) }));

/** Cycles of workers that are gone. */
export const takeOver = (pool: SqlExecutor, claimant: Claimant, limit: number) =>
  pool.execute<ClaimedRow>(TAKE_OVER, CLAIM_REAL.values(realClaimValues(claimant, limit)));

interface InMs {
  readonly inMs: number | null;
}

const inMs = ([row]: readonly InMs[]): number | null => row?.inMs ?? null;

/** Milliseconds until a lease of another worker may run out; null when there is none. */
export const nextExpiryInMs = async (pool: SqlExecutor, worker: string): Promise<number | null> =>
  inMs(await pool.execute<InMs>(NEXT_EXPIRY, [worker]));

/**
 * Milliseconds until the next order, try or probe after this instant; negative when it is due already, null when there
 * is none.
 */
export const nextDueInMs = async (pool: SqlExecutor, afterUtc: Date): Promise<number | null> =>
  inMs(await pool.execute<InMs>(NEXT_DUE, [afterUtc.toISOString()]));

/**
 * The same for the next order after this instant, and for any try or probe: 0 or less when something may be left to
 * claim.
 */
export const leftDueInMs = async (pool: ConnectionPool, afterUtc: Date): Promise<number | null> =>
  inMs(await pool.read<InMs>(LEFT_DUE, [afterUtc.toISOString()]));
