import { readFileSync } from 'node:fs';
import { archiveCycles } from '#libs/cycles';
import { useDatabase } from './support/database.js';
import { given } from './support/given.js';

/** Keys that nobody checks with every write (migration 18): from PostgreSQL 18 on they are there, and not enforced. */
const UNCHECKED = [
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

  it('has archived cycles in the ledger again when the archive is taken back', async () => {
    const make = given(database);
    const { siteId } = await make.merchant();
    const id = await make.scheduledOrder(siteId, await make.customer(siteId));
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, updated_utc)
       SELECT $1, $2, n, 'Skipped', false, '2020-01-15', '2020-01-15' FROM generate_series(1, 9) n`,
      [siteId, id],
    );
    const ledger = () =>
      database.query(`SELECT cycle, state, due_utc, updated_utc FROM processing_cycles ORDER BY cycle`);
    const before = await ledger();
    expect(await archiveCycles(database.pool, 3)).toEqual({ cycles: 7, orders: 1 });
    const isThere = async () =>
      (await database.query(`SELECT FROM pg_tables WHERE tablename = 'archived_cycles'`)).length > 0;
    while (await isThere()) await database.dataSource.undoLastMigration();
    expect(await ledger()).toEqual(before);
    await database.dataSource.runMigrations();
  });

  it('takes the indexes of lists that were made before, and names one that was not finished', async () => {
    const make = given(database);
    const { siteId } = await make.merchant();
    for (const email of ['a', 'b']) await make.customer(siteId, { email: `${email}@mail.example` });
    const indexes = () =>
      database.query<{ name: string; oid: string; isUnfinished: boolean }>(
        `SELECT c.relname AS name, c.oid, NOT i.indisvalid AS "isUnfinished" FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
         WHERE c.relname IN ('ix_scheduled_orders_held_id', 'ix_customers_email') ORDER BY 1`,
      );
    /** The tables that nobody reads while the indexes are made. */
    const locksOutReaders = async () => {
      const runner = database.dataSource.createQueryRunner();
      await runner.startTransaction();
      await database.dataSource.migrations
        .find((one) => one.constructor.name === 'AskedLists1780000000033')!
        .up(runner);
      const tables: unknown = await runner.query(
        `SELECT c.relname FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
         WHERE l.pid = pg_backend_pid() AND l.mode = 'AccessExclusiveLock' AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
      );
      await runner.rollbackTransaction();
      await runner.release();
      return tables;
    };
    while ((await indexes()).length > 0) await database.dataSource.undoLastMigration();
    expect(await locksOutReaders()).toEqual([]);
    await database.query(`CREATE INDEX CONCURRENTLY ix_scheduled_orders_held_id ON scheduled_orders (site_id, status, id)
      WHERE status <> 'Active' AND deleted_utc IS NULL`);
    await expect(
      database.query(`CREATE UNIQUE INDEX CONCURRENTLY ix_customers_email ON customers (site_id)`),
    ).rejects.toThrow('ix_customers_email');
    const [email, held] = await indexes();
    expect([email!.isUnfinished, held!.isUnfinished]).toEqual([true, false]);
    await expect(database.dataSource.runMigrations()).rejects.toThrow('DROP INDEX CONCURRENTLY ix_customers_email;');
    await database.query(`DROP INDEX CONCURRENTLY ix_customers_email`);
    await database.dataSource.runMigrations();
    expect(await indexes()).toEqual([
      { name: 'ix_customers_email', oid: expect.any(Number) as unknown, isUnfinished: false },
      held,
    ]);
  });

  it('takes the indexes of deleted orders and timelines that were made before, too', async () => {
    const make = given(database);
    const { siteId } = await make.merchant();
    const customerId = await make.customer(siteId);
    for (let n = 0; n < 2; n++) await make.scheduledOrder(siteId, customerId, { deletedUtc: new Date() });
    const up = async () => {
      const runner = database.dataSource.createQueryRunner();
      await runner.startTransaction();
      const migration = database.dataSource.migrations.find((one) => one.constructor.name === 'Timeline1780000000036')!;
      const refusal: string | undefined = await migration.up(runner).then(
        () => undefined,
        (thrown: Error) => thrown.message,
      );
      await runner.rollbackTransaction();
      await runner.release();
      return refusal;
    };
    expect(await up()).toBeUndefined();
    await database.query(`DROP INDEX ix_scheduled_orders_deleted_customer`);
    await expect(
      database.query(`CREATE UNIQUE INDEX CONCURRENTLY ix_scheduled_orders_deleted_customer ON scheduled_orders (customer_id)
        WHERE deleted_utc IS NOT NULL`),
    ).rejects.toThrow('ix_scheduled_orders_deleted_customer');
    expect(await up()).toContain('DROP INDEX CONCURRENTLY ix_scheduled_orders_deleted_customer;');
    await database.query(`DROP INDEX ix_scheduled_orders_deleted_customer`);
    await database.query(
      `CREATE INDEX ix_scheduled_orders_deleted_customer ON scheduled_orders (customer_id, id) WHERE deleted_utc IS NOT NULL`,
    );
    expect(await up()).toBeUndefined();
  });

  it('takes the columns and indexes of reports that were made before, as docs/operations.md says', async () => {
    const names = ['ix_archived_cycles_ended', 'ix_orders_processed', 'ix_processing_cycles_ended'];
    const indexes = () =>
      database.query<{ name: string; oid: string }>(
        `SELECT relname AS name, oid FROM pg_class WHERE relname = ANY ($1) ORDER BY 1`,
        [names],
      );
    while ((await indexes()).length > 0) await database.dataSource.undoLastMigration();
    const [, made] = /```sql\n(ALTER TABLE processing_cycles [^`]+)```/.exec(
      readFileSync('docs/operations.md', 'utf8'),
    )!;
    for (const statement of made!.split(';').filter((one) => one.trim() !== '')) await database.query(statement);
    const before = await indexes();
    expect(before.map(({ name }) => name)).toEqual(names.slice(1));
    await database.dataSource.runMigrations();
    expect(await indexes()).toEqual([{ name: names[0], oid: expect.any(Number) as unknown }, ...before]);
    // An audit reads the newest Orders every ten minutes: what the BRIN does not know yet would be read whole.
    const stored = await database.query(
      `SELECT reloptions AS options FROM pg_class WHERE relname = 'ix_orders_processed'`,
    );
    expect(stored).toEqual([{ options: ['pages_per_range=32', 'autosummarize=on'] }]);
    const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.filter(({ query }) => !query.includes('"fk_'))).toEqual([]);
  });

  it.each([
    [33, 'CREATE INDEX CONCURRENTLY ix_scheduled_orders_held_id'],
    [36, 'CREATE INDEX CONCURRENTLY ix_scheduled_orders_deleted_id'],
    [44, 'CREATE INDEX CONCURRENTLY ix_scheduled_orders_customer_all'],
    [45, 'ALTER TABLE orders ADD COLUMN gateway_transaction_id'],
  ])(
    'takes the indexes of migration %i that were made before, as docs/operations.md says',
    async (migration, first) => {
      const [, block] = new RegExp(`\`\`\`sql\n(${first} [^\`]+)\`\`\``).exec(
        readFileSync('docs/operations.md', 'utf8'),
      )!;
      const isThere = async () =>
        (await database.query(`SELECT FROM migrations WHERE name LIKE '%' || $1`, [`00000000${migration}`])).length > 0;
      while (await isThere()) await database.dataSource.undoLastMigration();
      const statements = block!.split(';').filter((one) => one.trim() !== '');
      for (const statement of statements) await database.query(statement);

      const names = statements.flatMap((statement) => /CONCURRENTLY (\w+)/.exec(statement)?.[1] ?? []);
      /** With the names that they have in the end. */
      const indexes = () =>
        database.query<{ name: string; oid: number; definition: string }>(
          `SELECT replace(relname, '_all', '') AS name, oid, replace(pg_get_indexdef(oid), '_all ', ' ') AS definition
         FROM pg_class WHERE relname = ANY ($1) AND relkind = 'i' ORDER BY 1`,
          [names],
        );
      const made = await indexes();
      expect(made).toHaveLength(names.length);
      await database.dataSource.runMigrations();
      for (const [index, name] of names.entries()) names[index] = name.replace('_all', '');
      const kept = await indexes();
      // A later migration may have made one of them anew, in another way.
      const same = (all: typeof made) =>
        all.filter(({ definition }) => [made, kept].every((some) => some.some((one) => one.definition === definition)));
      expect(same(kept)).toEqual(same(made));
      expect(same(kept).length).toBeGreaterThan(names.length / 2);
      const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.filter(({ query }) => !query.includes('"fk_'))).toEqual([]);
    },
  );

  it('takes the indexes of real and simulated orders that were made before, as docs/operations.md says', async () => {
    const oidOf = async (name: string) =>
      (await database.query<{ oid: number }>(`SELECT to_regclass($1)::oid AS oid`, [name]))[0]!.oid;
    const made = [
      'ix_scheduled_orders_due_real',
      'ix_processing_cycles_next_attempt_real',
      'ix_processing_cycles_simulated',
    ];
    while ((await oidOf('ix_processing_cycles_simulated')) !== null) await database.dataSource.undoLastMigration();
    const [, statements] = /```sql\n(CREATE INDEX CONCURRENTLY ix_scheduled_orders_due_real [^`]+)```/.exec(
      readFileSync('docs/operations.md', 'utf8'),
    )!;
    for (const statement of statements!.split(';').filter((one) => one.trim() !== '')) await database.query(statement);
    const before = await Promise.all(made.map(oidOf));
    expect(before).not.toContain(null);
    await database.dataSource.runMigrations();
    expect(await Promise.all(made.map((name) => oidOf(name.replace(/_real$/, ''))))).toEqual(before);
    const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.filter(({ query }) => !query.includes('"fk_'))).toEqual([]);
  });

  it('knows when archived cycles of before failed or were skipped: when they were due', async () => {
    const make = given(database);
    const { siteId } = await make.merchant();
    const ids = [];
    while ((await database.query(`SELECT FROM pg_class WHERE relname = 'ix_archived_cycles_ended'`)).length > 0)
      await database.dataSource.undoLastMigration();
    const customerId = await make.customer(siteId);
    for (const states of [['Completed', 'Failed', 'Skipped'], ['Completed']]) {
      const id = await make.scheduledOrder(siteId, customerId);
      const cycles = states.map((state, n) => ({
        site_id: siteId,
        scheduled_order_id: id,
        cycle: n,
        state,
        open: false,
        due_utc: `2020-01-0${n + 1}T00:00:00Z`,
      }));
      await database.query(
        `INSERT INTO archived_cycles (scheduled_order_id, last_cycle, site_id, cycles) VALUES ($1, 9, $2, $3)`,
        [id, siteId, JSON.stringify(cycles)],
      );
      ids.push(id);
    }
    await database.dataSource.runMigrations();
    const rows = await database.query(
      `SELECT first_ended_utc AS first, last_ended_utc AS last FROM archived_cycles WHERE scheduled_order_id = ANY ($1) ORDER BY scheduled_order_id`,
      [ids],
    );
    expect(rows).toEqual([
      { first: new Date('2020-01-02'), last: new Date('2020-01-03') },
      { first: null, last: null },
    ]);
    await database.query(`DELETE FROM archived_cycles`);
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
