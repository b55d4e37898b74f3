import type { SqlExecutor } from '#libs/database';
import type { DeploymentRow, Remembered } from './deployment.js';

/**
 * Why a database may lack commits that it had: its log has a new timeline (restored, promoted), it stands before what this process has seen of
 * it, nobody was at work for so long that gateways may have forgotten what they were sent, or a person says so.
 */
export type ReconciliationCause = 'timeline' | 'memory' | 'gap' | 'adopted';

/** Shorter than any gateway remembers a charge: within it a lost commit's charge is recognised when it is sent again. */
const GAP_MS = 6 * 3_600_000;

/** Ids that lost commits may have given away. */
const IDS_LEFT_OUT = 1_000_000;

export function reconciliationCauseOf(row: DeploymentRow, remembered: Remembered | null): ReconciliationCause | null {
  if (row.timeline !== null && row.timeline !== row.hereTimeline) return 'timeline';
  // A higher generation than is remembered: another worker has begun the doubt.
  if (remembered !== null && row.generation <= remembered.generation && wentBack(row, remembered)) return 'memory';
  if (row.seenUtc !== null && row.nowUtc.getTime() - row.seenUtc.getTime() > GAP_MS) return 'gap';
  return null;
}

function wentBack(row: DeploymentRow, { generation, seenUtc }: Remembered): boolean {
  return row.isBehind || row.generation < generation || (seenUtc !== null && (row.seenUtc ?? new Date(0)) < seenUtc);
}

/**
 * Nothing before the last sign of life is lost. Where there is none (a version that gave none), the last Order; at most as long as gateways
 * list settled charges.
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
INSERT INTO doubts (generation, cause, cut_off_utc)
SELECT r.generation, $2, b.cut_off_utc FROM raised r, before b`;

/**
 * Raises the generation, once however many workers notice. It is a time, so that the second restore of a backup does not give out the number of
 * the first one again: a worker that slept through both would take it for that. Ids move ahead before anything else.
 */
export async function requireReconciliation(
  database: SqlExecutor,
  generation: number,
  cause: ReconciliationCause,
): Promise<void> {
  if (cause !== 'gap') await database.execute(`SELECT advance_ids($1)`, [IDS_LEFT_OUT]);
  await database.execute(BEGIN, [generation, cause]);
}
