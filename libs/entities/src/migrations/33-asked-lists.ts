import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Texts that are searched by how they begin, whatever their case. Collation "C" is that of a range of prefixes. */
const SEARCHED = [
  ['customers', 'email'],
  ['customers', 'last_name'],
  ['products', 'sku'],
  ['products', 'title'],
] as const;

/**
 * Indexes for lists with filters. Recording an order changes none of them but the first, which replaces one with a shorter key: the others are of
 * tables and rows that a processed order does not touch (orders that are not Active, cycles that failed, orders with a number).
 */
export class AskedLists1780000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_scheduled_orders_site_status ON scheduled_orders (site_id, status, id) WHERE deleted_utc IS NULL`,
    );
    await runner.query(`DROP INDEX ix_scheduled_orders_site`);
    await runner.query(`CREATE INDEX ix_scheduled_orders_held ON scheduled_orders (site_id, status, coalesce(next_occurrence_utc, 'infinity'), id)
      WHERE status <> 'Active' AND deleted_utc IS NULL`);
    await runner.query(`CREATE INDEX ix_scheduled_order_items_product ON scheduled_order_items (product_id, scheduled_order_id)
      WHERE deleted_utc IS NULL`);
    await runner.query(`CREATE INDEX ix_processing_cycles_failure ON processing_cycles (site_id, open, failure_code, scheduled_order_id, cycle)
      WHERE failure_code IS NOT NULL`);
    await runner.query(`CREATE INDEX ix_orders_order_number ON orders (site_id, order_number)
      WHERE deleted_utc IS NULL AND order_number IS NOT NULL`);
    for (const [table, column] of SEARCHED) {
      await runner.query(
        `CREATE INDEX ix_${table}_${column} ON ${table} (site_id, lower(${column}) COLLATE "C") WHERE deleted_utc IS NULL`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of SEARCHED) await runner.query(`DROP INDEX ix_${table}_${column}`);
    await runner.query(`DROP INDEX ix_orders_order_number`);
    await runner.query(`DROP INDEX ix_processing_cycles_failure`);
    await runner.query(`DROP INDEX ix_scheduled_order_items_product`);
    await runner.query(`DROP INDEX ix_scheduled_orders_held`);
    await runner.query(
      `CREATE INDEX ix_scheduled_orders_site ON scheduled_orders (site_id, id) WHERE deleted_utc IS NULL`,
    );
    await runner.query(`DROP INDEX ix_scheduled_orders_site_status`);
  }
}
