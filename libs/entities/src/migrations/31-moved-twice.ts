import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds a subscription that was moved into two sites. */
export class MovedTwice1780000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_migrated_subscriptions_subscription ON migrated_subscriptions (source, source_id, gateway_customer_id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ix_migrated_subscriptions_subscription`);
  }
}
