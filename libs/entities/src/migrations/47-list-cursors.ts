import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the charges of an integration have been listed for a reconciliation that has not ended. */
export class ListCursors1780000000047 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE integration_reconciliations ADD COLUMN IF NOT EXISTS list_generation bigint, ADD COLUMN IF NOT EXISTS list_cursor varchar(255)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE integration_reconciliations DROP COLUMN list_generation, DROP COLUMN list_cursor`);
  }
}
