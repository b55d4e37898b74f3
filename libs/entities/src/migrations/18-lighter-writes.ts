import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What every cycle writes, and what that refers to. */
const KEYS = [
  ['processing_cycles', 'scheduled_order_id', 'scheduled_orders'],
  ['orders', 'scheduled_order_id', 'scheduled_orders'],
  ['orders', 'customer_id', 'customers'],
  ['orders', 'site_id', 'sites'],
  ['order_items', 'order_id', 'orders'],
  ['order_items', 'product_id', 'products'],
] as const;

/** In the order in which a worker locks them when it records: so no deadlock is possible. */
const LOCK = `LOCK TABLE scheduled_orders, processing_cycles, orders, order_items, customers, sites, products IN ACCESS EXCLUSIVE MODE`;

/** PostgreSQL 18 and newer can keep a foreign key without checking it; older versions cannot. */
const UNCHECKED_SINCE = 180_000;

const nameOf = (table: string, column: string) => `fk_${table}_${column}`;

/**
 * Ends the checks of foreign keys on the tables that every cycle writes, because each check costs a read and a lock. The statements that write these
 * rows read the rows that they refer to in the same transaction, and those rows are never deleted, only marked. `check:database` proves it.
 */
export class LighterWrites1780000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK);
    const isKept = (await versionOf(runner)) >= UNCHECKED_SINCE;
    for (const [table, column] of KEYS) {
      const name = nameOf(table, column);
      await runner.query(
        `ALTER TABLE ${table} ${isKept ? `ALTER CONSTRAINT ${name} NOT ENFORCED` : `DROP CONSTRAINT ${name}`}`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK);
    for (const [table, column, referred] of KEYS) {
      const name = nameOf(table, column);
      // The server may have been a version before 18 when the key was taken away.
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${name}`);
      await runner.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${name} FOREIGN KEY (${column}) REFERENCES ${referred}(id)`,
      );
    }
  }
}

async function versionOf(runner: QueryRunner): Promise<number> {
  const [row] = (await runner.query(`SELECT current_setting('server_version_num')::int AS version`)) as [
    { version: number },
  ];
  return row.version;
}
