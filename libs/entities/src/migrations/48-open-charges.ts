import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which integrations are audited, and which charges an audit still has to compare. */
export class OpenCharges1780000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE integration_audits ADD COLUMN sent_utc timestamptz(3), ADD COLUMN open_charges jsonb NOT NULL DEFAULT '[]'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE integration_audits DROP COLUMN sent_utc, DROP COLUMN open_charges`);
  }
}
