import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the password was last entered in a browser's session. Sessions of older processes have none: they are asked for it. */
export class PasswordEntries1780000000049 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE access_tokens ADD COLUMN password_entered_utc timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE access_tokens DROP COLUMN password_entered_utc`);
  }
}
