import { type TestDatabase, useDatabase } from './support/database.js';
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
