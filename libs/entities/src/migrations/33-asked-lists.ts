import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assertFinished } from './unfinished-indexes.js';

/** In the order in which a worker locks them when it records: so no deadlock is possible. Everything goes on reading them. */
const TABLES = 'scheduled_orders, scheduled_order_items, processing_cycles, orders, customers, products';

/** Orders that are not Active. */
const HELD = `status <> 'Active' AND deleted_utc IS NULL`;

/** A text that is searched by how it begins, whatever its case. Collation "C" is that of a range of prefixes. */
const beginning = (table: string, column: string) =>
  [`ix_${table}_${column}`, `${table} (site_id, lower(${column}) COLLATE "C") WHERE deleted_utc IS NULL`] as const;

const INDEXES = [
  ['ix_scheduled_orders_held_id', `scheduled_orders (site_id, status, id) WHERE ${HELD}`],
  [
    'ix_scheduled_orders_held',
    `scheduled_orders (site_id, status, coalesce(next_occurrence_utc, 'infinity'), id) WHERE ${HELD}`,
  ],
  [
    'ix_scheduled_order_items_product',
    `scheduled_order_items (product_id, scheduled_order_id) WHERE deleted_utc IS NULL`,
  ],
  [
    'ix_processing_cycles_failure',
    `processing_cycles (site_id, open, failure_code, scheduled_order_id, cycle) WHERE failure_code IS NOT NULL`,
  ],
  ['ix_orders_order_number', `orders (site_id, order_number) WHERE deleted_utc IS NULL AND order_number IS NOT NULL`],
  beginning('customers', 'email'),
  beginning('customers', 'last_name'),
  beginning('products', 'sku'),
  beginning('products', 'title'),
] as const;

/**
 * Indexes for lists with filters. Recording an order changes none of them: they are of tables and rows that a processed order does not touch (orders
 * that are not Active, cycles that failed, orders with a number).
 */
export class AskedLists1780000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE ${TABLES} IN SHARE MODE`);
    await assertFinished(
      runner,
      INDEXES.map(([name]) => name),
    );
    // On a large table somebody may have made the index before, while all went on (docs/operations.md).
    for (const [name, definition] of INDEXES) {
      await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ${definition}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE ${TABLES} IN ACCESS EXCLUSIVE MODE`);
    for (const [name] of [...INDEXES].reverse()) await runner.query(`DROP INDEX ${name}`);
  }
}
