import type pg from 'pg';
import { isNotMigrated } from '#libs/database';
import { MIGRATED } from '#libs/entities';

const BEHIND = 'The database is not up to date: run the migrate command.';
const READ_ONLY = 'The database only lets read: it is a standby, or was the primary until a failover.';

const LOOK = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly", (${MIGRATED.statement.text}) AS "isMigrated"`;

interface Looked {
  readonly isReadOnly: boolean;
  readonly isMigrated: boolean;
}

/** Why the database cannot be worked with; a sentence, or null when it can. */
export async function unusableBecause(pool: pg.Pool): Promise<string | null> {
  try {
    const { isReadOnly, isMigrated } = await look(pool);
    if (isReadOnly) return READ_ONLY;
    return isMigrated ? null : BEHIND;
  } catch (error) {
    return isNotMigrated(error) ? BEHIND : 'The database cannot be reached.';
  }
}

/** A connection to a server that only lets read is closed: the next one may find the new primary. */
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
