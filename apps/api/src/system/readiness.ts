import { isTableMissing } from '#libs/database';
import { MIGRATED, NOT_MIGRATED, type SchemaState, unusableSchemaBecause } from '#libs/entities';
import type { Database } from '#libs/records';

/** Why the API cannot serve requests: a sentence, or null when it can. @throws when the database cannot be asked. */
export async function unreadyBecause(database: Database): Promise<string | null> {
  try {
    const [state] = await database.read<SchemaState>(MIGRATED.statement, MIGRATED.values);
    return unusableSchemaBecause(state!);
  } catch (error) {
    if (isTableMissing(error)) return NOT_MIGRATED;
    throw error;
  }
}
