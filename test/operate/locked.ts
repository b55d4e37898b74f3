import type { TestDatabase } from '../support/database.js';

/** Holds a lock on a table while `work` runs. */
export async function locked(
  database: TestDatabase,
  table: string,
  mode: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(`LOCK TABLE ${table} IN ${mode} MODE`);
  try {
    await work();
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}
