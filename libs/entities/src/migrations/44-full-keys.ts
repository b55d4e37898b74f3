import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assertFinished } from './unfinished-indexes.js';

const TABLES = 'scheduled_orders, scheduled_order_items, payment_methods';

/** Name, and table with columns. Their rows refer to others by the first column. */
const KEYS = [
  ['ix_scheduled_orders_customer', 'scheduled_orders (customer_id, id)'],
  ['ix_scheduled_order_items_order', 'scheduled_order_items (scheduled_order_id, id)'],
  ['ix_scheduled_order_items_product', 'scheduled_order_items (product_id, scheduled_order_id)'],
  ['ix_payment_methods_customer', 'payment_methods (customer_id, id)'],
] as const;

/**
 * These indexes have deleted rows, too. When a test shop is deleted, the database looks for each row of it whether another one refers to it, and an
 * index with a condition is no help: it read the whole table for each. On a large table somebody may have made the new ones before, while all went on
 * (docs/operations.md).
 */
export class FullKeys1780000000044 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE ${TABLES} IN EXCLUSIVE MODE`);
    await assertFinished(
      runner,
      KEYS.map(([name]) => `${name}_all`),
    );
    for (const [name, on] of KEYS) await runner.query(`CREATE INDEX IF NOT EXISTS ${name}_all ON ${on}`);
    for (const [name] of KEYS) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`ALTER INDEX ${name}_all RENAME TO ${name}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE ${TABLES} IN ACCESS EXCLUSIVE MODE`);
    for (const [name, on] of KEYS) {
      await runner.query(`DROP INDEX ${name}`);
      await runner.query(`CREATE INDEX ${name} ON ${on} WHERE deleted_utc IS NULL`);
    }
  }
}
