import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In the order in which a worker locks them when it records: so no deadlock is possible. */
const LOCK = `LOCK TABLE order_items, event_logs IN ACCESS EXCLUSIVE MODE`;

const EVENT_KEY = 'scheduled_order_id, id, created_utc';

/** By `pk_order_items` an id is found with its Order only: by far the largest are among those of the newest Orders. */
const HIGHEST_ITEM = `(SELECT max(i.id) + 1000000 FROM order_items i WHERE i.order_id > (SELECT max(o.id) - 100000 FROM orders o))`;

/**
 * As migration 9 made it, and without reading all items of Orders: their sequence moves a million further instead. (It would take as many items
 * added to old Orders, and no new Order among them, to give an id twice; what is unique is Order and id.)
 */
const advanceIds = (
  highest: string,
) => `CREATE OR REPLACE FUNCTION advance_ids(steps bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owned record;
BEGIN
  FOR owned IN
    SELECT s.oid::regclass AS sequence, d.refobjid::regclass AS of_table, a.attname AS of_column
    FROM pg_class s
    JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE s.relkind = 'S' AND s.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'scheduled_orders'::regclass)
  LOOP
    EXECUTE format('SELECT setval(%L, greatest(coalesce(%s, 0), (SELECT last_value FROM %s)) + $1 + 1, false)',
      owned.sequence, ${highest}, owned.sequence) USING steps;
  END LOOP;
END $$`;

const HIGHEST = `format('(SELECT max(%I) FROM %s)', owned.of_column, owned.of_table)`;

/**
 * The primary keys of the items of Orders and of the events begin with the order, so that they are the index of an order's items and events, too:
 * three indexes fewer to write with every cycle.
 */
export class MergedKeys1780000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK);
    await runner.query(
      advanceIds(`CASE WHEN owned.of_table = 'order_items'::regclass THEN '${HIGHEST_ITEM}' ELSE ${HIGHEST} END`),
    );
    // On a large table somebody may have made the index before, while all went on (docs/operations.md).
    await runner.query(`CREATE UNIQUE INDEX IF NOT EXISTS order_items_key ON order_items (order_id, id)`);
    await runner.query(`ALTER TABLE order_items DROP CONSTRAINT pk_order_items,
      ADD CONSTRAINT pk_order_items PRIMARY KEY USING INDEX order_items_key`);
    await runner.query(`DROP INDEX ix_order_items_order`);
    await this.mergeEventKeys(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK);
    await runner.query(`DROP INDEX ix_event_logs_rest_id`);
    await runner.query(`ALTER TABLE event_logs DROP CONSTRAINT pk_event_logs`);
    await runner.query(`ALTER TABLE event_logs ADD CONSTRAINT pk_event_logs PRIMARY KEY (id, created_utc)`);
    await runner.query(`CREATE INDEX ix_event_logs_order ON event_logs (scheduled_order_id, id)`);
    await runner.query(`CREATE INDEX ix_order_items_order ON order_items (order_id, id)`);
    await runner.query(`ALTER TABLE order_items DROP CONSTRAINT pk_order_items`);
    await runner.query(`ALTER TABLE order_items ADD CONSTRAINT pk_order_items PRIMARY KEY (id)`);
    await runner.query(advanceIds(HIGHEST));
  }

  /** A partition's key is made of an index that may be there already; the key of the whole then finds those of its partitions. */
  private async mergeEventKeys(runner: QueryRunner): Promise<void> {
    const partitions = (await runner.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'event_logs'::regclass ORDER BY 1`,
    )) as { name: string }[];
    await runner.query(`ALTER TABLE event_logs DROP CONSTRAINT pk_event_logs`);
    await runner.query(`DROP INDEX ix_event_logs_order`);
    for (const { name } of partitions) {
      await runner.query(`CREATE UNIQUE INDEX IF NOT EXISTS ${name}_key ON ${name} (${EVENT_KEY})`);
      await runner.query(`ALTER TABLE ${name} ADD CONSTRAINT ${name}_pkey PRIMARY KEY USING INDEX ${name}_key`);
    }
    await runner.query(`ALTER TABLE event_logs ADD CONSTRAINT pk_event_logs PRIMARY KEY (${EVENT_KEY})`);
    // What lies in the rest for longer than logs are kept is found by the time in its id.
    await runner.query(`CREATE INDEX ix_event_logs_rest_id ON event_logs_rest (id)`);
  }
}
