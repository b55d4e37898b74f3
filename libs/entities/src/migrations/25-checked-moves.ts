import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the check of moved subscriptions compares, and what a person has decided about those that it held. */
export class CheckedMoves1780000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE migrated_subscriptions ADD COLUMN source_total bigint`);
    await runner.query(`ALTER TABLE migrated_subscriptions ADD COLUMN paid_utc timestamptz(3)`);
    await runner.query(`ALTER TABLE migrated_subscriptions ADD COLUMN accounted_utc timestamptz(3)`);
    await runner.query(`ALTER TABLE migrated_subscriptions ADD COLUMN kept_date_utc timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['kept_date_utc', 'accounted_utc', 'paid_utc', 'source_total']) {
      await runner.query(`ALTER TABLE migrated_subscriptions DROP COLUMN ${column}`);
    }
  }
}
