import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger of cycles, and which database this is. */
export class Processing1780000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE processing_cycles (
        site_id bigint NOT NULL,
        scheduled_order_id bigint NOT NULL,
        cycle bigint NOT NULL,
        state varchar(16) NOT NULL,
        open boolean NOT NULL,
        due_utc timestamptz(3) NOT NULL,
        replaced_utc timestamptz(3),
        passed_over bigint NOT NULL DEFAULT 0,
        attempt bigint NOT NULL DEFAULT 0,
        payment_failures bigint NOT NULL DEFAULT 0,
        technical_failures bigint NOT NULL DEFAULT 0,
        given_up boolean NOT NULL DEFAULT false,
        moved boolean NOT NULL DEFAULT false,
        waiting_since_utc timestamptz(3),
        worker varchar(64),
        lease_until_utc timestamptz(3),
        next_attempt_utc timestamptz(3),
        amount bigint,
        currency_iso varchar(3),
        payment_method_type varchar(16),
        gateway_customer_id varchar(255),
        gateway_payment_id varchar(255),
        payment_integration_id bigint,
        credentials_fingerprint varchar(64),
        idempotency_key varchar(255),
        started_utc timestamptz(3),
        frozen jsonb,
        past_attempts jsonb,
        resolution varchar(16),
        gateway_transaction_id varchar(255),
        failure_code integer,
        failure_message text,
        order_id bigint,
        created_utc timestamptz(3) NOT NULL DEFAULT now(),
        updated_utc timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_processing_cycles PRIMARY KEY (scheduled_order_id, cycle),
        CONSTRAINT ck_processing_cycles_completed CHECK (state <> 'Completed' OR order_id IS NOT NULL),
        CONSTRAINT ck_processing_cycles_open CHECK (open = (state IN ('Claimed', 'Charging', 'Unknown', 'Retrying', 'Waiting'))),
        CONSTRAINT ck_processing_cycles_state CHECK (state IN ('Claimed', 'Charging', 'Unknown', 'Retrying', 'Waiting', 'Completed', 'Skipped', 'Failed'))
    )`);
    await runner.query(
      `ALTER TABLE processing_cycles ADD CONSTRAINT fk_processing_cycles_scheduled_order_id FOREIGN KEY (scheduled_order_id) REFERENCES scheduled_orders(id)`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX uq_processing_cycles_open ON processing_cycles (scheduled_order_id) WHERE open`,
    );
    await runner.query(
      `CREATE INDEX ix_processing_cycles_next_attempt ON processing_cycles (next_attempt_utc, scheduled_order_id) WHERE open AND next_attempt_utc IS NOT NULL`,
    );
    await runner.query(`CREATE TABLE deployment (
        singleton boolean NOT NULL DEFAULT true,
        deployment_id varchar(255) NOT NULL,
        system_identifier varchar(64) NOT NULL,
        database_identity varchar(255) NOT NULL,
        key_prefix varchar(16) NOT NULL,
        adopted_utc timestamptz(3),
        CONSTRAINT pk_deployment PRIMARY KEY (singleton),
        CONSTRAINT ck_deployment_singleton CHECK (singleton)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE deployment`);
    await runner.query(`DROP TABLE processing_cycles`);
  }
}
