import {
  closedTablesBecause,
  MIGRATED,
  NOT_MIGRATED,
  type SchemaState,
  tablesElsewhere,
  unusableSchemaBecause,
} from '#libs/entities';
import { isTableMissing } from '#libs/platform';
import type { Database } from '#libs/records';

/** Why the API cannot serve requests: a sentence, or null when it can. @throws when the database cannot be asked. */
export async function unreadyBecause(database: Database): Promise<string | null> {
  try {
    const closed = await closedTablesBecause(database);
    if (closed !== null) return closed;
    const [state] = await database.read<SchemaState>(MIGRATED.statement, MIGRATED.values);
    return unusableSchemaBecause(state!);
  } catch (error) {
    if (!isTableMissing(error)) throw error;
    const elsewhere = await tablesElsewhere(database);
    return elsewhere === null ? NOT_MIGRATED : `${NOT_MIGRATED} ${elsewhere}`;
  }
}
