import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assertFinished } from './unfinished-indexes.js';

/** In the order in which a worker locks them when it records: so no deadlock is possible. */
const TABLES = 'processing_cycles, orders, archived_cycles';

const INDEXES = [
  [
    'ix_processing_cycles_ended',
    `processing_cycles (site_id, coalesce(ended_utc, due_utc)) WHERE NOT open AND (ended_utc IS NOT NULL OR failure_code IS NOT NULL OR order_id IS NULL)`,
  ],
  [
    'ix_orders_processed',
    `orders USING brin (date_created) WITH (pages_per_range = 32) WHERE scheduled_order_id IS NOT NULL AND deleted_utc IS NULL`,
  ],
  [
    'ix_archived_cycles_ended',
    `archived_cycles (site_id, last_ended_utc, first_ended_utc) WHERE last_ended_utc IS NOT NULL`,
  ],
] as const;

const COLUMNS = [
  ['processing_cycles', 'ended_utc', 'timestamptz(3)'],
  ['orders', 'currency_iso', 'varchar(3)'],
] as const;

const HAS_COLUMN = `SELECT FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = $1 AND column_name = $2`;

/** When cycles of before failed or were skipped was not stored: they count on the day on which they were due. */
const FILL_ARCHIVE = `UPDATE archived_cycles a SET first_ended_utc = e.first, last_ended_utc = e.last
FROM archived_cycles b CROSS JOIN LATERAL (
  SELECT min(c.due_utc) AS first, max(c.due_utc) AS last
  FROM jsonb_populate_recordset(NULL::processing_cycles, b.cycles) c WHERE c.state IN ('Failed', 'Skipped')) e
WHERE a.scheduled_order_id = b.scheduled_order_id AND a.last_cycle = b.last_cycle AND e.last IS NOT NULL`;

/** The time at which a cycle failed or was skipped, the currency of an Order, and indexes for what happened on a day. Recording a charged order writes none of their entries. */
export class Reports1780000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // On a large table somebody may have made the column and the indexes before, while all went on (docs/operations.md).
    for (const [table, column, type] of COLUMNS) {
      const found = (await runner.query(HAS_COLUMN, [table, column])) as unknown[];
      if (found.length === 0) await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    }
    await runner.query(`LOCK TABLE ${TABLES} IN SHARE MODE`);
    await assertFinished(
      runner,
      INDEXES.map(([name]) => name),
    );
    await runner.query(
      `ALTER TABLE archived_cycles ADD COLUMN first_ended_utc timestamptz(3), ADD COLUMN last_ended_utc timestamptz(3)`,
    );
    await runner.query(FILL_ARCHIVE);
    for (const [name, definition] of INDEXES) {
      await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ${definition}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE ${TABLES} IN ACCESS EXCLUSIVE MODE`);
    for (const [name] of [...INDEXES].reverse()) await runner.query(`DROP INDEX ${name}`);
    await runner.query(`ALTER TABLE archived_cycles DROP COLUMN first_ended_utc, DROP COLUMN last_ended_utc`);
    for (const [table, column] of COLUMNS) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
