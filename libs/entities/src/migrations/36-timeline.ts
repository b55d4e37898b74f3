import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assertFinished } from './unfinished-indexes.js';

/** In the order in which a worker locks them when it records: so no deadlock is possible. Everything goes on reading them. */
const TABLES = 'scheduled_orders, scheduled_order_items, webhook_deliveries';

const INDEXES = [
  ['ix_scheduled_orders_deleted_id', `scheduled_orders (site_id, status, id) WHERE deleted_utc IS NOT NULL`],
  [
    'ix_scheduled_orders_deleted',
    `scheduled_orders (site_id, status, coalesce(next_occurrence_utc, 'infinity'), id) WHERE deleted_utc IS NOT NULL`,
  ],
  ['ix_scheduled_orders_deleted_customer', `scheduled_orders (customer_id, id) WHERE deleted_utc IS NOT NULL`],
  ['ix_scheduled_order_items_deleted', `scheduled_order_items (scheduled_order_id, id) WHERE deleted_utc IS NOT NULL`],
  [
    'ix_webhook_deliveries_order',
    `webhook_deliveries (scheduled_order_id, created_utc, id) WHERE scheduled_order_id IS NOT NULL`,
  ],
] as const;

/** Indexes for lists of deleted orders, which no other order is in, and for the deliveries of one order's events. */
export class Timeline1780000000036 implements MigrationInterface {
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
