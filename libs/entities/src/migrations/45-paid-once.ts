import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assertFinished } from './unfinished-indexes.js';

const COLUMNS = [
  ['gateway_transaction_id', 'varchar(255)'],
  ['payment_method_type', 'varchar(16)'],
] as const;

const INDEX = 'uq_orders_transaction';

/**
 * One transaction of a gateway pays for one Order: the database refuses a second one. Orders of before keep no transaction. On a large table somebody
 * may have made columns and index before, while all went on (docs/operations.md).
 */
export class PaidOnce1780000000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, type] of COLUMNS)
      await runner.query(`ALTER TABLE orders ADD COLUMN IF NOT EXISTS ${name} ${type}`);
    await assertFinished(runner, [INDEX]);
    await runner.query(
      `CREATE UNIQUE INDEX IF NOT EXISTS ${INDEX} ON orders (site_id, payment_method_type, gateway_transaction_id)
       WHERE gateway_transaction_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${INDEX}`);
    for (const [name] of COLUMNS) await runner.query(`ALTER TABLE orders DROP COLUMN ${name}`);
  }
}
