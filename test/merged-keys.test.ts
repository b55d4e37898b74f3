import { cloneDatabase, dropDatabase, type TestDatabase, useDatabase } from './support/database.js';
import { given } from './support/given.js';

const indexesOf = (database: TestDatabase, table: string) =>
  database.query<{ oid: number; columns: string }>(
    `SELECT i.indexrelid AS oid, substring(pg_get_indexdef(i.indexrelid) FROM '\\((.*)\\)') AS columns
     FROM pg_index i WHERE i.indrelid = $1::regclass ORDER BY columns`,
    [table],
  );
const partitionsOf = async (database: TestDatabase) => {
  const rows = await database.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'event_logs'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

const OF_ITEMS = 'order_id, id';
const OF_EVENTS = 'scheduled_order_id, id, created_utc';

describe('Items of Orders and events', () => {
  const database = useDatabase();

  it('have one index, which begins with their order; the rest of the events has another for what is to go', async () => {
    expect(await indexesOf(database, 'order_items')).toMatchObject([{ columns: OF_ITEMS }]);
    const [month, ...others] = await partitionsOf(database);
    expect(others.at(-1)).toBe('event_logs_rest');
    expect(await indexesOf(database, month!)).toMatchObject([{ columns: OF_EVENTS }]);
    expect(await indexesOf(database, 'event_logs_rest')).toMatchObject([{ columns: 'id' }, { columns: OF_EVENTS }]);
  });

  it('have it in partitions that are made later as well, entries and all', async () => {
    const month = (await partitionsOf(database))[0]!;
    await database.query(`DROP TABLE ${month}`);
    await database.query(
      `INSERT INTO event_logs (site_id, scheduled_order_id, event_type) VALUES (1, 7, 'ScheduledOrderProcessed')`,
    );
    await database.query(`SELECT ensure_log_partitions(0)`);
    expect(await database.query(`SELECT scheduled_order_id FROM ${month}`)).toHaveLength(1);
    expect(await indexesOf(database, month)).toMatchObject([{ columns: OF_EVENTS }]);
  });

  it('get ids beyond all others when the sequence has fallen behind, without a look at all items', async () => {
    const make = given(database);
    const { siteId } = await make.merchant();
    const customerId = await make.customer(siteId);
    const [first, second] = [await make.order(siteId, customerId), await make.order(siteId, customerId)];
    // Added to an old Order since.
    await make.insert('order_items', { id: 700, siteId, orderId: second });
    await make.insert('order_items', { id: 701, siteId, orderId: first });
    await database.query(`SELECT setval('order_items_id_seq', 5, false)`);
    await database.query(`SELECT advance_ids(0)`);
    expect(await make.insert('order_items', { siteId, orderId: first })).toBeGreaterThan(1_000_000);
  });
});

describe('On a large database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await cloneDatabase();
    for (let undone = ''; !undone.startsWith('MergedKeys');) {
      const [latest] = await database.query<{ name: string }>(`SELECT name FROM migrations ORDER BY id DESC LIMIT 1`);
      undone = latest!.name;
      await database.dataSource.undoLastMigration();
    }
  });
  afterAll(() => dropDatabase(database));

  it('the keys are made of indexes that were there before the migration (docs/operations.md)', async () => {
    const make = given(database);
    const { siteId } = await make.merchant();
    const orderId = await make.order(siteId, await make.customer(siteId));
    await make.insert('order_items', { siteId, orderId });
    await database.query(
      `INSERT INTO event_logs (site_id, scheduled_order_id, event_type) VALUES (1, 7, 'ScheduledOrderProcessed')`,
    );
    await database.query(`CREATE UNIQUE INDEX CONCURRENTLY order_items_key ON order_items (${OF_ITEMS})`);
    const partitions = await partitionsOf(database);
    for (const name of partitions)
      await database.query(`CREATE UNIQUE INDEX CONCURRENTLY ${name}_key ON ${name} (${OF_EVENTS})`);
    const indexes = async () => {
      const found = await Promise.all(
        ['order_items', ...partitions].map(async (table) =>
          (await indexesOf(database, table)).filter(({ columns }) => [OF_ITEMS, OF_EVENTS].includes(columns)),
        ),
      );
      return found.map((ofTable) => ofTable.map(({ oid }) => oid).sort());
    };
    const before = await indexes();
    await database.dataSource.runMigrations();
    const after = await indexes();
    expect(after.map(([oid]) => oid)).toEqual(after.map(([oid], at) => before[at]!.find((known) => known === oid)));
    expect(after.map((ofTable) => ofTable.length)).toEqual(after.map(() => 1));
  });
});
