import type { DataSource } from 'typeorm';
import { until } from '../until.js';

/** Ends the sessions of a database and renames it, as runbooks do. */
export async function renameDatabase(server: DataSource, from: string, to: string): Promise<void> {
  await until(async () => {
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [from]);
    return server.query(`ALTER DATABASE ${from} RENAME TO ${to}`).then(
      () => true,
      () => false,
    );
  });
}
