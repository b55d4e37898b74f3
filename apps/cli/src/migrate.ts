import type { DataSource } from 'typeorm';

/** Any number that nothing else locks: two processes that migrate at once do it one after the other. */
const MIGRATION_LOCK = 7_140_221;

/** Runs the migrations that are missing; resolves to their names. */
export async function migrate(database: DataSource): Promise<string[]> {
  const guard = database.createQueryRunner();
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const done = await database.runMigrations();
    return done.map(({ name }) => name);
  } finally {
    await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).finally(() => guard.release());
  }
}
