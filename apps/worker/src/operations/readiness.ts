import type pg from 'pg';
import { isNotMigrated } from '#libs/database';
import { MIGRATED, NOT_MIGRATED, type SchemaState, unusableSchemaBecause } from '#libs/entities';

const READ_ONLY = 'The database is read-only: it is a standby, or was the primary until a failover.';

const LOOK = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly", schema.* FROM (${MIGRATED.statement.text}) schema`;

interface Looked extends SchemaState {
  readonly isReadOnly: boolean;
}

/** Why the worker cannot use the database: a sentence, or null when it can. */
export async function unusableBecause(pool: pg.Pool): Promise<string | null> {
  try {
    const looked = await look(pool);
    return looked.isReadOnly ? READ_ONLY : unusableSchemaBecause(looked);
  } catch (error) {
    return isNotMigrated(error) ? NOT_MIGRATED : 'The database cannot be reached.';
  }
}

/** A connection to a read-only server is closed: the next one may find the new primary. */
async function look(pool: pg.Pool): Promise<Looked> {
  const client = await pool.connect();
  let isUseless = true;
  try {
    const { rows } = await client.query<Looked>(LOOK, MIGRATED.values);
    isUseless = rows[0]!.isReadOnly;
    return rows[0]!;
  } finally {
    client.release(isUseless);
  }
}
