import { randomBytes } from 'node:crypto';

/** Runs a statement, on whatever connection. */
export type Query = (sql: string, parameters?: unknown[]) => Promise<object[]>;

/** What the database knows of the deployment that it belongs to. */
export interface Deployment {
  readonly deploymentId: string;
  readonly keyPrefix: string;
  /** Cycles that were due before are looked up at the gateway before they are charged. */
  readonly adoptedUtc: Date | null;
  /** Why nothing may be charged from here; null when all is well. */
  readonly refusal: string | null;
}

interface DeploymentRow {
  deploymentId: string;
  systemIdentifier: string;
  databaseIdentity: string;
  keyPrefix: string;
  adoptedUtc: Date | null;
}

interface Identity {
  readonly systemIdentifier: string;
  readonly databaseIdentity: string;
}

/** An id of our own making gives way to one that is configured later. */
const MADE = 'made-';
const newId = () => `${MADE}${randomBytes(8).toString('hex')}`;

/** Ids that the original may have given away after the backup was made: an adopted database leaves them out. */
const IDS_LEFT_OUT = 1_000_000;

const ADOPT = 'If this is the database to charge from now on, run: deployment:adopt';

/**
 * Reads which deployment this database belongs to, and writes it on the first start. A copy started beside its original
 * shows as another database of the cluster, another cluster, or another configured id (docs/processing.md).
 */
export async function readDeployment(query: Query, configuredId: string | undefined): Promise<Deployment> {
  const identity = await identify(query);
  const row = (await stored(query)) ?? (await introduce(query, identity, configuredId));
  let refusal: string | null = null;
  if (row.systemIdentifier !== identity.systemIdentifier || row.databaseIdentity !== identity.databaseIdentity) {
    refusal = `This database is a copy of another one, or was restored or upgraded: nothing is charged from it. ${ADOPT}`;
  } else if (configuredId !== undefined && configuredId !== row.deploymentId) {
    if (row.deploymentId.startsWith(MADE)) {
      await query(`UPDATE deployment SET deployment_id = $1 WHERE deployment_id = $2`, [
        configuredId,
        row.deploymentId,
      ]);
      return { ...row, deploymentId: configuredId, refusal: null };
    }
    refusal = `DEPLOYMENT_ID is "${configuredId}", but this database belongs to "${row.deploymentId}": nothing is charged from it. ${ADOPT}`;
  }
  const { deploymentId, keyPrefix, adoptedUtc } = row;
  return { deploymentId, keyPrefix, adoptedUtc, refusal };
}

/**
 * From now on this database is charged from. Idempotency keys stay what they were, so that the gateway recognises whatever the original has
 * charged; ids that the original may have used since are left out.
 */
export async function adoptDeployment(query: Query, configuredId: string | undefined): Promise<Deployment> {
  const identity = await identify(query);
  await introduce(query, identity, configuredId);
  await query(
    `UPDATE deployment SET deployment_id = $1, system_identifier = $2, database_identity = $3, adopted_utc = now()`,
    [configuredId ?? newId(), identity.systemIdentifier, identity.databaseIdentity],
  );
  await query(`SELECT setval('scheduled_orders_id_seq', nextval('scheduled_orders_id_seq') + ${IDS_LEFT_OUT})`);
  return readDeployment(query, configuredId);
}

async function stored(query: Query): Promise<DeploymentRow | undefined> {
  const rows = await query(
    `SELECT deployment_id AS "deploymentId", system_identifier AS "systemIdentifier", database_identity AS "databaseIdentity",
       key_prefix AS "keyPrefix", adopted_utc AS "adoptedUtc"
     FROM deployment`,
  );
  return (rows as DeploymentRow[])[0];
}

async function introduce(
  query: Query,
  { systemIdentifier, databaseIdentity }: Identity,
  configuredId: string | undefined,
): Promise<DeploymentRow> {
  await query(
    `INSERT INTO deployment (deployment_id, system_identifier, database_identity, key_prefix) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [configuredId ?? newId(), systemIdentifier, databaseIdentity, randomBytes(4).toString('hex')],
  );
  return (await stored(query))!;
}

/** The cluster's identifier is not everyone's to read (some managed databases): then the database's own must do. */
async function identify(query: Query): Promise<Identity> {
  const [database] = (await query(`SELECT oid::text AS oid, datname AS name,
      has_function_privilege('pg_control_system()', 'EXECUTE') AS "seesCluster"
    FROM pg_database WHERE datname = current_database()`)) as { oid: string; name: string; seesCluster: boolean }[];
  const { oid, name, seesCluster } = database!;
  if (!seesCluster) return { systemIdentifier: 'unknown', databaseIdentity: `${name} ${oid}` };
  const [control] = (await query(`SELECT system_identifier::text AS id FROM pg_control_system()`)) as { id: string }[];
  return { systemIdentifier: control!.id, databaseIdentity: oid };
}
