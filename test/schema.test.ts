import { useDatabase } from './support/database.js';

describe('The schema', () => {
  const database = useDatabase();

  it('is what the entities say after all migrations', async () => {
    const drift = await database.dataSource.driver.createSchemaBuilder().log();
    expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('can be taken back, migration by migration', async () => {
    for (const _ of database.dataSource.migrations) await database.dataSource.undoLastMigration();
    const tables = await database.query(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'migrations'`,
    );
    expect(tables).toEqual([]);
  });

  it('makes ids of logs that sort by time', async () => {
    await database.dataSource.runMigrations();
    const [row] = await database.query<{ ordered: boolean; version: string }>(
      `SELECT bool_and(id > before) AS ordered, min(substring(id::text, 15, 1)) AS version
       FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before
             FROM (SELECT n, uuid_v7() AS id, pg_sleep(0.0001) FROM generate_series(1, 500) n) made) pairs`,
    );
    expect(row).toEqual({ ordered: true, version: '7' });
  });

  it('makes them with PostgreSQL’s own function where it has one', async () => {
    const [row] = await database.query<{ version: number; source: string }>(
      `SELECT current_setting('server_version_num')::int AS version, prosrc AS source FROM pg_proc WHERE proname = 'uuid_v7'`,
    );
    expect(row!.source.includes('pg_catalog.uuidv7()')).toBe(row!.version >= 180_000);
  });
});
