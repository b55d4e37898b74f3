import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of tokens beyond their number the one ends that was unused longest; those that have expired are deleted. */
export class BoundedTokens1780000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE access_tokens ADD COLUMN last_used_utc timestamptz(3)`);
    await runner.query(
      `CREATE INDEX ix_access_tokens_merchant ON access_tokens (user_id, expires_utc) WHERE customer_id IS NULL AND revoked_utc IS NULL`,
    );
    await runner.query(`CREATE INDEX ix_access_tokens_expires ON access_tokens (expires_utc)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_access_tokens_expires`);
    await runner.query(`DROP INDEX ix_access_tokens_merchant`);
    await runner.query(`ALTER TABLE access_tokens DROP COLUMN last_used_utc`);
  }
}
