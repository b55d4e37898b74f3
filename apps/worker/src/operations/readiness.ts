import type pg from 'pg';
import { MIGRATED } from '#libs/entities';
import { isNotMigrated } from '../database/faults.js';

const BEHIND = 'The database is not up to date: run the migrate command.';

/** Why the database cannot be worked with; a sentence, or null when it can. */
export async function unusableBecause(pool: pg.Pool): Promise<string | null> {
  try {
    const { rows } = await pool.query<{ migrated: boolean }>(MIGRATED);
    return rows[0]!.migrated ? null : BEHIND;
  } catch (error) {
    return isNotMigrated(error) ? BEHIND : 'The database cannot be reached.';
  }
}
