import type pg from 'pg';
import { MIGRATED, NOT_MIGRATED, type SchemaState, unusableSchemaBecause } from '#libs/entities';
import { isNotMigrated } from '../database/faults.js';

/** Why the database cannot be worked with; a sentence, or null when it can. */
export async function unusableBecause(pool: pg.Pool): Promise<string | null> {
  try {
    const { rows } = await pool.query<SchemaState>(MIGRATED);
    return unusableSchemaBecause(rows[0]!);
  } catch (error) {
    return isNotMigrated(error) ? NOT_MIGRATED : 'The database cannot be reached.';
  }
}
