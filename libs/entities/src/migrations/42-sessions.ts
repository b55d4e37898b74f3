import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A browser's session is a token whose end moves with its use, up to this one. */
export class Sessions1780000000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE access_tokens ADD COLUMN session_until_utc timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE access_tokens DROP COLUMN session_until_utc`);
  }
}
