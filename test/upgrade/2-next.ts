import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The migration of a next version, which only tests have: it expands a table in use. */
export class Next1780000000002 implements MigrationInterface {
  readonly name = 'Next1780000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE scheduled_orders ADD COLUMN next integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE scheduled_orders DROP COLUMN next`);
  }
}
