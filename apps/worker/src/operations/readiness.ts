import type pg from 'pg';
import { migrations } from '#libs/entities';
import { isNotMigrated } from '../database/faults.js';

const NAMES = migrations.map(({ name }) => name);
const MIGRATED = `SELECT count(*)::int AS count FROM migrations WHERE name = ANY ($1)`;
const BEHIND = 'The database is not up to date: run the migrate command.';

/** Why the database cannot be worked with; a sentence, or null when it can. */
export async function unusableBecause(pool: pg.Pool): Promise<string | null> {
  try {
    const { rows } = await pool.query<{ count: number }>(MIGRATED, [NAMES]);
    return rows[0]!.count < NAMES.length ? BEHIND : null;
  } catch (error) {
    return isNotMigrated(error) ? BEHIND : 'The database cannot be reached.';
  }
}
