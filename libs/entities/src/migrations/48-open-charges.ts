import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which integrations are audited, and which charges an audit still has to compare. An audit reads the Orders of some minutes: pages that the index does
 * not know yet would all be read, and without autosummarize those are the pages since the last vacuum.
 */
export class OpenCharges1780000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE integration_audits ADD COLUMN sent_utc timestamptz(3), ADD COLUMN open_charges jsonb NOT NULL DEFAULT '[]'`,
    );
    await runner.query(`ALTER INDEX ix_orders_processed SET (autosummarize = on)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER INDEX ix_orders_processed RESET (autosummarize)`);
    await runner.query(`ALTER TABLE integration_audits DROP COLUMN sent_utc, DROP COLUMN open_charges`);
  }
}
