import type { SqlExecutor } from '#libs/platform';
import { CONCERNS_STILL } from '../statements/archive.sql.js';

/**
 * What a worker remembers from its last reading. It is kept in memory, because a restore also restores what the
 * database says.
 */
export interface Remembered {
  readonly generation: number;
  readonly lsn: string;
  readonly seenUtc: Date | null;
}

/** The row of `deployment`, and what the session shows. */
export interface DeploymentRow {
  readonly deploymentId: string;
  readonly keyPrefix: string;
  readonly generation: number;
  readonly timeline: string | null;
  readonly seenUtc: Date | null;
  readonly isHere: boolean;
  readonly hereTimeline: string | null;
  readonly lsn: string;
  /** Whether the position of the log is before the remembered one. */
  readonly isBehind: boolean;
  readonly nowUtc: Date;
}

/**
 * Why the database may lack commits. `timeline`: its log has a new timeline (restored, promoted). `memory`: it is older
 * than what this process has seen of it. `gap`: no worker was running for so long that gateways may have forgotten the
 * requests. `adopted`: a person adopted it.
 */
export type ReconciliationCause = 'timeline' | 'memory' | 'gap' | 'adopted';

/**
 * Shorter than any gateway remembers a charge. Within this time a gateway recognises a charge of a lost commit when it
 * is sent again.
 */
const GAP_MS = 6 * 3_600_000;

/** The most ids that lost commits may have used. */
const IDS_LEFT_OUT = 1_000_000;

export function reconciliationCauseOf(row: DeploymentRow, remembered: Remembered | null): ReconciliationCause | null {
  if (row.timeline !== null && row.timeline !== row.hereTimeline) return 'timeline';
  // A higher generation than the remembered one: another worker has required the reconciliation already.
  if (remembered !== null && row.generation <= remembered.generation && wentBack(row, remembered)) return 'memory';
  if (row.seenUtc !== null && row.nowUtc.getTime() - row.seenUtc.getTime() > GAP_MS) return 'gap';
  return null;
}

function wentBack(row: DeploymentRow, { generation, seenUtc }: Remembered): boolean {
  return row.isBehind || row.generation < generation || (seenUtc !== null && (row.seenUtc ?? new Date(0)) < seenUtc);
}

/**
 * The cut-off is the last sign of life of a worker: nothing before it is lost. Without one (in this state of the
 * database no worker had begun) it is the last Order, or 30 days ago, as long as gateways list settled charges.
 */
const BEGIN = `WITH before AS (
  SELECT coalesce(d.seen_utc, (SELECT o.created_utc FROM orders o ORDER BY o.id DESC LIMIT 1), now() - interval '30 days') AS cut_off_utc
  FROM deployment d
), raised AS (
  UPDATE deployment d SET generation = greatest(d.generation + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint), timeline = h.timeline, seen_utc = now()
  FROM database_here() h
  WHERE d.generation = $1
  RETURNING d.generation
)
INSERT INTO required_reconciliations (generation, cause, cut_off_utc)
SELECT r.generation, $2, b.cut_off_utc FROM raised r, before b`;

/**
 * The numbers of events that readers may have seen are not given again: nobody can tell a number from one that it has
 * read. A gap alone is rarely a restore, so other ids do not move ahead with it. uq_outbox_sequence. $1 numbers to
 * leave out.
 */
const ADVANCE_EVENTS = `SELECT setval('outbox_sequence_seq', greatest(s.last_value, coalesce(m.sequence, 0)) + $1)
FROM outbox_sequence_seq s, (SELECT max(x.sequence) AS sequence FROM outbox x WHERE x.sequence IS NOT NULL) m`;

/**
 * Requires a reconciliation and raises the generation, once, even when several workers notice. The generation is a
 * time: a second restore of the same backup must not give the number of the first one again, because a worker that
 * slept through both would not see a difference. The ids move ahead first.
 */
export async function requireReconciliation(
  database: SqlExecutor,
  generation: number,
  cause: ReconciliationCause,
): Promise<void> {
  await database.execute(cause === 'gap' ? ADVANCE_EVENTS : `SELECT advance_ids($1)`, [IDS_LEFT_OUT]);
  await database.execute(BEGIN, [generation, cause]);
}

/**
 * Whether a required reconciliation `d` concerns an integration `i`. It does not concern integrations that were made
 * long after it, it ends after 60 days, and no money moves on simulated sites.
 */
export const CONCERNS = `i.created_utc < d.began_utc + interval '7 days' AND ${CONCERNS_STILL}
  AND NOT (SELECT s.simulated FROM sites s WHERE s.id = i.site_id)`;

/**
 * Whether an integration `i` still has to be reconciled, for the first time or because its credentials have changed
 * since. pk_integration_reconciliations.
 */
export const IS_UNCOMPARED = `EXISTS (SELECT 1 FROM required_reconciliations d WHERE ${CONCERNS} AND d.generation > coalesce(
    (SELECT r.generation FROM integration_reconciliations r WHERE r.payment_integration_id = i.id), 0))`;
