import { randomBytes } from 'node:crypto';
import { READ_ONLY_TRANSACTION, type SqlExecutor } from '#libs/platform';
import {
  type DeploymentRow,
  type ReconciliationCause,
  reconciliationCauseOf,
  type Remembered,
  requireReconciliation,
} from './required-reconciliation.js';

/** What the database knows about the deployment that it belongs to. */
export interface Deployment {
  readonly deploymentId: string;
  readonly keyPrefix: string;
  /** Rises with every required reconciliation (decisions.md §9). */
  readonly generation: number;
  /** Position in the database's log, as text. */
  readonly lsn: string;
  readonly seenUtc: Date | null;
  /**
   * Whether a reconciliation was ever required. Then integrations are reconciled before anything is charged through
   * them.
   */
  readonly needsReconciliation: boolean;
  /** Why this reading required a reconciliation; null when it did not. */
  readonly reconciliationCause: ReconciliationCause | null;
  /** Why nothing may be charged from here; null when all is well. */
  readonly refusal: string | null;
}

/** An id that was made here is replaced by one that is configured later. */
const MADE = 'made-';
const newId = () => `${MADE}${randomBytes(8).toString('hex')}`;

const ADOPT = 'If this is the database to charge from now on, run: deployment:adopt';

/**
 * Reads which deployment this database belongs to, and writes it when it is not written yet. A copy beside its original
 * is another database of the cluster, another cluster, or has another configured id: it is refused. When the database
 * went back in time, a reconciliation is required (docs/processing.md). `remembered`: from this process's last reading.
 * @throws an error with code 25006 on a standby.
 */
export async function readDeployment(
  database: SqlExecutor,
  configuredId: string | undefined,
  remembered: Remembered | null = null,
): Promise<Deployment> {
  const row = (await stored(database, remembered)) ?? (await introduce(database, configuredId));
  if (row.hereTimeline === null)
    throw Object.assign(new Error('The database is a standby.'), { code: READ_ONLY_TRANSACTION });
  const refusal = refusalOf(row, configuredId);
  if (refusal !== null) return deploymentOf(row, { refusal });
  if (configuredId !== undefined && configuredId !== row.deploymentId)
    await database.execute(`UPDATE deployment SET deployment_id = $1 WHERE deployment_id = $2`, [
      configuredId,
      row.deploymentId,
    ]);
  const cause = reconciliationCauseOf(row, remembered);
  if (cause !== null) await requireReconciliation(database, row.generation, cause);
  await database.execute(SEEN);
  const now = (await stored(database, null))!;
  const [required] = await database.execute(`SELECT 1 FROM required_reconciliations LIMIT 1`);
  return deploymentOf(now, { needsReconciliation: required !== undefined, reconciliationCause: cause });
}

/**
 * Why nothing may be charged, or sent outward, from this database; null when it may. As `readDeployment`, but it writes
 * nothing: for processes that do not work with the queues.
 */
export async function deploymentRefusal(
  database: SqlExecutor,
  configuredId: string | undefined,
): Promise<string | null> {
  const row = await stored(database, null);
  return row === undefined ? null : refusalOf(row, configuredId);
}

/**
 * Writes which database this is, unless it is written already. This is done when the tables are made: without it, a
 * restored backup would look like a database that was never charged from.
 */
export async function introduceDeployment(database: SqlExecutor, configuredId?: string): Promise<void> {
  await database.execute(
    `INSERT INTO deployment (deployment_id, system_identifier, database_identity, key_prefix, timeline)
     SELECT $1, h.system_identifier, h.database_identity, $2, h.timeline FROM database_here() h
     ON CONFLICT DO NOTHING`,
    [configuredId ?? newId(), randomBytes(4).toString('hex')],
  );
}

/**
 * Makes this database the one that charges. Idempotency keys do not change, so that the gateway recognises everything
 * that the original has charged. Ids that the original may have used since are left out. The gateways' charges are
 * compared with the ledger first.
 */
export async function adoptDeployment(
  database: SqlExecutor,
  configuredId: string | undefined,
): Promise<Deployment & { readonly adoptedUtc: Date }> {
  const row = (await stored(database, null)) ?? (await introduce(database, configuredId));
  const [adopted] = await database.execute<{ adoptedUtc: Date }>(
    `UPDATE deployment SET deployment_id = $1, system_identifier = h.system_identifier, database_identity = h.database_identity,
       adopted_utc = now()
     FROM database_here() h
     RETURNING adopted_utc AS "adoptedUtc"`,
    [configuredId ?? newId()],
  );
  await requireReconciliation(database, row.generation, 'adopted');
  return { ...(await readDeployment(database, configuredId)), ...adopted! };
}

function refusalOf({ isHere, deploymentId }: DeploymentRow, configuredId: string | undefined): string | null {
  if (!isHere)
    return `This database is a copy of another one, or was restored or upgraded: nothing is charged from it. ${ADOPT}`;
  if (configuredId === undefined || configuredId === deploymentId || deploymentId.startsWith(MADE)) return null;
  return `DEPLOYMENT_ID is "${configuredId}", but this database belongs to "${deploymentId}": nothing is charged from it. ${ADOPT}`;
}

function deploymentOf(row: DeploymentRow, more: Partial<Deployment>): Deployment {
  const { deploymentId, keyPrefix, generation, lsn, seenUtc } = row;
  return {
    deploymentId,
    keyPrefix,
    generation,
    lsn,
    seenUtc,
    needsReconciliation: false,
    reconciliationCause: null,
    refusal: null,
    ...more,
  };
}

const IS_HERE = `d.system_identifier = h.system_identifier AND d.database_identity = h.database_identity`;

/**
 * A sign of life of a worker. Once in 10 seconds is enough to know where a backup ends. One in the future was written
 * with a wrong clock: it is put right. If the database was replaced after it was read, its timeline and its last sign
 * of life stay as they are, because they show that.
 */
const SEEN = `UPDATE deployment d SET seen_utc = now(), timeline = h.timeline
FROM database_here() h
WHERE ${IS_HERE} AND (d.timeline IS NULL OR d.timeline = h.timeline)
  AND (d.seen_utc IS NULL OR d.seen_utc < now() - interval '10 seconds' OR d.seen_utc > now() + interval '1 minute' OR d.timeline IS NULL)`;

/** $1: the log position that is remembered. On a standby there is no position, and no timeline. */
const STORED = `SELECT d.deployment_id AS "deploymentId", d.key_prefix AS "keyPrefix", d.generation::float8 AS generation, d.timeline,
  d.seen_utc AS "seenUtc", h.timeline AS "hereTimeline", now() AS "nowUtc", here.lsn::text AS lsn, coalesce(here.lsn < $1::pg_lsn, false) AS "isBehind",
  ${IS_HERE} AS "isHere"
FROM deployment d, database_here() h,
  (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn() END AS lsn) here`;

async function stored(database: SqlExecutor, remembered: Remembered | null): Promise<DeploymentRow | undefined> {
  return (await database.execute<DeploymentRow>(STORED, [remembered?.lsn ?? null]))[0];
}

async function introduce(database: SqlExecutor, configuredId: string | undefined): Promise<DeploymentRow> {
  await introduceDeployment(database, configuredId);
  return (await stored(database, null))!;
}
