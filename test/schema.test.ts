import { useDatabase } from './support/database.js';

/** Keys that nobody checks with every write: from PostgreSQL 18 on they are there, and not enforced. */
const UNCHECKED = [
  'fk_order_pushes_scheduled_order_id',
  'fk_order_items_order_id',
  'fk_order_items_product_id',
  'fk_orders_customer_id',
  'fk_orders_scheduled_order_id',
  'fk_orders_site_id',
  'fk_processing_cycles_scheduled_order_id',
];

describe('The schema', () => {
  const database = useDatabase();
  const isSince18 = async () => {
    const [row] = await database.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::int AS version`,
    );
    return row!.version >= 180_000;
  };

  it('is what the entities say after all migrations, but for keys that are not checked before PostgreSQL 18', async () => {
    const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
    const missing = (sql: string) => /ADD CONSTRAINT "(fk_\w+)"/.exec(sql)?.[1] ?? sql;
    expect(upQueries.map(({ query }) => missing(query)).sort()).toEqual((await isSince18()) ? [] : UNCHECKED);
  });

  it('checks no other foreign key less', async () => {
    const isChecked = (await isSince18()) ? 'conenforced' : 'true';
    const keys = await database.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND ${isChecked}`,
    );
    const declared = database.dataSource.entityMetadatas.flatMap(({ foreignKeys }) => foreignKeys);
    const names = declared.map(({ name }) => name).filter((name) => !UNCHECKED.includes(name));
    expect(keys.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('cannot be taken back behind the baseline, and stays as it is', async () => {
    const { migrations } = database.dataSource;
    await expect(migrations[0]!.down(database.dataSource.createQueryRunner())).rejects.toThrow(
      'There is no schema before the baseline: drop the database instead.',
    );
    expect(await database.query(`SELECT name FROM migrations ORDER BY id`)).toEqual(
      migrations.map(({ name }) => ({ name })),
    );
  });

  it('makes ids of logs that sort by time', async () => {
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
