import {
  closedTablesBecause,
  MIGRATED,
  NOT_MIGRATED,
  type SchemaState,
  tablesElsewhere,
  unusableSchemaBecause,
} from '#libs/entities';
import { type ConnectionPool, isNotMigrated } from '#libs/platform';

/** Why the worker cannot use the database: a sentence, or null when it can. `writes` says why writes fail. */
export async function unusableBecause(
  pool: ConnectionPool,
  writes: () => Promise<string | null>,
): Promise<string | null> {
  try {
    const closed = await closedTablesBecause(pool);
    if (closed !== null) return closed;
    const [state] = await pool.execute<SchemaState>(MIGRATED.statement, MIGRATED.values);
    return unusableSchemaBecause(state!) ?? (await writes());
  } catch (error) {
    if (!isNotMigrated(error)) return 'The database cannot be reached.';
    const elsewhere = await tablesElsewhere(pool).catch(() => null);
    return elsewhere === null ? NOT_MIGRATED : `${NOT_MIGRATED} ${elsewhere}`;
  }
}
