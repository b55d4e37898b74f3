import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where each subscription came from that was moved in from another shop, and how far its move has come. */
export class MigratedSubscriptions1780000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE migrated_subscriptions (
        scheduled_order_id bigint NOT NULL,
        site_id bigint NOT NULL,
        source varchar(32) NOT NULL,
        source_id varchar(255) NOT NULL,
        source_status varchar(32) NOT NULL,
        payment_method_type varchar(16),
        gateway_customer_id varchar(255),
        gateway_card_id varchar(255),
        next_payment_utc timestamptz(3),
        exported_utc timestamptz(3) NOT NULL,
        state varchar(16) NOT NULL DEFAULT 'Imported',
        reason varchar(2000),
        imported_utc timestamptz(3) NOT NULL DEFAULT now(),
        checked_utc timestamptz(3),
        live_utc timestamptz(3),
        CONSTRAINT pk_migrated_subscriptions PRIMARY KEY (scheduled_order_id),
        CONSTRAINT fk_migrated_subscriptions_scheduled_order_id FOREIGN KEY (scheduled_order_id) REFERENCES scheduled_orders(id),
        CONSTRAINT ck_migrated_subscriptions_payment_method_type CHECK (payment_method_type IN ('GatewayOne', 'GatewayTwo')),
        CONSTRAINT ck_migrated_subscriptions_state CHECK (state IN ('Imported', 'Manual', 'Passed', 'Held', 'Live'))
    )`);
    await runner.query(
      `CREATE UNIQUE INDEX uq_migrated_subscriptions_source ON migrated_subscriptions (site_id, source, source_id)`,
    );
    await runner.query(
      `CREATE INDEX ix_migrated_subscriptions_state ON migrated_subscriptions (site_id, state, scheduled_order_id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE migrated_subscriptions`);
  }
}
